"""Pictures of rooms: a floor with lines a metre apart, rods with their feet, and things on them."""

from __future__ import annotations

import base64
import io
from typing import TYPE_CHECKING

from pytest_metaspace.suites.embspatial._rooms import COLOURS, FOCAL, SIZE, WALL_M, seen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

    from pytest_metaspace.suites.embspatial._rooms import Thing


def picture(things: Sequence[Thing]) -> str:
    """Return a picture of a room as base64 of a PNG."""
    from PIL import Image as Pictures
    from PIL import ImageDraw as Drawing

    image: Image = Pictures.new("RGB", SIZE, (214, 221, 226))
    pen = Drawing.Draw(image)
    _floor(pen)
    for thing in sorted(things, key=lambda one: -one.depth):
        _rod(pen, thing)
        _thing(pen, thing)
    file = io.BytesIO()
    image.save(file, format="PNG", optimize=False)
    return base64.b64encode(file.getvalue()).decode("ascii")


def _floor(pen: ImageDraw) -> None:
    """Draw a floor of lines a metre apart, by which depths can be told."""
    top = seen(0, 0, WALL_M)[1]
    pen.rectangle((0, top, *SIZE), fill=(186, 170, 148))
    for metres in range(2, 8):
        _, y = seen(0, 0, metres)
        if top < y < SIZE[1]:
            pen.line((0, y, SIZE[0], y), fill=(160, 144, 122))
    for metres in range(-16, 17):
        far, near = seen(metres, 0, WALL_M), seen(metres, 0, 0.5)
        pen.line((*far, *near), fill=(160, 144, 122))


def _rod(pen: ImageDraw, thing: Thing) -> None:
    """Draw the rod on which a thing stands, and its foot on the floor."""
    x, y = seen(thing.across, 0, thing.depth)
    wide = max(1.0, FOCAL * 0.02 / thing.depth)
    pen.rectangle((x - wide, (thing.box.y1 + thing.box.y2) / 2, x + wide, y), fill=(110, 110, 112))
    foot = thing.foot
    pen.ellipse((foot.x1, foot.y1, foot.x2, foot.y2), fill=(84, 84, 86))


def _thing(pen: ImageDraw, thing: Thing) -> None:
    colour, shape = thing.name.split()
    fill = COLOURS[colour]
    edge = tuple(part * 2 // 3 for part in fill)
    box = thing.box
    corners = (box.x1, box.y1, box.x2, box.y2)
    if shape == "ball":
        pen.ellipse(corners, fill=fill, outline=edge, width=2)
    elif shape == "box":
        pen.rectangle(corners, fill=fill, outline=edge, width=2)
    else:
        middle = (box.x1 + box.x2) / 2
        pen.polygon([(middle, box.y1), (box.x2, box.y2), (box.x1, box.y2)], fill=fill, outline=edge)
