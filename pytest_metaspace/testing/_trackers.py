"""Does a detector or tracker do what we demand?"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_metaspace import pipeline, tracking
from pytest_metaspace.errors import MetaspaceError
from pytest_metaspace.registry import NAME, NAME_RULE
from pytest_metaspace.testing._grounds import demand, loaded, watched
from pytest_metaspace.tracking import Detector, Following, Tracker, TrackerContext, TrackerKind
from pytest_metaspace.tracking.matching import iou

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pytest_metaspace.domain import Trajectory
    from pytest_metaspace.tracking import Detection

_LONGEST_IDENTITY = 1000
#  A model may round otherwise in a batch: what is sure must be there, in about the same place.
_SURE, _SAME_BOX, _SAME_CONFIDENCE = 0.3, 0.9, 0.1


def check_tracker(
    tracker: str | TrackerKind | Detector | Tracker,
    *,
    argument: str = "",
    trajectories: Iterable[Path | str] = (),
    root: Path | None = None,
) -> None:
    """Check that a detector or tracker can be used: in batches, alone, again and out of the store.

    Args:
        tracker: a full name as on the command line, what is handed to ``register``, or a detector
            or tracker.
        argument: what stands behind the first colon of the full name, for a ``TrackerKind``.
        trajectories: trajectories, or folders of them, in which it finds something; the shipped
            one when empty.
        root: the folder to which relative paths in a name belong; the current one when None.

    Raises:
        AssertionError: it cannot; the text says what, where and what to do.
    """
    name = _named(tracker)
    first, second = (_built(tracker, argument, root or Path.cwd()) for _ in range(2))
    _check_identity(name, first, second)
    found = 0
    for trajectory in loaded(trajectories).values():
        found += _check_on(name, first, second, trajectory)
    demand(
        found,
        f"{name}: finds nothing in any frame. Name trajectories in which it does with "
        "trajectories=[...].",
    )


def _named(tracker: str | TrackerKind | Detector | Tracker) -> str:
    if isinstance(tracker, str):
        return f"tracker {tracker}"
    return f"tracker {tracker.name if isinstance(tracker, TrackerKind) else type(tracker).__name__}"


def _built(tracker: Any, argument: str, root: Path) -> Detector | Tracker:
    context = TrackerContext(root=root)
    if isinstance(tracker, TrackerKind):
        demand(
            isinstance(tracker.name, str) and NAME.fullmatch(tracker.name),
            f"tracker {tracker.name!r}: field name: expected {NAME_RULE}.",
        )
        advice = "Raise pytest_metaspace.errors.UsageProblem with what to type instead."
        with watched(f"{_named(tracker)}: build", advice):
            tracker = tracker.build(argument, context)
    elif isinstance(tracker, str):
        try:
            registries = pipeline.Registries.built_in()
            tracker = tracking.build(tracker, registries.trackers, context)
        except MetaspaceError as problem:
            raise AssertionError(f"{_named(tracker)}: cannot be made: {problem}") from problem
    made: Detector | Tracker = tracker
    return made


def _check_identity(name: str, first: Detector | Tracker, second: Detector | Tracker) -> None:
    demand(
        isinstance(first, (Detector, Tracker)),
        f"{name}: {type(first).__name__} has no attribute identity, or neither a method "
        "detect(frames) nor a method follow(trajectory).",
    )
    identity = first.identity
    demand(
        isinstance(identity, str) and identity.strip() and len(identity) < _LONGEST_IDENTITY,
        f"{name}: field identity: expected one line that names provider, version, weights and "
        f"settings; found {identity!r}.",
    )
    demand(
        identity == second.identity,
        f"{name}: field identity: is {identity!r} for one and {second.identity!r} for another of "
        "the same name. Stored detections are kept by it, so each run would detect again. Leave "
        "out times, addresses and counters.",
    )


def _check_on(
    name: str, first: Detector | Tracker, second: Detector | Tracker, trajectory: Trajectory
) -> int:
    """Check on one trajectory; return how many detections there are."""
    with tempfile.TemporaryDirectory(prefix="metaspace-") as folder:
        together = _detections(name, first, Path(folder) / "a", trajectory, batch_size=8)
        again = _detections(name, first, Path(folder) / "a", trajectory, batch_size=8)
        demand(
            together == again,
            f"{name}: what it found in {trajectory.id} comes out of the store otherwise. Use "
            "numbers and texts that JSON can hold.",
        )
        alone = _detections(name, second, Path(folder) / "b", trajectory, batch_size=1)
    for frame, (some, others) in enumerate(zip(together, alone)):
        for missing in _missing(some, others) + _missing(others, some):
            raise AssertionError(
                f"{name}: in frame {frame} of {trajectory.id} a {missing.label!a} with confidence "
                f"{missing.confidence:g} is found in a batch or alone, and not in both. Keep "
                "nothing between frames, and return the same for the same frame."
            )
    return sum(map(len, together))


def _detections(
    name: str, source: Detector | Tracker, folder: Path, trajectory: Trajectory, *, batch_size: int
) -> list[list[Detection]]:
    following = Following(name, source, folder, batch_size=batch_size)
    try:
        return following.detections(trajectory)
    except MetaspaceError as problem:
        raise AssertionError(f"{name}: {problem}") from problem
    finally:
        following.finish()


def _missing(some: Sequence[Detection], others: Sequence[Detection]) -> list[Detection]:
    return [
        one
        for one in some
        if one.confidence >= _SURE
        and not any(
            one.label == other.label
            and abs(one.confidence - other.confidence) <= _SAME_CONFIDENCE
            and iou(one.box, other.box) >= _SAME_BOX
            for other in others
        )
    ]
