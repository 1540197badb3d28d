"""Gates: what thresholds mean, and when no gate may pass."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_metaspace.domain import Capability, GateResult, Score
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.failures import KINDS, Kind
from pytest_metaspace.gates import decide, decide_failures, parse, parse_limits


def score(name: str = "SC1-a", **counts: int) -> Score:
    return Score(name=name, title="t", semantics="sound", **counts)


def gate(
    scores: list[Score], total: float | None, name: str, threshold: float, *allowed: str
) -> GateResult:
    (result,) = decide(scores, total, {name: threshold}, frozenset(allowed))
    return result


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


@pytest.mark.parametrize("text", ["SC9=0.5", "sc1-a=0.5", "=0.5", "MR1=0.5"])
def test_a_threshold_for_nothing_known_lists_the_capabilities(text: str) -> None:
    with pytest.raises(UsageProblem, match="SC4-b, total") as caught:
        parse([text])
    assert "is not known" in str(caught.value)


def test_near_matches_of_a_capability_are_named() -> None:
    with pytest.raises(UsageProblem, match=r"Did you mean .*'SC1-a'"):
        parse(["SC1-A=0.5"])


def test_a_gate_passes_at_its_threshold_and_fails_below() -> None:
    one = score(satisfied=3, violated=1)
    assert gate([one], 0.75, "SC1-a", 0.75) == GateResult(
        name="SC1-a",
        value=0.75,
        threshold=0.75,
        passed=True,
        sentence="SC1-a is 0.750, at least 0.75",
    )
    failed = gate([one], 0.75, "SC1-a", 0.76)
    assert not failed.passed
    assert failed.sentence == "SC1-a is 0.750, below 0.76"


def test_rounding_noise_fails_no_gate() -> None:
    assert gate([score(satisfied=1)], 0.1 + 0.2 - 1e-16, "total", 0.3).passed


def test_a_score_that_rounds_up_to_its_threshold_still_fails() -> None:
    failed = gate([score(satisfied=9999, violated=1)], None, "SC1-a", 1.0)
    assert not failed.passed


def test_no_gate_passes_on_a_run_with_errors_unless_allowed() -> None:
    scores = [score(satisfied=4), score("SC2-a", satisfied=4, error=1)]
    failed = gate(scores, 1.0, "SC1-a", 0.5)
    assert not failed.passed
    assert failed.sentence == "SC1-a cannot pass a run with 1 error (--metaspace-allow errors)"
    assert gate(scores, 1.0, "SC1-a", 0.5, "errors").passed
    two = [*scores, score("SC2-b", satisfied=4, error=1)]
    assert "2 errors" in gate(two, 1.0, "total", 0.5).sentence


def test_less_than_half_decided_passes_no_gate_unless_allowed() -> None:
    half, less = score(satisfied=2, inconclusive=2), score("SC2-a", satisfied=2, inconclusive=3)
    assert gate([half, less], 1.0, "SC1-a", 1.0).passed
    failed = gate([half, less], 1.0, "SC2-a", 0.0)
    assert failed.sentence == (
        "SC2-a cannot pass with less than half of SC2-a decided (--metaspace-allow undecided)"
    )
    assert not gate([half, less], 1.0, "total", 0.0).passed
    assert gate([half, less], 1.0, "total", 0.0, "undecided").passed
    assert not gate([half, less], 1.0, "total", 0.0, "errors").passed


def test_invalid_answers_are_not_decided() -> None:
    assert not gate([score(satisfied=2, invalid=3)], 0.4, "SC1-a", 0.0).passed


def test_a_capability_without_a_score_passes_no_gate_whatever_is_allowed() -> None:
    empty = score(inconclusive=4)
    for scores, total in (([empty], None), ([], None)):
        for name in ("SC1-a", "total"):
            failed = gate(scores, total, name, 0.0, "errors", "undecided")
            assert not failed.passed
            assert failed.value is None
            assert failed.sentence == f"{name} has no score, since no case of it was decided"


def test_a_total_does_not_hide_a_capability_without_a_score() -> None:
    scores = [score(satisfied=4), score("SC2-a", inconclusive=4)]
    assert not gate(scores, 1.0, "total", 0.5).passed
    assert gate(scores, 1.0, "SC1-a", 0.5).passed


def test_all_problems_of_a_gate_are_told() -> None:
    failed = gate([score(satisfied=1, violated=1, inconclusive=5, error=2)], 0.5, "SC1-a", 0.9)
    assert failed.sentence == (
        "SC1-a is 0.500, below 0.9; cannot pass a run with 2 errors (--metaspace-allow errors); "
        "cannot pass with less than half of SC1-a decided (--metaspace-allow undecided)"
    )


def test_every_threshold_gets_one_result_in_order() -> None:
    names = [result.name for result in decide([score(satisfied=1)], 1.0, {"total": 0, "SC1-a": 1})]
    assert names == ["total", "SC1-a"]
    assert decide([score(satisfied=1)], 1.0, {}) == ()


@given(
    st.sampled_from([code.value for code in Capability]),
    st.integers(0, 30),
    st.integers(0, 30),
    st.integers(0, 30),
    st.integers(0, 2),
    st.floats(0, 1),
)
def test_a_gate_that_passes_has_a_score_no_error_and_half_its_cases_decided(
    name: str, satisfied: int, violated: int, inconclusive: int, error: int, threshold: float
) -> None:
    one = score(
        name, satisfied=satisfied, violated=violated, inconclusive=inconclusive, error=error
    )
    result = gate([one], one.value, name, threshold)
    if result.passed:
        assert error == 0
        assert one.value is not None
        assert one.value >= threshold - 1e-9
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
