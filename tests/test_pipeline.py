"""The whole flow without pytest: what is found, planned, asked, judged and scored."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from pytest_metaspace import pipeline, plans
from pytest_metaspace.asking.store import AnswerStore
from pytest_metaspace.domain import Answer, Capability, Outcome, Settings, Trajectory
from pytest_metaspace.errors import TrajectoryError, UsageProblem
from pytest_metaspace.pipeline import Registries
from pytest_metaspace.summary import Rules, summarise
from tests.unit_support import (
    FORWARD,
    HOUSEHOLD,
    RIGHT,
    TURN,
    cases_of,
    objects_file,
    pictured,
    placed,
    thing,
    trajectory,
    trajectory_file,
    truth_file,
    written,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_metaspace.oracle import Oracle

KNOWN = Registries.built_in()
BOX, FAR = (50.0, 100.0, 110.0, 200.0), (450.0, 100.0, 510.0, 200.0)


# ------------------------------------------------------------------------------------- find


def test_trajectories_are_found_in_order_and_once(tmp_path: Path) -> None:
    for name in ("b", "a", "deep/er"):
        written(tmp_path / name, trajectory=trajectory_file(id=name))
    (tmp_path / "a" / "notes.json").write_text("{}")
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "trajectory.json").write_text("[]")
    (tmp_path / "link").symlink_to(tmp_path / "a")
    found = pipeline.find([tmp_path, tmp_path / "a" / "trajectory.json", tmp_path / "b"], KNOWN)
    assert [str(path.relative_to(tmp_path)) for path in found] == [
        "a/trajectory.json",
        "b/trajectory.json",
        "deep/er/trajectory.json",
    ]


def test_a_path_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(TrajectoryError, match=r"there is no file or folder '.*nowhere'"):
        pipeline.find([tmp_path / "nowhere"], KNOWN)


def test_a_folder_without_trajectories_says_what_was_expected(tmp_path: Path) -> None:
    (tmp_path / "trajectory.json").write_text(json.dumps(trajectory_file(format="other")))
    with pytest.raises(TrajectoryError, match=r"holds no trajectory; expected .*docs/format\.md"):
        pipeline.find([tmp_path], KNOWN)


def test_all_that_is_wrong_is_told_at_once(tmp_path: Path) -> None:
    written(tmp_path / "runs" / "good")
    for name in ("b", "a"):
        (tmp_path / "runs" / name / "pictures").mkdir(parents=True)
        (tmp_path / "runs" / name / "items.json").write_text("[]")
    empty = tmp_path / "log.json"
    empty.write_text("")
    nowhere = tmp_path / "nowhere"
    with pytest.raises(TrajectoryError) as caught:
        pipeline.find([nowhere, tmp_path / "runs", empty, tmp_path / "runs"], KNOWN)
    lines = str(caught.value).splitlines()
    assert [line.split(": ")[0] for line in lines] == [
        "metaspace",
        str(tmp_path / "runs" / "a" / "items.json"),
        str(tmp_path / "runs" / "b" / "items.json"),
        str(empty),
    ]


def test_two_trajectories_with_one_id_are_refused(tmp_path: Path) -> None:
    written(tmp_path / "a")
    written(tmp_path / "b")
    with pytest.raises(TrajectoryError, match=r"'written' is also the id of .*a/trajectory.json"):
        pipeline.load([tmp_path], KNOWN)
    assert len(pipeline.load([tmp_path / "a", tmp_path / "a"], KNOWN)) == 1


# ------------------------------------------------------------------------------------- plan


def test_without_objects_only_movement_is_asked_and_the_rest_is_told() -> None:
    made = pipeline.plan(trajectory([FORWARD, FORWARD]), KNOWN, Settings())
    assert {case.capability.value for case in made.cases} == {"SC1-a", "SC1-b"}
    assert set(made.skips.values()) == {plans.NO_OBJECTS}
    assert "made-up SC3-b MR5" in made.skips
    assert len(made.skips) == 2 * 3 + 2 * 3 + 2


def test_cases_come_by_capability_and_relation() -> None:
    cases = cases_of(
        trajectory([FORWARD, FORWARD], [thing("a", {0: BOX, 1: BOX}), thing("b", {0: FAR, 1: FAR})])
    )
    order = [(case.capability.value, case.relation) for case in cases]
    assert order == sorted(order)


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        (
            Settings(capabilities=frozenset({"SC1-c"})),
            "capability 'SC1-c' is not known. Did you mean",
        ),
        (Settings(relations=frozenset({"MR9"})), "relation 'MR9' is not known. Did you mean"),
    ],
)
def test_what_settings_name_must_exist(settings: Settings, text: str) -> None:
    with pytest.raises(UsageProblem, match=text):
        pipeline.plan(trajectory(), KNOWN, settings)


# ------------------------------------------------------------------------------------ judge


@pytest.fixture(scope="module")
def oracle() -> Iterator[Oracle]:
    with pipeline.oracle_for(KNOWN, Settings()) as running:
        yield running


@pytest.fixture
def scene(tmp_path: Path) -> Trajectory:
    boxes = {"a": BOX, "b": (250.0, 100.0, 310.0, 200.0), "c": FAR}
    places = {"a": (3.0, 1.5, 0.4), "b": (4.0, 0.0, 0.7), "c": (3.0, -1.5, 1.0)}
    return pictured(
        trajectory(
            [FORWARD, TURN, RIGHT],
            [thing(name, dict.fromkeys(range(4), box)) for name, box in boxes.items()],
            places=[placed(name, place) for name, place in places.items()],
            folder=tmp_path / "run",
        )
    )


def test_answers_become_verdicts_with_their_evidence(scene: Trajectory, oracle: Oracle) -> None:
    case = cases_of(scene, only=Capability.OBJECT_DIRECTION, relation="MR2")[0]
    there, back = case.queries
    known = {scene.id: scene}

    def judged(one: Answer | None, other: Answer) -> tuple[Outcome, str, tuple[str, ...]]:
        answers = {back: other} if one is None else {there: one, back: other}
        (found,) = pipeline.judge([case], answers, known, oracle)
        assert found.case is case
        return found.outcome, found.reason, tuple(shown.raw for shown in found.evidence)

    left, right = Answer(raw="Left."), Answer(raw="right")
    assert judged(left, right)[::2] == (Outcome.SATISFIED, ())
    outcome, reason, raws = judged(left, left)
    assert (outcome, raws) == (Outcome.VIOLATED, ("Left.", "Left."))
    assert reason
    assert judged(left, Answer(raw="maybe"))[::2] == (Outcome.INVALID, ("Left.", "maybe"))
    assert "maybe" not in judged(left, right)[1]
    outcome, reason, raws = judged(left, Answer(raw=None, error="no network"))
    assert (outcome, raws) == (Outcome.ERROR, ("Left.", ""))
    assert "no network" in reason
    assert "was not asked" in judged(None, left)[1]


def test_an_error_outweighs_an_invalid_answer(scene: Trajectory, oracle: Oracle) -> None:
    case = cases_of(scene, only=Capability.OBJECT_DISTANCE, relation="MR4")[0]
    raws = [Answer(raw="no idea"), Answer(raw=None, error="no network"), *[Answer(raw="1")] * 4]
    (found,) = pipeline.judge([case], dict(zip(case.queries, raws)), {scene.id: scene}, oracle)
    assert found.outcome is Outcome.ERROR


def test_truth_satisfies_every_case_of_a_made_up_scene(scene: Trajectory, oracle: Oracle) -> None:
    """Boxes that follow no camera say nothing of depth; all other laws hold."""
    cases = [case for case in cases_of(scene) if case.capability is not Capability.DEPTH]
    known = {scene.id: scene}
    asked = pipeline.ask(cases, known, KNOWN.agent("truth", scene.source.parent), None)
    found = Counter(v.outcome for v in pipeline.judge(cases, asked.answers, known, oracle))
    assert set(found) <= {Outcome.SATISFIED, Outcome.INCONCLUSIVE}
    assert found[Outcome.SATISFIED] > 100


# -------------------------------------------------------------------------------------- run


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A trajectory on disk with movement only."""
    return written(tmp_path / "small", truth=truth_file(3), objects=objects_file())


def test_a_run_scores_and_decides_gates(small: Path) -> None:
    run = pipeline.run([small], "truth", Settings(), thresholds={"total": 1.0, "SC2-a": 0.5})
    assert run.agent == "truth"
    assert run.trajectories == ("written",)
    assert {score.name: score.value for score in run.scores} == {"SC1-a": 1.0, "SC1-b": 1.0}
    assert run.total == 1.0
    assert [(gate.name, gate.passed) for gate in run.gates] == [("total", True), ("SC2-a", False)]
    assert sum(score.cases for score in run.by_relation) == len(run.verdicts)
    assert {score.title for score in run.by_relation} == {
        "transitivity",
        "symmetry",
        "contradiction",
        "triangle inequality",
    }


def test_a_run_without_ground_truth_is_all_errors_and_passes_no_gate(tmp_path: Path) -> None:
    path = written(tmp_path)
    run = pipeline.run([path], "truth", Settings(), thresholds={"total": 0.0})
    assert {found.outcome for found in run.verdicts} == {Outcome.ERROR}
    assert run.total is None
    assert not run.gates[0].passed
    assert "has no answer" in run.verdicts[0].reason


def test_a_run_is_the_same_twice_and_counts_questions_once(small: Path) -> None:
    one, other = (pipeline.run([small], "random", Settings()) for _ in range(2))
    assert one == other
    assert one.questions == len({q for v in one.verdicts for q in v.case.queries})
    assert any(found.outcome is Outcome.VIOLATED for found in one.verdicts)


def test_paper_judges_the_same_run_by_other_laws(small: Path) -> None:
    run = pipeline.run([small], "truth", Settings(semantics="paper"))
    assert {found.case.semantics for found in run.verdicts} == {"paper"}
    assert {score.semantics for score in run.scores} == {"paper"}


def test_a_stored_run_asks_nothing_the_second_time(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "brain_that_counts.py").write_text(
        "heard = []\ndef answer(prompt, images):\n    heard.append(prompt)\n    return '1'\n"
    )
    import importlib

    heard = importlib.import_module("brain_that_counts").heard
    with AnswerStore(tmp_path / "cache") as store:
        runs = [
            pipeline.run([small], "python:brain_that_counts:answer", Settings(), store=store)
            for _ in range(2)
        ]
    assert runs[0] == runs[1]
    assert len(heard) == len(set(heard)) == runs[0].questions


def test_a_run_does_not_depend_on_where_its_files_lie(tmp_path: Path) -> None:
    settings = Settings(capabilities=frozenset({"SC1-a", "SC3-a"}), sample=0.2)
    shutil.copytree(HOUSEHOLD / "study-01", tmp_path / "elsewhere")
    here, there = (
        pipeline.run([path], "random", settings)
        for path in (HOUSEHOLD / "study-01", tmp_path / "elsewhere")
    )
    assert here.scores == there.scores
    assert [found.case.address for found in here.verdicts] == [
        found.case.address for found in there.verdicts
    ]


def test_a_total_without_scores_is_none() -> None:
    run = summarise(
        agent="a",
        settings=Settings(),
        titles={},
        trajectories=(),
        outcomes=[("t", "SC1-a", "MR1", Outcome.INCONCLUSIVE)],
        drops={},
        questions=0,
        rules=Rules(thresholds={"total": 0.0}, allowed=frozenset({"errors", "undecided"})),
    )
    assert run.total is None
    assert not run.gates[0].passed
    assert run.references == {}
