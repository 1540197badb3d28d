"""Two records are compared case by case, and tested trajectory by trajectory."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pytest_metaspace.domain import Outcome, Record, Settings
from pytest_metaspace.reports import comparing
from pytest_metaspace.scoring.comparison import compare

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_metaspace.domain import Judged, Semantics

S, V, I, N = Outcome.SATISFIED, Outcome.VIOLATED, Outcome.INVALID, Outcome.INCONCLUSIVE  # noqa: E741


def record(outcomes: Mapping[str, Outcome], semantics: Semantics = "sound") -> Record:
    return Record(
        agent="a",
        identity=None,
        made_by="1",
        wording={},
        settings=Settings(semantics=semantics),
        anchored=frozenset({"A1"}),
        trajectories={address.split("::")[0]: "x" for address in outcomes},
        outcomes=outcomes,
    )


def walks(count: int, *columns: str, capability: str = "SC1-a") -> list[Record]:
    """Return records in which each of so many trajectories has the cases of a column."""
    letters = {"S": S, "V": V, "I": I, "N": N}
    return [
        record(
            {
                f"t{number}::{capability}::MR1::c{place}": letters[letter]
                for number in range(count)
                for place, letter in enumerate(column)
            }
        )
        for column in columns
    ]


@pytest.mark.parametrize(
    ("count", "columns", "judged"),
    [
        (10, ("SSSS", "SSSV"), "worse"),
        (10, ("SSSV", "SSSS"), "better"),
        (10, ("SSSV", "SSVS"), "same"),
        (9, ("SSSS", "SSSV"), "undecided"),
        (9, ("SSSS", "SSSS"), "same"),
        (10, ("SSSS", "SSSI"), "worse"),
        (10, ("SSSI", "SSSV"), "same"),
    ],
)
def test_a_capability_is_judged_by_its_trajectories(
    count: int, columns: tuple[str, str], judged: Judged
) -> None:
    (shift,) = compare(*walks(count, *columns)).shifts
    assert shift.judged == judged
    assert (shift.cases, shift.trajectories) == (4 * count, count)


def test_a_change_of_one_trajectory_in_many_may_be_chance() -> None:
    before, after = walks(12, "SSSS", "SSSS")
    worse = dict.fromkeys([f"t0::SC1-a::MR1::c{place}" for place in range(4)], V)
    (shift,) = compare(before, replace(after, outcomes={**after.outcomes, **worse})).shifts
    assert (shift.judged, shift.lost, shift.won) == ("chance", 4, 0)
    assert shift.change == pytest.approx(-1 / 12)


def test_each_trajectory_counts_the_same_however_many_cases_it_has() -> None:
    small, large = walks(1, "SS", "VV"), walks(1, "S" * 98, "S" * 98, capability="SC1-a")
    grown = [
        replace(
            one,
            outcomes={
                **one.outcomes,
                **{k.replace("t0", "t1"): v for k, v in other.outcomes.items()},
            },
        )
        for one, other in zip(small, large)
    ]
    (shift,) = compare(*grown).shifts
    assert (shift.before, shift.after) == (1.0, 0.5)


def test_what_says_nothing_once_is_not_compared_under_sound_and_is_under_paper() -> None:
    before, after = walks(10, "SSN", "SNV")
    (sound,) = compare(before, after).shifts
    assert (sound.cases, sound.judged) == (10, "same")
    paper = [replace(one, settings=Settings(semantics="paper")) for one in (before, after)]
    (shift,) = compare(*paper).shifts
    assert (shift.cases, shift.judged) == (30, "worse")


def test_anchored_relations_are_in_no_capability() -> None:
    """Their cases move all the same."""
    before, after = (record({f"t{n}::SC1-a::A1::c": what for n in range(10)}) for what in (S, V))
    found = compare(before, after)
    assert not found.shifts
    assert len(found.moves.newly_violated) == 10


def test_newly_violated_cases_of_anchored_relations_are_told_apart_and_last() -> None:
    addresses = [f"t::SC1-a::{name}::c" for name in ("A1", "MR1")]
    before, after = (record(dict.fromkeys(addresses, outcome)) for outcome in (S, V))
    found = compare(before, after)
    assert comparing.in_turn(found) == addresses[::-1]
    told = list(comparing.moved(found, verbose=False))
    assert told[0] == "cases: 2 newly violated, 0 newly satisfied"
    assert told[1].startswith("  1 of those newly violated are of anchored relations")


def test_changes_below_the_minimum_effect_are_none() -> None:
    (shift,) = compare(*walks(10, "S" * 50, "S" * 49 + "V"), min_change=0.03).shifts
    assert shift.judged == "same"
    assert shift.change == pytest.approx(-0.02)
    assert shift.p is not None
    assert shift.p < 0.05


def test_chance_is_shared_out_over_capabilities() -> None:
    """A p of 5 in 1,024 is enough for one capability and not for eight."""
    codes = [f"SC{number}-{letter}" for number in range(1, 5) for letter in "ab"]
    outcomes: list[dict[str, Outcome]] = [{}, {}]
    for code in codes:
        for number in range(10):
            address = f"t{number}::{code}::MR1::c"
            outcomes[0][address] = S if code == "SC1-a" and number < 6 else V
            outcomes[1][address] = V
    found = {s.capability: s for s in compare(*map(record, outcomes)).shifts}
    assert found["SC1-a"].p == pytest.approx(8 / 64)
    alone = [{k: v for k, v in one.items() if "SC1-a" in k} for one in outcomes]
    (shift,) = compare(*map(record, alone)).shifts
    assert shift.p == pytest.approx(1 / 64)


def test_cases_that_moved_are_told_apart() -> None:
    before = record(
        {"t::SC1-a::MR1::" + name: what for name, what in zip("abcdefg", [S, V, N, V, S, S, I])}
    )
    after = record(
        {"t::SC1-a::MR1::" + name: what for name, what in zip("abcdehi", [V, S, V, I, N, S, S])}
    )
    moves = compare(before, after).moves
    told = {name: "".join(a[-1] for a in getattr(moves, name)) for name in moves.__slots__}
    assert told == {
        "newly_violated": "ac",
        "newly_satisfied": "b",
        "otherwise": "de",
        "added": "hi",
        "removed": "fg",
        "not_run": "",
        "changed": "",
    }


def test_only_what_is_known_to_be_gone_is_removed() -> None:
    before, after = record({"t::a::b::c": S, "t::a::b::d": S, "u::a::b::c": S}), record({})
    moves = compare(before, after, gone={"t::a::b::d"}).moves
    assert (moves.removed, moves.not_run) == (("t::a::b::d",), ("t::a::b::c", "u::a::b::c"))


def test_a_trajectory_that_shows_something_else_is_not_compared() -> None:
    before, after = walks(10, "S", "V")
    drawn_anew = replace(after, trajectories={**after.trajectories, "t0": "y"})
    found = compare(before, drawn_anew)
    assert found.moves.changed == ("t0::SC1-a::MR1::c0",)
    assert found.shifts[0].trajectories == 9
    all_the_same = compare(before, drawn_anew, other_trajectories=True)
    assert all_the_same.shifts[0].trajectories == 10
    assert not all_the_same.moves.changed


def items(count: int, letters: Mapping[str, str], **more: Outcome) -> Record:
    """Return a record of so many items of a suite, each with a case of each relation."""
    outcomes = {
        f"i{number:02d}::EMB-far::EMB-{name}::c": {"S": S, "V": V, "I": I}[letter]
        for number in range(count)
        for name, letter in letters.items()
    }
    apart = frozenset({"A1", "EMB-ACC", "EMB-ORDER"})
    return replace(record({**outcomes, **more}), anchored=apart)


def test_where_there_are_cases_of_suites_alone_they_decide_by_relation() -> None:
    before, after = items(10, {"ORDER": "S", "ACC": "S"}), items(10, {"ORDER": "S", "ACC": "I"})
    found = compare(before, after)
    assert [(one.capability, one.judged) for one in found.suites] == [
        ("EMB-ACC", "worse"),
        ("EMB-ORDER", "same"),
    ]
    assert not found.shifts
    assert found.deciding == found.suites
    assert comparing.said(found) == "worse by more than chance: EMB-ACC"
    assert comparing.said(compare(before, before)) == "no relation of a suite fell"
    assert not any("in no score" in line for line in comparing.lines(found, verbose=False))
    assert next(comparing.lines(found, verbose=False)).startswith("suite ")


def test_an_unreadable_answer_to_a_suite_counts_as_wrong_under_paper_too() -> None:
    paper = Settings(semantics="paper")
    (shift,) = compare(
        *(replace(items(10, {"ACC": letter}), settings=paper) for letter in "SI")
    ).suites
    assert (shift.after, shift.judged) == (0.0, "worse")


def test_beside_capabilities_suites_are_told_and_decide_nothing() -> None:
    walk = {"t::SC1-a::MR1::c": S}
    found = compare(items(10, {"ACC": "S"}, **walk), items(10, {"ACC": "V"}, **walk))
    assert (len(found.shifts), len(found.suites)) == (1, 1)
    assert comparing.said(found) == "no capability fell"
    told = "\n".join(comparing.lines(found, verbose=False))
    assert "items of suites, which do not decide beside capabilities:" in told
    assert "  10 of those newly violated are of suites, which are in no score of a cap" in told
    assert "anchored" not in told


def test_suites_do_not_decide_for_capabilities_of_which_nothing_can_be_compared() -> None:
    before = items(10, {"ACC": "S"}, **{"t::SC1-a::MR1::c": S})
    after = items(10, {"ACC": "S"}, **{"u::SC1-a::MR1::c": S})
    assert not compare(before, after).deciding
    assert compare(before, items(10, {"ACC": "S"})).by_suites
