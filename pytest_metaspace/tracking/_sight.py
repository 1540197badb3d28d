"""Where a camera stands, by the log, and where a thing seen from one place is seen from another.

A box is carried from frame to frame through the pinhole camera: its edges are points at one
unknown depth, so for each depth there is one predicted box (Hartley and Zisserman, Multiple View
Geometry, section 9.6: a point and a depth).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pytest_metaspace.tracking._motion import homography

if TYPE_CHECKING:
    import numpy.typing as npt

    from pytest_metaspace.domain import Box, Camera, Trajectory

    Floats = npt.NDArray[np.float64]

NEAREST = 0.05
_DEPTHS = 48
_FARTHEST_STEPS = 200.0
_BORDER_PX = 2.0
_FLOOR_SLACK = 1.15


@dataclass(frozen=True, slots=True)
class Standing:
    """Where the camera is at one state, by the log.

    Attributes:
        stretch: states of different stretches have an unknown motion between them.
        position: metres forward, right and up of the start of the stretch.
        heading_deg: clockwise from the start of the stretch.
        path_m: how far it had moved by then, in all.
        turned_deg: how far it had turned by then, in all.
    """

    stretch: int
    position: tuple[float, float, float]
    heading_deg: float
    path_m: float
    turned_deg: float


def standings(trajectory: Trajectory) -> list[Standing]:
    """Return where the camera stands at each state.

    A camera that is not the mover stands still. An action that failed did not move it.
    """
    here = Standing(0, (0.0, 0.0, 0.0), 0.0, 0.0, 0.0)
    found = [here]
    for state in trajectory.states[:-1]:
        action = state.action
        if trajectory.mover != "agent" or state.succeeded is False:
            pass
        elif action is None:
            here = Standing(here.stretch + 1, (0.0, 0.0, 0.0), 0.0, 0.0, 0.0)
        else:
            heading = math.radians(here.heading_deg)
            ahead, aside, up = action.move_m
            x, y, z = here.position
            here = Standing(
                here.stretch,
                (
                    x + ahead * math.cos(heading) - aside * math.sin(heading),
                    y + ahead * math.sin(heading) + aside * math.cos(heading),
                    z + up,
                ),
                here.heading_deg + action.turn_deg,
                here.path_m + action.length_m,
                here.turned_deg + abs(action.turn_deg),
            )
        found.append(here)
    return found


class Sight:
    """A pinhole camera at known places."""

    def __init__(self, trajectory: Trajectory) -> None:
        camera = trajectory.camera
        self.width, self.height = camera.width, camera.height
        self._frames = [state.frame for state in trajectory.states]
        self._shifts: dict[int, Floats | None] = {}
        self.misfits: dict[tuple[object, object], Floats] = {}
        """How far off one sighting is from another, worked out once."""
        self.stands = standings(trajectory)
        self.focal = (camera.fx or camera.focal, camera.fy or camera.focal)
        self._middle = _principal(camera)
        self._floor = camera.height_m
        self._turns = [
            _turning(stand.heading_deg, camera.pitch_deg or 0.0) for stand in self.stands
        ]
        self._places = [np.array(stand.position) for stand in self.stands]
        step = trajectory.step_length_m
        self.depths: Floats = step * np.geomspace(0.4, _FARTHEST_STEPS, _DEPTHS)

    def related(self, frame: int, other: int) -> bool:
        """Whether the motion between two frames is known."""
        return self.stands[frame].stretch == self.stands[other].stretch

    def turned_deg(self, frame: int, other: int) -> float:
        """Return how far the camera turned between two frames, there and back counted twice."""
        return abs(self.stands[frame].turned_deg - self.stands[other].turned_deg)

    def stood(self, frame: int, other: int) -> bool:
        """Whether the camera neither moved nor turned between two frames."""
        a, b = self.stands[frame], self.stands[other]
        return a == b

    def shifted(self, edges: Floats, frame: int) -> Floats | None:
        """Return where a box is in the next frame by what the two pictures have in common.

        None where that cannot be told.
        """
        if frame not in self._shifts:
            self._shifts[frame] = homography(self._frames[frame], self._frames[frame + 1])
        matrix = self._shifts[frame]
        if matrix is None:
            return None
        left, right, top, bottom = edges
        across, down = (left + right) / 2, (top + bottom) / 2
        points = np.array(
            [[left, down, 1], [right, down, 1], [across, top, 1], [across, bottom, 1]]
        )
        moved = points @ matrix.T
        if (moved[:, 2] <= 0).any():
            return None
        moved = moved[:, :2] / moved[:, 2:]
        return np.array([moved[0, 0], moved[1, 0], moved[2, 1], moved[3, 1]])

    def closed(self, box: Box) -> npt.NDArray[np.bool_]:
        """Say which edges (left, right, top, bottom) are the thing's own, not the image's."""
        return np.array(
            [
                box.x1 > _BORDER_PX,
                box.x2 < self.width - _BORDER_PX,
                box.y1 > _BORDER_PX,
                box.y2 < self.height - _BORDER_PX,
            ]
        )

    def carried(self, edges: Floats, frame: int, other: int) -> Floats:
        """Return a box's edges as another frame would show them, one row for each depth.

        Args:
            edges: left, right, top, bottom.
            frame: where it was seen.
            other: where it would be.

        Returns:
            Rows of left, right, top, bottom; NaN where it would be behind the camera or, as
            far as the floor is known, under it.
        """
        left, right, top, bottom = edges
        across, down = (left + right) / 2, (top + bottom) / 2
        pixels = np.array([[left, down], [right, down], [across, top], [across, bottom]])
        rays = np.column_stack([(pixels - self._middle) / self.focal, np.ones(4)])
        world = self._places[frame] + self.depths[:, None, None] * (rays @ self._turns[frame])
        seen = (world - self._places[other]) @ self._turns[other].T
        ahead = seen[..., 2]
        hidden = (ahead < NEAREST).any(axis=1)
        if self._floor is not None:
            hidden |= world[:, 3, 2] < -self._floor * _FLOOR_SLACK
        shown = seen[..., :2] / np.where(ahead < NEAREST, 1.0, ahead)[..., None]
        shown = shown * self.focal + self._middle
        found = np.column_stack([shown[:, 0, 0], shown[:, 1, 0], shown[:, 2, 1], shown[:, 3, 1]])
        found[hidden] = np.nan
        return found

    def drift_px(self, frame: int, other: int) -> Floats:
        """Return how far off a carried box may be because odometry drifts, one for each depth."""
        a, b = self.stands[frame], self.stands[other]
        turned = math.radians(0.01 * abs(a.turned_deg - b.turned_deg))
        moved = 0.03 * abs(a.path_m - b.path_m)
        return self.focal[0] * (turned + moved / self.depths)


def _principal(camera: Camera) -> Floats:
    across = camera.width / 2 if camera.cx is None else camera.cx
    down = camera.height / 2 if camera.cy is None else camera.cy
    return np.array([across, down])


def _turning(heading_deg: float, pitch_deg: float) -> Floats:
    """Return the camera's axes (right, down, ahead) as rows of forward, right, up."""
    heading, pitch = math.radians(heading_deg), math.radians(pitch_deg)
    ch, sh, cp, sp = math.cos(heading), math.sin(heading), math.cos(pitch), math.sin(pitch)
    return np.array([[-sh, ch, 0.0], [sp * ch, sp * sh, -cp], [cp * ch, cp * sh, sp]])
