"""What a walk shows: the things of a scene, and of each frame which of them it shows, and how."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

Kind = Literal["walk", "frame", "rotation"]
"""Of a walk: through the scene, one picture (Single Frame), on the spot (Full Rotation)."""
SEEN_PX: Final = 1
"""A thing that shows so many pixels is seen, as in REM."""
CLEAR_PX: Final = 60
CLEAR_HEIGHT_PX: Final = 12
"""A thing that shows so many pixels and is seen so high is seen by anybody who looks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """A coloured shape on the ground.

    Attributes:
        id: as in ``red_cone_2``; colour, shape and number.
        number: from 1, among those of its colour and shape.
    """

    id: str
    colour: str
    shape: str
    number: int

    @property
    def name(self) -> str:
        """Its colour and shape in words, which others may share."""
        return f"{self.colour} {self.shape}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """What a frame shows of a thing.

    Pixels are counted from the left; the middle of the first one is at 0.5.

    Attributes:
        pixels: how many are the thing's.
        height_px: of the box around these.
        centre_x: where its centre is projected to; may lie outside the picture.
        pixels_x: where the middle of its pixels is.
        spread_px: by how much that may be wrong; nothing, where it was measured.
    """

    pixels: int
    height_px: float
    centre_x: float
    pixels_x: float
    spread_px: float = 0.0

    @property
    def clear(self) -> bool:
        """Whether nobody overlooks it."""
        return self.pixels >= CLEAR_PX and self.height_px >= CLEAR_HEIGHT_PX


@dataclass(frozen=True, slots=True)
class Move:
    """What was done between two frames.

    Attributes:
        name: ``move_forward``, ``turn_left`` or ``turn_right``.
        forward_m: metres.
        turn_deg: degrees, clockwise seen from above.
    """

    name: str
    forward_m: float = 0.0
    turn_deg: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """A walk, a turn on the spot, or one picture, and what was seen.

    Attributes:
        seed: of all draws.
        number: of the walk among those of its seed and kind, from 0.
        kind: which of the three.
        things: all that are in the scene, seen or not.
        frames: by frame, what it shows of each thing that shows a pixel.
        moves: what was done between one frame and the next.
        pictures: one a frame.
        added: the same walk with one thing more, of another colour and another shape than any
            other one where there is such, rendered anew; every other thing is seen, and seen
            clearly, in the same frames. None where no such place was found.
        width: of the pictures, pixels.
        height: likewise.
        options: how many frames, objects and duplicates were ordered.
        kept: the folder in which changed pictures are kept; None for that of the pictures.
    """

    seed: int
    number: int
    kind: Kind
    things: tuple[Thing, ...]
    frames: tuple[Mapping[str, Sight], ...]
    moves: tuple[Move, ...]
    pictures: tuple[Path, ...]
    added: Walk | None = None
    width: int = 480
    height: int = 270
    options: Mapping[str, int | str] = field(default_factory=dict)
    kept: Path | None = None

    @property
    def id(self) -> str:
        """As its folder is called."""
        return walk_id(self.kind, self.seed, self.number)

    def seen(self, frame: int, *, clearly: bool = False) -> frozenset[str]:
        """Return the ids of the things that a frame shows, of those that it shows clearly."""
        return frozenset(
            name for name, sight in self.frames[frame].items() if sight.clear or not clearly
        )

    def seen_in_all(
        self, frames: Iterable[int] | None = None, *, clearly: bool = False
    ) -> frozenset[str]:
        """Return the ids of the things that any of some frames shows, of all by default."""
        chosen = range(len(self.frames)) if frames is None else frames
        return frozenset().union(*(self.seen(one, clearly=clearly) for one in chosen))


def walk_id(kind: Kind, seed: int, number: int) -> str:
    """Return what a walk is called: ``rem-7-0012``, ``rem-frame-7-0012``, ``rem-turn-7-0012``."""
    middle = {"walk": "", "frame": "frame-", "rotation": "turn-"}[kind]
    return f"rem-{middle}{seed}-{number:04d}"
