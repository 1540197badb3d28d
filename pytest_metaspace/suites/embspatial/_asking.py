"""Questions about rooms of ours, each with one true option and without the shortcuts of theirs.

What lies higher in the picture is as often nearer as farther, and so is what looks bigger: the
rank of the true object by each is drawn in turn. Above, under, left and right are asked where the
boxes are apart in that direction and overlap in the other one, so that of the four sentences
exactly one is true.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

from pytest_metaspace.suites.embspatial import DEPTHS, TASKS
from pytest_metaspace.suites.embspatial._drawing import picture
from pytest_metaspace.suites.embspatial._rooms import COUNT, room

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_metaspace.domain import Box
    from pytest_metaspace.suites.embspatial._rooms import Thing

_TRIES: Final = 20_000
_SHARED: Final = 0.5
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
HEIGHT: Final = "rooms: by its height in the picture the true object has not the rank in turn"
LOOKS: Final = "rooms: by how big it looks the true object has not the rank in turn"
ASKEW: Final = "pairs: boxes overlap by less than half in the direction that is not asked for"
OTHERWISE: Final = "pairs: they lie in another way than is asked for"
NO_PAIR: Final = "rooms: no two things lie as is asked for"


def item(seed: int, number: int, dropped: Counter[str] | None = None) -> dict[str, Any]:
    """Return one item as the file has it; it depends on the seed and its number alone.

    Args:
        seed: of the order.
        number: of the item in it.
        dropped: counts, by filter, what was thrown away for it.
    """
    relation = TASKS[number % len(TASKS)]
    turn = number // len(TASKS)
    digest = hashlib.sha256(f"embspatial {seed} {number}".encode()).digest()
    chance = random.Random(digest)  # noqa: S311 - no secret
    ask = _of_depth if relation in DEPTHS else _of_two
    return {
        "data_source": "metaspace",
        "scene_id": f"seed-{seed}-{number}",
        "question_id": f"ours_{seed}_{number}",
        "relation": relation,
        **ask(relation, turn, chance, Counter() if dropped is None else dropped),
    }


def _of_depth(
    relation: str, turn: int, chance: random.Random, dropped: Counter[str]
) -> dict[str, Any]:
    """Ask which of four is nearest or farthest; its rank by height and by looks comes in turn."""
    for _ in range(_TRIES):
        things = room(chance, dropped)
        if things is None:
            continue
        true = (min if relation == "close" else max)(things, key=lambda thing: thing.depth)
        if not height_in_turn(true, things, turn):
            dropped[HEIGHT] += 1
            continue
        if not looks_in_turn(true, things, turn):
            dropped[LOOKS] += 1
            continue
        things, true = _named(things, true, turn, chance)
        shown = at_its_turn(true, [one for one in things if one is not true], turn, chance)
        return {
            "question": _QUESTIONS[relation],
            "image": picture(things),
            "answer_options": [thing.name for thing in shown],
            "answer": shown.index(true),
            "objects": _boxes(shown),
            "depths_m": [round(thing.depth, 4) for thing in shown],
        }
    raise AssertionError("a room of these ranks is found in fewer tries")


def height_in_turn(true: Thing, things: Sequence[Thing], turn: int) -> bool:
    """Whether as many things lie higher in the picture than the true one as is their turn."""
    higher = sum(thing.box.y1 + thing.box.y2 < true.box.y1 + true.box.y2 for thing in things)
    return higher == turn % COUNT


def looks_in_turn(true: Thing, things: Sequence[Thing], turn: int) -> bool:
    """Whether as many things look bigger than the true one as is their turn."""
    return sum(thing.box.width > true.box.width for thing in things) == turn // COUNT % COUNT


def at_its_turn(true: Any, others: list[Any], turn: int, chance: random.Random) -> list[Any]:
    """Return options in an order by chance, the true one where its turn is."""
    chance.shuffle(others)
    place = _turns(turn)[0]
    return [*others[:place], true, *others[place:]]


def _turns(turn: int) -> tuple[int, int]:
    """Return two numbers that come in turn, 0 to 3 each.

    In any sixteen turns each number meets each number of the other, and each rank by height and by
    looks: the two are orthogonal Latin squares of these, by the field of four elements.
    """
    height, looks = turn % COUNT, turn // COUNT % COUNT
    return height ^ looks ^ (turn // COUNT**2 % COUNT), (0, 2, 3, 1)[height] ^ looks


def _named(
    things: Sequence[Thing], true: Thing, turn: int, chance: random.Random
) -> tuple[list[Thing], Thing]:
    """Return things with names shared out anew: the true one's rank by alphabet is in turn."""
    names = sorted(thing.name for thing in things)
    found = replace(true, name=names.pop(_turns(turn)[1]))
    chance.shuffle(names)
    return [found if one is true else replace(one, name=names.pop()) for one in things], found


def _of_two(
    relation: str, turn: int, chance: random.Random, dropped: Counter[str]
) -> dict[str, Any]:
    """Ask how two lie to each other; of the four sentences one is true."""
    for _ in range(_TRIES):
        things = room(chance, dropped)
        if things is None:
            continue
        fitting = _fitting(relation, things, dropped)
        if fitting:
            return _about_two(relation, *chance.choice(fitting), things, turn, chance)
        dropped[NO_PAIR] += 1
    raise AssertionError("two things that lie like this are found in fewer tries")


def _fitting(
    relation: str, things: Sequence[Thing], dropped: Counter[str]
) -> list[tuple[Thing, Thing]]:
    """Return pairs that lie as is asked for."""
    found = []
    for one, two in combinations(things, 2):
        if askew(one.box, two.box):
            dropped[ASKEW] += 1
            continue
        pairs = [(a, b) for a, b in ((one, two), (two, one)) if lies(a.box, b.box, relation)]
        dropped[OTHERWISE] += not pairs
        found += pairs
    return found


def _about_two(
    relation: str, a: Thing, b: Thing, things: Sequence[Thing], turn: int, chance: random.Random
) -> dict[str, Any]:
    in_order, as_told = divmod(_turns(turn)[1], 2)
    if (a.name < b.name) != bool(in_order):
        swapped = {a: replace(a, name=b.name), b: replace(b, name=a.name)}
        things = [swapped.get(one, one) for one in things]
        a, b = swapped[a], swapped[b]
    told = {key: text.format(a=a.name, b=b.name) for key, text in _SENTENCES.items()}
    true = told.pop(relation)
    options = at_its_turn(true, list(told.values()), turn, chance)
    first, second = (a, b) if as_told else (b, a)
    return {
        "question": f"How do the {first.name} and the {second.name} lie to each other in the "
        "image?",
        "image": picture(things),
        "answer_options": options,
        "answer": options.index(true),
        "objects": _boxes((a, b)),
    }


def askew(a: Box, b: Box) -> bool:
    """Whether two boxes overlap by half in neither direction, so that two sentences would be true.

    Boxes of a room are apart, so those that overlap in one direction are apart in the other.
    """
    return not _overlap(a.x1, a.x2, b.x1, b.x2) and not _overlap(a.y1, a.y2, b.y1, b.y2)


def lies(a: Box, b: Box, relation: str) -> bool:
    """Whether a box lies to another one as a relation says, wholly."""
    return {
        "left": a.x2 <= b.x1,
        "right": b.x2 <= a.x1,
        "above": a.y2 <= b.y1,
        "under": b.y2 <= a.y1,
    }[relation]


def _overlap(a1: float, a2: float, b1: float, b2: float) -> bool:
    return min(a2, b2) - max(a1, b1) >= _SHARED * min(a2 - a1, b2 - b1)


def _boxes(things: Sequence[Thing]) -> list[dict[str, Any]]:
    def told(box: Box) -> list[float]:
        return [round(one, 1) for one in (box.x1, box.y1, box.width, box.height)]

    return [{"name": thing.name, "bbox": told(thing.box)} for thing in things]
