"""Pieces of a board: whether they fill it, with and without a beginning, and in words."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from pytest_metaspace.domain import Capability, Item, Posing
from pytest_metaspace.suites import ties
from pytest_metaspace.suites.stare import (
    CODE,
    _balance,
    _board_drawing,
    _cuts,
    _finals,
    nets,
    packing,
)
from pytest_metaspace.suites.stare._album import Album
from pytest_metaspace.suites.stare._balance import NO, STEPS, UNCHANGED, WITHOUT_STEPS, YES
from pytest_metaspace.suites.stare._board_drawing import TURNS, Lying, Scene
from pytest_metaspace.suites.stare._family import Made, chance_of, name_of
from pytest_metaspace.trajectories._altered import shown

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence
    from pathlib import Path

    from pytest_metaspace.suites.stare._cuts import Puzzle
    from pytest_metaspace.suites.stare._family import Options
    from pytest_metaspace.suites.stare.nets import Shape
    from pytest_metaspace.suites.stare.packing import Placed

FAMILY: Final = "tangram"
SIZES: Final = {"easy": 3, "medium": 4, "hard": 5}
"""Cells of the board along a side, by difficulty."""
CUT_IN_TWO, GLUED = "a piece cut in two", "two pieces glued"
_QUESTION: Final = (
    "Can the pieces fill the board completely? Every piece is used exactly once. Pieces may be "
    "turned and flipped; none may lie on another one or stick out of the board."
)
_SHOWN: Final = "The image shows a board of {size} by {size} squares, and the pieces beside it."
_BEGUN: Final = (
    "Image 1 shows a board of {size} by {size} squares, and the pieces beside it. The images after "
    "it show one way to begin, a piece at a time. Pieces that were laid may be moved again."
)
_WORDS: Final = (
    "A board has {size} rows of {size} squares. Each piece is told row by row, # for a square, "
    "- for none, a slash before the next row. {pieces}"
)
_LARGER: Final = 1.5
_COLOURS: Final = 8


@dataclass(frozen=True)
class Shown:
    """A puzzle as it is drawn.

    Attributes:
        puzzle: board and pieces.
        scene: how they lie.
    """

    puzzle: Puzzle
    scene: Scene


def make(seed: int, number: int, options: Options, folder: Path) -> Made:
    """Return the items of a number; nothing is drawn yet.

    Args:
        seed: of all draws.
        number: which of that seed.
        options: ``difficulty``: easy for boards of 3 by 3, medium for 4 by 4, hard for 5 by 5.
        folder: in which pictures will lie.
    """
    chance = chance_of(FAMILY, seed, number)
    name = name_of(FAMILY, seed, number)
    album = Album(folder, name)
    dropped: Counter[str] = Counter()
    puzzle = drawn(seed, number, options, chance, dropped)
    scene = _scene(puzzle.wanted.size, puzzle.pieces, chance)
    told = Shown(puzzle, scene)
    items = [
        (name, replace(_unbegun(told, album, chance, folder), twin=name)),
        (f"{name}-steps", replace(_begun(told, album, folder), twin=name)),
        (f"{name}-final", _final(told, album, folder)),
        (f"{name}-words", _words(told, album)),
    ]
    return Made(items, album.pictures, dropped)


def drawn(
    seed: int, number: int, options: Options, chance: random.Random, dropped: Counter[str]
) -> Puzzle:
    """Draw a puzzle: first the answer and the board, then what pieces are like, then them."""
    asked = str(options.get("difficulty", "varied"))
    sizes = tuple(SIZES.values()) if asked == "varied" else (SIZES[asked],)
    solvable, size, irregular = _balance.drawn(
        FAMILY, seed, number, (True, False), sizes, _cuts.IRREGULAR
    )
    return _cuts.puzzle(_cuts.wanted(size, irregular, chance), solvable, chance, dropped)


def _unbegun(told: Shown, album: Album, chance: random.Random, folder: Path) -> Item:
    """Return the item that shows board and pieces alone."""
    puzzle, scene = told.puzzle, told.scene
    picture = _picture(album, scene)
    plain = _plain(puzzle, picture)

    def again(pieces: Sequence[Lying], larger: float = 1.0) -> Posing:
        other = Scene(scene.size, tuple(pieces), larger)
        return replace(plain, images=(_picture(album, other),))

    changed = {
        "pieces in another order": again(_moved(scene.pieces, chance)),
        "pieces turned and flipped": again([_flipped(one, chance) for one in scene.pieces]),
        "in other colours": again(_recoloured(scene.pieces)),
        "drawn larger": again(scene.pieces, _LARGER),
    }
    posings = {
        UNCHANGED: replace(plain, written=True),
        **changed,
        "mirrored": replace(plain, images=shown([(picture, "mirrored")], folder)),
        "turned": replace(plain, images=shown([(picture, "turned")], folder)),
    }
    tied = [
        *_balance.alike("STARE-PIECES", changed),
        *_balance.alike("STARE-TURNED", ["turned"]),
        *_balance.alike("STARE-MIRROR", ["mirrored"]),
    ]
    unposed = {STEPS: "its twin has it"}
    rules: list[ties.Rule] = []
    for name, pieces in _cut_and_glued(puzzle, chance).items():
        lying = _scene(scene.size, pieces, chance)
        fills = packing.solvable(scene.size, pieces)
        posings[name] = replace(
            plain, images=(_picture(album, lying),), answer=_balance.answer(fills)
        )
        kept = YES if name == CUT_IN_TWO else NO
        rules.append(([(UNCHANGED, kept)], (name, kept)))
    tied.append(ties.implied("STARE-CUT", rules))
    return Item(
        task=Capability.of_suite(CODE, "tangram"),
        posings=posings,
        ties=tuple(tied),
        unposed=unposed,
        slices={**_slices(puzzle), _balance.BETWEEN: "without"},
    )


def _begun(told: Shown, album: Album, folder: Path) -> Item:
    """Return the item that shows a beginning, too."""
    puzzle = told.puzzle
    first = _picture(album, told.scene)
    laid = puzzle.found.solution or puzzle.found.deepest
    begun = [
        _picture(album, told.scene, tuple(laid[:count]))
        for count in range(1, puzzle.wanted.begun + 1)
    ]
    alone = _plain(puzzle, first)
    plain = replace(alone, images=(first, *begun), context=_BEGUN.format(size=puzzle.wanted.size))
    mirrored = shown([(path, "mirrored") for path in (first, *begun)], folder)
    return Item(
        task=Capability.of_suite(CODE, "tangram"),
        posings={
            UNCHANGED: replace(plain, written=True),
            WITHOUT_STEPS: alone,
            "mirrored": replace(plain, images=mirrored),
        },
        ties=(
            *_balance.alike(STEPS, [WITHOUT_STEPS]),
            *_balance.alike("STARE-MIRROR", ["mirrored"]),
        ),
        unposed=dict.fromkeys(
            ("STARE-PIECES", "STARE-CUT", "STARE-TURNED"),
            "the item without pictures between has it",
        ),
        slices={**_slices(puzzle), _balance.BETWEEN: "with"},
    )


def _final(told: Shown, album: Album, folder: Path) -> Item:
    """Return the item that shows how the search ended."""
    found = told.puzzle.found
    first = _picture(album, told.scene)
    end = _picture(album, told.scene, tuple(found.solution or found.deepest))
    mirrored = shown([(first, "mirrored"), (end, "mirrored")], folder)
    item = _finals.laid(_plain(told.puzzle, first), end, mirrored, told.puzzle.wanted.size)
    return replace(item, slices=_slices(told.puzzle))


def _words(told: Shown, album: Album) -> Item:
    """Return the item that tells the pieces in words, tied to the one that shows them."""
    puzzle = told.puzzle
    pieces = " ".join(
        f"Piece {place}: {_rows(piece)}." for place, piece in enumerate(puzzle.pieces, start=1)
    )
    alone = _plain(puzzle, _picture(album, told.scene))
    context = _WORDS.format(size=puzzle.wanted.size, pieces=pieces)
    return Item(
        task=Capability.of_suite(CODE, "tangram-words"),
        posings={
            UNCHANGED: replace(alone, images=(), context=context, written=True),
            "shown": alone,
        },
        ties=tuple(_balance.alike("STARE-FORMS", ["shown"])),
        slices=_slices(puzzle),
    )


def _plain(puzzle: Puzzle, picture: Path) -> Posing:
    return Posing(
        text=_QUESTION,
        options=_balance.ANSWERS,
        images=(picture,),
        answer=_balance.answer(puzzle.solvable),
        form="word",
        context=_SHOWN.format(size=puzzle.wanted.size),
    )


def _slices(puzzle: Puzzle) -> dict[str, str]:
    size = puzzle.wanted.size
    return {
        "board": f"{size}x{size}",
        "pieces": str(puzzle.wanted.count),
        "steps": str(puzzle.wanted.begun),
    }


def _rows(piece: Shape) -> str:
    cells = nets.moved(piece, 0, mirrored=False)
    rows = range(1 + max(row for row, _ in cells))
    columns = range(1 + max(column for _, column in cells))
    return " / ".join(
        "".join("#" if (row, column) in cells else "-" for column in columns) for row in rows
    )


def _scene(size: int, pieces: Sequence[Shape], chance: random.Random) -> Scene:
    """Return how pieces lie: turned and flipped, in colours of their own."""
    colours = chance.sample(range(_COLOURS), _COLOURS)
    lying = (
        Lying(chance.choice(packing.positions(piece)), chance.choice(TURNS), colours[place])
        for place, piece in enumerate(pieces)
    )
    return Scene(size, tuple(lying))


def _moved(pieces: tuple[Lying, ...], chance: random.Random) -> list[Lying]:
    """Return pieces in another order; none stays in its place."""
    by = chance.randint(1, len(pieces) - 1)
    return [*pieces[by:], *pieces[:by]]


def _flipped(one: Lying, chance: random.Random) -> Lying:
    """Return a piece turned and flipped."""
    piece = nets.moved(one.piece, chance.randint(1, 3), mirrored=chance.random() < 0.5)  # noqa: PLR2004
    turns = [turn for turn in TURNS if turn != one.turned]
    return replace(one, piece=piece, turned=chance.choice(turns))


def _recoloured(pieces: tuple[Lying, ...]) -> list[Lying]:
    return [replace(one, colour=(one.colour + 1) % _COLOURS) for one in pieces]


def _cut_and_glued(puzzle: Puzzle, chance: random.Random) -> dict[str, list[Shape]]:
    """Return the pieces with one of them cut in two, and with two of them glued."""
    found: dict[str, list[Shape]] = {}
    pieces = list(puzzle.pieces)
    for place in chance.sample(range(len(pieces)), len(pieces)):
        halves = packing.split(pieces[place], chance)
        if halves is not None:
            found[CUT_IN_TWO] = [*pieces[:place], *halves, *pieces[place + 1 :]]
            break
    pairs = [(a, b) for b in range(len(pieces)) for a in range(b)]
    for first, second in chance.sample(pairs, len(pairs)):
        whole = packing.glued(pieces[first], pieces[second], puzzle.wanted.size, chance)
        if whole is not None:
            rest = [one for place, one in enumerate(pieces) if place not in (first, second)]
            found[GLUED] = [*rest, whole]
            break
    return found


def _picture(album: Album, scene: Scene, laid: tuple[Placed, ...] = ()) -> Path:
    return album.add((scene, laid), partial(_board_drawing.drawn, scene, laid))
