"""``geometric``: looks at the frames with classical vision, and with nothing else.

Movement is visual odometry over the floor; objects are placed by the floor under their boxes,
else by how large such things usually are. It needs to know the camera's pitch. How high the camera
is over the floor it reads in the trajectory or, of one that flies, off things that stand in view.
It reads neither the executed actions nor ``truth.json``, and declines what it cannot see.
"""

from __future__ import annotations

from dataclasses import replace
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from pytest_metaspace.agents import _features
from pytest_metaspace.agents._ground import Eye
from pytest_metaspace.agents._kinds import AgentKind
from pytest_metaspace.agents._odometry import Motion, Odometer
from pytest_metaspace.agents._perceiving import PerceivingAgent
from pytest_metaspace.agents._placing import height_over, spot
from pytest_metaspace.agents._sizes import usual
from pytest_metaspace.domain import ALLOCENTRIC, EGOCENTRIC, Capability, Value
from pytest_metaspace.geometry import planar_label, vertical_label, whole_steps

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_metaspace.agents._kinds import AgentContext
    from pytest_metaspace.agents._placing import Spot
    from pytest_metaspace.domain import Query, Subject, Trajectory, Vector

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

    def perceive(self, query: Query, trajectory: Trajectory) -> Value | None:
        """Return what the evidence frames show, or None where they do not tell.

        Args:
            query: an open question.
            trajectory: its frames, boxes and camera are read; its actions and truth are not.
        """
        eye = Eye.of(trajectory.camera)
        if eye is None:
            return None
        views = self._views(query, trajectory, eye)
        if not views:
            return None
        if query.b is None:
            return _of_one(query, trajectory, views)
        start = _place(query.a, trajectory, views)
        end = _place(query.b, trajectory, views)
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

        Each frame is reached from the nearest frame that is reached and shows the same things.
        """
        key = eye, trajectory.vertical
        if key not in self._odometers:
            self._odometers[key] = Odometer(eye, lifts=trajectory.vertical)
        odometer = self._odometers[key]
        root = query.evidence[0] if query.reference is None else query.reference
        poses = {root: Motion()}
        for frame in sorted(query.evidence, key=lambda frame: abs(frame - root)):
            for known in sorted(poses, key=lambda known: abs(frame - known)):
                if frame in poses:
                    break
                states = trajectory.states
                step = odometer.between(states[known].frame, states[frame].frame)
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


def _heights(frame: int, trajectory: Trajectory, eye: Eye) -> Iterator[float]:
    """Yield how high the camera is over the ground, by each thing that a frame shows whole."""
    for thing in trajectory.objects:
        box, size = thing.boxes.get(frame), usual(thing.label)
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
    box, size = thing.boxes.get(frame), usual(thing.label)
    if box is None or size is None:
        return None
    return spot(eye, box, size, trajectory.camera)


def _place(subject: Subject, trajectory: Trajectory, views: Mapping[int, View]) -> Vector | None:
    """Return where a subject is, forward, left and up of the reference's ground, in metres.

    A state is where its camera is, if the camera is what moves; an object is at the mean of the
    places where the frames show it.
    """
    if isinstance(subject, int):
        view = views.get(subject) if trajectory.mover == "agent" else None
        if view is None:
            return None
        return view.pose.shift.real, -view.pose.shift.imag, view.eye.height_m
    found = [
        (view.pose.place(seen.place), seen.up)
        for frame, view in views.items()
        if (seen := _spot(subject, frame, trajectory, view.eye)) is not None
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
