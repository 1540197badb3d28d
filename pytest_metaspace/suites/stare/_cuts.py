"""Sets of pieces for a board, all drawn alike: whether they fill it is found out by the search.

Boards are cut, and then cells go from piece to piece and pieces take other shapes of their area.
Of what comes out, the search says what is solvable, so both kinds are made in one way: a set that
fills its board has as many pieces, and as many that are no rectangles, as one that does not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pytest_metaspace.suites.stare import packing

if TYPE_CHECKING:
    import random
    from collections import Counter

    from pytest_metaspace.suites.stare.nets import Cell, Shape
    from pytest_metaspace.suites.stare.packing import Search

PIECES: Final = {3: (3,), 4: (3, 4, 5), 5: (3, 4, 5, 6, 7)}
"""How many pieces a board of so many cells along a side has: of more, nearly all sets fill it."""
IRREGULAR: Final = (0, 1, 2)
ODD_AREA: Final = 1 / 20
"""The share of unsolvable sets that cover too much: more would let areas tell the answer."""
_TRIES: Final = 20_000
_MOST_SPOILT: Final = 3
_MOST_RESHAPED: Final = 6


@dataclass(frozen=True)
class Wanted:
    """What is drawn before the pieces, whatever the answer.

    Attributes:
        size: cells of the board along a side.
        count: how many pieces.
        irregular: how many of them are no rectangles.
        begun: how many are laid in the pictures between.
    """

    size: int
    count: int
    irregular: int
    begun: int


@dataclass(frozen=True)
class Puzzle:
    """A board and its pieces.

    Attributes:
        wanted: what was drawn first.
        pieces: in the order shown.
        found: what the search says of them.
        kind: how a set that does not fill the board misses it: same area, or too much.
    """

    wanted: Wanted
    pieces: tuple[Shape, ...]
    found: Search
    kind: str

    @property
    def solvable(self) -> bool:
        """Whether the pieces fill the board."""
        return self.found.solution is not None


def wanted(size: int, irregular: int, chance: random.Random) -> Wanted:
    """Draw what pieces have to be like, before anything is known of the answer."""
    count = chance.choice(PIECES[size])
    return Wanted(size, count, irregular, chance.randint(1, count - 2))


def puzzle(plan: Wanted, solvable: bool, chance: random.Random, dropped: Counter[str]) -> Puzzle:
    """Draw pieces until they are as wanted.

    Args:
        plan: what they have to be like.
        solvable: whether they have to fill the board.
        chance: of all draws.
        dropped: counts candidates that were thrown away, by the reason.
    """
    odd = not solvable and chance.random() < ODD_AREA
    for _ in range(_TRIES):
        pieces = _enlarged(plan, chance) if odd else _candidate(plan, chance)
        reason = _unlike(plan, pieces)
        if not reason:
            chance.shuffle(pieces)
            found = packing.searched(plan.size, pieces)
            reason = missing(plan, found, solvable=solvable)
            if not reason:
                return Puzzle(plan, tuple(pieces), found, "too much area" if odd else "same area")
        dropped[reason] += 1
    raise AssertionError(f"no pieces for {plan}, solvable: {solvable}")


def _unlike(plan: Wanted, pieces: list[Shape]) -> str:
    if len(pieces) != plan.count:
        return "not as many pieces as drawn"
    if sum(not packing.rectangular(piece) for piece in pieces) != plan.irregular:
        return "not as many irregular pieces as drawn"
    return ""


def missing(plan: Wanted, found: Search, *, solvable: bool) -> str:
    """Return why what the search found is not what was drawn; nothing where it is."""
    if (found.solution is not None) != solvable:
        return "fills the board after all" if found.solution else "does not fill the board"
    if len(found.deepest) <= plan.begun:
        return "cannot be begun as far as drawn"
    return ""


def _candidate(plan: Wanted, chance: random.Random) -> list[Shape]:
    if plan.irregular == 0:
        return _rectangles(plan, chance)
    pieces = packing.cut(plan.size, plan.count, chance)
    for _ in range(chance.randint(1, _MOST_SPOILT)):
        (_passed if chance.random() < 0.5 else _reshaped)(pieces, plan.size, chance)  # noqa: PLR2004
    return pieces


def _rectangles(plan: Wanted, chance: random.Random) -> list[Shape]:
    """Return rectangles that cover as much as the board, or fewer where none is left."""
    left = plan.size * plan.size
    pieces: list[Shape] = []
    sides = [(a, b) for a in range(1, plan.size + 1) for b in range(a, plan.size + 1)]
    while len(pieces) < plan.count:
        more = plan.count - len(pieces) - 1
        ways = [(a, b) for a, b in sides if (a * b == left if more == 0 else a * b <= left - more)]
        if not ways:
            return pieces
        high, wide = chance.choice(ways)
        left -= high * wide
        pieces.append(tuple((row, column) for row in range(high) for column in range(wide)))
    return pieces


def _passed(pieces: list[Shape], size: int, chance: random.Random) -> None:
    """Pass a cell from one piece to another, where both stay whole."""
    giver, taker = chance.sample(range(len(pieces)), 2)
    less = _without_a_cell(pieces[giver], chance)
    more = _with_a_cell(pieces[taker], size, chance)
    if less and more:
        pieces[giver], pieces[taker] = less, more


def _reshaped(pieces: list[Shape], size: int, chance: random.Random) -> None:
    """Give a piece another shape of the same area."""
    place = chance.randrange(len(pieces))
    if len(pieces[place]) <= _MOST_RESHAPED:
        others = [one for one in packing.polyominoes(len(pieces[place])) if packing.fits(one, size)]
        pieces[place] = chance.choice(others)


def _enlarged(plan: Wanted, chance: random.Random) -> list[Shape]:
    """Return pieces one of which is a cell too large, or too many by a small one."""
    if chance.random() < 0.5 and plan.count > plan.irregular + 1:  # noqa: PLR2004 - one of two ways
        fewer = Wanted(plan.size, plan.count - 1, plan.irregular, plan.begun)
        more = chance.choice(packing.polyominoes(chance.randint(1, 2)))
        return [*_candidate(fewer, chance), more]
    pieces = _candidate(plan, chance)
    place = chance.randrange(len(pieces))
    pieces[place] = _with_a_cell(pieces[place], plan.size, chance) or pieces[place]
    return pieces if packing.area(pieces) > plan.size**2 else []


def _without_a_cell(piece: Shape, chance: random.Random) -> Shape | None:
    for one in chance.sample(piece, len(piece)):
        rest = tuple(cell for cell in piece if cell != one)
        if rest and packing.connected(rest):
            return rest
    return None


def _with_a_cell(piece: Shape, size: int, chance: random.Random) -> Shape | None:
    near = sorted(_near(piece))
    for cell in chance.sample(near, len(near)):
        if packing.fits((*piece, cell), size):
            return (*piece, cell)
    return None


def _near(piece: Shape) -> set[Cell]:
    steps = ((1, 0), (-1, 0), (0, 1), (0, -1))
    return {(row + y, column + x) for row, column in piece for y, x in steps} - set(piece)
