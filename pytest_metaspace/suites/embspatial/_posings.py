"""How an item of EmbSpatial-Bench is put: as written, and changed so that its answer follows.

Each change has a condition under which the new answer is certain. Where an item does not meet it,
the relation has no case there, and the reason is counted.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Final, Optional

from pytest_metaspace.domain import AS_WRITTEN, Capability, Item, Posing
from pytest_metaspace.suites import ties
from pytest_metaspace.suites.embspatial import CODE, DEPTHS
from pytest_metaspace.trajectories._altered import altered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from pytest_metaspace.domain import Box, Tie

LEAST_PX: Final = 24
"""As wide and high as the smallest box has to be in a picture made smaller."""
_SIDES: Final = {"left": "right", "right": "left", "leftmost": "rightmost", "rightmost": "leftmost"}
_CONVERSE: Final = {**_SIDES, "above": "under", "under": "above", "below": "above"}
_ENDS: Final = {
    "nearest": "farthest",
    "closest": "farthest",
    "farthest": "nearest",
    "furthest": "nearest",
}
_PAIR: Final = 2
_CHAINED: Final = 3
_CHAIN: Final = f"{CODE}-CHAIN"
_GAP: Final = 0.02
"""Of the width that boxes take: as far apart are those of which one is left of the other."""
Changed = tuple[Posing, Optional["Mapping[str, str]"]]
"""A way to put an item, and which option follows from which; None where it must be another one."""


class Unmet(Exception):
    """An item does not meet the condition of a change; the text says which."""


@dataclass(frozen=True, kw_only=True)
class Record:
    """What a file says about an item, checked.

    Attributes:
        name: of the item.
        relation: the task, one of ``TASKS``.
        question: its text.
        options: all different.
        answer: the true one of them.
        things: the objects named with the item, each with its box.
        picture: the file.
        depths: of the options in metres; None where nobody knows them.
    """

    name: str
    relation: str
    question: str
    options: tuple[str, ...]
    answer: str
    things: tuple[tuple[str, Box], ...]
    picture: Path
    depths: tuple[float, ...] | None = None


def posed(record: Record) -> Item:
    """Return an item with the ways in which it is put, and for each relation without one why."""
    posings = {
        AS_WRITTEN: Posing(
            text=record.question,
            options=record.options,
            images=(record.picture,),
            answer=record.answer,
            written=True,
        )
    }
    found: list[Tie] = []
    unposed: dict[str, str] = {}
    for short, make in _MADE.items():
        relation = f"{CODE}-{short}"
        try:
            for name, (posing, follows) in make(record).items():
                posings[name] = posing
                found.append(
                    ties.different(relation, AS_WRITTEN, name)
                    if follows is None
                    else ties.mapped(relation, AS_WRITTEN, name, follows)
                )
        except Unmet as reason:
            unposed[relation] = str(reason)
    try:
        asked, tie = _chained(record)
        posings |= asked
        found.append(tie)
    except Unmet as reason:
        unposed[_CHAIN] = str(reason)
    return Item(
        task=Capability.of_suite(CODE, record.relation),
        posings=posings,
        ties=tuple(found),
        unposed=unposed,
        slices={"relation": record.relation},
    )


def _mapped(record: Record, text: str, follows: Mapping[str, str]) -> Changed:
    """Return a posing whose options are those of the item, in their order, told otherwise."""
    options = tuple(follows[one] for one in record.options if one in follows)
    if len({one.casefold() for one in options}) < len(options):
        raise Unmet("two options would be equal")
    posing = Posing(
        text=text, options=options, images=(record.picture,), answer=follows[record.answer]
    )
    return posing, follows


def _reordered(record: Record) -> dict[str, Changed]:
    made, follows = _mapped(record, record.question, {one: one for one in record.options})
    return {"reordered": (replace(made, options=record.options[::-1]), follows)}


def _fewer(record: Record) -> dict[str, Changed]:
    """Leave out one wrong option; of depths, all but one, for the nearest of four is so of two."""
    wrong = [one for one in record.options if one != record.answer]
    if len(wrong) < _PAIR:
        raise Unmet("there are fewer than three options")
    draw = int.from_bytes(sha256(record.name.encode("utf-8", "replace")).digest()[:4], "big")
    one = wrong[draw % len(wrong)]
    kept = {option: option for option in record.options if option != one}
    made = {"cut by one": _mapped(record, record.question, kept)}
    if record.relation in DEPTHS:
        pair = {option: option for option in record.options if option in (one, record.answer)}
        made["cut to two"] = _mapped(record, record.question, pair)
    return made


def _mirrored(record: Record) -> dict[str, Changed]:
    names = [name for name, _ in record.things]
    if record.relation in DEPTHS:
        names += record.options
    if any(_words(name) & set(_SIDES) for name in names):
        raise Unmet("the name of an object says left or right")
    other = {one: _exchanged(one, _SIDES) for one in record.options}
    if record.relation in ("left", "right") and other[record.answer] == record.answer:
        raise Unmet("the answer does not say left or right")
    made, follows = _mapped(record, _exchanged(record.question, _SIDES), other)
    return {"mirrored": (replace(made, images=altered(record.picture, "mirrored")), follows)}


def _padded(record: Record) -> dict[str, Changed]:
    made, follows = _mapped(record, record.question, {one: one for one in record.options})
    return {"with a border": (replace(made, images=altered(record.picture, "padded")), follows)}


def _recompressed(record: Record) -> dict[str, Changed]:
    if not record.things:
        raise Unmet("there are no boxes")
    if min(side for _, box in record.things for side in (box.width, box.height)) < LEAST_PX:
        raise Unmet(f"a box is smaller than {LEAST_PX} pixels")
    made, follows = _mapped(record, record.question, {one: one for one in record.options})
    images = altered(record.picture, "recompressed")
    return {"compressed again": (replace(made, images=images), follows)}


def _halved(record: Record) -> dict[str, Changed]:
    sides = [side for _, box in record.things for side in (box.width, box.height)]
    if not sides:
        raise Unmet("there are no boxes")
    if min(sides) / 2 < LEAST_PX:
        raise Unmet(f"a box would be smaller than {LEAST_PX} pixels")
    made, follows = _mapped(record, record.question, {one: one for one in record.options})
    return {"halved": (replace(made, images=altered(record.picture, "halved")), follows)}


def _from_the_other(record: Record) -> dict[str, Changed]:
    """Tell each option from the other object; who says *A left of B* says *B right of A*."""
    if record.relation in DEPTHS:
        return {}
    names = list(dict.fromkeys(name for name, _ in record.things))
    if len(names) != _PAIR or len(record.things) != _PAIR:
        raise Unmet("the item does not name two different objects")
    if any(_words(name) & set(_CONVERSE) for name in names):
        raise Unmet("the name of an object says left, right, above or under")
    follows = {one: _converse(one, names) or one for one in record.options}
    if follows[record.answer] == record.answer:
        raise Unmet("the answer cannot be told from the other object")
    text = _swapped(record.question, names)
    if text is None:
        raise Unmet("the question does not name each object once")
    return {"told conversely": _mapped(record, text, follows)}


def _chained(record: Record) -> tuple[dict[str, Posing], Tie]:
    """Ask which of three objects side by side is left of which; who says two says the third."""
    things = sorted(record.things, key=lambda one: one[1].x1)
    names = [name for name, _ in things]
    if len(names) < _CHAINED:
        raise Unmet("there are fewer than three boxes")
    if len({name.casefold() for name in names}) < len(names):
        raise Unmet("two objects have one name")
    if any(_words(name) & set(_SIDES) for name in names):
        raise Unmet("the name of an object says left or right")
    gap = _GAP * max(box.x2 for _, box in things)
    chain = things[:1]
    for thing in things[1:]:
        if thing[1].x1 - chain[-1][1].x2 >= gap:
            chain.append(thing)
    if len(chain) < _CHAINED:
        raise Unmet("no three boxes lie side by side")
    first, middle, last = (name for name, _ in chain[:_CHAINED])
    pairs = {(first, middle): "", (middle, last): "", (first, last): ""}
    for one, other in pairs:
        pairs[one, other] = f"asked whether the {one} is left of the {other}"
    posings = {
        name: Posing(
            text=f"Seen in this picture, is the {one} left of the {other}?",
            options=("yes", "no"),
            images=(record.picture,),
            answer="yes",
            form="word",
        )
        for (one, other), name in pairs.items()
    }
    left, right, both = posings
    rule = (((left, "yes"), (right, "yes")), (both, "yes"))
    return posings, ties.implied(_CHAIN, [rule])


def _other_end(record: Record) -> dict[str, Changed]:
    if record.relation not in DEPTHS:
        return {}
    if record.depths is None:
        raise Unmet("the depths of its objects are not known")
    if len(re.findall(_any_of(_ENDS), record.question, re.IGNORECASE)) != 1:
        raise Unmet("the question does not say nearest or farthest, once")
    order = sorted(zip(record.depths, record.options))
    posing = Posing(
        text=_exchanged(record.question, _ENDS),
        options=record.options,
        images=(record.picture,),
        answer=order[-1 if record.relation == "close" else 0][1],
    )
    return {"reversed": (posing, None)}


_MADE: Mapping[str, Callable[[Record], dict[str, Changed]]] = {
    "ORDER": _reordered,
    "FEWER": _fewer,
    "MIRROR": _mirrored,
    "CONVERSE": _from_the_other,
    "SMALLER": _halved,
    "PADDED": _padded,
    "COARSE": _recompressed,
    "ENDS": _other_end,
}


# ------------------------------------------------------------------------------------ words


def _words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]+", text.lower()))


def _any_of(words: Mapping[str, str]) -> str:
    return rf"\b(?:{'|'.join(map(re.escape, words))})\b"


def _exchanged(text: str, words: Mapping[str, str]) -> str:
    """Return text with each of some words for another, its first letter as large as it was."""

    def other(found: re.Match[str]) -> str:
        word = words[found[0].lower()]
        return word.capitalize() if found[0][0].isupper() else word

    return re.sub(_any_of(words), other, text, flags=re.IGNORECASE)


def _swapped(text: str, names: list[str]) -> str | None:
    """Return text with two names for each other; None where it has not each of them once."""
    longer = sorted(names, key=len, reverse=True)
    pattern = rf"(?<!\w)(?:{'|'.join(map(re.escape, longer))})(?!\w)"
    found = [one.lower() for one in re.findall(pattern, text, re.IGNORECASE)]
    if sorted(found) != sorted(name.lower() for name in names):
        return None
    other = dict(_both_ways(names))
    return re.sub(pattern, lambda one: other[one[0].lower()], text, flags=re.IGNORECASE)


def _both_ways(names: list[str]) -> Iterator[tuple[str, str]]:
    yield names[0].lower(), names[1]
    yield names[1].lower(), names[0]


def _converse(option: str, names: list[str]) -> str | None:
    """Return a sentence about two objects as it is from the other one; None for other sentences."""
    if len(re.findall(_any_of(_CONVERSE), option, re.IGNORECASE)) != 1:
        return None
    swapped = _swapped(option, names)
    return None if swapped is None else _exchanged(swapped, _CONVERSE)
