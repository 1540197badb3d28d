"""Boxes perturbed on purpose: what each perturbation does, and that truth keeps its verdicts."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_metaspace import perturbing, pipeline
from pytest_metaspace.asking.store import AnswerStore
from pytest_metaspace.cli import main
from pytest_metaspace.domain import Settings, TrackedObject, Trajectory
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.perturbing import KINDS, Kind, Perturbation
from pytest_metaspace.robustness import Level, Study
from tests.tiny_world import tiny_world
from tests.unit_support import HEIGHT, HOUSEHOLD, WIDTH, thing, trajectory

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.domain import Question

KNOWN = pipeline.Registries.built_in()
STUDY = HOUSEHOLD / "study-01"
NAMES = ("a", "b", "c", "d")
FRAMES = st.dictionaries(
    st.integers(0, 3),
    st.tuples(
        st.floats(0, WIDTH - 40), st.floats(0, HEIGHT - 40), st.floats(2, 40), st.floats(2, 40)
    ),
    min_size=1,
)
SOME = settings(max_examples=40, deadline=None)
SEEDS = st.integers(0, 2**31)
RATES = st.floats(0, 1)


@st.composite
def scenes(draw: st.DrawFn) -> Trajectory:
    objects = []
    for name in NAMES[: draw(st.integers(1, 4))]:
        boxes = {f: (x, y, x + w, y + h) for f, (x, y, w, h) in draw(FRAMES).items()}
        objects.append(thing(name, boxes))
    return trajectory(objects=objects)


def boxes_by_frame(made: Trajectory) -> dict[int, Counter[object]]:
    found: dict[int, Counter[object]] = {}
    for one in made.objects:
        for frame, box in one.boxes.items():
            found.setdefault(frame, Counter())[box] += 1
    return found


def as_told(made: Trajectory) -> list[TrackedObject]:
    return [replace(one, boxes=dict(one.boxes)) for one in made.objects]


@SOME
@given(scenes(), st.sampled_from(KINDS), SEEDS, RATES)
def test_a_perturbation_is_the_same_whenever_it_is_made(
    made: Trajectory, kind: Kind, seed: int, rate: float
) -> None:
    how = Perturbation(kind, rate, seed)
    assert as_told(how.of(made)) == as_told(how.of(made))
    assert replace(how.of(made), objects=made.objects) == made


@SOME
@given(scenes(), st.sampled_from(KINDS), SEEDS)
def test_at_rate_zero_nothing_is_perturbed(made: Trajectory, kind: Kind, seed: int) -> None:
    assert as_told(Perturbation(kind, 0.0, seed).of(made)) == as_told(made)


@SOME
@given(scenes(), SEEDS, RATES)
def test_jitter_moves_each_edge_by_its_share_at_most_and_stays_in_the_picture(
    made: Trajectory, seed: int, rate: float
) -> None:
    for old, new in zip(made.objects, Perturbation("jitter", rate, seed).of(made).objects):
        assert (new.id, new.label, new.boxes.keys()) == (old.id, old.label, old.boxes.keys())
        for frame, box in new.boxes.items():
            was = old.boxes[frame]
            across, down = rate * was.width + 1.001, rate * was.height + 1.001
            assert abs(box.x1 - was.x1) <= across
            assert abs(box.x2 - was.x2) <= across + across
            assert abs(box.y1 - was.y1) <= down
            assert abs(box.y2 - was.y2) <= down + down
            assert 0 <= box.x1 < box.x2 <= WIDTH
            assert 0 <= box.y1 < box.y2 <= HEIGHT


@SOME
@given(scenes(), SEEDS, RATES, RATES)
def test_a_larger_rate_drops_what_a_smaller_one_drops(
    made: Trajectory, seed: int, one: float, other: float
) -> None:
    few, many = (
        {(t.id, f) for t in Perturbation("drop", rate, seed).of(made).objects for f in t.boxes}
        for rate in sorted((one, other), reverse=True)
    )
    assert few <= many <= {(t.id, f) for t in made.objects for f in t.boxes}
    assert not Perturbation("drop", 1.0, seed).of(made).objects


@SOME
@given(scenes(), SEEDS, RATES)
def test_swapped_labels_and_identities_are_those_of_others(
    made: Trajectory, seed: int, rate: float
) -> None:
    labels = Perturbation("swap-labels", rate, seed).of(made).objects
    assert Counter(one.label for one in labels) == Counter(one.label for one in made.objects)
    assert [one.boxes for one in labels] == [one.boxes for one in made.objects]
    swapped = Perturbation("swap-identities", rate, seed).of(made)
    assert boxes_by_frame(swapped) == boxes_by_frame(made)
    assert [(o.id, o.label, set(o.boxes)) for o in swapped.objects] == [
        (o.id, o.label, set(o.boxes)) for o in made.objects
    ]


def test_rates_are_kept() -> None:
    boxes = dict.fromkeys(range(400), (0.0, 0.0, 100.0, 100.0))
    made = trajectory(objects=[thing(name, boxes) for name in NAMES])
    dropped = sum(len(one.boxes) for one in Perturbation("drop", 0.25).of(made).objects)
    assert 0.7 < dropped / 1600 < 0.8
    moved = Perturbation("jitter", 0.2).of(made).objects[0].boxes.values()
    assert 18 < max(box.x1 for box in moved) <= 20
    other = Perturbation("jitter", 0.2, seed=1).of(made).objects[0].boxes
    assert other != Perturbation("jitter", 0.2).of(made).objects[0].boxes


def test_a_box_that_fills_the_picture_stays_in_it() -> None:
    boxes = dict.fromkeys(range(20), (0.0, 0.0, float(WIDTH), float(HEIGHT)))
    moved = Perturbation("jitter", 0.2).of(trajectory(objects=[thing("a", boxes)])).objects[0].boxes
    assert {(box.x2 <= WIDTH, box.y2 <= HEIGHT) for box in moved.values()} == {(True, True)}
    assert {(box.x1 >= 0, box.y1 >= 0) for box in moved.values()} == {(True, True)}


def test_who_is_hit_alone_exchanges_with_the_next_one() -> None:
    names = ["a", "b", "c", "d"]
    assert perturbing._exchanged(names, ["b"]) == {"b": "c", "c": "b"}
    assert perturbing._exchanged(names, ["d"]) == {"d": "a", "a": "d"}
    assert perturbing._exchanged(names, ["a", "c", "d"]) == {"a": "c", "c": "d", "d": "a"}
    assert perturbing._exchanged(["a"], ["a"]) == {"a": "a"}
    assert perturbing._exchanged(names, []) == {}


# -------------------------------------------------------------------------------- the verdicts


@pytest.fixture(scope="module")
def levels() -> dict[str, Level]:
    """Truth on a shipped trajectory, perturbed in each way."""
    settings = Settings(sample=0.3, anchors=frozenset({"all"}))
    study = Study([STUDY], settings, KNOWN, KNOWN.agent("truth", STUDY))
    rates = [("jitter", 0.05), ("jitter", 0.2), ("drop", 0.3), ("swap-identities", 0.3)]
    made = study.levels([Perturbation(kind, rate) for kind, rate in rates])  # type: ignore[arg-type]
    return {level.name: level for level in made}


def test_no_verdict_on_truth_changes_but_those_of_mr5(levels: dict[str, Level]) -> None:
    for level in levels.values():
        assert level.but_mr5.paired > 300
        assert (level.but_mr5.changed, level.but_mr5.new) == (0, 0)
        assert level.but_mr5.noisy.value == 1.0


def test_boxes_that_are_wrong_enough_make_mr5_accuse_truth(levels: dict[str, Level]) -> None:
    mild, wild = levels["jitter 5 %"].by_relation["MR5"], levels["jitter 20 %"].by_relation["MR5"]
    assert mild.clean == wild.clean
    assert mild.clean.violated == 0
    assert mild.new == mild.noisy.violated <= wild.new == wild.noisy.violated
    assert wild.new > 0
    assert levels["jitter 20 %"].total[0] == 1.0
    assert (levels["jitter 20 %"].total[1] or 1) < 1


def test_identities_that_are_taken_over_are_noticed_where_boxes_count(
    levels: dict[str, Level],
) -> None:
    found = levels["swap-identities 30 %"].by_relation
    assert found["A1"].new > 0
    assert found["A3"].new == found["MR1"].new == 0  # truth answers about the thing that is meant


def test_dropped_boxes_make_fewer_cases(levels: dict[str, Level]) -> None:
    change = levels["drop 30 %"].but_mr5
    assert change.noisy.cases < change.clean.cases


class Model:
    """A model by the looks of it, which refuses to be asked."""

    identity: str | None = "model@1"

    def __init__(self) -> None:
        self.heard = 0

    def ask(self, question: Question) -> str:
        self.heard += 1
        said = KNOWN.agent("truth", STUDY).ask(question)
        assert isinstance(said, str)
        return said


def test_of_a_model_the_answers_to_the_clean_questions_count(tmp_path: Path) -> None:
    folder = tiny_world(tmp_path / "flat", flat=True)
    some = Settings(relations=frozenset({"MR2", "MR5"}))
    (made,) = pipeline.load([folder], KNOWN)
    cases = pipeline.plan(made, KNOWN, some).cases
    with AnswerStore(tmp_path / "cache") as store:
        with pytest.raises(UsageProblem, match="pytest --metaspace-agent=NAME"):
            next(Study([folder], some, KNOWN, Model(), store).levels([Perturbation("drop", 0.2)]))
        pipeline.ask(cases, {made.id: made}, Model(), store)
        model = Model()
        (level,) = Study([folder], some, KNOWN, model, store).levels([Perturbation("jitter", 0.2)])
    assert model.heard == 0
    assert level.by_relation["MR2"].paired > 20
    assert level.by_relation["MR2"].changed == 0


# ------------------------------------------------------------------------------- the command


def test_the_command_prints_each_relation_and_the_curve_of_mr5(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tiny_world(tmp_path / "flat", flat=True)
    arguments = ["robustness", str(folder), "--mr=MR2,MR5,MR6", "--jitter=0,0.2"]
    assert main(arguments) == 0
    told, err = capsys.readouterr()
    assert err == ""
    assert told.isascii()
    lines = told.splitlines()
    assert lines[2].split()[:4] == ["jitter", "0", "%", "MR2"]
    assert [line.split()[0] for line in lines[3:5]] == ["MR5", "MR6"]
    assert lines[5].split()[:3] == ["all", "but", "MR5"]
    assert (
        "truth, jitter 0 %: 0.00 % of the verdicts change and 0 violations are new, MR5 apart; total 1.000"
        in told
    )
    curve = told.split("MR5, violated of decided:\n")[1].splitlines()
    assert [line.split()[0] for line in curve] == ["clean", "jitter", "jitter"]
    assert curve[0].endswith("0.0 %")
    assert curve[2].endswith("#")


def test_the_command_writes_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tiny_world(tmp_path / "flat", flat=True)
    arguments = ["robustness", str(folder), "--mr=MR2", "--drop=0.5", "--json"]
    assert main(arguments) == 0
    (level,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert (level["perturbation"], level["kind"]) == ("drop 50 %", "drop")
    assert level["by_relation"].keys() == {"MR2"}
    assert level["all_but_mr5"] == level["by_relation"]["MR2"]
    assert level["all_but_mr5"]["changed"] == level["all_but_mr5"]["new"] == 0
    assert level["all_but_mr5"]["perturbed"]["cases"] < level["all_but_mr5"]["clean"]["cases"]


def test_without_rates_each_perturbation_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tiny_world(tmp_path / "flat", flat=True)
    assert main(["robustness", str(folder), "--mr=MR6", "--json"]) == 0
    kinds = [json.loads(line)["kind"] for line in capsys.readouterr().out.splitlines()]
    assert kinds == ["jitter"] * 3 + list(get_args(Kind)[1:])


def test_a_rate_that_is_typed_twice_is_one_row(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tiny_world(tmp_path / "flat", flat=True)
    assert main(["robustness", str(folder), "--mr=MR2", "--jitter=0.1,0.1", "--json"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1


@pytest.mark.parametrize(
    ("rates", "told"),
    [("--jitter=1.5", "expected a number from 0 to 1"), ("--drop=x", "expected a number")],
)
def test_a_rate_that_is_none_is_wrong_use(
    rates: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main(["robustness", "somewhere", rates])
    assert left.value.code == 4
    assert told in capsys.readouterr().err


def test_without_objects_there_is_nothing_to_perturb(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tiny_world(tmp_path / "flat", flat=True)
    (folder / "objects.json").unlink()
    assert main(["robustness", str(folder)]) == 4
    assert "no objects.json beside the trajectories" in capsys.readouterr().err
