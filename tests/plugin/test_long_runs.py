"""Thousands of cases: one letter for several, the worst pairs first, and few derivations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_metaspace import reviewing, settle
from pytest_metaspace.domain import Outcome, Settings
from pytest_metaspace.reports import letters, terminal
from pytest_metaspace.reports.letters import Letters
from pytest_metaspace.reports.pairs import Pairs, about
from pytest_metaspace.summary import summarise
from tests.plugin.made import MOODY
from tests.plugin.test_settle import table

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plugin.conftest import Project

ONE_PAIR = ("runs", "--metaspace-sc=SC1-a", "--metaspace-mr=MR2")
IN_VIEW = ("runs", "--metaspace-sc=SC2-a", "--metaspace-mr=MR2")
MIXED = (
    "return 'left' if 'lamp' in prompt else 'nearer' if 'A is the chair' in prompt else 'farther'"
)


def test_two_thousand_cases_have_a_letter_each() -> None:
    assert Letters(letters.MOST).each == 1
    assert Letters(letters.MOST).explained() == ""
    assert Letters(letters.MOST + 1).each == 2
    assert Letters(30_300).each == 16


def test_a_letter_is_that_of_the_worst_of_its_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(letters, "MOST", 3)
    outcomes = (
        "satisfied",
        "inconclusive",
        "satisfied",
        "violated",
        "error",
        "invalid",
        "satisfied",
    )
    made = Letters(len(outcomes))
    assert made.each == 3
    printed = [made.after(outcome, last=False) for outcome in outcomes]
    assert printed == [None, None, "satisfied", None, None, "error", "satisfied"]


def test_the_last_case_before_an_early_stop_has_its_letter(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(letters, "MOST", 1)
    made = Letters(10)
    assert [made.after("satisfied", last=False), made.after("violated", last=True)] == [
        None,
        "violated",
    ]


@pytest.mark.parametrize("workers", [False, True])
def test_shared_letters_are_explained_and_change_no_count(
    project: Project, walk: Path, monkeypatch: pytest.MonkeyPatch, workers: bool
) -> None:
    project.write("shorter.py", "from pytest_metaspace.reports import letters\nletters.MOST = 2\n")
    project.pytester.syspathinsert()  # pytest 8.0 finds no -p plugin in this folder by itself
    monkeypatch.setattr(letters, "MOST", 2)
    agent = project.brain(MOODY)
    run = project.run_workers if workers else project.run
    result = run("-p", "shorter", agent, *ONE_PAIR)
    assert result.parseoutcomes() == {"violated": 1, "invalid": 1, "passed": 1}
    result.stdout.fnmatch_lines(
        ["metaspace: 3 cases; each letter stands for 2 of them and is that of the worst (-v *)"]
    )
    (line,) = [line for line in result.outlines if "[100%]" in line]
    shown = line.removeprefix("runs/walk/trajectory.json").split()[0]
    assert shown == "I." or workers
    assert len(shown) == 2


def test_verbose_runs_tell_of_each_case(
    project: Project, walk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(letters, "MOST", 2)
    result = project.run(project.brain(MOODY), *ONE_PAIR, "-v")
    words = [line.split()[1] for line in result.outlines if ".json::" in line]
    assert words == ["VIOLATED", "INVALID", "PASSED"]
    result.stdout.no_fnmatch_line("*each letter stands for*")


def test_an_early_stop_shows_the_letter_of_what_stopped_it(
    project: Project, walk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(letters, "MOST", 1)
    result = project.run(project.brain("return 'right'"), *ONE_PAIR, "-x")
    result.stdout.fnmatch_lines(["runs/walk/trajectory.json V*"])


def test_only_the_end_of_a_process_leaves_garbage_alone(project: Project, walk: Path) -> None:
    """Within it, what a run left out of garbage collection is collected again."""
    script = project.write(
        "twice.py",
        "import atexit, gc, pytest\n"
        "atexit.register(lambda: print('at exit', gc.get_freeze_count() > 0))\n"
        "for _ in range(2):\n"
        "    pytest.main(['-q', '-p', 'metaspace', '--metaspace-agent=collapsed', 'runs'])\n"
        "    print('after', gc.get_freeze_count())\n",
    )
    result = project.pytester.runpython(script)
    told = [line for line in result.outlines if line.startswith(("after", "at exit"))]
    assert told == ["after 0", "after 0", "at exit True"]


def test_pairs_are_told_worst_first(project: Project, walk: Path) -> None:
    result = project.run(project.brain(MIXED), *IN_VIEW)
    start = result.outlines.index("SC2-a MR2 symmetry: 8 violations in 12 cases")
    assert result.outlines[start + 1 : start + 3] == [
        "  chair-1 ~ lamp-1: 4 violated of 4",
        "  lamp-1 ~ table-1: 4 violated of 4",
    ]
    assert "MR2 violated: walk::SC2-a::MR2::f000-chair1-lamp1-" in result.outlines[start + 3]


def test_no_more_derivations_are_made_than_are_told_and_no_verdict_changes(
    project: Project, walk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others say how to get theirs; outcomes, scores and exit status are the same."""
    agent = project.brain("return 'left'")
    all_told = project.run(agent, *IN_VIEW, "--junitxml=all.xml")
    monkeypatch.setattr(settle, "TOLD_PER_GROUP", 0)
    monkeypatch.setattr(reviewing, "MOST", 0)
    few_told = project.run(agent, *IN_VIEW, "--junitxml=few.xml")
    assert few_told.parseoutcomes() == all_told.parseoutcomes() == {"violated": 12}
    assert few_told.ret == all_told.ret == 1
    assert table(few_told) == table(all_told)
    texts = {name: (project.path / f"{name}.xml").read_text() for name in ("all", "few")}
    derived = "laws/symmetry.pl"
    assert [texts[name].count("<failure") for name in ("all", "few")] == [12, 12]
    assert "left out" not in texts["all"]
    assert texts["few"].count("its derivation was left out") == 2 * 9  # as message and as text
    assert derived in texts["few"]
    everything = project.run(agent, *IN_VIEW, "--metaspace-explain", "--junitxml=every.xml")
    assert everything.ret == 1
    assert "left out" not in (project.path / "every.xml").read_text()


def test_what_is_left_out_is_had_without_a_line_for_each_case() -> None:
    codes = ("SC1-a", "SC1-b", "SC2-a", "SC2-b")
    groups = [(code, relation) for relation in ("MR2", "MR3") for code in codes]
    groups += [("SC4-a", "MR1"), ("SC4-b", "MR4")]
    run = summarise(
        agent="",
        settings=Settings(),
        titles={},
        trajectories=(),
        outcomes=[("t", *group, Outcome.VIOLATED) for group in groups],
        drops={},
        questions=0,
    )
    shown = {group: ["text"] for group in groups}
    *_, last = terminal.violations(run, shown, Pairs(), verbose=False)
    assert last.startswith("and 2 more capabilities and relations (metaspace explain CASE shows")
    assert "-v shows them, and prints a line for each case" in last
    verbose = [*terminal.violations(run, shown, Pairs(), verbose=True)]
    assert verbose.count("  text") == 10
    assert not any("more capabilities" in line for line in verbose)


def test_what_a_case_is_about_is_a_pair(project: Project, walk: Path) -> None:
    from pytest_metaspace.domain import Settings
    from pytest_metaspace.pipeline import Registries, load, plan

    known = Registries.built_in()
    (loaded,) = load([walk], known)
    found: dict[str, set[str]] = {}
    for case in plan(loaded, known, Settings()).cases:
        found.setdefault(f"{case.capability} {case.relation}", set()).add(about(case))
    assert found["SC1-a MR2"] == {f"state {n} ~ state {n + 1}" for n in range(3)}
    assert "state 0 ~ state 2" in found["SC1-a MR1"]
    assert found["SC3-b MR5"] == {"chair-1", "lamp-1", "table-1"}
    assert found["SC3-a MR6"] == found["SC2-a MR2"]
    assert "chair-1 ~ lamp-1" in found["SC2-a MR1"]


def test_cases_come_in_turn_the_worst_pair_first(project: Project, walk: Path) -> None:
    from pytest_metaspace.domain import Settings
    from pytest_metaspace.pipeline import Registries, load, plan

    known = Registries.built_in()
    (loaded,) = load([walk], known)
    settings = Settings(capabilities=frozenset({"SC2-a"}), relations=frozenset({"MR2"}))
    cases = plan(loaded, known, settings).cases
    violated = [case for case in cases if "lamp" in about(case) and "f000" not in case.id]
    violated.remove(next(case for case in violated if about(case) == "chair-1 ~ lamp-1"))
    pairs = Pairs()
    for case in cases:
        pairs.enter(case, Outcome.VIOLATED if case in violated else Outcome.SATISFIED)
    group = ("SC2-a", "MR2")
    assert pairs.worst(group) == [("lamp-1 ~ table-1", 3, 4), ("chair-1 ~ lamp-1", 2, 4)]
    in_turn = [about(case) for case in pairs.in_turn(group, violated)]
    assert in_turn[:4] == ["lamp-1 ~ table-1", "chair-1 ~ lamp-1"] * 2
