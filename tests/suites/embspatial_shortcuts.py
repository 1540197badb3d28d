"""Agents that solve no item of ours like those of EmbSpatial-Bench: how often they are right.

A pick chooses the option that has the most of something. A shortcut knows one feature of an item:
its agent learns for each value the answer that is most often right, on one half of the items, and
answers the other.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

from pytest_metaspace.suites.embspatial import DEPTHS
from pytest_metaspace.suites.embspatial._rooms import SIZE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    Record = Mapping[str, Any]
    Feature = Callable[[Record], Any]

CONSTANT = "constant letter"
TWO = "above, under, left, right"
"""The four tasks as one row: their questions are the same, and only the answer tells which."""
ONE_SEEN = ("where the first lies", "where the second lies")
"""Agents that see one of two objects: in any picture with borders that says something."""
_MIDDLE_ROW = 120
"""Above it lies about one half of all objects."""
_SENTENCE = re.compile(r"The (.+) is (.+) the (.+)\.")


def by_row(records: Iterable[Record]) -> dict[str, list[Record]]:
    """Return items by the task that an agent can tell from their question."""
    found: dict[str, list[Record]] = defaultdict(list)
    for one in records:
        found[one["relation"] if one["relation"] in DEPTHS else TWO].append(one)
    return dict(found)


def figures(records: Sequence[Record]) -> dict[str, float]:
    """Return how often each agent is right about items of one row; of the constant one, the best.

    An agent to which these items show nothing has no entry.
    """
    places = Counter(one["answer"] for one in records)
    found = {
        CONSTANT: max(places.values()) / len(records),
        "first option": places[0] / len(records),
    }
    for names, score in (_BOXES if "depths_m" in records[0] else {}).items():
        found |= _picks(names, score, records)
    for names, score in _OPTIONS.items():
        found |= _picks(names, score, records)
    features = _OF_FOUR if "depths_m" in records[0] else _OF_TWO
    for name, feature in {**_PLACED, **features}.items():
        label = _place if name in _PLACED else _told
        found[name] = _learnt(records, feature, label)
    return found


def _picks(
    names: tuple[str, str], score: Callable[[Record, int], Any], records: Sequence[Record]
) -> Iterator[tuple[str, float]]:
    """Yield the agents that take the option with the least and the most; ties are shared."""
    for name, choose in zip(names, (min, max)):
        right = 0.0
        for one in records:
            scores = [score(one, place) for place in range(len(one["answer_options"]))]
            best = [place for place, value in enumerate(scores) if value == choose(scores)]
            right += (one["answer"] in best) / len(best)
        yield name, right / len(records)


def _box(one: Record, place: int) -> Sequence[float]:
    box: Sequence[float] = one["objects"][place]["bbox"]
    return box


_BOXES: Mapping[tuple[str, str], Callable[[Record, int], Any]] = {
    ("highest", "lowest"): lambda one, at: _box(one, at)[1] + _box(one, at)[3] / 2,
    ("smallest", "biggest"): lambda one, at: _box(one, at)[2],
    ("leftmost", "rightmost"): lambda one, at: _box(one, at)[0] + _box(one, at)[2] / 2,
    ("most central", "least central"): lambda one, at: abs(
        _box(one, at)[0] + _box(one, at)[2] / 2 - SIZE[0] / 2
    ),
}
_OPTIONS: Mapping[tuple[str, str], Callable[[Record, int], Any]] = {
    ("alphabetical", "last by alphabet"): lambda one, at: one["answer_options"][at],
    ("shortest option", "longest option"): lambda one, at: len(one["answer_options"][at]),
}


# ------------------------------------------------------------------------------------- learnt


def _learnt(records: Sequence[Record], feature: Feature, label: Feature) -> float:
    """Return how often who knows a feature alone is right; learnt and tried on different halves.

    A label is what the answer is called, and of options that are called the same one is taken by
    chance.
    """
    halves = [[one for at, one in enumerate(records) if at // 8 % 2 == half] for half in (0, 1)]
    hits = 0.0
    for learnt, tried in (halves, halves[::-1]):
        seen: dict[str, Counter[str]] = defaultdict(Counter)
        for one in learnt:
            seen[str(feature(one))][label(one)[one["answer"]]] += 1
        for one in tried:
            called = label(one)
            known = seen.get(str(feature(one)), Counter[str]())
            best = max(known[name] for name in called)
            taken = [place for place, name in enumerate(called) if known[name] == best]
            hits += (one["answer"] in taken) / len(taken)
    return hits / len(records)


def _place(one: Record) -> list[str]:
    return [str(place) for place in range(len(one["answer_options"]))]


def _told(one: Record) -> list[str]:
    """Return options without their names: the relation of two, or colours of four."""
    found = [_SENTENCE.fullmatch(option) for option in one["answer_options"]]
    return [
        told[2] if told else option.split()[0] for told, option in zip(found, one["answer_options"])
    ]


def _names(one: Record) -> tuple[str, str]:
    first, second = one["objects"][:2]
    return first["name"], second["name"]


def _asked_first(one: Record) -> bool:
    """Return whether the question names the two as its options do."""
    first, second = _names(one)
    return bool(one["question"].index(first) < one["question"].index(second))


def _quarter(one: Record, place: int) -> tuple[bool, bool]:
    x, y, width, height = _box(one, place)
    return x + width / 2 > SIZE[0] / 2, y + height / 2 > _MIDDLE_ROW


_PLACED: Mapping[str, Feature] = {
    "length of the text": lambda one: len(one["question"]) + sum(map(len, one["answer_options"])),
    "order of names": lambda one: _names(one)[0] < _names(one)[1],
}
_OF_FOUR: Mapping[str, Feature] = {
    "colour": lambda _: None,
}
_OF_TWO: Mapping[str, Feature] = {
    "constant sentence": lambda _: None,
    "order of the two by alphabet": lambda one: _names(one)[0] < _names(one)[1],
    "order of the two in the question": _asked_first,
    "which name is longer": lambda one: len(_names(one)[0]) - len(_names(one)[1]),
    "colour": lambda one: _names(one)[0].split()[0],
    "shape": lambda one: _names(one)[0].split()[1],
    "which looks bigger": lambda one: _box(one, 0)[2] > _box(one, 1)[2],
    ONE_SEEN[0]: lambda one: _quarter(one, 0),
    ONE_SEEN[1]: lambda one: _quarter(one, 1),
}
