"""Do the frames show the moves that the log tells? A self-check of signs, axes and units.

A camera that turns right sees everything move left; one that goes forward sees everything grow;
one that moves right or up sees everything move left or down. Only that is read from the frames,
so no depth and no pitch is needed. How far it turned follows from the focal length, and how far
it went from the floor where pitch and height of the camera are known (``agents/_odometry.py``).
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, Any

from pytest_metaspace.errors import AgentError, UsageProblem

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_metaspace.domain import Pose, State, Trajectory

FEWEST = 3
"""So many steps of a kind must be measured before anything is said of it."""
MOST = 5
"""So many steps of a kind are measured."""
DISAGREE = 0.75
"""From this share of measured steps on, their sign is said to be wrong."""
SCALES = (0.5, 2.0)
"""A length or an angle that the frames tell may differ by these factors."""
LEAST_MATCHES = 25
LEAST_AGREEING = 0.7
"""A sign is measured where this share of what is seen moves that way."""
_LEAST_PX = 1.0
_LEAST_GROWTH = 0.01
_FEATURES = 400
_LONGEST_PX = 400
_MOST_MATCHES = 120
_PURE = 0.1
_NEAR_DEG = 1.0
_FAR = 0.5
"""An action and the poses around it may differ by this share of the move."""
_LARGEST_TURN_DEG = 60.0


@dataclass(frozen=True, slots=True)
class Motion:
    """What a log says that a step did: metres as the camera stood, degrees clockwise."""

    forward: float
    right: float
    up: float
    turn: float

    @property
    def kind(self) -> str | None:
        """The one thing that it does, or None where it does several or none."""
        length = math.hypot(self.forward, self.right, self.up)
        if length == 0:
            return "turn" if _NEAR_DEG < abs(self.turn) <= _LARGEST_TURN_DEG else None
        if abs(self.turn) > _NEAR_DEG:
            return None
        for kind in ("forward", "right", "up"):
            along = getattr(self, kind)
            if abs(along) > length * math.cos(_PURE):
                return kind
        return None


@dataclass(slots=True)
class Found:
    """What the frames say of the moves of a log.

    Attributes:
        agreed: steps of each kind whose sign is that of the log.
        measured: steps of each kind that could be measured.
        ratios: for turns and lengths, what the frames tell over what the log tells.
        skipped: why nothing could be measured; empty where something was.
    """

    agreed: Counter[str] = field(default_factory=Counter)
    measured: Counter[str] = field(default_factory=Counter)
    ratios: dict[str, list[float]] = field(default_factory=dict)
    skipped: str = ""

    def problems(self) -> Iterator[str]:
        """Yield a sentence for each sign or scale in which frames and log disagree."""
        yield from _opposite(self.measured, self.measured - self.agreed)
        for what, ratios in sorted(self.ratios.items()):
            if len(ratios) >= FEWEST and not SCALES[0] <= median(ratios) <= SCALES[1]:
                yield (
                    f"by the frames the {what} of {len(ratios)} steps are {median(ratios):.2g} "
                    f"times what the log tells. {_UNITS[what]}"
                )

    def line(self) -> str:
        """Say on one line what was compared."""
        if not self.measured:
            return f"frames and moves: not compared ({self.skipped or 'no step can be measured'})"
        parts = [
            f"{kind} {self.agreed[kind]} of {count}"
            for kind, count in sorted(self.measured.items())
        ]
        return f"frames and moves agree in sign: {', '.join(parts)}"


def _opposite(measured: Counter[str], off: Counter[str]) -> Iterator[str]:
    """Yield a sentence for each kind of step whose sign is wrong; mirrored ones are of a kind."""
    sides = {"turn", "right"}
    if all(measured[kind] < FEWEST for kind in sides):
        measured, off = (
            Counter({k: n for k, n in one.items() if k not in sides})
            + Counter({_SIDEWAYS: sum(one[kind] for kind in sides)})
            for one in (measured, off)
        )
    for kind, count in sorted(measured.items()):
        if count >= FEWEST and off[kind] >= DISAGREE * count:
            yield (
                f"the frames show the opposite of what the log tells in {off[kind]} of {count} "
                f"{_STEPS[kind]}. {_CURES[kind]}"
            )


_SIDEWAYS = "turn or right"
_STEPS = {
    _SIDEWAYS: "turns and moves to the side",
    "turn": "turns",
    "forward": "moves forward or back",
    "right": "moves to the side",
    "up": "moves up or down",
}
_CURES = {
    _SIDEWAYS: "Turns are clockwise seen from above, and move_m has metres to the right second; "
    "were pictures mirrored?",
    "turn": "Turns are clockwise seen from above (turn_deg); were pictures mirrored?",
    "forward": "move_m starts with metres forward; is the sign or the order turned round?",
    "right": "The second part of move_m is metres to the right; is it left in the log?",
    "up": "The third part of move_m is metres up; is z down in the log?",
}
_UNITS = {
    "turns": "turn_deg is in degrees; are they radians, or is the focal length (fx) wrong?",
    "lengths": "move_m is in metres; is the unit another one, or the camera's height_m wrong?",
}


def compared(trajectory: Trajectory) -> Found:
    """Compare what frames show with what the log tells of the steps between them.

    Steps are those of actions that succeeded or, without such, those between poses.
    """
    found = Found()
    if trajectory.watched:
        found.skipped = "the camera stays"
        return found
    try:
        _compare(trajectory, found)
    except UsageProblem:
        found.skipped = "OpenCV is not installed; type: pip install pytest-metaspace[vision]"
    except AgentError as problem:
        found.skipped = str(problem)
    return found


def _compare(trajectory: Trajectory, found: Found) -> None:
    camera = trajectory.camera
    focal = camera.fx or camera.fy
    centre = (
        camera.width / 2 if camera.cx is None else camera.cx,
        camera.height / 2 if camera.cy is None else camera.cy,
    )
    seen = _Seen()
    tried: Counter[str] = Counter()
    for state, after, motion in steps(trajectory):
        kind = motion.kind
        if kind is None or tried[kind] >= MOST:
            continue
        tried[kind] += 1
        a, b = seen.matched(state.frame, after.frame)
        if len(a) < LEAST_MATCHES:
            continue
        told = getattr(motion, kind)
        sign = _sign(kind, a, b, centre)
        if sign is None:
            continue
        found.measured[kind] += 1
        found.agreed[kind] += (sign > 0) == (told > 0)
        if kind == "turn" and focal:
            turned = _turned(a, b, centre[0], focal)
            found.ratios.setdefault("turns", []).append(abs(turned / told))
        elif kind == "forward" and len(found.ratios.get("lengths", ())) < FEWEST:
            length = _length(trajectory, a, b)
            if length is not None:
                found.ratios.setdefault("lengths", []).append(length / abs(told))


class _Seen:
    """Features of frames; of each the last two are kept, as steps follow each other."""

    def __init__(self) -> None:
        self._features: dict[Path, Any] = {}

    def matched(self, one: Path, other: Path) -> tuple[Any, Any]:
        from pytest_metaspace.agents import _features

        self._features = {path: self._features.get(path) or self._of(path) for path in (one, other)}
        return _features.matched(self._features[one], self._features[other])

    def _of(self, frame: Path) -> Any:
        from pytest_metaspace.agents import _features

        cv2, grey = _features.opencv(), _features.picture(frame)
        share = min(1.0, _LONGEST_PX / max(grey.shape))
        if share < 1:
            grey = cv2.resize(grey, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        sift = cv2.SIFT_create(nfeatures=_FEATURES, contrastThreshold=0.02)
        found = _features.found(sift, grey)
        return _features.Features(found.pixels / share, found.looks)


def _sign(kind: str, a: Any, b: Any, centre: tuple[float, float]) -> int | None:
    """Return the sign of a motion of a kind, as most of what is seen moves; None if few do."""
    import numpy as np

    if kind == "forward":
        grown = _growth(a, b, centre)
        if abs(grown) < _LEAST_GROWTH:
            return None
        return 1 if grown > 0 else -1
    shift = a[:, 0] - b[:, 0] if kind in ("turn", "right") else b[:, 1] - a[:, 1]
    if abs(float(np.median(shift))) < _LEAST_PX:
        return None
    sign = 1 if float(np.median(shift)) > 0 else -1
    return sign if float(np.mean(shift * sign > 0)) >= LEAST_AGREEING else None


def _growth(a: Any, b: Any, centre: tuple[float, float]) -> float:
    """Return by which share what is seen grew: the middle of the ratios of distances."""
    import numpy as np

    rng = np.random.default_rng(0)
    i, j = rng.integers(0, len(a), (2, 600))
    before = np.linalg.norm(a[i] - a[j], axis=1)
    after = np.linalg.norm(b[i] - b[j], axis=1)
    apart = before > 0.1 * max(centre)
    if not apart.any():
        return 0.0
    return float(np.median(after[apart] / before[apart])) - 1


def _turned(a: Any, b: Any, column: float, focal: float) -> float:
    """Return by how many degrees clockwise a camera turned on the spot."""
    import numpy as np

    before, after = (np.arctan((side[:, 0] - column) / focal) for side in (a, b))
    return math.degrees(float(np.median(before - after)))


def _length(trajectory: Trajectory, a: Any, b: Any) -> float | None:
    """Return how far a camera went over the floor; None where nothing tells."""
    import numpy as np

    from pytest_metaspace.agents._ground import Eye
    from pytest_metaspace.agents._odometry import motion

    camera = trajectory.camera
    eye = Eye.of(camera)
    if eye is None or camera.height_m is None or trajectory.vertical:
        return None
    some = np.random.default_rng(0).permutation(len(a))[:_MOST_MATCHES]
    found = motion(eye, a[some], b[some])
    return None if found is None else abs(found.shift)


# ---------------------------------------------------------------------- what the log tells


def steps(trajectory: Trajectory) -> Iterator[tuple[State, State, Motion]]:
    """Yield neighbouring states with what the log says that was done between them."""
    acted = any(state.action is not None and state.succeeded for state in trajectory.states)
    poses = trajectory.truth.poses if trajectory.truth is not None else ()
    for state, after in pairwise(trajectory.states):
        if acted:
            action = state.action
            if action is not None and state.succeeded:
                yield state, after, Motion(*action.move_m, action.turn_deg)
        elif poses:
            yield state, after, between(poses[state.index], poses[after.index])


def between(one: Pose, other: Pose) -> Motion:
    """Return the motion from one pose to another, as the camera stood in the first."""
    yaw = math.radians(one.yaw_deg)
    x, y, z = (b - a for a, b in zip(one.position, other.position))
    turn = (one.yaw_deg - other.yaw_deg + 180) % 360 - 180
    return Motion(
        x * math.cos(yaw) + y * math.sin(yaw), x * math.sin(yaw) - y * math.cos(yaw), z, turn
    )


def contradictions(trajectory: Trajectory) -> Iterator[str]:
    """Yield a sentence where poses and actions tell different moves in most steps."""
    poses = trajectory.truth.poses if trajectory.truth is not None else ()
    if trajectory.watched or not poses:
        return
    measured, off = 0, []
    for state, after in pairwise(trajectory.states):
        if state.action is None or not state.succeeded:
            continue
        told = Motion(*state.action.move_m, state.action.turn_deg)
        went = between(poses[state.index], poses[after.index])
        if told.kind is not None:
            measured += 1
            if abs(getattr(told, told.kind) - getattr(went, told.kind)) > _FAR * abs(
                getattr(told, told.kind)
            ):
                off.append((state.index, told.kind, getattr(told, told.kind), went))
    if len(off) >= FEWEST and len(off) >= measured / 2:
        index, kind, given, went = off[0]
        yield (
            f"poses and actions tell different moves in {len(off)} of {measured} steps, as after "
            f"state {index}, where the action says {kind} {given:g} and the poses say "
            f"{getattr(went, kind):.3g}. Poses have z up and a yaw that grows counter-clockwise, "
            "in metres and degrees; move_m is metres forward, right and up."
        )
