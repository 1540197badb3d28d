"""Writes walks: native folders with questions beside, and a list of single frames.

A walk depends on the order's seed, its options and its own number alone. Pictures that are there
stay, and what is finished is not made again, so that a build goes on where it was stopped.
"""

from __future__ import annotations

import json
from collections import Counter
from contextlib import ExitStack
from typing import TYPE_CHECKING, Final, cast

from pytest_metaspace import files
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.reports.terminal import plural
from pytest_metaspace.suites.building import all_there, begun, note, whole
from pytest_metaspace.suites.rem import _native, _sightings
from pytest_metaspace.suites.rem._choice import TURN_OBJECTS, VARIED, chosen
from pytest_metaspace.suites.rem._making import LEAST_SEEN, make
from pytest_metaspace.suites.rem._path import ROUND
from pytest_metaspace.suites.rem._questions import questions
from pytest_metaspace.suites.rem._render import Studio
from pytest_metaspace.suites.rem._seen import walk_id
from pytest_metaspace.suites.writing import asks_nothing, write_items, write_questions
from pytest_metaspace.trajectories import MAIN_FILE as TRAJECTORY
from pytest_metaspace.trajectories.items import MAIN_FILE, QUESTIONS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from pytest_metaspace.domain import Item
    from pytest_metaspace.suites import Order
    from pytest_metaspace.suites.rem._choice import Chosen
    from pytest_metaspace.suites.rem._questions import Questions
    from pytest_metaspace.suites.rem._seen import Kind

_SUITE: Final = "rem"
_NAMES: Final = {"walk": "walk", "rotation": "full rotation", "frame": "single frame"}
_UNUSED: Final = {"frame": ("frames",), "rotation": ("frames", "objects", "duplicates")}
_WHY: Final = {
    "frame": "each has one frame",
    "rotation": f"each has {ROUND} frames and {TURN_OBJECTS} objects",
}


def build(order: Order) -> list[str]:
    """Write what is ordered, as far as it is not there; return what to say of it.

    Raises:
        UsageProblem: it cannot be written or drawn, nothing is like that, or the folder holds
            items of another order.
    """
    wanted = str(order.options.get("kind", "walk"))
    _require_used(wanted, order.options)
    finished = begun(order, _SUITE)
    frames = max(order.items, finished)
    kinds = tuple(_NAMES) if wanted == "all" else (wanted,)
    plan = {
        cast("Kind", kind): [
            chosen(cast("Kind", kind), n, order.options)
            for n in range(frames if kind == "frame" else order.items)
        ]
        for kind in kinds
    }
    with ExitStack() as stack:
        builder = _Builder(order, finished, sum(map(len, plan.values())), stack)
        told = [line for kind, many in plan.items() for line in builder.lines(kind, many)]
    if order.items > finished:
        note(order, _SUITE, order.items)
    return told


def _require_used(wanted: str, options: Mapping[str, int | str]) -> None:
    """Make sure that no option goes nowhere.

    Raises:
        UsageProblem: one does.
    """
    for name in _UNUSED.get(wanted, ()):
        if options.get(name, VARIED) != VARIED:
            raise UsageProblem(
                f"metaspace: --{name} is of no use with --kind {wanted}: {_WHY[wanted]}. Leave it "
                "out."
            )


class _Builder:
    """Builds one kind after the other, with one studio that is opened when it is needed."""

    def __init__(self, order: Order, finished: int, total: int, stack: ExitStack) -> None:
        self._order = order
        self._finished = finished
        self._done, self._total = 0, total
        self._stack = stack
        self._studio: Studio | None = None

    def lines(self, kind: Kind, many: list[Chosen]) -> list[str]:
        """Build all of a kind; return what to say of it."""
        if kind == "frame":
            return self._single_frames(many)
        made = _Made()
        there = 0
        for number, one in enumerate(many):
            folder = self._order.folder / walk_id(kind, self._order.seed, number)
            if _is_there(folder):
                there += 1
                made.idle += asks_nothing(folder)
            else:
                self._folder(folder, kind, number, one, made)
            self._tell(1)
        return self._said(kind, len(many), there, made)

    def _folder(self, folder: Path, kind: Kind, number: int, one: Chosen, made: _Made) -> None:
        """Write one walk; its questions last, as they say that it is whole."""
        new = make(self._drawing(), folder, kind, self._order.seed, number, one)
        seen = _sightings.boxes(self._drawing(), new.places, new.poses)
        _native.write(folder, new.walk, new.poses, new.places, seen)
        asked = questions(new.walk)
        write_questions(folder, asked.items)
        made.add(asked, new.redrawn)

    def _single_frames(self, many: list[Chosen]) -> list[str]:
        folder, seed = self._order.folder, self._order.seed
        if self._finished >= self._order.items and whole(folder / MAIN_FILE, folder):
            self._tell(len(many))
            return self._said("frame", len(many), len(many), _Made())
        named: list[tuple[str, Item]] = []
        made = _Made()
        for number, one in enumerate(many):
            new = make(self._drawing(), folder, "frame", seed, number, one)
            asked = questions(new.walk)
            named += [(walk_id("frame", seed, number), item) for item in asked.items]
            made.add(asked, new.redrawn)
            self._tell(1)
        if named:
            write_items(folder, named)
        return self._said("frame", len(many), 0, made)

    def _said(self, kind: Kind, count: int, there: int, made: _Made) -> list[str]:
        where, name = files.told(self._order.folder), _NAMES[kind]
        asked = self._order.items if there == count else count
        head = f"{where}: {plural(asked, name)}, seed {self._order.seed}"
        idle = [f"  {plural(made.idle, name)} {'asks' if made.idle == 1 else 'ask'} nothing"]
        if there == count:
            told = all_there(self._order, self._finished)
            return [f"{head}: {told}", *idle[: made.idle]]
        if not there:
            return [head, *idle[: made.idle], *made.lines()]
        head += f"; {there} {'was' if there == 1 else 'were'} there already"
        new = f"  {plural(count - there, name)} made now:"
        return [head, *idle[: made.idle], new, *made.lines()]

    def _tell(self, more: int) -> None:
        self._done += more
        self._order.tell(self._done, self._total)

    def _drawing(self) -> Studio:
        """Return what draws; nothing is written before it is there, and whose all is first."""
        if self._studio is None:
            self._studio = self._stack.enter_context(Studio())
            note(self._order, _SUITE, self._finished)
        return self._studio


def _is_there(folder: Path) -> bool:
    """Whether a walk is all there, as far as can be seen without drawing it."""
    return all((folder / name).is_file() for name in _native.FILES) and (
        _shows_all(folder) if asks_nothing(folder) else whole(folder / QUESTIONS, folder)
    )


def _shows_all(folder: Path) -> bool:
    """Whether a walk has all its frames, where no question names them."""
    try:
        states = json.loads((folder / TRAJECTORY).read_bytes())["states"]
        return all((folder / one["frame"]).is_file() for one in states)
    except (OSError, ValueError, LookupError, TypeError):
        return False


class _Made:
    """Counts what is asked, and what filters dropped.

    Attributes:
        idle: how many ask nothing, those among them that were there.
    """

    def __init__(self) -> None:
        self._tasks: dict[str, Counter[str]] = {}
        self._dropped: Counter[str] = Counter()
        self._unposed: Counter[str] = Counter()
        self.idle = 0

    def add(self, asked: Questions, redrawn: int) -> None:
        """Count the questions about a walk."""
        self.idle += not asked.items
        for item in asked.items:
            task = self._tasks.setdefault(str(item.task), Counter())
            task["posings"] += len(item.posings)
            task["written"] += sum(posing.written for posing in item.posings.values())
            task["ties"] += len(item.ties)
            self._unposed.update(f"{name}: {why}" for name, why in item.unposed.items())
        self._dropped.update(asked.dropped)
        if redrawn:
            self._dropped[f"scene: fewer than {LEAST_SEEN} things are seen clearly"] += redrawn

    def lines(self) -> Iterator[str]:
        """Yield what to say."""
        for task, counts in sorted(self._tasks.items()):
            yield (
                f"  {task}: {counts['written']} questions, {counts['posings']} with the changed "
                f"ones, {counts['ties']} cases of relations"
            )
        for head, counts in (("dropped", self._dropped), ("no case of", self._unposed)):
            for what, count in sorted((+counts).items()):
                yield f"  {head} {what} ({count})"
