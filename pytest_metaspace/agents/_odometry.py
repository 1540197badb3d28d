"""How a camera moved between two frames, in metres, told from the frames alone.

Everything matched votes for the turn and the bearing, wherever it stands; the length comes from
the floor, the one thing whose distance is known. What is not floor stands above it, so the true
length is the longest that pushes nothing under the floor. A camera that rises or sinks sees the
floor shrink or grow, which tells by how much.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from pytest_metaspace.agents import _features

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    import numpy.typing as npt

    from pytest_metaspace.agents._features import Features
    from pytest_metaspace.agents._ground import Eye, Floats, Places

SAMPLES = 1500
"""Pairs of matches that are tried as a motion over the floor."""
MOST_GUESSES, MOST_JUDGES = 300, 400
STILL_GUESSES = 40
LEAST_APART_M = 0.15
CLOSE_PX = 2.5
_BEHIND = 0.02
NEAREST_M, FARTHEST_M = 0.4, 50.0
LONGEST_M = 3.0
LEAST_AGREEING, LEAST_SHARE = 20, 0.3
LEAST_FLOOR = 4
MOST_LIFT = 2.0
"""A camera is not taken for twice as high as before, or half."""
REFINED = 3


@dataclass(frozen=True, slots=True)
class Motion:
    """A motion over the ground, as seen by a camera before it (see ``_ground``).

    Attributes:
        shift: metres, forward + 1j * right.
        turn: ``exp(1j * angle)``, clockwise.
        lift: height of the camera after it, in heights before it. What is seen afterwards is
            measured in the height that the camera has then.
    """

    shift: complex = 0j
    turn: complex = 1 + 0j
    lift: float = 1.0

    def then(self, after: Motion) -> Motion:
        """Return this motion and another one after it as one."""
        return Motion(self.place(after.shift), self.turn * after.turn, self.lift * after.lift)

    @property
    def back(self) -> Motion:
        """The motion that undoes this one."""
        turn = self.turn.conjugate()
        return Motion(-self.shift * turn / self.lift, turn, 1 / self.lift)

    def place(self, seen: complex) -> complex:
        """Return where something seen after the motion lies as seen from before it."""
        return self.shift + self.turn * seen * self.lift


class Odometer:
    """Measures motions between frames; each frame and each pair of frames once.

    Args:
        eye: the camera that took the frames.
        lifts: whether it rises and sinks too.
    """

    def __init__(self, eye: Eye, *, lifts: bool = False) -> None:
        self._eye = eye
        self._motion = lifted if lifts else motion
        self._features: dict[Path, Features] = {}
        self._motions: dict[tuple[Path, Path], Motion | None] = {}

    def between(self, a: Path, b: Path) -> Motion | None:
        """Return the motion from one frame to another, or None where it cannot be told."""
        if b < a:  # one measurement for both ways, whichever is asked first
            backward = self.between(b, a)
            return backward and backward.back
        if (a, b) not in self._motions:
            pixels = _features.matched(self._seen(a), self._seen(b))
            self._motions[a, b] = self._motion(self._eye, *pixels)
        return self._motions[a, b]

    def _seen(self, frame: Path) -> Features:
        if frame not in self._features:
            self._features[frame] = _features.features(frame)
        return self._features[frame]


def motion(eye: Eye, a: Floats, b: Floats) -> Motion | None:
    """Return the motion that explains most matches, or None where too few agree on one.

    Args:
        eye: the camera.
        a: pixels (N x 2) in the frame before the motion.
        b: the pixels of the same things in the frame after it.
    """
    import numpy as np

    if len(a) < LEAST_AGREEING:
        return None
    pairs = _Pairs(eye, a, b)
    shift, turn = _best_guess(pairs)
    agreeing = pairs.off(shift, turn)[0] < CLOSE_PX
    if agreeing.sum() < max(LEAST_AGREEING, LEAST_SHARE * len(a)):
        return None
    along = complex(np.exp(1j * np.angle(shift[0])))
    return _with_length(pairs.where(agreeing), complex(turn[0]), along)


class _Pairs:
    """Matched pixels of two frames, and what follows from them."""

    def __init__(self, eye: Eye, a: Floats, b: Floats) -> None:
        self.eye = eye
        self.a, self.b = a, b

    def where(self, mask: npt.NDArray[np.bool_] | npt.NDArray[np.intp]) -> _Pairs:
        return _Pairs(self.eye, self.a[mask], self.b[mask])

    @cached_property
    def low(self) -> npt.NDArray[np.bool_]:
        """Which could lie on the floor."""
        return self.eye.sees_floor(self.a) & self.eye.sees_floor(self.b)

    @cached_property
    def rays(self) -> tuple[Floats, Floats]:
        """Unit vectors (3 x N) forward, right, up of each camera."""
        return _unit(self.eye, self.a), _unit(self.eye, self.b)

    def off(
        self, shift: Places, turn: Places, lift: Floats | None = None, *, floor: bool = False
    ) -> Floats:
        """Return how far off each match is under each of K motions (K x N), in pixels.

        Args:
            shift: K shifts.
            turn: K turns.
            lift: K lifts; none of them lifts when None.
            floor: whether each must lie on the floor, instead of anywhere above it.
        """
        import numpy as np

        a, b = self.rays
        turned = turn[:, None] * (b[0] + 1j * b[1])
        bx, by, bz = turned.real, turned.imag, b[2][None]
        tx, ty = shift.real[:, None], shift.imag[:, None]
        tz = np.zeros_like(tx) if lift is None else self.eye.height_m * (lift[:, None] - 1)
        # What is seen along a at 1/nearness metres is seen from the second camera along
        # a - nearness * shift; the parts across b of both terms must cancel.
        along, pull = a[0] * bx + a[1] * by + a[2] * bz, tx * bx + ty * by + tz * bz
        px, py, pz = a[0] - along * bx, a[1] - along * by, a[2] - along * bz
        qx, qy, qz = tx - pull * bx, ty - pull * by, tz - pull * bz
        least = np.maximum(-a[2] / self.eye.height_m, 1 / FARTHEST_M)
        if floor:
            nearness = np.broadcast_to(least, along.shape)
        else:
            squared = np.maximum(qx**2 + qy**2 + qz**2, 1e-12)
            nearness = np.clip((px * qx + py * qy + pz * qz) / squared, least, 1 / NEAREST_M)
        ahead = along - nearness * pull
        across = (px - nearness * qx) ** 2 + (py - nearness * qy) ** 2 + (pz - nearness * qz) ** 2
        angle = np.sqrt(across) / np.maximum(ahead, _BEHIND)
        result: Floats = np.where(ahead > _BEHIND, angle * self.eye.fy, np.inf)
        return result


def _unit(eye: Eye, pixels: Floats) -> Floats:
    import numpy as np

    rays = np.stack(eye.ray(pixels[:, 0], pixels[:, 1]))
    result: Floats = rays / np.linalg.norm(rays, axis=0)
    return result


def _best_guess(pairs: _Pairs) -> tuple[Places, Places]:
    """Return the shift and the turn (one element each) that most matches agree with."""
    import numpy as np

    rng = np.random.default_rng(0)  # the same for every pair: same frames, same answer
    still = _guesses_on_the_spot(pairs, rng)
    moving = _guesses_on_floor(pairs, rng)
    shift, turn = (np.concatenate(both) for both in zip(still, moving))
    judges = pairs.where(rng.permutation(len(pairs.a))[:MOST_JUDGES])
    best = int(_support(judges, shift, turn).argmax())
    return shift[best : best + 1], turn[best : best + 1]


def _support(pairs: _Pairs, shift: Places, turn: Places, lift: Floats | None = None) -> Floats:
    """Return how much the matches speak for each of K motions: on the floor twice as loud."""
    import numpy as np

    anywhere = np.maximum(0, 1 - (pairs.off(shift, turn, lift) / CLOSE_PX) ** 2)
    on_floor = np.maximum(0, 1 - (pairs.off(shift, turn, lift, floor=True) / CLOSE_PX) ** 2)
    result: Floats = anywhere.sum(1) + on_floor[:, pairs.low].sum(1)
    return result


def _guesses_on_the_spot(pairs: _Pairs, rng: np.random.Generator) -> tuple[Places, Places]:
    """Guess turns without a shift, one match each."""
    import numpy as np

    a, b = (rays[:, rng.integers(0, len(pairs.a), STILL_GUESSES)] for rays in pairs.rays)
    turn = (a[0] + 1j * a[1]) * np.conj(b[0] + 1j * b[1])
    return np.zeros(STILL_GUESSES, np.complex128), turn / abs(turn)


def _guesses_on_floor(pairs: _Pairs, rng: np.random.Generator) -> tuple[Places, Places]:
    """Guess motions from two matches each, as if both lay on the floor."""
    import numpy as np

    low = pairs.where(pairs.low)
    if len(low.a) < 2:  # noqa: PLR2004
        return np.empty(0, np.complex128), np.empty(0, np.complex128)
    a, b = pairs.eye.floor(low.a), pairs.eye.floor(low.b)
    i, j = rng.integers(0, len(a), (2, SAMPLES))
    # A motion keeps lengths; matches too close to each other tell no turn.
    before, after = abs(a[i] - a[j]), abs(b[i] - b[j])
    fits = np.flatnonzero((before > LEAST_APART_M) & (abs(before - after) < 0.08 * before))
    i, j = i[fits[:MOST_GUESSES]], j[fits[:MOST_GUESSES]]
    turn = (a[i] - a[j]) * np.conj(b[i] - b[j])
    turn /= abs(turn)
    return (a[i] + a[j]) / 2 - turn * (b[i] + b[j]) / 2, turn


def _with_length(pairs: _Pairs, turn: complex, along: complex) -> Motion | None:
    """Return the motion along a bearing whose length the floor tells, None where none does.

    Args:
        pairs: the matches that agree on turn and bearing.
        turn: as in ``Motion``.
        along: unit bearing of the shift.
    """
    import numpy as np

    lengths = np.arange(0.0, LONGEST_M, 0.02)
    support = _support(
        pairs, np.asarray(lengths * along, np.complex128), np.full(len(lengths), turn)
    )
    length = float(lengths[support.argmax()])
    low = pairs.where(pairs.low)
    a, b = pairs.eye.floor(low.a), pairs.eye.floor(low.b)
    for _ in range(3):
        off = low.off(np.array([length * along]), np.array([turn]), floor=True)[0]
        near = off < CLOSE_PX
        if near.sum() < LEAST_FLOOR:
            return None
        weight = 1 / abs(a[near]) ** 2  # a pixel is the longer on the floor the farther it is
        told = ((a[near] - turn * b[near]) * np.conj(along)).real
        length = float((weight * told).sum() / weight.sum())
    return Motion(complex(length * along), turn)


# ------------------------------------------------------------------- a camera that rises and sinks


def lifted(eye: Eye, a: Floats, b: Floats) -> Motion | None:
    """Return the motion that explains most matches, likewise, up and down included.

    Seen straight from above, the floor before and after is one picture turned, shifted and scaled.
    """
    import numpy as np

    if len(a) < LEAST_AGREEING:
        return None
    pairs = _Pairs(eye, a, b)
    guess = _best_lifted(pairs)
    agreeing = pairs.off(*_one(guess))[0] < CLOSE_PX
    if agreeing.sum() < max(LEAST_AGREEING, LEAST_SHARE * len(a)):
        return None
    low = pairs.where(pairs.low)
    before, after = eye.floor(low.a), eye.floor(low.b)
    for _ in range(REFINED):
        near = low.off(*_one(guess), floor=True)[0] < CLOSE_PX
        if near.sum() < LEAST_FLOOR:
            return None
        guess = _fitted(before[near], after[near], 1 / np.abs(before[near]) ** 2)
    return guess


def _one(motion: Motion) -> tuple[Places, Places, Floats]:
    import numpy as np

    return np.array([motion.shift]), np.array([motion.turn]), np.array([motion.lift])


def _best_lifted(pairs: _Pairs) -> Motion:
    """Return the motion that most matches agree with, guessed from two of them on the floor."""
    import numpy as np

    rng = np.random.default_rng(0)  # the same for every pair: same frames, same answer
    shift, turn = _guesses_on_the_spot(pairs, rng)
    lift = np.ones(len(shift))
    low = pairs.where(pairs.low)
    if len(low.a) >= 2:  # noqa: PLR2004 - two points make a guess
        a, b = pairs.eye.floor(low.a), pairs.eye.floor(low.b)
        i, j = rng.integers(0, len(a), (2, SAMPLES))
        apart = (abs(a[i] - a[j]) > LEAST_APART_M) & (abs(b[i] - b[j]) > LEAST_APART_M)
        i, j = i[apart], j[apart]
        scaled = (a[i] - a[j]) / (b[i] - b[j])
        able = np.flatnonzero(abs(np.log(abs(scaled))) < np.log(MOST_LIFT))[:MOST_GUESSES]
        scaled = scaled[able]
        moved = (a[i] + a[j])[able] / 2 - scaled * (b[i] + b[j])[able] / 2
        shift = np.concatenate([shift, moved])
        turn = np.concatenate([turn, scaled / abs(scaled)])
        lift = np.concatenate([lift, abs(scaled)])
    judges = pairs.where(rng.permutation(len(pairs.a))[:MOST_JUDGES])
    best = int(_support(judges, shift, turn, lift).argmax())
    return Motion(complex(shift[best]), complex(turn[best]), float(lift[best]))


def _fitted(before: Places, after: Places, weight: Floats) -> Motion:
    """Return the motion that carries places on the floor into each other with the least error."""
    import numpy as np

    a, b = (np.average(places, weights=weight) for places in (before, after))
    scaled = (weight * (before - a) * np.conj(after - b)).sum() / (
        (weight * abs(after - b) ** 2).sum()
    )
    return Motion(complex(a - scaled * b), complex(scaled / abs(scaled)), float(abs(scaled)))
