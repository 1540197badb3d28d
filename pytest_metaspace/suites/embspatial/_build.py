"""Items like those of EmbSpatial-Bench, with exact truth and without its shortcuts.

Coloured things hang or stand on rods in a room, at heights and of sizes that vary, and a pinhole
camera sees them. What lies higher in the picture is as often nearer as farther, and so is what
looks bigger: the rank of the true object by each is drawn in turn. Above, under, left and right
are asked where the boxes are apart in that direction and overlap in the other one, so that of the
four sentences exactly one is true.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import random
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

from pytest_metaspace import files
from pytest_metaspace.domain import Box
from pytest_metaspace.reports.terminal import plural
from pytest_metaspace.suites.building import begun, note
from pytest_metaspace.suites.embspatial import TASKS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

    from pytest_metaspace.suites import Order

MAIN_FILE: Final = "embspatial_bench.json"
_NAME: Final = "embspatial"
SIZE: Final = (400, 300)
_FOCAL: Final = 300.0
_EYE_M: Final = 1.5
_HORIZON: Final = 110.0
"""The row of pixels at which the camera looks level: so high that all feet are seen."""
_NEAR_M, _FAR_M = 2.6, 5.2
_WALL_M: Final = 8.0
_JITTER: Final = 0.4
"""Of its band of depths, each a fourth: so depths differ by a tenth at least."""
_PLACES: Final = 12
_APART_PX: Final = 8
_LEAST_PX: Final = 24
_SHARED: Final = 0.5
_COUNT: Final = 4
_TRIES: Final = 20_000
_COLOURS: Final = {
    "red": (205, 40, 40),
    "blue": (45, 80, 200),
    "green": (40, 150, 60),
    "yellow": (235, 205, 45),
    "purple": (130, 60, 165),
    "orange": (240, 135, 30),
    "white": (240, 240, 240),
    "black": (30, 30, 30),
}
_SHAPES: Final = ("ball", "box", "cone")
_QUESTIONS: Final = {
    "close": "Which of these objects is nearest to the camera?",
    "far": "Which of these objects is farthest from the camera?",
}
_SENTENCES: Final = {
    "left": "The {a} is left of the {b}.",
    "right": "The {a} is right of the {b}.",
    "above": "The {a} is above the {b}.",
    "under": "The {a} is under the {b}.",
}


@dataclass(frozen=True)
class Thing:
    """A thing in the room.

    Attributes:
        name: colour and shape.
        across: metres right of where the camera looks.
        up: metres of its centre over the floor.
        depth: metres of its centre from the camera, along where it looks.
        size: metres wide and high.
    """

    name: str
    across: float
    up: float
    depth: float
    size: float

    @property
    def box(self) -> Box:
        """Where it is in the picture."""
        x, y = _seen(self.across, self.up, self.depth)
        half = _FOCAL * self.size / self.depth / 2
        return Box(x - half, y - half, x + half, y + half)


def _seen(across: float, up: float, depth: float) -> tuple[float, float]:
    return SIZE[0] / 2 + _FOCAL * across / depth, _HORIZON - _FOCAL * (up - _EYE_M) / depth


def build(order: Order) -> list[str]:
    """Write items into a file of the benchmark's form; return what to say of it.

    Raises:
        UsageProblem: the folder holds something else, or cannot be written.
    """
    path = order.folder / MAIN_FILE
    finished = begun(order, _NAME, MAIN_FILE)
    if finished >= order.items and _reads(path):
        return [f"{files.told(path)}: {_said(finished)}, seed {order.seed}: all are there already"]
    count = max(order.items, finished)
    records = []
    for number in range(count):
        records.append(item(order.seed, number))
        order.tell(number + 1, count)
    note(order, _NAME, finished)
    written = (json.dumps(one, ensure_ascii=True) for one in records)
    files.put(path, "[\n" + ",\n".join(written) + "\n]\n")
    note(order, _NAME, count)
    farther, nearer = heights(records)
    return [
        f"{files.told(path)}: {_said(count)}, seed {order.seed}",
        (
            f"depths, the true object and another: the higher one is farther in {farther} pairs, "
            f"nearer in {nearer}"
        ),
    ]


def _said(count: int) -> str:
    return f"{plural(count, 'item')} of {plural(min(count, len(TASKS)), 'relation')}"


def _reads(path: Path) -> bool:
    try:
        return isinstance(json.loads(path.read_bytes()), list)
    except (OSError, ValueError, RecursionError):
        return False


def item(seed: int, number: int) -> dict[str, Any]:
    """Return one item as the file has it; it depends on the seed and its number alone."""
    relation = TASKS[number % len(TASKS)]
    turn = number // len(TASKS)
    digest = hashlib.sha256(f"embspatial {seed} {number}".encode()).digest()
    chance = random.Random(digest)  # noqa: S311 - no secret
    told = (_of_depth if relation in _QUESTIONS else _of_two)(relation, turn, chance)
    return {
        "data_source": "metaspace",
        "scene_id": f"seed-{seed}-{number}",
        "question_id": f"ours_{seed}_{number}",
        "relation": relation,
        **told,
    }


# ---------------------------------------------------------------------------------- questions


def _of_depth(relation: str, turn: int, chance: random.Random) -> dict[str, Any]:
    """Ask which of four is nearest or farthest; its rank by height and by looks comes in turn."""
    ranks = turn % _COUNT, turn // _COUNT % _COUNT
    for _ in range(_TRIES):
        things = _room(chance)
        if things is None:
            continue
        true = (min if relation == "close" else max)(things, key=lambda thing: thing.depth)
        higher = sum(thing.box.y1 + thing.box.y2 < true.box.y1 + true.box.y2 for thing in things)
        bigger = sum(thing.box.width > true.box.width for thing in things)
        if (higher, bigger) == ranks:
            shown = _at(true, [one for one in things if one is not true], turn, chance)
            return {
                "question": _QUESTIONS[relation],
                "image": _picture(things),
                "answer_options": [thing.name for thing in shown],
                "answer": shown.index(true),
                "objects": _boxes(shown),
                "depths_m": [round(thing.depth, 4) for thing in shown],
            }
    raise AssertionError("a room of these ranks is found in fewer tries")


def _at(true: Any, others: list[Any], turn: int, chance: random.Random) -> list[Any]:
    """Return options in an order by chance, the true one where its turn is."""
    chance.shuffle(others)
    place = (turn + turn // _COUNT + turn // _COUNT**2) % _COUNT
    return [*others[:place], true, *others[place:]]


def _of_two(relation: str, turn: int, chance: random.Random) -> dict[str, Any]:
    """Ask how two lie to each other; of the four sentences one is true."""
    for _ in range(_TRIES):
        things = _room(chance)
        if things is None:
            continue
        fitting = [
            (a, b)
            for one, two in combinations(things, 2)
            for a, b in ((one, two), (two, one))
            if relation_of(a.box, b.box) == relation
        ]
        if fitting:
            a, b = chance.choice(fitting)
            told = {key: text.format(a=a.name, b=b.name) for key, text in _SENTENCES.items()}
            true = told.pop(relation)
            options = _at(true, list(told.values()), turn, chance)
            named = [a, b] if chance.random() < _SHARED else [b, a]
            return {
                "question": f"How do the {named[0].name} and the {named[1].name} lie to each "
                "other in the image?",
                "image": _picture(things),
                "answer_options": options,
                "answer": options.index(true),
                "objects": _boxes((a, b)),
            }
    raise AssertionError("two things that lie like this are found in fewer tries")


def relation_of(a: Box, b: Box) -> str | None:
    """Return how a box lies to another one: apart in one direction, overlapping in the other."""
    beside = _apart(a.x1, a.x2, b.x1, b.x2, "left", "right")
    stacked = _apart(a.y1, a.y2, b.y1, b.y2, "above", "under")
    if beside and _overlap(a.y1, a.y2, b.y1, b.y2):
        return beside
    return stacked if stacked and _overlap(a.x1, a.x2, b.x1, b.x2) else None


def _apart(a1: float, a2: float, b1: float, b2: float, before: str, behind: str) -> str | None:
    if a2 + _APART_PX <= b1:
        return before
    return behind if b2 + _APART_PX <= a1 else None


def _overlap(a1: float, a2: float, b1: float, b2: float) -> bool:
    return min(a2, b2) - max(a1, b1) >= _SHARED * min(a2 - a1, b2 - b1)


def _boxes(things: Sequence[Thing]) -> list[dict[str, Any]]:
    def told(box: Box) -> list[float]:
        return [round(one, 1) for one in (box.x1, box.y1, box.width, box.height)]

    return [{"name": thing.name, "bbox": told(thing.box)} for thing in things]


# -------------------------------------------------------------------------------------- rooms


def _room(chance: random.Random) -> list[Thing] | None:
    """Return four things seen whole, which hide neither each other nor a foot; None by bad luck."""
    names = chance.sample([f"{c} {s}" for c in _COLOURS for s in _SHAPES], _COUNT)
    things: list[Thing] = []
    for name, band in zip(names, chance.sample(range(_COUNT), _COUNT)):
        share = (band + _JITTER * chance.random()) / _COUNT
        depth = _NEAR_M * (_FAR_M / _NEAR_M) ** share
        tries = (_thing_at(name, depth, chance) for _ in range(_PLACES))
        free = (one for one in tries if not any(_touch(one.box, other.box) for other in things))
        thing = next(free, None)
        if thing is None:
            return None
        things.append(thing)
    return things if all(_foot_seen(one, things) for one in things) else None


def _foot_seen(thing: Thing, things: Sequence[Thing]) -> bool:
    """Whether nothing nearer hides the foot of a thing, which alone tells its depth."""
    foot = _foot(thing)
    return not any(
        other.depth < thing.depth
        and min(foot.x2, other.box.x2) > max(foot.x1, other.box.x1)
        and min(foot.y2, other.box.y2) > max(foot.y1, other.box.y1)
        for other in things
    )


def _foot(thing: Thing) -> Box:
    x, y = _seen(thing.across, 0, thing.depth)
    half = _FOCAL * 0.12 / thing.depth
    return Box(x - half, y - half / 3, x + half, y + half / 3)


def _thing_at(name: str, depth: float, chance: random.Random) -> Thing:
    """Return a thing at a depth, somewhere in the picture and over the floor."""
    wide = 2 * _LEAST_PX + 2 + 40 * chance.random()
    x = wide / 2 + 4 + chance.random() * (SIZE[0] - wide - 8)
    floor = _seen(0, 0, depth)[1]
    y = wide / 2 + 4 + chance.random() * (floor - wide - 4)
    metre = _FOCAL / depth
    return Thing(
        name, (x - SIZE[0] / 2) / metre, _EYE_M - (y - _HORIZON) / metre, depth, wide / metre
    )


def _touch(a: Box, b: Box) -> bool:
    across = min(a.x2, b.x2) - max(a.x1, b.x1)
    down = min(a.y2, b.y2) - max(a.y1, b.y1)
    return across > -_APART_PX and down > -_APART_PX


# ----------------------------------------------------------------------------------- pictures


def _picture(things: Sequence[Thing]) -> str:
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
    top = _seen(0, 0, _WALL_M)[1]
    pen.rectangle((0, top, *SIZE), fill=(186, 170, 148))
    for metres in range(2, 8):
        _, y = _seen(0, 0, metres)
        if top < y < SIZE[1]:
            pen.line((0, y, SIZE[0], y), fill=(160, 144, 122))
    for metres in range(-16, 17):
        far, near = _seen(metres, 0, _WALL_M), _seen(metres, 0, 0.5)
        pen.line((*far, *near), fill=(160, 144, 122))


def _rod(pen: ImageDraw, thing: Thing) -> None:
    """Draw the rod on which a thing stands, and its foot on the floor."""
    x, y = _seen(thing.across, 0, thing.depth)
    wide = max(1.0, _FOCAL * 0.02 / thing.depth)
    pen.rectangle((x - wide, (thing.box.y1 + thing.box.y2) / 2, x + wide, y), fill=(110, 110, 112))
    foot = _foot(thing)
    pen.ellipse((foot.x1, foot.y1, foot.x2, foot.y2), fill=(84, 84, 86))


def _thing(pen: ImageDraw, thing: Thing) -> None:
    colour, shape = thing.name.split()
    fill = _COLOURS[colour]
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


def shortcuts(records: Sequence[dict[str, Any]]) -> Iterator[tuple[str, int, int]]:
    """Yield what answers without looking: its name, how often it is right, and of how many."""
    depth = [one for one in records if one["relation"] in _QUESTIONS]
    for name, sign, at in (
        ("highest", 1, 1),
        ("lowest", -1, 1),
        ("biggest", -1, 2),
        ("smallest", 1, 2),
    ):
        right = 0
        for one in depth:
            looks = [sign * _looks(thing["bbox"])[at] for thing in one["objects"]]
            right += looks.index(min(looks)) == one["answer"]
        yield name, right, len(depth)
    for place in range(_COUNT):
        yield f"option {place + 1}", sum(one["answer"] == place for one in records), len(records)


def heights(records: Sequence[dict[str, Any]]) -> tuple[int, int]:
    """Return in how many pairs the higher object is farther, and in how many nearer.

    Pairs are the true object of a question of depth and each other one.
    """
    farther = nearer = 0
    for one in records:
        if one["relation"] in _QUESTIONS:
            place = one["answer"]
            rows = [_looks(thing["bbox"])[1] for thing in one["objects"]]
            lower = sum(row < rows[place] for row in rows)
            higher = len(rows) - 1 - lower
            agreeing = lower if one["relation"] == "close" else higher
            farther += agreeing
            nearer += len(rows) - 1 - agreeing
    return farther, nearer


def _looks(bbox: Sequence[float]) -> tuple[float, float, float]:
    """Return the middle of a box, and how wide it is."""
    x, y, width, height = bbox
    return x + width / 2, y + height / 2, width
