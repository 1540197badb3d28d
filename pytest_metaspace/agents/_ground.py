"""The ground as a camera of known height and pitch sees it.

A place on the ground is one complex number: metres forward of the camera (real) and to its right
(imaginary). Turning by an angle clockwise is then a multiplication by ``exp(1j * angle)``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from pytest_metaspace.domain import Camera

    Floats = npt.NDArray[np.float64]
    Places = npt.NDArray[np.complex128]

NOMINAL_M = 1.5
"""What a camera height that is not known is taken for, until something tells it."""
MIN_DIP = 0.09
"""Tangent of the least angle under the horizon at which floor is measured: 5 degrees."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Eye:
    """A camera without roll: where each pixel looks, in metres for each metre of optical axis.

    Attributes:
        fx: focal length across, pixels.
        fy: focal length down, pixels.
        cx: column of the optical axis.
        cy: row of the optical axis.
        pitch_deg: angle of the optical axis above the horizon.
        height_m: height of the camera above the floor.
    """

    fx: float
    fy: float
    cx: float
    cy: float
    pitch_deg: float
    height_m: float

    @classmethod
    def of(cls, camera: Camera) -> Eye | None:
        """Return the eye of a camera, or None where the pitch is not known.

        A height that is not known is ``NOMINAL_M``: all lengths are then in that unit.
        """
        if camera.pitch_deg is None:
            return None
        return cls(
            fx=camera.fx or camera.focal,
            fy=camera.fy or camera.focal,
            cx=camera.width / 2 if camera.cx is None else camera.cx,
            cy=camera.height / 2 if camera.cy is None else camera.cy,
            pitch_deg=camera.pitch_deg,
            height_m=NOMINAL_M if camera.height_m is None else camera.height_m,
        )

    @property
    def cos(self) -> float:
        """Cosine of the pitch."""
        return math.cos(math.radians(self.pitch_deg))

    @property
    def sin(self) -> float:
        """Sine of the pitch."""
        return math.sin(math.radians(self.pitch_deg))

    # Numbers and arrays alike: the same lines serve one box corner and a thousand features.

    def ray(self, u: Any, v: Any) -> tuple[Any, Any, Any]:
        """Return where pixels look: forward, right and up of the level heading."""
        x, y = (u - self.cx) / self.fx, (v - self.cy) / self.fy
        return self.cos + y * self.sin, x, self.sin - y * self.cos

    def pixel(self, forward: Any, right: Any, up: Any) -> tuple[Any, Any]:
        """Return the pixels of points given relative to the camera, metres."""
        depth = forward * self.cos + up * self.sin
        down = forward * self.sin - up * self.cos
        return self.cx + self.fx * right / depth, self.cy + self.fy * down / depth

    def depth_m(self, forward: float, up: float) -> float:
        """Return the distance of a point along the optical axis, metres."""
        return forward * self.cos + up * self.sin

    def sees_floor(self, pixels: Floats) -> npt.NDArray[np.bool_]:
        """Whether pixels (N x 2) look down steeply enough to measure a floor."""
        forward, _, up = self.ray(pixels[:, 0], pixels[:, 1])
        steep: npt.NDArray[np.bool_] = (up < -MIN_DIP * forward) & (forward > 0)
        return steep

    def floor(self, pixels: Floats) -> Places:
        """Return the places on the floor that pixels (N x 2) show if nothing hides it."""
        forward, right, up = self.ray(pixels[:, 0], pixels[:, 1])
        places: Places = (forward + 1j * right) * (self.height_m / -up)
        return places

    def floor_pixels(self, places: Places) -> Floats:
        """Return the pixels (… x 2) of places on the floor; far off where they lie behind."""
        import numpy as np

        forward = np.maximum(places.real, 0.05)
        return np.stack(self.pixel(forward, places.imag, -self.height_m), axis=-1)
