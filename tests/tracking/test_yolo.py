"""The real detector on shipped frames; ./dev test-yolo runs these tests, in .venv-yolo."""

from __future__ import annotations

import os
import shutil
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace import pipeline, testing, tracking
from pytest_metaspace.errors import TrackerError
from pytest_metaspace.tracking import Following, TrackerContext
from pytest_metaspace.tracking.matching import iou

if TYPE_CHECKING:
    from pytest_metaspace.domain import Trajectory

pytest.importorskip("torch", reason="torch is not installed; ./dev test-yolo runs these tests")
pytest.importorskip("lap", reason="lap is not installed; ./dev test-yolo runs these tests")

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
WEIGHTS = FIXTURES / "detector" / "yolo11n-metaspace.pt"
STUDY = FIXTURES / "household" / "study-01"
CONFIDENCE = 0.6

# What others do is no fault of ours.
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning"),
    pytest.mark.skipif(not WEIGHTS.is_file(), reason=f"there is no {WEIGHTS.name}"),
]


def built(name: str) -> Any:
    registries = pipeline.Registries.built_in()
    context = TrackerContext(root=FIXTURES, device="cpu")
    return tracking.build(name, registries.trackers, context)


@pytest.fixture(scope="module")
def hidden(tmp_path_factory: pytest.TempPathFactory) -> Trajectory:
    """A shipped trajectory without its objects."""
    folder = tmp_path_factory.mktemp("runs") / "study-01"
    shutil.copytree(STUDY, folder)
    (folder / "objects.json").unlink()
    (found,) = pipeline.load([folder], pipeline.Registries.built_in())
    return found


@pytest.fixture
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*told: Any, **more: Any) -> Any:
        raise AssertionError(f"the network was used: {told} {more}")

    monkeypatch.setattr(socket, "getaddrinfo", refused)
    monkeypatch.setattr(socket.socket, "connect", refused)


@pytest.mark.parametrize("kind", ["yolo", "botsort"])
@pytest.mark.usefixtures("_no_network")
def test_what_the_detector_finds_is_there_and_no_id_is_taken_over(
    hidden: Trajectory, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    before = dict(os.environ)
    following = Following(kind, built(f"{kind}:{WEIGHTS}"), tmp_path, confidence=CONFIDENCE)
    found = following.completed(hidden)
    following.finish()
    (true,) = pipeline.load([STUDY], pipeline.Registries.built_in())
    boxes = [(one, frame, box) for one in found.objects for frame, box in one.boxes.items()]
    owners: dict[str, set[str]] = {}
    right = 0
    for one, frame, box in boxes:
        alike = [o for o in true.objects if o.label == one.label and frame in o.boxes]
        shown = [o.id for o in alike if iou(o.boxes[frame], box) > 0.5]
        right += len(shown)
        owners.setdefault(one.id, set()).update(shown)
    assert len(boxes) > 10
    assert right > 0.8 * len(boxes)
    assert [ids for ids in owners.values() if len(ids) > 1] == []
    assert not (tmp_path / "home").exists()
    changed = {name for name in before if os.environ.get(name) != before[name]}
    assert not {name for name in changed if name.startswith(("YOLO", "ULTRA"))}


def test_the_check_of_trackers_passes(hidden: Trajectory) -> None:
    testing.check_tracker(f"yolo:{WEIGHTS}", trajectories=[hidden.source])


def test_weights_that_would_run_code_are_refused(hidden: Trajectory, tmp_path: Path) -> None:
    import torch

    class Evil:
        def __reduce__(self) -> Any:
            return os.mkdir, (str(tmp_path / "evil"),)

    torch.save({"model": Evil(), "ema": None}, tmp_path / "evil.pt")
    following = Following("yolo", built(f"yolo:{tmp_path / 'evil.pt'}"), tmp_path)
    with pytest.raises(TrackerError, match=r"evil\.pt: cannot be loaded as weights of YOLO"):
        following.completed(hidden)
    following.finish()
    assert not (tmp_path / "evil").exists()
