"""Gates: what thresholds mean, and when no gate may pass."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_metaspace.domain import Capability, GateResult, Interval, Mean, Policy, Score
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.failures import KINDS, Kind
from pytest_metaspace.gates import (
    ALLOWANCES,
    Shortfall,
    check_names,
    decide,
    decide_failures,
    parse,
    parse_limits,
)


def score(name: str = "SC1-a", **counts: Any) -> Score:
    return Score(name=name, title="t", semantics="sound", **counts)


def gate(score: Score | Mean, threshold: float, *allowed: str, **more: Any) -> GateResult:
    return decide(score.name, score, threshold, allowed=frozenset(allowed), **more)


def mean(*parts: Score) -> Mean:
    return Mean(name="total", title="t", parts=parts)


@pytest.mark.parametrize(
    ("texts", "thresholds"),
    [
        ([], {}),
        (["0.5"], {"total": 0.5}),
        (["total=1"], {"total": 1.0}),
        (["SC2-a=0.4", "0"], {"SC2-a": 0.4, "total": 0.0}),
        ([" SC1-b = 1e-1 "], {"SC1-b": 0.1}),
        (["0.5", "0.6"], {"total": 0.6}),
    ],
)
def test_thresholds_are_numbers_with_or_without_a_name(
    texts: list[str], thresholds: dict[str, float]
) -> None:
    assert parse(texts) == thresholds


@pytest.mark.parametrize(
    "text", ["half", "1.1", "-0.1", "nan", "inf", "", "SC1-a=", "SC1-a=x", "50%"]
)
def test_a_threshold_that_is_no_share_says_what_one_is(text: str) -> None:
    with pytest.raises(UsageProblem, match="between 0 and 1") as caught:
        parse([text])
    assert f"--metaspace-fail-under {text}:" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("MR1=0.5", "MR1"),
        ("drone=0.5", "drone"),
        ("Drone/sc1-A=0.5", "drone/SC1-a"),
        ("MR2/SC1-a/drone=0.5", "drone/SC1-a/MR2"),
        ("total/arm=0.5", "arm"),
        ("TOTAL=0.5", "total"),
        ("EMB-far=0.5", "EMB-far/EMB-ACC"),
        ("EMB-ORDER/EMB-far=0.5", "EMB-far/EMB-ORDER"),
    ],
)
def test_a_gate_names_what_it_is_on_in_any_order_and_case(text: str, name: str) -> None:
    assert parse([text]) == {name: 0.5}


@pytest.mark.parametrize(
    "text",
    [
        "=0.5",
        "SC1-a/SC1-b=0.5",
        "drone/=0.5",
        "arm/drone=0.5",
        "/=0",
        "EMB-far/EMB-close=0.5",
        "EMB-far/=0.5",
    ],
)
def test_a_gate_with_a_part_that_is_empty_or_twice_shows_how_to_write_one(text: str) -> None:
    with pytest.raises(UsageProblem, match="twice, or one that is empty") as caught:
        parse([text])
    assert f"--metaspace-fail-under {text}:" in str(caught.value)
    assert "drone/SC1-a/MR2=0.5" in str(caught.value)


@pytest.mark.parametrize(
    "text", ["SC9=0.5", "MR7=0.5", "drone/MR11=0.5", "plane=0.5", "EMB-close=0.5"]
)
def test_a_gate_on_nothing_known_lists_what_there_is(text: str) -> None:
    with pytest.raises(UsageProblem, match=r"MR1, .*SC4-b, arm, drone, .*total") as caught:
        check_names(parse([text]), ["MR1", "MR2"])
    assert "is not known" in str(caught.value)


def test_near_matches_of_a_gate_are_named() -> None:
    with pytest.raises(UsageProblem, match=r"Did you mean .*'SC1-a'"):
        check_names(parse(["SC1a=0.5"]), ["MR1"])


def test_tasks_of_suites_are_gates_and_near_matches_of_them_named() -> None:
    check_names(parse(["EMB-far=0.5"]), ["EMB-ACC"], ["EMB-far"])
    with pytest.raises(UsageProblem, match=r"Did you mean .*'EMB-far'"):
        check_names(parse(["EMB-fra=0.5"]), ["EMB-ACC"], ["EMB-far"])


def test_a_total_without_cases_names_the_accuracy_of_the_suites_that_ran() -> None:
    failed = decide("total", mean(), 0.5, suites=["EMB-ACC", "REM-ACC"])
    assert not failed.passed
    assert failed.sentence == (
        "total has no score: all cases are of suites, which are in no total; to gate their "
        "accuracy write --metaspace-fail-under=EMB-ACC=0.5, or of REM-ACC"
    )
    assert "of suites" not in decide("total", mean(score(inconclusive=1)), 0.5).sentence


def test_a_gate_passes_at_its_threshold_and_fails_below() -> None:
    one = score(satisfied=3, violated=1)
    assert gate(one, 0.75) == GateResult(
        name="SC1-a",
        value=0.75,
        threshold=0.75,
        passed=True,
        sentence="SC1-a is 0.750, at least 0.75",
        basis="4 cases",
    )
    failed = gate(one, 0.76)
    assert not failed.passed
    assert failed.sentence == "SC1-a is 0.750, below 0.76"


def test_rounding_noise_fails_no_gate() -> None:
    both = score(satisfied=1, violated=9), score("SC2-a", satisfied=1, violated=1)
    assert gate(mean(*both), sum((0.1, 0.5)) / 2 + 1e-16).passed


def test_a_score_that_rounds_up_to_its_threshold_still_fails() -> None:
    assert not gate(score(satisfied=9999, violated=1), 1.0).passed


@pytest.mark.parametrize(
    ("short", "word", "told"),
    [
        (Shortfall(errors=1), "errors", "cannot pass a run with 1 error ("),
        (Shortfall(errors=2), "errors", "cannot pass a run with 2 errors ("),
        (Shortfall(deselected=1), "deselected", "cannot pass on a part: 1 case of it did not run"),
        (Shortfall(sample=0.1), "sampled", "cannot pass on a sample of 0.1 of the cases ("),
    ],
)
def test_no_gate_passes_on_a_run_that_is_not_whole_unless_that_is_allowed(
    short: Shortfall, word: str, told: str
) -> None:
    one = score(satisfied=4)
    for policy in get_args(Policy):
        failed = gate(one, 0.5, policy=policy, short=short)
        assert not failed.passed
        assert not failed.undecided
        assert told in failed.sentence
        assert f"--metaspace-allow {word}" in failed.sentence
    assert gate(one, 0.5, word, short=short).passed
    assert not gate(one, 0.5, *(set(ALLOWANCES) - {word}), short=short).passed


def test_less_than_half_decided_passes_no_gate_unless_allowed() -> None:
    half, less = score(satisfied=2, inconclusive=2), score("SC2-a", satisfied=2, inconclusive=3)
    assert gate(half, 1.0).passed
    failed = gate(less, 0.0)
    assert failed.sentence == (
        "SC2-a cannot pass with less than half of SC2-a decided (--metaspace-allow undecided)"
    )
    assert not gate(mean(half, less), 0.0).passed
    assert gate(mean(half, less), 0.0, "undecided").passed
    assert not gate(mean(half, less), 0.0, "errors").passed


def test_invalid_answers_are_not_decided() -> None:
    assert not gate(score(satisfied=2, invalid=3), 0.0).passed


def test_what_has_no_score_passes_no_gate_whatever_is_allowed() -> None:
    empty = score(inconclusive=4)
    for one in (empty, mean(empty), mean()):
        for policy in get_args(Policy):
            failed = gate(one, 0.0, *ALLOWANCES, policy=policy)
            assert not failed.passed
            assert failed.value is None
            told = f"{one.name} has no score, since no case of it was decided"
            assert failed.sentence == told


def test_a_total_does_not_hide_a_capability_without_a_score() -> None:
    assert not gate(mean(score(satisfied=4), score("SC2-a", inconclusive=4)), 0.5).passed


def test_all_problems_of_a_gate_are_told() -> None:
    one = score(satisfied=1, violated=1, inconclusive=5, error=2)
    assert gate(one, 0.9, short=Shortfall(errors=2)).sentence == (
        "SC1-a is 0.500, below 0.9; cannot pass a run with 2 errors (--metaspace-allow errors); "
        "cannot pass with less than half of SC1-a decided (--metaspace-allow undecided)"
    )


# --------------------------------------------------------------------------------- intervals


@pytest.mark.parametrize(
    ("low", "high", "point", "fail", "sure"),
    [
        # passes by the point, by confident-fail, by confident-pass; a ? is undecided
        (0.60, 0.80, "yes", "yes", "yes"),
        (0.50, 0.80, "yes", "yes", "yes"),
        (0.40, 0.80, "yes", "yes?", "no?"),
        (0.20, 0.55, "no", "yes?", "no?"),
        (0.20, 0.50, "no", "yes?", "no?"),
        (0.20, 0.49, "no", "no", "no"),
    ],
)
def test_a_policy_decides_by_where_the_interval_lies(
    low: float, high: float, point: str, fail: str, sure: str
) -> None:
    right = 70 if low >= 0.4 else 40
    one = score(satisfied=right, violated=100 - right, interval=Interval(low, high, 30.0))
    found = []
    for policy in get_args(Policy):
        result = gate(one, 0.5, policy=policy)
        found.append(f"{'yes' if result.passed else 'no'}{'?' if result.undecided else ''}")
    assert found == [point, fail, sure]


def test_without_an_interval_a_score_may_lie_anywhere() -> None:
    one = score(satisfied=1)
    lenient, strict = (gate(one, 0.5, policy=p) for p in ("confident-fail", "confident-pass"))
    assert (lenient.passed, lenient.undecided) == (True, True)
    assert (strict.passed, strict.undecided) == (False, True)
    assert gate(one, 0.0, policy="confident-pass").passed
    assert lenient.sentence == (
        "SC1-a is 1.000, which may be on either side of 0.5; confident-fail lets it pass"
    )
    assert strict.sentence.endswith("; confident-pass does not let it pass")


def test_a_gate_says_what_it_rests_on_and_which_drop_would_have_shown() -> None:
    one = score(satisfied=9, violated=1, trajectories=5, interval=Interval(0.5, 0.98, 12.0))
    told = gate(one, 0.5, drop=lambda _, __: 0.125).basis
    assert (
        told
        == "95 % interval 0.50-0.98; 10 cases in 5 trajectories can show a drop of 0.12 or more"
    )
    few = gate(one, 0.5).basis
    assert few.endswith("; 10 cases in 5 trajectories are too few to show a drop below 0.5")
    assert gate(score(satisfied=1, trajectories=1), 0.5).basis == "1 case in 1 trajectory"


@given(
    st.sampled_from([code.value for code in Capability]),
    st.integers(0, 30),
    st.integers(0, 30),
    st.integers(0, 30),
    st.integers(0, 2),
    st.floats(0, 1),
    st.sampled_from(get_args(Policy)),
)
def test_a_gate_that_passes_has_a_score_no_error_and_half_its_cases_decided(
    name: str,
    satisfied: int,
    violated: int,
    inconclusive: int,
    error: int,
    threshold: float,
    policy: Policy,
) -> None:
    one = score(
        name, satisfied=satisfied, violated=violated, inconclusive=inconclusive, error=error
    )
    result = gate(one, threshold, short=Shortfall(errors=error), policy=policy)
    if result.passed:
        assert error == 0
        assert one.value is not None
        assert result.undecided or one.value >= threshold - 1e-9
        assert 2 * (satisfied + violated) >= one.cases


# ------------------------------------------------------------- questions that came to no value


@pytest.mark.parametrize(
    ("texts", "limits"),
    [
        ([], {}),
        (["2%"], {"invalid": 0.02}),
        (["0.02"], {"invalid": 0.02}),
        (["2 %"], {"invalid": 0.02}),
        (["0"], {"invalid": 0.0}),
        (["100%", "error=0%"], {"invalid": 1.0, "error": 0.0}),
        (["invalid=5%", "refused=1%"], {"invalid": 0.05, "refused": 0.01}),
        ([" Timed-Out = 0.5% "], {"timed out": 0.005}),
        (["rate limited=1"], {"rate limited": 1.0}),
        (["refused=1%", "refused=3%"], {"refused": 0.03}),
    ],
)
def test_limits_are_shares_with_or_without_a_kind(
    texts: list[str], limits: dict[str, float]
) -> None:
    assert parse_limits(texts) == pytest.approx(limits)


@pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
def test_every_kind_can_have_a_limit(kind: Kind) -> None:
    assert parse_limits([f"{kind.word}=0.1"]) == {kind.name: 0.1}


@pytest.mark.parametrize(
    "text", ["few", "2", "101%", "-1%", "-0.1", "nan", "nan%", "inf", "", "%", "refused=", "2%%"]
)
def test_a_limit_that_is_no_share_says_what_one_is(text: str) -> None:
    with pytest.raises(
        UsageProblem, match=r"between 0 and 1 or in percent, as in 0\.02, 2%"
    ) as told:
        parse_limits([text])
    assert f"--metaspace-max-invalid {text}:" in str(told.value)


@pytest.mark.parametrize("text", ["refuse=1%", "SC1-a=1%", "=1%", "violated=1%"])
def test_a_limit_for_no_kind_lists_the_kinds(text: str) -> None:
    with pytest.raises(
        UsageProblem, match=r"kind of failure .* is not known.*rate-limited"
    ) as told:
        parse_limits([text])
    assert ("Did you mean 'refused'" in str(told.value)) == (text == "refuse=1%")


def test_a_limit_passes_up_to_it_and_fails_above() -> None:
    failures = {"refused": 2, "unreadable": 1, "timed out": 5}
    limits = {"refused": 0.02, "invalid": 0.02, "error": 0.05, "tied": 0.0}
    refused, invalid, error, tied = decide_failures(failures, 100, limits)
    assert refused == GateResult(
        name="max refused",
        value=0.02,
        threshold=0.02,
        passed=True,
        sentence="refused: 2 of 100 questions (2 %), at most 2 %",
    )
    assert not invalid.passed
    assert invalid.sentence == (
        "invalid: 3 of 100 questions (3 %), above 2 % (--metaspace-max-invalid; -v and metaspace "
        "explain CASE show them)"
    )
    assert (error.passed, error.value) == (True, 0.05)
    assert (tied.passed, tied.value) == (True, 0.0)


def test_where_nothing_was_asked_no_limit_is_kept() -> None:
    (gate_,) = decide_failures({}, 0, {"invalid": 1.0})
    assert not gate_.passed
    assert gate_.value is None


@given(st.integers(1, 500), st.data(), st.integers(0, 1000))
def test_a_limit_decides_by_the_share_alone(whole: int, data: st.DataObject, mills: int) -> None:
    count = data.draw(st.integers(0, whole))
    (found,) = decide_failures({"refused": count}, whole, {"refused": mills / 1000})
    assert found.passed == (1000 * count <= mills * whole)


def test_a_small_share_is_not_rounded_to_none() -> None:
    (found,) = decide_failures({"refused": 1}, 30_000, {"refused": 0.0})
    assert "(0.00333 %), above 0 %" in found.sentence
