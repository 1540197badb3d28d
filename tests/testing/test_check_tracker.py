"""The check of trackers: passes a sound one, and is seen to fail on broken ones."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace import testing
from pytest_metaspace.domain import Box
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.tracking import Detection, TrackerKind
from tests.plugin.made import Walk

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

CHAIR = Detection(label="chair", box=Box(10, 10, 50, 60), confidence=0.9)


@pytest.fixture(scope="session")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny trajectory."""
    return Walk().write(tmp_path_factory.mktemp("runs") / "walk")


def same(frames: Sequence[Path]) -> Any:
    return [[CHAIR] for _ in frames]


def kind(detect: Callable[[Sequence[Path]], Any] = same, **fields: Any) -> TrackerKind:
    """Return a kind whose detectors find what a function says."""
    identity = fields.pop("identity", lambda: "ours 1")

    class Ours:
        def __init__(self) -> None:
            self.identity = identity()

        def detect(self, frames: Sequence[Path]) -> Any:
            return detect(frames)

    build: Any = fields.pop("build", lambda _argument, _context: Ours())
    return TrackerKind(
        **{"name": "ours", "usage": "ours", "summary": "ours", **fields}, build=build
    )


def test_a_sound_detector_passes(walk: Path) -> None:
    testing.check_tracker(kind(), trajectories=[walk])


def refuse(_argument: str, _context: Any) -> Any:
    raise UsageProblem("metaspace: names no weights")


_COUNT = itertools.count()


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        (kind(name="two words"), "field name: expected 1 to 80 ASCII letters"),
        (kind(build=refuse), "tracker ours: build raised UsageProblem"),
        (kind(build=lambda *_: object()), "object has no attribute identity, or neither"),
        (kind(identity=lambda: ""), "field identity: expected one line that names provider"),
        (kind(identity=lambda: f"ours {next(_COUNT)}"), "so each run would detect again"),
        (kind(lambda _frames: []), "expected one list for each frame, in order"),
        (kind(lambda frames: [[] for _ in frames]), "finds nothing in any frame"),
        (
            kind(lambda frames: [[CHAIR] if i == 0 else [] for i, _ in enumerate(frames)]),
            "is found in a batch or alone, and not in both",
        ),
    ],
)
def test_a_broken_one_is_told_what_to_do(walk: Path, broken: TrackerKind, told: str) -> None:
    with pytest.raises(AssertionError) as problem:
        testing.check_tracker(broken, trajectories=[walk])
    assert told in str(problem.value)


def test_a_name_that_cannot_be_made_says_why() -> None:
    with pytest.raises(AssertionError, match=r"tracker yolo:gone.pt: cannot be made: .* no file"):
        testing.check_tracker("yolo:gone.pt")
