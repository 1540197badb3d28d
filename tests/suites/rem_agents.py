"""Agents that read a question and look at what its pictures show; and whether ties are kept.

They know nothing of how questions are made: they read its words and its pictures.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from pytest_metaspace.domain import Becomes, IfAnswer, IfCounts, OnSide, ThenAnswer
from pytest_metaspace.trajectories._altered import Altered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pytest_metaspace.domain import Item, Posing, Tie
    from pytest_metaspace.suites.rem._seen import Sight, Walk

    Answer = Any

MANY = re.compile(r"How many (?:different )?(.+?) can be seen")
MORE = re.compile(r"more different (.+?) or more different (.+?) in all")
WHEN = re.compile(r"Is the (.+?) seen for the first time before the (.+?),")
SIDE = re.compile(r"is the (.+?) to the (left|right) of the (.+?)\?")
FIRST_NUMBER = {"more": 1, "equal": 0, "fewer": -1}


@dataclass(frozen=True)
class Look:
    """A picture as it is shown: what is in it by thing, and where across."""

    sights: Mapping[str, Sight]
    mirrored: bool
    frame: int

    def across(self, thing: str, by: str = "centre_x") -> float:
        x = float(getattr(self.sights[thing], by))
        return -x if self.mirrored else x


class Agent:
    """Somebody who sees each thing and keeps it apart from others.

    Args:
        walk: what they see.
        notices: whether a sliver is noticed, by its picture and its thing.
        by: by what they tell where a thing is.
        at: which of the pictures that show two things they look at, for sides.
    """

    def __init__(
        self,
        walk: Walk,
        notices: Callable[[str, str], bool] = lambda *_: True,
        by: str = "centre_x",
        at: int = 0,
    ) -> None:
        self.walk, self.notices, self.by, self.at = walk, notices, by, at
        known = (walk, walk.added) if walk.added else (walk,)
        self._shows = {
            str(path): (place, frame)
            for one in known
            for place, (path, frame) in enumerate(zip(one.pictures, one.frames))
        }
        self._names = {thing.id: thing.name for one in known for thing in one.things}

    def looks(self, posing: Posing) -> list[Look]:
        images = posing.images
        parts = (
            [(str(path), change == "mirrored") for path, change in images.parts]
            if isinstance(images, Altered)
            else [(str(path), False) for path in images]
        )
        return [self._look(path, mirrored) for path, mirrored in parts]

    def _look(self, path: str, mirrored: bool) -> Look:
        place, frame = self._shows[path]
        seen = {
            name: sight for name, sight in frame.items() if sight.clear or self.notices(path, name)
        }
        return Look(seen, mirrored, place)

    def answer(self, posing: Posing) -> Answer:
        looks = self.looks(posing)
        if found := MANY.search(posing.text):
            return self.number(looks, found[1])
        if found := MORE.search(posing.text):
            first, second = (self.number(looks, one) for one in found.groups())
            return "equal" if first == second else found[1 if first > second else 2]
        if found := WHEN.search(posing.text):
            first, second = (self.first(looks, one) for one in found.groups())
            return "same time" if first == second else "before" if first < second else "after"
        found = SIDE.search(posing.text)
        assert found
        is_left = self.left_of(looks, found[1], found[3])
        return "yes" if is_left == (found[2] == "left") else "no"

    def is_one(self, thing: str, words: str) -> bool:
        """Whether a thing is meant by "red cones", "red objects" or "cones"."""
        colour, shape = self._names[thing].split()
        told = {colour, "objects", f"{shape}s", f"{shape}es"}
        return set(words.split()) <= told

    def is_called(self, thing: str, name: str) -> bool:
        return self._names[thing] == name

    def number(self, looks: Sequence[Look], words: str) -> int:
        return len({name for one in looks for name in one.sights if self.is_one(name, words)})

    def first(self, looks: Sequence[Look], name: str) -> int:
        return min(at for at, one in enumerate(looks) if self._find(one, name))

    def left_of(self, looks: Sequence[Look], first: str, second: str) -> bool:
        both = [one for one in looks if self._find(one, first) and self._find(one, second)]
        one = both[self.at]
        a, b = (self._find(one, name)[0] for name in (first, second))
        return one.across(a, self.by) < one.across(b, self.by)

    def _find(self, look: Look, name: str) -> list[str]:
        return [one for one in look.sights if self.is_called(one, name)]


def perfect(walk: Walk) -> list[Agent]:
    """Agents that are all right, and differ in what they notice and how they measure."""

    def by_chance(picture: str, thing: str) -> bool:
        return sha256(f"{walk.number} {picture} {thing}".encode()).digest()[0] % 2 == 0

    return [
        Agent(walk),
        Agent(walk, lambda *_: False, "pixels_x", -1),
        Agent(walk, by_chance, "pixels_x", 0),
    ]


class Mirror(Agent):
    """Takes left for right in all that it sees."""

    def left_of(self, looks: Sequence[Look], first: str, second: str) -> bool:
        return not super().left_of(looks, first, second)


class Forgetful(Agent):
    """Forgets what is out of view: of a walk it knows what the last two pictures show."""

    def number(self, looks: Sequence[Look], words: str) -> int:
        return super().number(looks[-2:], words)


class Fused(Agent):
    """Takes the view behind it for the view in front: after half a circle nothing is new."""

    def number(self, looks: Sequence[Look], words: str) -> int:
        turns = self.walk.kind == "rotation"
        shown = looks[: len(self.walk.frames) // 2] if turns else looks
        return super().number(shown, words)


class Recounting(Agent):
    """Counts a thing again that comes back into view."""

    def number(self, looks: Sequence[Look], words: str) -> int:
        before = [dict[str, Any](), *(dict(one.sights) for one in looks)]
        return sum(
            name not in old and self.is_one(name, words)
            for old, one in zip(before, looks)
            for name in one.sights
        )


MUTANTS: Mapping[str, type[Agent]] = {
    "takes left for right": Mirror,
    "forgets what is out of view": Forgetful,
    "takes behind for in front": Fused,
    "counts again what comes back": Recounting,
}


# --------------------------------------------------------------------------------- judgement


def complaints(walk: Walk, items: Iterable[Item]) -> list[str]:
    """Return what somebody who looks closely has to say against the questions about a walk."""
    found = []
    for item in items:
        for agent in perfect(walk):
            try:
                said = answers(agent, item)
            except (ValueError, IndexError):
                found.append(f"{item.task}: cannot be answered")
                continue
            found += [
                f"{item.task}: {name}: {said[name]}, not {posing.answer}"
                for name, posing in item.posings.items()
                if said[name] != posing.answer
            ]
            found += [f"{tie.relation}: {tie.posings}" for tie in item.ties if not kept(tie, said)]
        found += [
            f"{item.task}: {name}: {why}"
            for name, posing in item.posings.items()
            if posing.written and (why := _unfair(Agent(walk), item, posing))
        ]
    return found


def _unfair(agent: Agent, item: Item, posing: Posing) -> str:
    """Return why a question should not have been written; empty for one that is fine."""
    looks = agent.looks(posing)
    if found := MORE.search(posing.text):
        both = [
            [{name for name in one.sights if agent.is_one(name, words)} for words in found.groups()]
            for one in looks
        ]
        shared = any(first and second for first, second in both)
        if shared != (str(item.task) == "REM-compare-in"):
            return "in and out of frame are mixed up"
        return "they overlap" if any(first & second for first, second in both) else ""
    found = WHEN.search(posing.text) or SIDE.search(posing.text)
    names = (found[1], found[found.re.groups]) if found else ()
    seen = {name for one in looks for name in one.sights}
    if any(sum(agent.is_called(one, name) for one in seen) > 1 for name in names):
        return "a name means two things"
    return _unclear(agent, looks, *names) if SIDE.search(posing.text) else ""


def _unclear(agent: Agent, looks: Sequence[Look], first: str, second: str) -> str:
    gaps = []
    clear = False
    for one in looks:
        a, b = ([x for x in one.sights if agent.is_called(x, name)] for name in (first, second))
        if a and b:
            clear = clear or (one.sights[a[0]].clear and one.sights[b[0]].clear)
            gaps += [one.across(b[0], by) - one.across(a[0], by) for by in ("centre_x", "pixels_x")]
    near = min(map(abs, gaps)) < 10 or min(gaps) < 0 < max(gaps)
    return "" if clear and not near else "the side is not clear"


def answers(agent: Agent, item: Item) -> dict[str, Answer]:
    return {name: agent.answer(posing) for name, posing in item.posings.items()}


def kept(tie: Tie, said: Mapping[str, Answer]) -> bool | None:
    """Return whether a tie is kept; None where it says nothing about these answers."""
    if tie.law in ("SUM", "MON"):
        total: Counter[str] = Counter()
        for given in tie.givens:
            assert isinstance(given, OnSide)
            total[given.side] += said[given.posing]
        left, right = total["left"], total["right"]
        return left == right if tie.law == "SUM" else left <= right
    if tie.law == "MAP":
        first, second = (said[name] for name in tie.posings)
        follows = {one.option: one.becomes for one in tie.givens if isinstance(one, Becomes)}
        if not follows:
            return bool(first == second)
        return bool(follows[first] == second) if first in follows else None
    assert tie.law == "IMP"
    held = [one for one in tie.givens if isinstance(one, ThenAnswer) and _holds(tie, one, said)]
    return all(said[one.posing] == one.answer for one in held) if held else None


def _holds(tie: Tie, then: ThenAnswer, said: Mapping[str, Answer]) -> bool:
    told: Iterable[Any] = (one for one in tie.givens if getattr(one, "rule", "") == then.rule)
    return all(_met(one, said) for one in told if one is not then)


def _met(condition: IfAnswer | IfCounts, said: Mapping[str, Answer]) -> bool:
    if isinstance(condition, IfAnswer):
        return bool(said[condition.posing] == condition.answer)
    first, second = said[condition.first], said[condition.second]
    return bool((first > second) - (first < second) == FIRST_NUMBER[condition.compares])
