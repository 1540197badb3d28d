"""A pose out of a vector of numbers that have names, as logs of robots hold it.

The names decide (docs/logs-lerobot.md): ``x``, ``y`` with ``theta``, ``yaw`` or ``heading``, or a
quaternion, are the pose of a base; ``x``, ``y``, ``z`` of an end effector are the place of a
gripper. Joints and velocities are no pose.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Literal, NamedTuple

from pytest_metaspace.domain import Pose

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Kind = Literal["base", "arm", "plain"]

_HEADINGS = ("theta", "yaw", "heading")
_QUATERNION = ("qw", "qx", "qy", "qz")
_AXES = ("x", "y", "z", *_HEADINGS, *_QUATERNION)
_BASE = {"base", "odom", "odometry", "robot", "agent", "mobile", "chassis", "body", "vehicle"}
_ARM = {"ee", "eef", "effector", "tcp", "gripper", "hand", "tool", "eepose"}
_NO_POSE = {
    *("vel", "velocity", "speed", "acc", "acceleration", "force", "torque", "joint", "joints"),
    *("target", "goal", "delta", "command", "cmd", "error", "current", "effort", "motor"),
}
_SIDES = {"left", "right"}
_DEGREES = {"deg", "degrees", "degree"}
_ARM_ROBOTS = re.compile(
    r"arm|panda|franka|so-?10\d|ur\d|xarm|widowx|viperx|aloha|koch|libero|kuka|sawyer|piper|bi_",
    re.IGNORECASE,
)
_DRONES = re.compile(r"drone|uav|quad(ro|co)", re.IGNORECASE)
_MOST_TURNS_RAD = 8 * math.pi


class Vector(NamedTuple):
    """A feature with named numbers."""

    key: str
    names: tuple[str, ...]


class Source(NamedTuple):
    """Where in a row a pose stands.

    Attributes:
        scenario: what kind of robot that makes.
        where: for each axis the feature and the place in it.
        degrees: whether its angles are degrees.
    """

    scenario: Literal["household", "arm", "drone"]
    where: Mapping[str, tuple[str, int]]
    degrees: bool

    @property
    def keys(self) -> tuple[str, ...]:
        """The features that it is read from."""
        return tuple(dict.fromkeys(key for key, _ in self.where.values()))

    @property
    def told(self) -> str:
        """Its names, for messages."""
        return ", ".join(f"{axis} = {key}[{place}]" for axis, (key, place) in self.where.items())


def find(vectors: Iterable[Vector], robot: str) -> tuple[Source | None, str]:
    """Return where the pose stands, or None and why there is none.

    Args:
        vectors: features with named numbers, the first ones first.
        robot: what the log calls the robot.
    """
    groups: dict[tuple[Kind, str], dict[str, tuple[str, int]]] = {}
    degrees: set[tuple[Kind, str]] = set()
    names: list[str] = []
    for vector in vectors:
        for place, name in enumerate(vector.names):
            names.append(name)
            words = _words(f"{vector.key} {name}")
            axis = next((word for word in reversed(_words(name)) if word in _AXES), None)
            if axis is None or set(words) & _NO_POSE:
                continue
            group = _kind(words), next((word for word in words if word in _SIDES), "")
            groups.setdefault(group, {}).setdefault(axis, (vector.key, place))
            if set(words) & _DEGREES:
                degrees.add(group)
    for group, scenario in _choices(groups, arm=_is_arm(robot, names)):
        flies = scenario == "household" and _DRONES.search(robot)
        return Source("drone" if flies else scenario, groups[group], group in degrees), ""
    return None, _why(names)


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z]+|\d+", text.lower())


def _kind(words: Sequence[str]) -> Kind:
    if set(words) & _ARM:
        return "arm"
    return "base" if set(words) & _BASE else "plain"


def _choices(
    groups: Mapping[tuple[Kind, str], Mapping[str, object]], *, arm: bool
) -> Iterable[tuple[tuple[Kind, str], Literal["household", "arm"]]]:
    """Yield the groups of names that make a pose, the best first."""
    for group, axes in groups.items():
        if group[0] == "base" and _headed(axes):
            yield group, "household"
    tools = [group for group, axes in groups.items() if group[0] == "arm" and _placed(axes)]
    if len(tools) == 1:  # of two hands none is the one
        yield tools[0], "arm"
    for group, axes in groups.items():
        if group[0] == "plain" and not group[1]:
            if arm and _placed(axes):
                yield group, "arm"
            elif not arm and _headed(axes):
                yield group, "household"


def _headed(axes: Mapping[str, object]) -> bool:
    heading = any(axis in axes for axis in _HEADINGS) or all(axis in axes for axis in _QUATERNION)
    return "x" in axes and "y" in axes and heading


def _placed(axes: Mapping[str, object]) -> bool:
    return all(axis in axes for axis in "xyz")


def _is_arm(robot: str, names: Iterable[str]) -> bool:
    return bool(_ARM_ROBOTS.search(robot)) or any("gripper" in name.lower() for name in names)


def guessed(robot: str, vectors: Iterable[Vector]) -> Literal["household", "arm", "drone"]:
    """Return the likely scenario of a robot whose pose is not told."""
    if _DRONES.search(robot):
        return "drone"
    names = [name for vector in vectors for name in vector.names]
    joints = any(set(_words(name)) & {"joint", "shoulder", "elbow", "wrist"} for name in names)
    return "arm" if joints or _is_arm(robot, names) else "household"


def _why(names: Sequence[str]) -> str:
    if not names:
        return "no feature has names for its numbers, so that none is known to be a pose"
    shown = ", ".join(ascii(name)[1:-1] for name in names[:8])
    more = ", ..." if len(names) > 8 else ""  # noqa: PLR2004 - a line's worth
    return (
        f"no named numbers make a pose (there are {shown[:200]}{more}); joints and velocities do "
        "not tell where a robot is"
    )


# ---------------------------------------------------------------------------------- values


def pose(source: Source, row: Mapping[str, object]) -> Pose:
    """Return the pose that a row holds.

    Raises:
        ValueError: it is none; the text says why.
    """
    found = {axis: _number(row.get(key), place) for axis, (key, place) in source.where.items()}
    height = 0.0 if source.scenario == "household" else found.get("z", 0.0)
    return Pose(position=(found["x"], found["y"], height), yaw_deg=_yaw(source, found))


def _number(values: object, place: int) -> float:
    one = values[place] if isinstance(values, list) and place < len(values) else values
    if isinstance(one, bool) or not isinstance(one, int | float) or not math.isfinite(one):
        raise ValueError(f"is {ascii(one)[:40]} at place {place}, no finite number")
    if abs(one) > 1e6:  # noqa: PLR2004 - no robot drives that far
        raise ValueError(f"is {one:g} at place {place}, absurd in metres or radians")
    return float(one)


def _yaw(source: Source, found: Mapping[str, float]) -> float:
    heading = next((found[axis] for axis in _HEADINGS if axis in found), None)
    if heading is None:
        if source.scenario == "arm" or not all(axis in found for axis in _QUATERNION):
            return 0.0
        w, x, y, z = (found[axis] for axis in _QUATERNION)
        return math.degrees(math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)))
    if source.degrees:
        return heading
    if abs(heading) > _MOST_TURNS_RAD and source.scenario != "arm":
        raise ValueError(
            f"has a heading of {heading:g} rad, more than four turns; it looks like degrees. Put "
            "'deg' into its name"
        )
    return math.degrees(heading)
