"""Suites in a run: accuracy beside the scores of the paper, relations, faults that they catch."""

from __future__ import annotations

import json
import pickle
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace import pipeline
from pytest_metaspace.answers import read
from pytest_metaspace.checking import Check
from pytest_metaspace.domain import (
    AnswerFormat,
    Capability,
    Outcome,
    Settings,
    Unreadable,
    Value,
)
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.registries import Registries
from pytest_metaspace.suites.embspatial import EMBSPATIAL
from pytest_metaspace.trajectories import Reading
from pytest_metaspace.trajectories._episodes import Choice
from tests.unit_support import HOUSEHOLD

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.domain import Run

OPTIONS = {"A": "lamp", "B": "red sofa", "C": "cup"}
CHOICE = AnswerFormat(kind="choice", options=OPTIONS)


def known(folder: Path) -> Registries:
    made = Registries.built_in()
    made.choice = Choice(["all"])
    made.reading = Reading(frames=folder)
    return made


def run(built: Path, folder: Path, agent: str, **settings: Any) -> Run:
    return pipeline.run(
        [built],
        agent,
        Settings(**settings),
        registries=known(folder),
    )


def scores(found: Run) -> dict[str, float | None]:
    return {one.name: one.value for one in found.anchors}


def test_truth_is_right_and_breaks_nothing(built: Path, tmp_path: Path) -> None:
    found = run(built, tmp_path, "truth")
    assert set(scores(found).values()) == {1.0}
    assert set(scores(found)) == {f"EMB-{name}" for name in ("ACC", *EMBSPATIAL.relations)}
    assert all(one.outcome is Outcome.SATISFIED for one in found.verdicts)


def test_scores_of_suites_are_in_no_score_of_the_paper(built: Path, tmp_path: Path) -> None:
    found = run(built, tmp_path, "random")
    assert found.scores == ()
    assert found.total is None
    assert found.by_scenario == ()


def test_scores_of_the_paper_are_the_same_with_items_beside(built: Path, tmp_path: Path) -> None:
    walk = HOUSEHOLD / "study-01"
    settings = Settings(relations=frozenset({"MR2", "EMB-ACC"}))
    alone = pipeline.run([walk], "random", settings, registries=known(tmp_path))
    beside = pipeline.run([walk, built], "random", settings, registries=known(tmp_path))
    assert beside.anchors
    assert not alone.anchors
    assert alone.scores
    assert repr(beside.scores) == repr(alone.scores)
    assert repr(beside.overall) == repr(alone.overall)


def test_accuracy_equals_a_count_of_our_own(built: Path, tmp_path: Path) -> None:
    found = run(built, tmp_path, "random", relations=frozenset({"EMB-ACC"}))
    truth = {one["question_id"]: one for one in json.loads(built.read_text())}
    right: dict[str, list[bool]] = {}
    for verdict in found.verdicts:
        record = truth[verdict.case.trajectory]
        said = verdict.evidence[0].raw if verdict.evidence else "ABCD"[record["answer"]]
        right.setdefault(f"EMB-{record['relation']} EMB-ACC", []).append(
            "ABCD".index(said) == record["answer"]
        )
    own = {name: sum(some) / len(some) for name, some in right.items()}
    assert {one.name: one.value for one in found.by_anchor} == pytest.approx(own)


def test_guessing_breaks_relations(built: Path, tmp_path: Path) -> None:
    found = scores(run(built, tmp_path, "random"))
    del found["EMB-CHAIN"]  # guesses seldom meet its conditions: three of four items decide nothing
    assert all(value is not None and value < 0.8 for value in found.values())


def test_an_agent_that_always_says_a_follows_the_letter_not_the_option(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "always_a.py").write_text("def answer(prompt, images):\n    return 'A'\n")
    monkeypatch.syspath_prepend(tmp_path)
    found = scores(run(built, tmp_path, "python:always_a:answer"))
    assert found["EMB-ACC"] == 0.25
    assert found["EMB-ORDER"] == 0.0
    assert found["EMB-ENDS"] == 0.0


def test_the_first_option_is_a_fault_that_the_order_shows(built: Path, tmp_path: Path) -> None:
    found = scores(run(built, tmp_path, "mutant:first-option:truth"))
    assert (found["EMB-ACC"], found["EMB-ORDER"]) == (0.25, 0.0)


@pytest.mark.filterwarnings("ignore:nothing more was asked")
@pytest.mark.parametrize("agent", ["geometric", "mutant:constant:truth"])
def test_who_cannot_answer_items_says_so(built: Path, tmp_path: Path, agent: str) -> None:
    found = run(built, tmp_path, agent, relations=frozenset({"EMB-ACC"}))
    assert {one.outcome for one in found.verdicts} == {Outcome.ERROR}
    assert all("suites" in one.reason for one in found.verdicts)


def test_check_says_what_an_item_feeds(built: Path, tmp_path: Path) -> None:
    told = list(Check([built], known(tmp_path)).lines())
    assert "  EMB-close: 1 item of a suite" in told
    assert "  objects with boxes: 4, 400 x 300 pixels" in told
    feeds = "  EMB-ACC 1  EMB-CHAIN 1  EMB-COARSE 1  EMB-ENDS 1  EMB-FEWER 2  EMB-MIRROR 1  EMB-ORDER 1  "
    assert any(line.startswith(feeds) for line in told)
    assert told[-1] == "24 trajectories loaded; 0 problems"


def test_reasoning_ends_in_a_marked_line(built: Path, tmp_path: Path) -> None:
    found = run(built, tmp_path, "truth", prompting="cot", relations=frozenset({"EMB-MIRROR"}))
    assert scores(found) == {"EMB-MIRROR": 1.0}


def test_relations_of_the_paper_find_nothing_in_items(built: Path, tmp_path: Path) -> None:
    found = run(built, tmp_path, "truth", relations=frozenset({"MR1", "MR3", "A3"}))
    assert found.verdicts == ()


def test_one_task_can_be_chosen(built: Path, tmp_path: Path) -> None:
    found = run(built, tmp_path, "truth", capabilities=frozenset({"EMB-far"}))
    assert {one.case.capability for one in found.verdicts} == {"EMB-far"}
    with pytest.raises(UsageProblem, match="EMB-far"):
        run(built, tmp_path, "truth", capabilities=frozenset({"EMB-fra"}))


def test_a_task_is_one_capability_and_not_of_the_paper() -> None:
    task = Capability.of_suite("EMB", "far")
    assert task is Capability("EMB-far")
    assert task not in list(Capability)
    assert (task.suite, task.meaning, task.of_directions) == ("EMB", "far", False)
    assert pickle.loads(pickle.dumps(task)) is task
    wrong: list[Any] = ["SC9-x", "emb-far", "EMB", "EMB far", 5]
    for name in wrong:
        with pytest.raises(ValueError, match="is not a valid Capability"):
            Capability(name)


@pytest.mark.parametrize(
    ("raw", "option"),
    [
        ("B", "red sofa"),
        ("b", "red sofa"),
        (" (B). ", "red sofa"),
        ("**B**", "red sofa"),
        ("B) red sofa", "red sofa"),
        ("Answer: B", "red sofa"),
        ("The answer is B.", "red sofa"),
        ("The correct option is C", "cup"),
        ("Red sofa.", "red sofa"),
        ("A", "lamp"),
    ],
)
def test_a_letter_or_the_words_of_its_option_are_read(raw: str, option: str) -> None:
    assert read(raw, CHOICE) == Value(choice=option)


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        ("A or B", "several options: A, B"),
        ("A, B", "several options: A, B"),
        ("D", "no option out of A, B, C"),
        ("B) lamp", "more than an option: other words beside B"),
        ("not B", "more than an option: other words beside B"),
        ("A lamp and a sofa", "more than an option: other words beside A"),
        ("between them", "no option out of A, B, C"),
        ("I cannot tell", "the agent says that it cannot answer"),
        ("", "the answer is empty"),
    ],
)
def test_anything_else_is_unreadable(raw: str, why: str) -> None:
    found = read(raw, CHOICE)
    assert isinstance(found, Unreadable)
    assert found.reason == why or raw == "I cannot tell"
