"""A second truth of items of ours like those of EmbSpatial-Bench, from pixels of pictures alone.

Objects are found by their colours, feet by theirs; what stands lower on the floor is nearer. Of
what the builder knows only names and the rough place of boxes are used, and its answer is held
against what is seen.
"""

from __future__ import annotations

import base64
import io
import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Optional, cast

import numpy as np
from PIL import Image

from pytest_metaspace.suites.embspatial._rooms import COLOURS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    Mask = NDArray[np.bool_]

Extent = tuple[int, int, int, int]
"""First and last column, first and last row."""
_HORIZON = 110
_FOOT, _ROD = (84, 84, 86), (110, 110, 112)
_AROUND, _OFF, _SEEN = 4, 2.5, 0.7
_ROD_PX = 8
"""As much of an edge a rod in front of it can hide: less than boxes overlap or are apart."""
_CENTRED = 3.5
_GAP = 1.075
"""A tenth, less what whole pixels can hide of it."""
_AREA = {"ball": np.pi / 4, "box": 1.0, "cone": 0.5}
_SENTENCE = re.compile(r"The (.+) is (left of|right of|above|under) the (.+)\.")


def complaints(record: Mapping[str, Any]) -> Iterator[str]:
    """Yield what a look at the picture has to say against an item."""
    file = io.BytesIO(base64.b64decode(record["image"]))
    pixels = np.asarray(Image.open(file).convert("RGB"))
    extents: dict[str, Extent] = {}
    for thing in record["objects"]:
        found = _extent(pixels, thing)
        if found is None:
            yield f"the {thing['name']} is not seen whole where its box is"
        else:
            extents[thing["name"]] = found
    if len(extents) < len(record["objects"]):
        return
    ask = _depths if "depths_m" in record else _sentences
    yield from ask(pixels, record, extents)


def _extent(pixels: NDArray[np.uint8], thing: Mapping[str, Any]) -> Optional[Extent]:
    """Return where an object is seen; None where less than all of it is."""
    colour, shape = thing["name"].split()
    x, y, width, height = thing["bbox"]
    left, top = max(0, round(x) - _AROUND), max(0, round(y) - _AROUND)
    part = pixels[top : round(y + height) + _AROUND, left : round(x + width) + _AROUND]
    fill = np.array(COLOURS[colour])
    mask = _is(part, fill) | _is(part, fill * 2 // 3)
    if mask.sum() < _SEEN * _AREA[shape] * width * height:
        return None
    columns, rows = np.flatnonzero(mask.any(axis=0)), np.flatnonzero(mask.any(axis=1))
    found = (left + columns[0], left + columns[-1], top + rows[0], top + rows[-1])
    inwards = (
        found[0] - x,
        x + width - found[1],
        found[2] - y,
        y + height - found[3],
    )
    fits = all(-_OFF <= by <= _ROD_PX for by in inwards)
    return cast("Extent", tuple(map(int, found))) if fits else None


def _is(pixels: NDArray[np.uint8], colour: Any) -> Mask:
    return cast("Mask", (pixels == np.array(colour)).all(axis=-1))


def _depths(
    pixels: NDArray[np.uint8], record: Mapping[str, Any], extents: Mapping[str, Extent]
) -> Iterator[str]:
    feet: dict[str, float] = {}
    for name, extent in extents.items():
        found = _feet(pixels, extent)
        if len(found) != 1:
            yield f"{len(found)} feet are seen under the {name}"
            return
        feet[name] = 1 / (found[0] - _HORIZON)
    order = sorted(feet, key=lambda name: feet[name])
    if any(feet[b] < _GAP * feet[a] for a, b in pairwise(order)):
        yield "two depths are too much alike"
    true = order[0 if record["relation"] == "close" else -1]
    if record["answer_options"][record["answer"]] != true:
        yield f"the answer is the {true}"
    told = record["depths_m"]
    measured = [feet[name] / feet[order[0]] * min(told) for name in record["answer_options"]]
    if any(abs(a / b - 1) > 0.03 for a, b in zip(measured, told)):
        yield f"depths are {measured}, not {told}"


def _feet(pixels: NDArray[np.uint8], extent: Extent) -> list[int]:
    """Return the lowest row of each foot that is seen right under an object."""
    middle = (extent[0] + extent[1]) / 2
    at = round(middle)
    foot = _is(pixels, _FOOT)
    standing = foot | _is(pixels, _ROD)
    rows = [int(row) for row in np.flatnonzero(foot[:, at]) if row > (extent[2] + extent[3]) / 2]
    ends = [row for row in rows if row + 1 not in rows]
    found = []
    for end in ends:
        start = end
        while start - 1 in rows:
            start -= 1
        widest = max((_around(standing[row], at) for row in range(start, end + 1)), key=_wide)
        if abs(sum(widest) / 2 - middle) <= _CENTRED:
            found.append(end)
    return found


def _around(row: Mask, at: int) -> tuple[int, int]:
    """Return the first and the last column of a run around a column."""
    first = last = at
    while first and row[first - 1]:
        first -= 1
    while last + 1 < len(row) and row[last + 1]:
        last += 1
    return first, last


def _wide(run: tuple[int, int]) -> int:
    return run[1] - run[0]


def _sentences(
    pixels: NDArray[np.uint8], record: Mapping[str, Any], extents: Mapping[str, Extent]
) -> Iterator[str]:
    del pixels
    true = []
    for option in record["answer_options"]:
        told = _SENTENCE.fullmatch(option)
        assert told is not None
        a, b = extents[told[1]], extents[told[3]]
        holds = {
            "left of": a[1] < b[0],
            "right of": b[1] < a[0],
            "above": a[3] < b[2],
            "under": b[3] < a[2],
        }
        if holds[told[2]]:
            true.append(option)
    if true != [record["answer_options"][record["answer"]]]:
        yield f"these are true: {true}"
