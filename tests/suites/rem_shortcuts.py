"""Agents that look at no picture: how often they are right all the same.

A shortcut is a feature of a question that needs no look: its agent learns for each value of the
feature the answer that is most often right, on one half of the questions, and answers the other.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pytest_metaspace.domain import Item, Posing

    Feature = Callable[[Posing], Any]

CONSTANT = "constant answer"


def names_of(posing: Posing) -> tuple[str, ...]:
    """Return what a question is about, in its order."""
    if posing.form == "word" and posing.options[-1] == "equal":
        return posing.options[:2]
    told = re.findall(
        r"the ((?!first|left|right|images|same)\w+ \w+?)(?: to| seen|,|\?)", posing.text
    )
    return tuple(told[:2])


def asked_for(posing: Posing) -> tuple[str, ...]:
    """Return what is counted or compared, in words as "red cones", or what else is asked about."""
    counted = re.search(r"How many (?:different )?(.+?) can be seen", posing.text)
    return (counted[1],) if counted else names_of(posing)


def _levels(posing: Posing) -> tuple[str, ...]:
    """Return whether kinds, colours or shapes are asked for."""
    return tuple(map(level, asked_for(posing)))


def level(words: str) -> str:
    """Return whether words like "red cones" name a kind, a colour or a shape."""
    if " " not in words:
        return "shape"
    return "colour" if words.endswith(" objects") else "kind"


def _colours(posing: Posing) -> tuple[str, ...]:
    return tuple(words.split()[0] if " " in words else "" for words in asked_for(posing))


def _alphabetical(posing: Posing) -> Any:
    names = names_of(posing)
    side = re.search(r" to the (left|right) of ", posing.text)
    return list(names) == sorted(names), side and side[1]


FEATURES: Mapping[str, Feature] = {
    CONSTANT: lambda _: None,
    "alphabetical": _alphabetical,
    "text length": lambda posing: len(posing.text),
    "number of pictures": lambda posing: len(posing.images),
    "number of steps": lambda posing: posing.context.count("move forward"),
    "kind, colour or shape": _levels,
    "colour of the first": lambda posing: _colours(posing)[0],
    "longer name": lambda posing: [len(name) for name in names_of(posing)],
}


def written(items: Iterable[Item]) -> dict[str, list[Posing]]:
    """Return the questions that accuracy is made of, by task."""
    found: dict[str, list[Posing]] = defaultdict(list)
    for item in items:
        found[str(item.task)] += [one for one in item.posings.values() if one.written]
    return dict(found)


def label(posing: Posing) -> Any:
    """Return the true answer as its number or its place among the options."""
    answer = posing.answer
    return answer if posing.form == "count" else posing.options.index(str(answer))


def right(posings: Sequence[Posing], feature: Feature) -> float:
    """Return how often who knows a feature alone is right; learnt and tried on different halves."""
    halves = posings[::2], posings[1::2]
    hits = 0
    for learnt, tried in (halves, halves[::-1]):
        seen: dict[str, Counter[Any]] = defaultdict(Counter)
        for one in learnt:
            seen[str(feature(one))][label(one)] += 1
        common = Counter(map(label, learnt)).most_common(1)[0][0]
        for one in tried:
            known = seen.get(str(feature(one)))
            hits += bool(label(one) == (known.most_common(1)[0][0] if known else common))
    return hits / len(posings)


def first_option(posings: Sequence[Posing]) -> float:
    """Return how often the first option is right; of numbers, 1."""
    found = [bool(label(one) == (1 if one.form == "count" else 0)) for one in posings]
    return sum(found) / len(found)


def figures(posings: Sequence[Posing]) -> dict[str, float]:
    """Return how often each of the agents is right; of the constant one, the best."""
    found = {name: right(posings, feature) for name, feature in FEATURES.items()}
    found[CONSTANT] = Counter(map(label, posings)).most_common(1)[0][1] / len(posings)
    return {**found, "first option": first_option(posings)}
