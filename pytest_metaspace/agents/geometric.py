"""``geometric``: looks at the frames with classical vision, and with nothing else.

Movement is visual odometry over the floor; objects are placed by the floor under their boxes,
else by how large such things usually are. It needs to know the camera's pitch. How high the camera
is over the floor it reads in the trajectory or, of one that flies, off things that stand in view.
What moves in front of a camera that stays it tells by how its picture shifts and grows.
It reads neither the executed actions nor ``truth.json``, and declines what it cannot see.
"""

from __future__ import annotations

from dataclasses import replace
from statistics import median
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from pytest_metaspace.agents import _features
from pytest_metaspace.agents._ground import Eye
from pytest_metaspace.agents._kinds import AgentKind
from pytest_metaspace.agents._odometry import Motion, Odometer
from pytest_metaspace.agents._perceiving import PerceivingAgent
from pytest_metaspace.agents._placing import height_over, spot
from pytest_metaspace.agents._sizes import usual
from pytest_metaspace.agents._watching import Drift, Watcher
from pytest_metaspace.domain import ALLOCENTRIC, EGOCENTRIC, Capability, Value
from pytest_metaspace.errors import AgentError
from pytest_metaspace.geometry import planar_label, vertical_label, whole_steps

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from typing_extensions import Self

    from pytest_metaspace.agents._kinds import AgentContext
    from pytest_metaspace.agents._placing import Spot
    from pytest_metaspace.agents._sizes import Usual
    from pytest_metaspace.domain import Query, TrackedObject, Trajectory, Vector

REVISION = 2


class GeometricAgent(PerceivingAgent):
    """Answers from the evidence frames of each question; the same frames, the same answers."""

    def __init__(self) -> None:
        """Make the agent.

        Raises:
            UsageProblem: OpenCV is not installed.
        """
        version = _features.opencv().__version__
        self.identity = f"geometric-{REVISION}+cv2-{version}"
        self._odometers: dict[tuple[Eye, bool], Odometer] = {}
        self._watchers: dict[Eye, Watcher] = {}

    def perceive(self, query: Query, trajectory: Trajectory) -> Value | None:
        """Return what the evidence frames show, or None where they do not tell.

        Args:
            query: an open question.
            trajectory: its frames, boxes and camera are read; its actions and truth are not.

        Raises:
            AgentError: it is an item of a suite.
        """
        if query.capability.suite is not None:
            raise AgentError("geometric looks at runs of robots, not at items of suites")
        eye = Eye.of(trajectory.camera)
        if eye is None:
            return None
        views = self._views(query, trajectory, eye)
        if not views:
            return None
        if query.b is None:
            return _of_one(query, trajectory, views)
        moved = {} if isinstance(query.a, str) else self._moved(query, trajectory, views)
        start, end = (
            moved.get(one) if isinstance(one, int) else _place(one, trajectory, views)
            for one in (query.a, query.b)
        )
        if start is None or end is None:
            return None
        return _value(query, trajectory, start, end)

    def _views(self, query: Query, trajectory: Trajectory, eye: Eye) -> Mapping[int, View]:
        """Return what each frame shown is seen from, in metres; none where nothing tells them."""
        poses = self._poses(query, trajectory, eye)
        if _knows_height(trajectory):
            return {frame: View(pose, eye) for frame, pose in poses.items()}
        heights = [
            height / pose.lift
            for frame, pose in poses.items()
            for height in _heights(frame, trajectory, eye)
        ]
        if not heights:
            return {}
        first = median(heights)
        unit = first / eye.height_m
        return {
            frame: View(
                Motion(pose.shift * unit, pose.turn),
                replace(eye, height_m=first * pose.lift),
            )
            for frame, pose in poses.items()
        }

    def _poses(self, query: Query, trajectory: Trajectory, eye: Eye) -> Mapping[int, Motion]:
        """Return the motion from the reference (the first frame of a map) to each frame.

        A camera that watches something else move stays.
        """
        if trajectory.watched:
            return dict.fromkeys((_root(query), *query.evidence), Motion())
        key = eye, trajectory.vertical
        if key not in self._odometers:
            self._odometers[key] = Odometer(eye, lifts=trajectory.vertical)
        return _reached(query, trajectory, Motion(), self._odometers[key])

    def _moved(
        self, query: Query, trajectory: Trajectory, views: Mapping[int, View]
    ) -> Mapping[int, Vector]:
        """Return where what moves was in each frame, forward, left and up, in metres.

        Nothing tells how far from the camera that watches it a mover is, so it is taken to be over
        the middle of what lies there.
        """
        if not trajectory.watched:
            return {
                frame: (view.pose.shift.real, -view.pose.shift.imag, view.eye.height_m)
                for frame, view in views.items()
            }
        depths = [
            view.eye.depth_m(seen.place.real, seen.up - view.eye.height_m)
            for frame, view in views.items()
            for thing in trajectory.objects
            if (seen := _spot(thing.id, frame, trajectory, view.eye)) is not None
        ]
        eye = Eye.of(trajectory.camera)
        if not depths or eye is None:
            return {}
        watcher = self._watchers.setdefault(eye, Watcher(eye))
        depth = median(depths)
        return {
            frame: (
                depth * (went.away * eye.cos + went.down * eye.sin),
                -depth * went.right,
                depth * (went.away * eye.sin - went.down * eye.cos),
            )
            for frame, went in _reached(query, trajectory, Drift(), watcher).items()
        }


class _Composable(Protocol):
    def then(self, after: Self, /) -> Self: ...


M = TypeVar("M", bound=_Composable)
M_co = TypeVar("M_co", covariant=True)


class _Measures(Protocol[M_co]):
    def between(self, a: Path, b: Path, /) -> M_co | None: ...


def _root(query: Query) -> int:
    return query.evidence[0] if query.reference is None else query.reference


def _reached(
    query: Query, trajectory: Trajectory, still: M, measured: _Measures[M]
) -> Mapping[int, M]:
    """Return the motion from the reference (the first frame of a map) to each frame.

    Each frame is reached from the nearest frame that is reached and shows the same things.
    """
    root, states = _root(query), trajectory.states
    poses = {root: still}
    for frame in sorted(query.evidence, key=lambda frame: abs(frame - root)):
        for known in sorted(poses, key=lambda known: abs(frame - known)):
            if frame in poses:
                break
            step = measured.between(states[known].frame, states[frame].frame)
            if step is not None:
                poses[frame] = poses[known].then(step)
    return poses


class View(NamedTuple):
    """What a frame is seen from.

    Attributes:
        pose: the motion from the reference, metres.
        eye: the camera, as high as it is then.
    """

    pose: Motion
    eye: Eye


def _knows_height(trajectory: Trajectory) -> bool:
    return trajectory.camera.height_m is not None and not trajectory.vertical


def _usual(thing: TrackedObject, trajectory: Trajectory) -> Usual | None:
    return usual(thing.label, on_table=trajectory.watched)


def _heights(frame: int, trajectory: Trajectory, eye: Eye) -> Iterator[float]:
    """Yield how high the camera is over the ground, by each thing that a frame shows whole."""
    for thing in trajectory.objects:
        box, size = thing.boxes.get(frame), _usual(thing, trajectory)
        if box is None or size is None:
            continue
        height = height_over(eye, box, size, trajectory.camera)
        if height is not None:
            yield height


def _of_one(query: Query, trajectory: Trajectory, views: Mapping[int, View]) -> Value | None:
    """Return the size or the depth of one object in the one frame shown."""
    assert isinstance(query.a, str)
    assert query.reference is not None
    eye = views[query.reference].eye
    seen = _spot(query.a, query.reference, trajectory, eye)
    if seen is None:
        return None
    if query.capability is Capability.SIZE:
        return Value(metres=seen.height)
    depth = eye.depth_m(seen.place.real, seen.up - eye.height_m)
    return Value(metres=depth) if depth > 0 else None


def _spot(name: str, frame: int, trajectory: Trajectory, eye: Eye) -> Spot | None:
    thing = trajectory.by_id[name]
    box, size = thing.boxes.get(frame), _usual(thing, trajectory)
    if box is None or size is None:
        return None
    return spot(eye, box, size, trajectory.camera)


def _place(name: str, trajectory: Trajectory, views: Mapping[int, View]) -> Vector | None:
    """Return where an object is, forward, left and up of the reference's ground, in metres.

    It is at the mean of the places where the frames show it.
    """
    found = [
        (view.pose.place(seen.place), seen.up)
        for frame, view in views.items()
        if (seen := _spot(name, frame, trajectory, view.eye)) is not None
    ]
    if not found:
        return None
    place = sum(place for place, _ in found) / len(found)
    return place.real, -place.imag, sum(up for _, up in found) / len(found)


def _value(query: Query, trajectory: Trajectory, start: Vector, end: Vector) -> Value:
    step = trajectory.step_length_m
    if query.capability.of_distances:
        return Value(steps=whole_steps(start, end, step, trajectory.distance_metric))
    labels = ALLOCENTRIC if query.capability.about_map else EGOCENTRIC
    # Forward is x and left is y, so the reference looks along a yaw of 0.
    return Value(
        planar=planar_label(start, end, yaw_deg=0.0, step_m=step, labels=labels),
        vertical=vertical_label(start, end, step_m=step) if trajectory.vertical else None,
    )


def _build(argument: str, context: AgentContext) -> GeometricAgent:
    del argument, context
    return GeometricAgent()


KIND = AgentKind(
    name="geometric",
    usage="geometric",
    summary="looks at the frames: visual odometry, boxes and usual sizes; needs [vision]",
    build=_build,
)
