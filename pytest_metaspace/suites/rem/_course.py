"""What is shown of a walk, in which order, and what is said to be done between two pictures."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from pytest_metaspace.suites.rem._seen import Move, Thing, Walk

CIRCLE: Final = 360.0
_NOTHING: Final = 1e-9


class Unmet(Exception):
    """The condition of a relation is not met; the text says which."""


class Sights:
    """The frames of a walk, and of each what is seen and what is seen clearly."""

    def __init__(self, walk: Walk) -> None:
        frames = range(len(walk.frames))
        self.walk = walk
        self.seen = [walk.seen(one) for one in frames]
        self.clear = [walk.seen(one, clearly=True) for one in frames]
        self.things: Mapping[str, Thing] = {one.id: one for one in walk.things}

    @cached_property
    def unique(self) -> Mapping[str, str]:
        """The names that one thing alone has, of all that are ever seen, and its id."""
        ids: dict[str, list[str]] = {}
        for one in sorted(frozenset().union(*self.seen)):
            ids.setdefault(self.things[one].name, []).append(one)
        return {name: found[0] for name, found in ids.items() if len(found) == 1}

    @cached_property
    def spans(self) -> Mapping[str, tuple[tuple[int, int], tuple[int, int] | None]]:
        """First and last frame in which each thing is seen, and clearly seen."""
        return {
            one: (span, _span(self.clear, one))
            for one in self.things
            if (span := _span(self.seen, one)) is not None
        }


def _span(frames: Sequence[frozenset[str]], thing: str) -> tuple[int, int] | None:
    shown = [place for place, ids in enumerate(frames) if thing in ids]
    return (shown[0], shown[-1]) if shown else None


@dataclass(frozen=True)
class Course:
    """Frames of a walk in the order shown.

    Attributes:
        sights: what they show.
        frames: their places in the walk; one may come twice.
        moves: what is done between one and the next; none where nothing is.
        mirrored: whether the pictures are shown in a mirror; moves are told as they look there.
    """

    sights: Sights
    frames: tuple[int, ...]
    moves: tuple[tuple[Move, ...], ...]
    mirrored: bool = False

    @classmethod
    def whole(cls, sights: Sights) -> Course:
        """Return a walk as it was."""
        moves = tuple((move,) for move in sights.walk.moves)
        return cls(sights, tuple(range(len(sights.seen))), moves)

    @cached_property
    def seen(self) -> frozenset[str]:
        """The things that any of its frames shows."""
        return frozenset().union(*(self.sights.seen[one] for one in self.frames))

    @cached_property
    def clear(self) -> frozenset[str]:
        """The things that any of its frames shows clearly."""
        return frozenset().union(*(self.sights.clear[one] for one in self.frames))

    @property
    def pictures(self) -> tuple[Path, ...]:
        """The files, before any mirror."""
        return tuple(self.sights.walk.pictures[one] for one in self.frames)

    @property
    def told(self) -> tuple[tuple[Move, ...], ...]:
        """Its moves as they look; left for right in a mirror."""
        if not self.mirrored:
            return self.moves
        return tuple(tuple(replace(one, turn_deg=-one.turn_deg) for one in m) for m in self.moves)

    def mirror(self) -> Course:
        """Return it in a mirror."""
        return replace(self, mirrored=not self.mirrored)

    def part(self, first: int, end: int) -> Course:
        """Return its frames from one to before another."""
        if not 0 <= first < end <= len(self.frames):
            raise Unmet("there are too few images")
        return replace(self, frames=self.frames[first:end], moves=self.moves[first : end - 1])

    def backwards(self) -> Course:
        """Return it as it is walked from its end to its beginning."""
        moves = tuple(tuple(map(_undone, reversed(move))) for move in reversed(self.moves))
        return replace(self, frames=self.frames[::-1], moves=moves)

    def there_and_back(self) -> Course:
        """Return it and, without a break, the way back."""
        back = self.backwards()
        return replace(self, frames=self.frames + back.frames[1:], moves=self.moves + back.moves)

    def repeated(self, place: int) -> Course:
        """Return it with one frame shown twice, and no move between."""
        frames = (*self.frames[: place + 1], *self.frames[place:])
        return replace(self, frames=frames, moves=(*self.moves[:place], (), *self.moves[place:]))

    def coarser(self) -> Course:
        """Return every other frame of it, with the moves between summed up."""
        places = range(0, len(self.frames), 2)
        moves = tuple(
            _summed([one for move in self.moves[place - 2 : place] for one in move])
            for place in places[1:]
        )
        return replace(self, frames=self.frames[::2], moves=moves)

    def shifted(self, by: int) -> Course:
        """Return a closed circle begun at another frame."""
        frames = self.frames[by:] + self.frames[:by]
        return replace(self, frames=frames, moves=(self._turn(),) * len(self.moves))

    def closed(self) -> Course:
        """Return a closed circle with its first frame again at its end."""
        return replace(
            self, frames=(*self.frames, self.frames[0]), moves=(*self.moves, self._turn())
        )

    def _turn(self) -> tuple[Move, ...]:
        """Return what is done between any two neighbours of a closed circle."""
        turns = {(one.turn_deg, one.forward_m) for move in self.moves for one in move}
        if len(turns) != 1 or any(len(move) != 1 for move in self.moves):
            raise Unmet("it is no circle of equal turns")
        ((turn, forward),) = turns
        if abs(forward) > _NOTHING or abs(abs(turn) * len(self.frames) - CIRCLE) > _NOTHING:
            raise Unmet("its turns do not close a circle")
        return self.moves[0]


def _undone(move: Move) -> Move:
    return replace(move, forward_m=-move.forward_m, turn_deg=-move.turn_deg)


def _summed(moves: Sequence[Move]) -> tuple[Move, ...]:
    """Return moves, those of one kind that follow each other as one."""
    summed: list[Move] = []
    for one in moves:
        last = summed[-1] if summed else None
        if last is not None and last.name == one.name:
            summed[-1] = replace(
                last,
                forward_m=last.forward_m + one.forward_m,
                turn_deg=last.turn_deg + one.turn_deg,
            )
        else:
            summed.append(one)
    return tuple(summed)
