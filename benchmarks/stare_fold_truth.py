"""A second truth of nets and boards, read from what their pictures show and their words say.

Sheets are folded here by turning what hangs on a line about that line, innermost last, along every
way in which a sheet with a block can be cut; boards are filled by covering rows of an incidence
table exactly. Nothing of it is shared with what makes the items.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PIL import Image, ImageDraw

from pytest_metaspace.suites.stare import _board_drawing, _net_drawing, _space
from pytest_metaspace.suites.stare._panels import PALETTE
from pytest_metaspace.trajectories._altered import Altered

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pytest_metaspace.domain import Item, Posing
    from pytest_metaspace.suites.stare._family import Made
    from pytest_metaspace.suites.stare.nets import Net

Cells = tuple[tuple[int, int], ...]
Spot = tuple[int, int, int]
Hangs = dict[int, tuple[int, ...]]
_ANSWERS = {True: "yes", False: "no"}
_NUMBER = (0.5, 0.6)
"""How wide and high a number is, in half edges, with the room by which it is told from the next."""
_SCALE = 40
"""Pixels of a half edge where it is tried whether squares hide each other."""


def drawing(made: Made, picture: Path) -> Any:
    """Return what draws a picture, with its arguments in ``args``."""
    return made.pictures[picture.name]


def files(posing: Posing) -> list[Path]:
    """Return the pictures of a question, changed or not."""
    if isinstance(posing.images, Altered):
        return [path for path, _ in posing.images.parts]
    return [Path(path) for path in posing.images]


# --------------------------------------------------------------------------------------- nets


@cache
def spanning(cells: Cells) -> list[Hangs]:
    """Return all ways in which the squares of a sheet hang together without a ring."""
    near = [
        (a, b)
        for a, b in combinations(range(len(cells)), 2)
        if abs(cells[a][0] - cells[b][0]) + abs(cells[a][1] - cells[b][1]) == 1
    ]
    found = []
    for edges in combinations(near, len(cells) - 1):
        hangs = {
            a: tuple(b for e in edges if a in e for b in e if b != a) for a in range(len(cells))
        }
        if len(_beyond(hangs, 0, -1)) == len(cells):
            found.append(hangs)
    return found


def _beyond(hangs: Hangs, place: int, held: int) -> set[int]:
    """Return a square with all that hangs on it, held at another one."""
    found, waiting = {place}, [place]
    while waiting:
        for other in hangs[waiting.pop()]:
            if other not in found and other != held:
                found.add(other)
                waiting.append(other)
    return found


def folded(cells: Cells, hangs: Hangs, base: int, up: Iterable[int]) -> list[tuple[Spot, Spot]]:
    """Return of each square its middle, in half edges, and the spot one half edge above it.

    Args:
        cells: row and column of each square.
        hangs: along which lines they hang together.
        base: the square that stays.
        up: the squares that are folded up.
    """
    spots = [[(2 * x, 2 * y, 0), (2 * x, 2 * y, 1)] for y, x in cells]
    order, waiting = [], [(base, -1)]
    while waiting:
        place, held = waiting.pop()
        order.append((place, held))
        waiting += [(other, place) for other in hangs[place] if other != held]
    chosen = set(up)
    for place, held in reversed(order[1:]):
        if place in chosen:
            (y0, x0), (y1, x1) = cells[held], cells[place]
            for one in _beyond(hangs, place, held):
                spots[one] = [_about((x0, y0), (x1 - x0, y1 - y0), spot) for spot in spots[one]]
    return [(middle, above) for middle, above in spots]


def _about(held: tuple[int, int], way: tuple[int, int], spot: Spot) -> Spot:
    """Turn a spot up by 90 degrees about the line on one side of a square that lies."""
    line = (2 * held[0] + way[0], 2 * held[1] + way[1])
    far = (spot[0] - line[0]) * way[0] + (spot[1] - line[1]) * way[1]
    along = (spot[0] - far * way[0], spot[1] - far * way[1])
    return along[0] - spot[2] * way[0], along[1] - spot[2] * way[1], far


def sides(cells: Cells) -> list[list[Spot]]:
    """Return where the printed sides look once all is folded, for each way to cut the sheet."""
    found = []
    for hangs in spanning(cells):
        spots = folded(cells, hangs, 0, range(len(cells)))
        found.append([_minus(above, middle) for middle, above in spots])
    return found


def _minus(one: Spot, other: Spot) -> Spot:
    return one[0] - other[0], one[1] - other[1], one[2] - other[2]


def closes(cells: Cells) -> bool:
    """Whether each square of a sheet comes to lie on a side of its own, however it is cut."""
    told = {len(set(looks)) == len(cells) for looks in sides(cells)}
    assert len(told) == 1
    return told.pop()


def of_folding(made: Made) -> Iterator[tuple[str, str]]:
    """Yield what does not hold of the questions of a number, each with the item."""
    for name, item in made.items:
        for told, posing in item.posings.items():
            for problem in _of_sheet(made, posing):
                yield name, f"{told}: {problem}"
        later = item.slices.get("difficulty", "easy") != "easy"
        if later and not item.twin and f"{name}-steps" not in dict(made.items):
            yield name, "no item shows its first folds"


def _of_sheet(made: Made, posing: Posing) -> Iterator[str]:
    pictures = [drawing(made, path) for path in files(posing)]
    net = pictures[0].args[0] if pictures else None
    cells = tuple(net.cells) if net else _told(posing.context)
    numbers = [int(one) for one in re.findall(r"\d", posing.text)]
    right = _right(posing, net, cells, numbers, pictures)
    if right != posing.answer:
        yield f"{right} is right, and not {posing.answer}"
    if len(pictures) > 1 and "folded up along all" not in posing.context:
        yield from _shows(net, pictures[1:], numbers)


def _right(
    posing: Posing, net: Net, cells: Cells, numbers: list[int], pictures: Sequence[Any]
) -> str:
    """Return the answer to a question about a sheet."""
    text = posing.text
    places = [net.numbers.index(number) for number in numbers] if net else []
    if "Now only" in text:
        part = tuple(cells[place] for place in places)
        return _ANSWERS[closes(part)]
    if "closed cube, so that" in text:
        return _ANSWERS[closes(cells)]
    if "share an edge on this sheet" in text:
        (a, b), (c, d) = (cells[place] for place in places)
        return _ANSWERS[abs(a - c) + abs(b - d) == 1]
    if "Which colour" in text:
        named: str = pictures[0].args[1].name(numbers[0])
        return _colour(pictures[0], places[0]) if posing.written else named
    if "In the last image" in text:
        net, _, base, order, count = pictures[-1].args
        spots = folded(cells, spanning(cells)[0], base, order[:count])
        looks = [_minus(above, middle) for middle, above in spots]
        return _ANSWERS[looks[places[0]] != looks[places[1]]]
    (looks,) = sides(cells)
    x, y, z = looks[places[0]]
    other = looks.index((-x, -y, -z))
    if "lies opposite" in text:
        return f"square {net.numbers[other]}"
    return _ANSWERS[places[1] != other]


def _colour(picture: Any, place: int) -> str:
    """Return the colour that a square of a drawn sheet has: the option nearest to its pixels."""
    net = picture.args[0]
    with Image.open(io.BytesIO(picture())) as image:
        pixels = image.convert("RGB")
    drawn = pixels.convert("L").point(lambda level: 255 * (level < 250)).getbbox()
    assert drawn is not None
    columns = 1 + max(column for _, column in net.cells)
    edge = (drawn[2] - drawn[0]) / columns
    row, column = net.cells[place]
    at = (round(drawn[0] + (column + 0.12) * edge), round(drawn[1] + (row + 0.12) * edge))
    here: Any = pixels.getpixel(at)
    pale = {name: [(part + 255) / 2 for part in parts] for name, parts in PALETTE.items()}
    return min(pale, key=lambda name: sum(abs(a - b) for a, b in zip(pale[name], here)))


def _told(context: str) -> Cells:
    rows = context.rpartition(": ")[2].rstrip(".").split(" / ")
    return tuple(
        (row, column)
        for row, line in enumerate(rows)
        for column, mark in enumerate(line.split())
        if mark != "-"
    )


def _shows(net: Net, pictures: Sequence[Any], numbers: list[int]) -> Iterator[str]:
    """Yield what is wrong about pictures of a folding: nothing lies on another, all can be read."""
    (hangs,) = spanning(tuple(net.cells))
    for one in pictures:
        assert one.func is _net_drawing.folded
        _, _, base, order, count = one.args
        spots = folded(tuple(net.cells), hangs, base, order[:count])
        if len({middle for middle, _ in spots}) < len(spots):
            yield f"after {count} folds, a square lies on another one"
    if len(numbers) == 2:  # the squares at a line
        _, _, base, order, count = pictures[-1].args
        squares = _space.folded(net.cells, base, order[:count])
        for number in numbers:
            if hidden(squares, net.numbers.index(number)):
                yield f"square {number} cannot be read in the last picture"


def hidden(squares: Sequence[_space.Square], asked: int) -> bool:
    """Whether another number is drawn on that of a square, or more than one square over it."""
    across, down, near = _space.seen(squares[asked].centre)
    over = 0
    for place, square in enumerate(squares):
        if place == asked:
            continue
        x, y, depth = _space.seen(square.centre)
        if abs(x - across) < _NUMBER[0] and abs(y - down) < _NUMBER[1]:
            return True
        if depth > near:
            image = Image.new("1", (2 * _SCALE + 1, 2 * _SCALE + 1))
            corners = [_space.seen(corner) for corner in square.corners()]
            points = [((x - across + 1) * _SCALE, (y - down + 1) * _SCALE) for x, y, _ in corners]
            ImageDraw.Draw(image).polygon(points, fill=1)
            over += bool(image.getpixel((_SCALE, _SCALE)))
    return over > 1


# ------------------------------------------------------------------------------------- boards


@cache
def fills(size: int, pieces: tuple[Cells, ...]) -> bool:
    """Whether pieces fill a board, found by covering rows of an incidence table exactly."""
    rows: list[frozenset[object]] = []
    for place, piece in enumerate(pieces):
        for shape, down, across in product(_lying(piece), range(size), range(size)):
            cells = [(row + down, column + across) for row, column in shape]
            if max(max(cell) for cell in cells) < size:
                rows.append(frozenset([("piece", place), *cells]))
    columns: set[object] = {("piece", place) for place in range(len(pieces))}
    columns |= set(product(range(size), range(size)))
    return _covered(columns, rows)


def _covered(columns: set[object], rows: list[frozenset[object]]) -> bool:
    if not columns:
        return True
    count = Counter(column for row in rows for column in row)
    rarest = min(columns, key=lambda column: (count[column], str(column)))
    return any(
        _covered(columns - row, [other for other in rows if other.isdisjoint(row)])
        for row in rows
        if rarest in row
    )


@cache
def _lying(piece: Cells) -> frozenset[Cells]:
    """Return the ways in which a piece can lie, from the top left."""
    found = set()
    for turned, flipped in product(range(4), (False, True)):
        cells = [(y, -x) if flipped else (y, x) for y, x in piece]
        for _ in range(turned):
            cells = [(x, -y) for y, x in cells]
        top, left = (min(line) for line in zip(*cells))
        found.add(tuple(sorted((y - top, x - left) for y, x in cells)))
    return frozenset(found)


def told_pieces(context: str) -> list[Cells]:
    """Return the pieces that are told in words."""
    return [
        tuple(
            (row, column)
            for row, line in enumerate(piece.split(" / "))
            for column, mark in enumerate(line)
            if mark == "#"
        )
        for piece in re.findall(r"Piece \d: ([#/ -]+)\.", context)
    ]


def of_tangram(made: Made) -> Iterator[tuple[str, str]]:
    """Yield what does not hold of the questions of a number, each with the item."""
    for name, item in made.items:
        for told, posing in item.posings.items():
            for problem in _of_board(made, item, posing):
                yield name, f"{told}: {problem}"


def _of_board(made: Made, item: Item, posing: Posing) -> Iterator[str]:
    size = int(item.slices["board"][0])
    pictures = [drawing(made, path) for path in files(posing)]
    if pictures:
        assert all(one.func is _board_drawing.drawn for one in pictures)
        pieces = [tuple(one.piece) for one in pictures[0].args[0].pieces]
    else:
        pieces = told_pieces(posing.context)
    right = fills(size, tuple(sorted(min(_lying(piece)) for piece in pieces)))
    if _ANSWERS[right] != posing.answer:
        yield f"{_ANSWERS[right]} is right, and not {posing.answer}"
    if posing.written and len(pieces) != int(item.slices["pieces"]):
        yield "not as many pieces as it says"
    if len(pictures) > 1:
        yield from _laid(pieces, size, pictures[1:], right=right)
        begun = "one way to begin" in posing.context
        if begun and len(pictures[-1].args[1]) != int(item.slices["steps"]):
            yield "not as many pieces are laid as it says"
        if not begun and right != (len(pictures[-1].args[1]) == len(pieces)):
            yield "the end that is shown is no end"


def _laid(pieces: list[Cells], size: int, pictures: Sequence[Any], *, right: bool) -> Iterator[str]:
    board = set(product(range(size), range(size)))
    for one in pictures:
        covered: Counter[tuple[int, int]] = Counter()
        for place, cells in one.args[1]:
            covered.update(cells)
            if _lying(tuple(cells)) != _lying(pieces[place]):
                yield "another piece is laid than lies beside the board"
        if set(covered) - board or max(covered.values()) > 1:
            yield "a piece lies on another one or sticks out"
        if not right and set(covered) == board and len(one.args[1]) == len(pieces):
            yield "what cannot be filled is shown filled"
