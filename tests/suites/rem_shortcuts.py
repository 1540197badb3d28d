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


def _level(posing: Posing) -> str:
    """Return whether kinds, colours or shapes are asked for."""
    found = re.search(r"(\w+ )?(\w+) can be seen|more different (\w+ )?(\w+) ", posing.text)
    first, noun = (found[1] or found[3], found[2] or found[4]) if found else ("", "")
    if noun == "objects":
        return "colour"
    return "kind" if first not in (None, "many ", "different ") else "shape"


def _alphabetical(posing: Posing) -> Any:
    names = names_of(posing)
    side = re.search(r" to the (left|right) of ", posing.text)
    return list(names) == sorted(names), side and side[1]


FEATURES: Mapping[str, Feature] = {
    CONSTANT: lambda _: None,
    "alphabetical": _alphabetical,
    "text length": lambda posing: len(posing.text),
    "number of pictures": lambda posing: len(posing.images),
    "kind, colour or shape": _level,
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
