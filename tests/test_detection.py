"""What the relations catch of each fault, and what they cannot (docs/mutants.md)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_metaspace import gates, pipeline
from pytest_metaspace.agents.faults import FAULTS, fault_of
from pytest_metaspace.asking.store import AnswerStore
from pytest_metaspace.cli import main
from pytest_metaspace.detection import Row, Study
from pytest_metaspace.domain import Settings
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.reports import detection
from tests.tiny_world import tiny_world
from tests.unit_support import HOUSEHOLD

if TYPE_CHECKING:
    from pytest_metaspace.agents import Agent
    from pytest_metaspace.domain import Question

KNOWN = pipeline.Registries.built_in()
RELATIONS = ("MR1", "MR2", "MR3", "MR4", "MR5", "MR6")
ANCHORS = ("A1", "A2", "A3")
EVERYTHING = Settings(anchors=frozenset({"all"}), sample=0.5)


@pytest.fixture(scope="session")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two tiny walks: one where height counts and one where it does not."""
    folder = tmp_path_factory.mktemp("worlds")
    tiny_world(folder / "upright")
    tiny_world(folder / "flat", flat=True)
    return folder


@pytest.fixture(scope="session")
def rows(worlds: Path) -> dict[str, Row]:
    """Every mutant of truth, by the name of its fault; truth itself has none."""
    truth = KNOWN.agent("truth", worlds)
    study = Study([worlds], EVERYTHING, KNOWN, truth)
    return {row.name: row for row in study.rows(list(FAULTS.values()))}


def seen_by(row: Row) -> set[str]:
    return set(row.caught_by) & set(RELATIONS)


def test_nothing_is_said_against_truth(rows: dict[str, Row]) -> None:
    assert rows[""].changed == 0
    assert all(found.violated == 0 for found in rows[""].found.values())
    assert {relation for _, relation in rows[""].found} == {*RELATIONS, *ANCHORS}


def test_every_mutant_is_caught_once_anchors_are_on(rows: dict[str, Row]) -> None:
    for name in FAULTS:
        assert rows[name].changed, name
        assert set(rows[name].caught_by) & set(ANCHORS), name


def test_relations_cannot_see_a_symmetry_of_the_world(rows: dict[str, Row]) -> None:
    for fault in FAULTS.values():
        assert not (fault.symmetry and seen_by(rows[fault.name])), fault.name


def test_what_breaks_no_symmetry_relations_see_by_themselves(rows: dict[str, Row]) -> None:
    unseen = {name for name, row in rows.items() if name and not seen_by(row)}
    symmetric = {one.name for one in FAULTS.values() if one.symmetry}
    more_of_a_walk = {"map-as-seen", "frame-locked", "last-frame"}
    assert unseen - symmetric <= more_of_a_walk


def test_a_fault_is_seen_by_the_relations_that_it_breaks(rows: dict[str, Row]) -> None:
    for name, relations in {
        "yes-sayer": {"MR3"},
        "no-sayer": {"MR3"},
        "as-it-looks": {"MR6"},
        "path-length": {"MR4"},
        "four-way": {"MR4"},
        "random": set(RELATIONS),
    }.items():
        assert seen_by(rows[name]) == relations, name


def test_more_noise_is_detected_more_often(worlds: Path) -> None:
    study = Study([worlds / "flat"], Settings(), KNOWN, KNOWN.agent("truth", worlds))
    faults = [fault_of(f"noisy={rate}") for rate in (0, 0.1, 0.6)]
    rates = [sum(found.violated for found in row.found.values()) for row in study.rows(faults)]
    assert rates[0] == rates[1] == 0
    assert 0 < rates[2] < rates[3]


def test_what_the_agent_itself_breaks_is_no_catch(worlds: Path) -> None:
    yes_sayer = KNOWN.agent("mutant:yes-sayer:truth", worlds)
    own, same, other = study_of(worlds, yes_sayer, None).rows(
        [fault_of("yes-sayer"), fault_of("first-option")]
    )
    broken = own.by("MR3")
    assert broken is not None
    assert broken.violated > 0
    assert (same.changed, same.caught_by) == (0, ())
    found = other.by("MR3")
    assert found is not None
    assert 0 < found.new < found.violated


def test_a_collapsed_world_is_not_decided_enough_for_a_gate() -> None:
    some = Settings(capabilities=frozenset({"SC2-a", "SC4-a"}))
    made = pipeline.run([HOUSEHOLD / "living-room-02"], "collapsed", some)
    undecided = {score.name for score in made.scores if not score.half_decided}
    assert undecided == {"SC2-a", "SC4-a"}
    gate = gates.decide("total", made.overall, 0.5)
    assert not gate.passed
    assert "SC2-a, SC4-a" in gate.sentence


# ------------------------------------------------------------------------- who is asked, and who not


class Model:
    """A model by the looks of it: it has an identity, and counts what it is asked."""

    identity: str | None = "model@1"

    def __init__(self) -> None:
        self.heard = 0
        self._inner = KNOWN.agent("truth", Path.cwd())

    def ask(self, question: Question) -> str:
        self.heard += 1
        said = self._inner.ask(question)
        assert isinstance(said, str)
        return said


SOME = Settings(relations=frozenset({"MR2", "MR3"}), capabilities=frozenset({"SC1-a"}))


def study_of(worlds: Path, agent: Agent, store: AnswerStore | None) -> Study:
    return Study([worlds / "flat"], SOME, KNOWN, agent, store)


def test_a_model_is_never_asked_and_its_stored_answers_count(worlds: Path, tmp_path: Path) -> None:
    (made,) = pipeline.load([worlds / "flat"], KNOWN)
    cases = pipeline.plan(made, KNOWN, SOME).cases
    faults = [fault_of(name) for name in ("mirrored", "yes-sayer", "view-as-mapped")]
    with AnswerStore(tmp_path / "cache") as store:
        pipeline.ask(cases, {made.id: made}, Model(), store)
        model = Model()
        stored = list(study_of(worlds, model, store).rows(faults))
    assert model.heard == 0
    computed = list(study_of(worlds, KNOWN.agent("truth", worlds), None).rows(faults))
    assert stored[:3] == computed[:3]
    assert stored[3].missing > 0  # nobody recorded movements in the heading of the first picture
    told = "\n".join(detection.lines(stored, "model", len(cases), ["MR2", "MR3"], []))
    assert f"nobody recorded, of {stored[0].answers}: view-as-mapped {stored[3].missing}." in told


def test_without_a_stored_answer_the_command_that_records_is_named(
    worlds: Path, tmp_path: Path
) -> None:
    with AnswerStore(tmp_path / "cache") as store:
        study = study_of(worlds, Model(), store)
        with pytest.raises(UsageProblem, match="pytest --metaspace-agent=NAME"):
            next(study.rows([]))


def test_an_agent_that_computes_is_asked_each_question_once(worlds: Path) -> None:
    model = Model()
    model.identity = None
    study = study_of(worlds, model, None)
    (own, *_) = study.rows([fault_of("mirrored"), fault_of("converse")])
    assert model.heard == own.answers  # MR2 asks for the converse anyway


# ------------------------------------------------------------------------------- the command


def test_the_command_prints_a_row_for_each_mutant(
    worlds: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flat = str(worlds / "flat")
    assert main(["mutants", flat, "--sc=SC1-a", "--faults=mirrored,yes-sayer,upside-down"]) == 0
    told, err = capsys.readouterr()
    assert err == ""
    head, _, truth, mirrored, yes, upside, _, *rest = told.splitlines()
    assert head.split() == [
        "mutant",
        "changed",
        "MR1",
        "MR2",
        "MR3",
        "|",
        "A2",
        "A3",
        "caught",
        "by",
    ]
    assert truth.split() == ["truth", ".", ".", ".", "|", ".", "."]
    assert mirrored.endswith("anchors only: A2 A3")
    assert yes.endswith("MR3 + A3")
    assert upside.endswith("(does not show here)")
    caught, unseen, hidden = rest[1:]
    assert caught == (
        "2 mutants show here and 2 are caught: 1 by relations between answers, 1 by anchors only."
    )
    assert unseen.startswith("Not seen here by relations between answers: mirrored. Relations")
    assert hidden == "Not shown by these trajectories, as no answer changes: upside-down."


def test_the_command_writes_json(worlds: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["mutants", str(worlds / "flat"), "--mr=MR3", "--faults=noisy=0.5", "--json"]
    assert main(arguments) == 0
    own, noisy = map(json.loads, capsys.readouterr().out.splitlines())
    assert (own["fault"], own["changed"], own["caught_by"]) == (None, 0, [])
    assert noisy["fault"] == "noisy=0.5"
    assert 0 < noisy["changed"] < noisy["answers"]
    assert {found["relation"] for found in noisy["found"]} == {"MR3"}


def test_the_list_says_who_really_fails_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mutants", "--list"]) == 0
    told = capsys.readouterr().out
    for fault in FAULTS.values():
        assert f"{fault.name}: {fault.does}\n    {fault.who}\n" in told


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "Type:  metaspace mutants PATH, or metaspace mutants --list"),
        (["--faults=miror", "PATH"], "Did you mean 'mirrored'"),
        (["--agent=gpt-4o", "PATH"], "this command asks no model"),
        (["--sc=SC1-a", "--mr=MR6", "PATH"], "no case is selected"),
    ],
)
def test_wrong_use_says_what_to_type(
    worlds: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    told: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    flat = str(worlds / "flat")
    assert main(["mutants", *(flat if one == "PATH" else one for one in arguments)]) == 4
    assert told in capsys.readouterr().err
