"""Whatever happens to the process or the disk, what was recorded loads."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_metaspace import Action, Pose, pipeline
from pytest_metaspace.domain import Box, Settings
from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.pipeline import Registries
from pytest_metaspace.trajectories import _folder
from tests.trajectories.recorder_support import (
    AHEAD,
    HEIGHT,
    WIDTH,
    chair,
    image,
    loaded,
    recorder,
)

ROOT = Path(__file__).resolve().parent.parent.parent


# ------------------------------------------------------------------------------ round trip

numbers = st.floats(-1e6, 1e6)
names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)
actions = st.builds(
    Action,
    name=names,
    move_m=st.tuples(st.sampled_from([0.0, 0.25, -0.5, 3.1]), st.just(0.0), st.just(0.0)),
    turn_deg=numbers,
)
poses = st.builds(
    Pose,
    position=st.tuples(numbers, numbers, numbers),
    yaw_deg=numbers,
    pitch_deg=numbers,
    roll_deg=numbers,
)
boxes = st.tuples(st.floats(0, 7), st.floats(0, 5), st.floats(8, WIDTH), st.floats(6, HEIGHT))
seen = st.dictionaries(names, st.tuples(boxes, st.floats(0, 1)), max_size=3)
steps = st.lists(
    st.fixed_dictionaries(
        {
            "action": st.none() | actions,
            "succeeded": st.none() | st.booleans(),
            "pose": poses,
            "objects": st.none() | seen,
        }
    ),
    min_size=2,
    max_size=6,
)


def as_given(objects: dict[str, tuple[Any, float]] | None) -> list[dict[str, Any]] | None:
    if objects is None:
        return None
    return [
        {"id": name, "label": name, "xyxy": box, "confidence": sure}
        for name, (box, sure) in objects.items()
    ]


@given(steps=steps, closed=st.booleans())
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_what_is_recorded_is_what_loads(
    tmp_path: Path, steps: list[dict[str, Any]], *, closed: bool
) -> None:
    rec = recorder(tmp_path / "run", overwrite=True)
    for number, step in enumerate(steps):
        rec.step(image(number), **{**step, "objects": as_given(step["objects"])})
    if closed:
        rec.close()
    made = loaded(tmp_path / "run")
    rec.close()
    assert loaded(tmp_path / "run") == made
    moved = steps[:-1]
    assert [state.action for state in made.states] == [*(step["action"] for step in moved), None]
    assert [s.succeeded for s in made.states] == [*(step["succeeded"] for step in moved), None]
    assert made.truth is not None
    assert made.truth.poses == tuple(step["pose"] for step in steps)
    tracked = {
        (index, name): (Box(*box), sure)
        for index, step in enumerate(steps)
        for name, (box, sure) in (step["objects"] or {}).items()
    }
    assert tracked == {
        (index, thing.id): (box, thing.confidences[index])
        for thing in made.objects
        for index, box in thing.boxes.items()
    }
    assert all(thing.label == thing.id for thing in made.objects)
    shutil.rmtree(tmp_path / "run")


# ------------------------------------------------------------------------- a process that dies

LOOP = """
import sys
import numpy as np
from tests.trajectories.recorder_support import AHEAD, chair, image, recorder
from pytest_metaspace import Pose
rec = recorder(sys.argv[1])
for number in range(250):
    pose = Pose(position=(number, 0, 1), yaw_deg=0)
    rec.step(image(number), AHEAD, succeeded=True, pose=pose, objects=[chair()])
    print(number, flush=True)
rec.close()
"""


@pytest.mark.parametrize("after", [2, 3, 17, 60, 131])
def test_every_step_before_a_kill_loads(tmp_path: Path, after: int) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", LOOP, str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
    ) as child:
        assert child.stdout is not None
        told = [int(child.stdout.readline()) for _ in range(after)]
        child.send_signal(signal.SIGKILL)
        told += [int(line) for line in child.stdout.read().split()]
    made = loaded(tmp_path)
    assert len(made.states) in (len(told), len(told) + 1)
    assert made.truth is not None
    assert [pose.position[0] for pose in made.truth.poses] == list(range(len(made.states)))
    assert all(state.action == AHEAD for state in made.states[:-1])
    assert len(made.objects[0].boxes) == len(made.states)


def test_a_kill_between_any_two_files_of_the_end_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rec = recorder(tmp_path)
    for number in range(3):
        pose = Pose(position=(number, 0, 1), yaw_deg=0)
        rec.step(image(number), AHEAD, succeeded=True, pose=pose, objects=[chair()])
    before, put, moments = loaded(tmp_path), _folder.put, []

    def watched(path: Path, content: object) -> None:
        put(path, content)
        moments.append((path.name, loaded(tmp_path) == before))

    monkeypatch.setattr(_folder, "put", watched)
    rec.close()
    files = ("objects.json", "truth.json", "trajectory.json")
    assert moments == [(name, True) for name in files]
    assert loaded(tmp_path) == before


def killed(folder: Path, count: int = 4) -> bytes:
    """Record without closing, as a killed process would; return the journal."""
    with recorder(folder) as rec:
        for number in range(count):
            rec.step(image(number), AHEAD, succeeded=True, objects=[chair()])
        journal = (folder / "steps.jsonl").read_bytes()
        header = (folder / "trajectory.json").read_bytes()
    (folder / "objects.json").unlink()
    (folder / "trajectory.json").write_bytes(header)
    (folder / "steps.jsonl").write_bytes(journal)
    return journal


def test_a_journal_that_ends_anywhere_loads_up_to_its_last_whole_line(tmp_path: Path) -> None:
    journal = killed(tmp_path)
    ends = [length for length in range(len(journal) + 1) if journal[:length].endswith(b"\n")]
    for length in sorted({*range(0, len(journal), 17), *ends, *(end - 1 for end in ends)}):
        (tmp_path / "steps.jsonl").write_bytes(journal[:length])
        whole = journal[:length].count(b"\n")
        if whole < 2:
            with pytest.raises(
                TrajectoryError, match=r"(no|only one) complete step of a recording"
            ):
                loaded(tmp_path)
            continue
        made = loaded(tmp_path)
        assert len(made.states) == whole
        assert bool(made.warnings) != journal[:length].endswith(b"\n")


def test_a_recording_that_was_never_closed_is_found_and_planned_as_any_other(
    tmp_path: Path,
) -> None:
    killed(tmp_path / "runs" / "a")
    registries = Registries.built_in()
    (made,) = pipeline.load([tmp_path / "runs"], registries)
    planned = pipeline.plan(made, registries, Settings(capabilities=frozenset({"SC1-a"})))
    assert len(planned.cases) == 2 + 3 + 9


@pytest.mark.parametrize(
    "damage",
    [b"\0" * 40 + b"\n", b"[]\n", b'{"frame": 3}\n', b"\xff\n", b"[" * 100_000 + b"\n", b"\n"],
)
def test_what_follows_a_damaged_line_is_left_out_and_told(tmp_path: Path, damage: bytes) -> None:
    lines = killed(tmp_path).splitlines(keepends=True)
    (tmp_path / "steps.jsonl").write_bytes(b"".join([*lines[:2], damage, *lines[2:]]))
    made = loaded(tmp_path)
    assert len(made.states) == 2
    assert made.warnings == (
        (
            f"{tmp_path / 'steps.jsonl'}: line 3 is not a complete step with its picture; it and "
            "the 2 after it are left out."
        ),
    )


@pytest.mark.parametrize("lost", [Path.unlink, lambda path: path.write_bytes(b"")])
def test_a_line_that_reached_the_disk_before_its_picture_is_left_out(
    tmp_path: Path, lost: Any
) -> None:
    killed(tmp_path)
    lost(tmp_path / "frames" / "000003.webp")
    made = loaded(tmp_path)
    assert len(made.states) == 3
    assert made.warnings[0].endswith(
        "line 4 is not a complete step with its picture; it is left out."
    )


def test_a_journal_cannot_lead_out_of_its_folder(tmp_path: Path) -> None:
    lines = killed(tmp_path / "run").splitlines(keepends=True)
    shutil.copy(tmp_path / "run" / "frames" / "000001.webp", tmp_path / "secret.webp")
    step = json.loads(lines[1])
    lines[1] = json.dumps({**step, "frame": "../secret.webp"}).encode() + b"\n"
    (tmp_path / "run" / "steps.jsonl").write_bytes(b"".join(lines))
    with pytest.raises(TrajectoryError, match=r"states.1.frame: .* leaves the folder"):
        loaded(tmp_path / "run")


def test_the_final_files_are_read_where_a_kill_left_the_journal_beside_them(tmp_path: Path) -> None:
    journal = killed(tmp_path / "a")
    killed(tmp_path / "b", count=3)
    with recorder(tmp_path / "a", overwrite=True) as rec:
        rec.step(image(0))
        rec.step(image(1))
    (tmp_path / "a" / "steps.jsonl").write_bytes(journal)
    assert len(loaded(tmp_path / "a").states) == 2


# ------------------------------------------------------------------------------- full disks


class Full:
    """A journal on a disk that fills up in the middle of a line."""

    def __init__(self, file: Any) -> None:
        self.file, self.room = file, 10**9

    def write(self, rest: Any) -> int:
        if not self.room:
            raise OSError(errno.ENOSPC, "No space left on device")
        written: int = self.file.write(bytes(rest)[: self.room])
        self.room -= written
        return written

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)

    def __enter__(self) -> Any:
        return self.file.__enter__()

    def __exit__(self, *problem: object) -> None:
        self.file.__exit__(*problem)


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> list[Full]:
    made: list[Full] = []
    claim = _folder.claim

    def claimed(folder: Path, *, overwrite: bool) -> Any:
        made.append(Full(claim(folder, overwrite=overwrite)))
        return made[0]

    monkeypatch.setattr(_folder, "claim", claimed)
    return made


def test_a_disk_that_fills_up_keeps_every_step_before(tmp_path: Path, full: list[Full]) -> None:
    with recorder(tmp_path) as rec:
        for number in range(3):
            rec.step(image(number), AHEAD, succeeded=True)
        full[0].room = 20
        with pytest.raises(TrajectoryError) as caught:
            rec.step(image(3), AHEAD, succeeded=True)
        assert str(caught.value) == (
            f"{tmp_path}: step 3 cannot be written (No space left on device). All steps before it "
            "are safe."
        )
        assert len(list((tmp_path / "frames").iterdir())) == 3
        assert len(loaded(tmp_path).states) == 3
        full[0].room = 10**9
        rec.step(image(4), AHEAD, succeeded=True)
        rec.step(image(5))
    made = loaded(tmp_path)
    assert [state.action for state in made.states] == [AHEAD, AHEAD, None, AHEAD, None]
    assert made.warnings == ()


def test_a_disk_that_is_full_from_the_start_leaves_nothing(
    tmp_path: Path, full: list[Full]
) -> None:
    rec = recorder(tmp_path / "run")
    full[0].room = 0
    with pytest.raises(TrajectoryError, match="step 0 cannot be written"):
        rec.step(image(0), AHEAD)
    with pytest.warns(UserWarning, match="no step was recorded"):
        rec.close()
    assert [path for path in (tmp_path / "run").rglob("*") if path.is_file()] == []


@pytest.mark.parametrize("name", ["objects.json", "trajectory.json"])
def test_final_files_that_cannot_be_written_lose_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    put = _folder.put

    def full(path: Path, content: Any) -> None:
        if path.name == name and rec._count:
            raise OSError(errno.ENOSPC, "No space left on device")
        put(path, content)

    rec = recorder(tmp_path)
    monkeypatch.setattr(_folder, "put", full)
    rec.step(image(0), AHEAD, objects=[chair()])
    rec.step(image(1))
    with pytest.raises(TrajectoryError, match=r"the final files cannot be written .No space.*load"):
        rec.close()
    made = loaded(tmp_path)
    assert (len(made.states), len(made.objects)) == (2, 1)


def test_an_error_in_the_loop_is_the_one_that_is_raised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, content: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    rec = recorder(tmp_path)
    rec.step(image(0))
    rec.step(image(1))
    monkeypatch.setattr(_folder, "put", full)
    with pytest.raises(ZeroDivisionError), rec:
        _ = 1 / 0
    assert len(loaded(tmp_path).states) == 2


def test_a_new_file_that_cannot_be_finished_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "trajectory.json"
    _folder.put(path, {"a": 1})
    with pytest.raises(TypeError):
        _folder.put(path, {"a": object()})
    assert json.loads(path.read_text()) == {"a": 1}
    assert [entry.name for entry in tmp_path.iterdir()] == ["trajectory.json"]
