"""Do objects keep their ids? Ours beside ByteTrack and BoT-SORT, on boxes and on detections.

    .venv-yolo/bin/python benchmarks/identities.py [--weights FILE.pt] [--no-log] [FOLDER ...]

Truth decides: for each true object, each of its boxes after the first has kept the id of the box
before, has changed it, or has an id that belonged to another object last (*taken over*). A box
that a tracker gives no id to (not confirmed yet) counts for none of them. The trackers of
ultralytics need the extra yolo; without it only ours are counted.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import replace
from importlib import util
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_metaspace import pipeline
from pytest_metaspace.tracking import (
    Detection,
    Following,
    TrackerContext,
    appearance,
    identities,
    yolo,
)
from pytest_metaspace.tracking.matching import iou

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pytest_metaspace.domain import Trajectory

Found = list[list[Detection]]
Ids = list[list[object]]
HERE = Path(__file__).resolve().parent.parent
SAME = 0.5
COLUMNS = ("kept", "changed", "taken over", "without id")


def perfect(trajectory: Trajectory) -> Found:
    """Return the true boxes as a detector would."""
    return [
        [
            Detection(label=thing.label, box=thing.boxes[state.index], confidence=1.0)
            for thing in trajectory.objects
            if state.index in thing.boxes
        ]
        for state in trajectory.states
    ]


def ours(found: Found, trajectory: Trajectory) -> Ids:
    """Return the id of each detection by our own identity step."""
    frames = [state.frame for state in trajectory.states]
    described = [appearance.described(f, some) for f, some in zip(frames, found)]
    ids: dict[tuple[int, Any, str], str] = {}
    for thing in identities.identify(described, trajectory):
        for frame, box in thing.boxes.items():
            ids[frame, box, thing.label] = thing.id
    return [
        [ids.get((frame, one.box, one.label)) for one in some] for frame, some in enumerate(found)
    ]


def of_ultralytics(name: str) -> Callable[[Found, Trajectory], Ids]:
    """Return a plain tracker of ultralytics, with its own default settings."""

    def follow(found: Found, trajectory: Trajectory) -> Ids:
        frames = [state.frame for state in trajectory.states]
        told = yolo.with_tracks(found, frames, name)
        return [[one.track for one in some] for some in told]

    return follow


def both(found: Found, trajectory: Trajectory) -> Ids:
    """Return ids by BoT-SORT, taken apart and joined by our own identity step."""
    frames = [state.frame for state in trajectory.states]
    return ours(yolo.with_tracks(found, frames), trajectory)


def shown(found: Found, trajectory: Trajectory) -> list[list[str | None]]:
    """Return which true object each detection is of."""
    told = []
    for frame, some in enumerate(found):
        free = {t.id: t for t in trajectory.objects if frame in t.boxes}
        names: list[str | None] = []
        for one in some:
            alike = [t for t in free.values() if t.label == one.label]
            best = max(alike, key=lambda t: iou(t.boxes[frame], one.box), default=None)
            if best is not None and iou(best.boxes[frame], one.box) >= SAME:
                del free[best.id]
                names.append(best.id)
            else:
                names.append(None)
        told.append(names)
    return told


def counted(names: Sequence[Sequence[str | None]], ids: Ids) -> Counter[str]:
    """Count what became of the ids of true objects."""
    counts: Counter[str] = Counter()
    last: dict[str, object] = {}
    owner: dict[object, str] = {}
    for some, own in zip(names, ids):
        for name, found in zip(some, own):
            if name is None:
                continue
            if found is None:
                counts["without id"] += 1
                continue
            if owner.get(found, name) != name:
                counts["taken over"] += 1
            elif name in last:
                counts["kept" if last[name] == found else "changed"] += 1
            owner[found], last[name] = name, found
    return counts


def detected(weights: Path, confidence: float) -> Callable[[Trajectory], Found]:
    """Return what a detector finds, as a run would have it."""
    registries = pipeline.Registries.built_in()
    source = registries.trackers.get("yolo").build(str(weights), TrackerContext(root=Path.cwd()))
    following = Following("yolo", source, HERE / ".metaspace_cache")

    def find(trajectory: Trajectory) -> Found:
        found = following.detections(trajectory)
        return [[one for one in some if one.confidence >= confidence] for some in found]

    return find


def table(
    trajectories: Sequence[Trajectory], find: Callable[[Trajectory], Found], *, each: bool
) -> Iterator[str]:
    """Yield a table, by scenario and tracker."""
    trackers: dict[str, Callable[[Found, Trajectory], Ids]] = {"ours": ours}
    if util.find_spec("ultralytics") is not None:
        trackers = {
            "ByteTrack": of_ultralytics("bytetrack"),
            "BoT-SORT": of_ultralytics("botsort"),
            "BoT-SORT, then ours": both,
            "ours": ours,
        }
    counts: dict[tuple[str, str], Counter[str]] = {}
    for trajectory in trajectories:
        found = find(trajectory)
        names = shown(found, trajectory)
        for name, follow in trackers.items():
            group = trajectory.id if each else trajectory.scenario
            counts.setdefault((group, name), Counter()).update(
                counted(names, follow(found, trajectory))
            )
    yield f"| trajectories | tracker | {' | '.join(COLUMNS)} |"
    yield "|---|---|" + "---|" * len(COLUMNS)
    for (group, name), count in counts.items():
        yield f"| {group} | {name} | {' | '.join(str(count[what]) for what in COLUMNS)} |"


def _without_log(trajectory: Trajectory) -> Trajectory:
    states = (replace(state, action=None, succeeded=None) for state in trajectory.states)
    return replace(trajectory, states=tuple(states))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="*", type=Path, default=[HERE / "fixtures"])
    parser.add_argument("--weights", type=Path, help="a YOLO detector; perfect boxes without one")
    parser.add_argument("--confidence", type=float, default=0.6)
    parser.add_argument("--no-log", action="store_true", help="as if no action were known")
    parser.add_argument("--each", action="store_true", help="a line for each trajectory")
    options = parser.parse_args()
    find = perfect if options.weights is None else detected(options.weights, options.confidence)
    loaded = pipeline.load(options.folders, pipeline.Registries.built_in())
    if options.no_log:
        loaded = [_without_log(trajectory) for trajectory in loaded]
    for line in table(loaded, find, each=options.each):
        print(line)


if __name__ == "__main__":
    main()
