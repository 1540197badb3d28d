"""Where the numbered tags of boxes go in a picture: all inside, and none on another.

Everything is whole pixels; a place is the top left corner of a tag.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Size = tuple[int, int]
Place = tuple[int, int]
Rect = tuple[int, int, int, int]
"""Left, top, right and bottom; right and bottom are exclusive."""


def places(boxes: Sequence[Rect], tag: Size, image: Size) -> list[Place] | None:
    """Return a place for the tag of each box, in order; None where the tags do not fit.

    A tag stands at a corner of its box, outside where there is room, on as little of other boxes
    as can be; where all corners are taken, at the nearest free place.

    Args:
        boxes: in the image, or partly.
        tag: width and height of each tag.
        image: width and height.
    """
    if tag[0] > image[0] or tag[1] > image[1]:
        return None
    taken: list[Rect] = []
    for box in boxes:
        others = [other for other in boxes if other != box]
        free = [place for place in _corners(box, tag, image) if not _hits(_rect(place, tag), taken)]
        if free:
            best = min(free, key=lambda place: _hidden(place, tag, box, others))
        else:
            found = _nearest(box, tag, image, taken)
            if found is None:
                return _in_rows(boxes, tag, image)
            best = found
        taken.append(_rect(best, tag))
    return [(rect[0], rect[1]) for rect in taken]


def _corners(box: Rect, tag: Size, image: Size) -> Iterator[Place]:
    """Yield places at the corners of a box, the best first, each moved into the image."""
    left, top, right, bottom = box
    wide, high = tag
    for x, y in (
        (left, top - high),
        (right - wide, top - high),
        (left, bottom),
        (right - wide, bottom),
        (left - wide, top),
        (right, top),
        (left - wide, bottom - high),
        (right, bottom - high),
        (left, top),
        (right - wide, top),
        (left, bottom - high),
        (right - wide, bottom - high),
    ):
        yield _inside((x, y), tag, image)


def _inside(place: Place, tag: Size, image: Size) -> Place:
    x, y = (max(0, min(at, room - size)) for at, size, room in zip(place, tag, image))
    return x, y


def _rect(place: Place, tag: Size) -> Rect:
    return place[0], place[1], place[0] + tag[0], place[1] + tag[1]


def _hits(rect: Rect, others: Sequence[Rect]) -> bool:
    return any(_shared(rect, other) for other in others)


def _shared(one: Rect, other: Rect) -> int:
    """Return how many pixels two rectangles share."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return max(across, 0) * max(down, 0)


def _hidden(place: Place, tag: Size, box: Rect, others: Sequence[Rect]) -> int:
    """Return how much a tag hides; of other boxes it weighs double."""
    rect = _rect(place, tag)
    return _shared(rect, box) + 2 * sum(_shared(rect, other) for other in others)


def _nearest(box: Rect, tag: Size, image: Size, taken: Sequence[Rect]) -> Place | None:
    """Return the free place nearest to a box, on a raster of half a tag."""
    middle = (box[0] + box[2] - tag[0]) / 2, (box[1] + box[3] - tag[1]) / 2
    columns = range(0, image[0] - tag[0] + 1, max(1, tag[0] // 2))
    rows = range(0, image[1] - tag[1] + 1, max(1, tag[1] // 2))
    free = [(x, y) for y in rows for x in columns if not _hits(_rect((x, y), tag), taken)]
    return min(free, key=lambda place: (math.dist(place, middle), place), default=None)


def _in_rows(boxes: Sequence[Rect], tag: Size, image: Size) -> list[Place] | None:
    """Return places in rows and columns, each as near to its box as is left; None if too few."""
    columns, rows = image[0] // tag[0], image[1] // tag[1]
    slots = [(x * tag[0], y * tag[1]) for y in range(rows) for x in range(columns)]
    if len(slots) < len(boxes):
        return None
    found = []
    for left, top, right, bottom in boxes:
        middle = (left + right - tag[0]) / 2, (top + bottom - tag[1]) / 2
        slot = min(slots, key=lambda place: (math.dist(place, middle), place))
        slots.remove(slot)
        found.append(slot)
    return found
