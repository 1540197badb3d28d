"""Each kind of failure makes its cases invalid or an error, and never a violation."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_metaspace import failures, pipeline
from pytest_metaspace.answers import read, troubled
from pytest_metaspace.domain import (
    Answer,
    AnswerFormat,
    Missing,
    Outcome,
    Query,
    Settings,
    Trouble,
    Unreadable,
    Value,
)
from pytest_metaspace.judgement import Judgement
from pytest_metaspace.pipeline import Registries
from pytest_metaspace.questions import distinct
from tests.unit_support import HOUSEHOLD

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_metaspace.domain import Case, Trajectory
    from pytest_metaspace.oracle import Oracle

KNOWN = Registries.built_in()
STEPS = AnswerFormat(kind="steps")


def failed(kind: str) -> Answer:
    """Return an answer that fails in one way, as the stages before make it."""
    if kind == "unreadable":
        return Answer(raw="I have seen things")
    if kind == "tied":
        return Answer(raw=None, error="the 2 samples are tied", kind="tied")
    if kind in get_args(Trouble):
        return Answer(raw="left", trouble=kind)  # type: ignore[arg-type]
    return Answer(raw=None, error="it failed", kind=kind)


class Asked:
    """Every relation on a part of a trajectory, with the answers of the agent that is right."""

    def __init__(self, oracle: Oracle) -> None:
        self.oracle = oracle
        (one,) = pipeline.load([HOUSEHOLD / "study-01"], KNOWN)
        self.trajectories: dict[str, Trajectory] = {one.id: one}
        cases = pipeline.plan(one, KNOWN, Settings(sample=0.02)).cases
        agent = KNOWN.agent("truth", HOUSEHOLD)
        self.cases: list[Case] = cases
        self.right: Mapping[Query, Answer] = pipeline.ask(
            cases, self.trajectories, agent, None
        ).answers
        self.queries = distinct(cases)

    def judged(self, answers: Mapping[Query, Answer]) -> tuple[dict[str, Outcome], Judgement]:
        judgement = Judgement(answers, self.trajectories, self.oracle)
        found = {one.case.address: one.outcome for one in judgement.verdicts(self.cases)}
        return found, judgement


@pytest.fixture(scope="module")
def asked() -> Iterator[Asked]:
    with pipeline.oracle_for(KNOWN, Settings()) as oracle:
        yield Asked(oracle)


@pytest.mark.parametrize("kind", failures.KINDS)
def test_a_kind_makes_exactly_the_cases_that_need_it_what_it_says(asked: Asked, kind: str) -> None:
    assert {case.relation for case in asked.cases} == {f"MR{number}" for number in range(1, 7)}
    lost = set(asked.queries[::7])
    answers = {**asked.right, **dict.fromkeys(lost, failed(kind))}
    found, judgement = asked.judged(answers)
    for case in asked.cases:
        if lost & set(case.queries):
            assert found[case.address] is failures.KINDS[kind].outcome, case.address
        else:
            assert found[case.address] in (Outcome.SATISFIED, Outcome.INCONCLUSIVE)
    assert judgement.failed == dict.fromkeys(lost, kind)


@pytest.mark.parametrize("kind", failures.KINDS)
def test_a_kind_is_no_violation_among_answers_that_contradict_each_other(
    asked: Asked, kind: str
) -> None:
    wrong = {"yes-no": "yes", "direction": "forward", "steps": "7", "metres": "7"}
    some = {query: asked.right[query] for query in asked.queries}
    for number, query in enumerate(asked.queries):
        if number % 3 == 0:
            some[query] = failed(kind)
        elif some[query].raw is not None and (some[query].raw or "").isdigit():
            some[query] = Answer(raw=wrong["steps"])
    lost = {query for query, answer in some.items() if answer == failed(kind)}
    found, _ = asked.judged(some)
    assert Outcome.VIOLATED in found.values()  # they do contradict each other
    for case in asked.cases:
        if lost & set(case.queries):
            assert found[case.address] is failures.KINDS[kind].outcome


@given(st.sampled_from([*failures.KINDS, "battery empty", None]), st.text(max_size=20))
def test_what_has_no_answer_is_an_error_whatever_its_kind(kind: str | None, text: str) -> None:
    name = failures.kind_of(Answer(raw=None, error=text, kind=kind), Missing(text))
    assert name == (kind or "failed")
    if kind not in failures.KINDS or kind is None:
        assert failures.outcome_of(name) is Outcome.ERROR


def test_a_question_that_was_not_put_is_not_asked() -> None:
    assert failures.kind_of(None, Missing("this question was not asked")) == "not asked"


def test_a_value_is_no_failure() -> None:
    assert failures.kind_of(Answer(raw="2"), Value(steps=2)) is None


@pytest.mark.parametrize("trouble", get_args(Trouble))
def test_every_trouble_of_a_reply_is_a_kind_that_is_invalid(trouble: Trouble) -> None:
    answer = Answer(raw="2", trouble=trouble)
    assert failures.kind_of(answer, troubled(trouble)) == trouble
    assert failures.KINDS[trouble].outcome is Outcome.INVALID


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        ("I cannot tell.", "refused"),
        ("Sorry, I am unable to help with that", "refused"),
        ("", "unreadable"),
        ("about 3 or 4", "unreadable"),
        ("2.5", "unreadable"),
        ("2", None),
    ],
)
def test_a_refusal_in_words_is_refused_and_other_words_are_unreadable(
    raw: str, kind: str | None
) -> None:
    """The reader words a refusal as ``failures.DECLINED`` has it."""
    assert failures.kind_of(Answer(raw=raw), read(raw, STEPS)) == kind


def test_words_for_options_are_one_word_and_differ() -> None:
    words = [kind.word for kind in failures.KINDS.values()]
    assert len(set(words)) == len(words)
    assert not [word for word in words if not word.replace("-", "").isalpha()]
    assert "timed-out" in words


def test_kinds_are_ordered_as_listed_and_strangers_come_last() -> None:
    assert failures.ordered(["zzz", "timed out", "aaa", "tied"]) == [
        "tied",
        "timed out",
        "aaa",
        "zzz",
    ]


@given(st.dictionaries(st.sampled_from([*failures.KINDS, "own kind"]), st.integers(1, 50)))
def test_shares_by_outcome_are_the_sum_of_their_kinds(counts: dict[str, int]) -> None:
    invalid, error = (failures.shared(counts, name) for name in ("invalid", "error"))
    assert invalid + error == sum(counts.values())
    for kind in failures.KINDS:
        assert failures.shared(counts, kind) == counts.get(kind, 0)
    assert failures.shared({"own kind": 3}, "error") == 3


def test_an_unreadable_reading_of_no_answer_is_unreadable() -> None:
    assert failures.kind_of(None, Unreadable("it is odd")) == "unreadable"
