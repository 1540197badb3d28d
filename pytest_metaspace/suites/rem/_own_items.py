"""Questions of the benchmark about a walk as items: asked as it does, with relations where sound.

Each question is asked for accuracy, with the benchmark's answer. Relations are posed on those of
which the annotation says the same, and which a walk of ours would be asked, too; why others carry
none is counted.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from pytest_metaspace.domain import Posing
from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.suites.rem import _names, _slices, _wording
from pytest_metaspace.suites.rem._asks import Comparing, Ordering, Side
from pytest_metaspace.suites.rem._book import Book
from pytest_metaspace.suites.rem._course import Course, Sights, Unmet
from pytest_metaspace.suites.rem._drawing import draws
from pytest_metaspace.suites.rem._own_reading import FILES, Words, answer_of, ask_of, found, plain
from pytest_metaspace.suites.rem._own_tables import rows
from pytest_metaspace.suites.rem._own_walk import seen_names
from pytest_metaspace.suites.rem._relations import relate
from pytest_metaspace.trajectories._defects import brief

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from pytest_metaspace.domain import Item
    from pytest_metaspace.suites.rem._asks import Ask
    from pytest_metaspace.suites.rem._own_tables import Row
    from pytest_metaspace.suites.rem._own_walk import OwnWalk
    from pytest_metaspace.trajectories._moments import Findings

COLUMNS: Final = ("question", "answer")
_COUNTED: Final = {"frame": _names.SINGLE_FRAME, "rotation": _names.FULL_ROTATION}
_OPTIONS: Final = {
    _names.SIDES: Side("", "left", "").options,
    _names.ORDER: Ordering("", "").options,
}
_PLACE: Final = re.compile(r"(?:(?P<line>\d{1,9}):)?(?: field (?P<column>\w+):)?", re.ASCII)
_LONGEST: Final = 2_000
_LOOK: Final = "Look at what wrote the file."
_ADDED: Final = "its pictures cannot be rendered anew"


@dataclass
class _Gathered:
    """What is asked in a task.

    Attributes:
        posings: the questions by name.
        known: what is asked by now: names of what is understood, else the words.
        asks: those on which relations are posed.
        unrelated: why others are in no relation, by name.
        dropped: how many are in none, or are not asked, by reason.
    """

    posings: dict[str, Posing] = field(default_factory=dict)
    known: set[str] = field(default_factory=set)
    asks: list[Ask] = field(default_factory=list)
    unrelated: dict[str, str] = field(default_factory=dict)
    dropped: Counter[str] = field(default_factory=Counter)


@dataclass
class _OwnBook(Book):
    """Questions by name, those of the benchmark among them.

    Attributes:
        unrelated: why some of these are in no relation, by name.
    """

    unrelated: Mapping[str, str] = field(default_factory=dict)

    def pose(self, ask: Ask, course: Course | None = None, how: str = "") -> str:
        """Take in a question as any book does; one that is in no relation enters none.

        Raises:
            Unmet: its answer is not certain.
        """
        if not how and ask.name in self.unrelated:
            raise Unmet(self.unrelated[ask.name])
        return super().pose(ask, course, how)


def items(told: OwnWalk, folder: Path, findings: Findings) -> Iterator[Item]:
    """Yield the questions of each task that has some.

    Args:
        told: the walk, its sights with places as far as these are known.
        folder: in which the files of questions lie.
        findings: takes what is wrong.
    """
    course = Course.whole(Sights(told.walk))
    asker = _Asker(told, course, findings)
    for name, task in FILES.items():
        path = folder / name
        if not path.is_file():
            continue
        gathered = _Gathered()
        try:
            for row in rows(path, COLUMNS, findings):
                asker.take(path, task, row, gathered)
        except TrajectoryError as problem:
            line, column, what = _parts(str(problem).removeprefix(f"{path}:"))
            findings.add(column, what, "Its questions are not asked.", line=line, file=path)
        named = _COUNTED.get(told.walk.kind, task) if task == _names.COUNT else task
        if gathered.posings:
            yield _item(named, course, gathered)


def _item(task: str, course: Course, gathered: _Gathered) -> Item:
    book = _OwnBook(task, course, gathered.asks, draws(course.sights.walk, task))
    book.posings.update(gathered.posings)
    book.unrelated = gathered.unrelated
    if gathered.asks:
        relate(book)
    if "REM-ADDED" in book.unposed:
        book.unposed["REM-ADDED"] = _ADDED
    item = book.item(_slices.of_seen(course.sights.walk))
    return replace(_shared(item), dropped=gathered.dropped)


def _shared(item: Item) -> Item:
    """Return an item whose questions hold what is equal in them once: there are many."""
    contexts: dict[str, str] = {}
    images: dict[Sequence[Path], Sequence[Path]] = {}

    def one(posing: Posing) -> Posing:
        context = contexts.setdefault(posing.context, posing.context)
        shown = images.setdefault(posing.images, posing.images)
        if context is posing.context and shown is posing.images:
            return posing
        return replace(posing, context=context, images=shown)

    return replace(item, posings={name: one(posing) for name, posing in item.posings.items()})


class _Asker:
    """Makes questions of rows."""

    def __init__(self, told: OwnWalk, course: Course, findings: Findings) -> None:
        self._told = told
        self._course = course
        self._findings = findings
        self._words = Words.of(told)
        self._names: Mapping[str, tuple[str, ...]] = seen_names(told.walk)
        self._context = _wording.context(course)

    def take(self, path: Path, task: str, row: Row, gathered: _Gathered) -> None:
        """Take in what a row asks; say what is wrong with it."""
        text = " ".join(row.cells["question"].split())
        ask = ask_of(task, text, self._words)
        answer = answer_of(task, row.cells["answer"], ask, self._words)
        name = ask.name if ask else f"asked line {row.line} of {path.name}"
        meant = ask.name if ask else plain(text)
        wrong = _unusable(text, row.cells["answer"], ask, answer, again=meant in gathered.known)
        if wrong is not None or answer is None:
            column, what, reason = wrong or ("answer", "", "")
            self._say(path, row, column, f"{what}; it is left out.")
            gathered.dropped[f"left out: {reason}"] += 1
            return
        gathered.known.add(meant)
        gathered.posings[name] = Posing(
            text=ask.text(self._course) if ask else text,
            context=self._context,
            options=ask.options if ask else _OPTIONS.get(task, ()),
            images=self._course.pictures,
            answer=answer,
            form="count" if task == _names.COUNT else "word",
            written=True,
            slices=_slices.of_ask(ask, self._course) if ask and self._told.whole else {},
        )
        if ask is None:
            self._say(path, row, "question", f"is {brief(text)}: asked as it is, in no relation.")
            reason = "its words are not known"
        else:
            reason = self._unrelated(path, row, ask, answer)
        if reason:
            gathered.unrelated[name] = reason
            gathered.dropped[f"in no relation: {reason}"] += 1
        elif ask is not None:
            gathered.asks.append(ask)

    def _say(self, path: Path, row: Row, column: str, what: str) -> None:
        self._findings.add(column, what, _LOOK, line=row.line, file=path)

    def _unrelated(self, path: Path, row: Row, ask: Ask, answer: str | int) -> str:
        """Return why a question carries no relations; nothing where it does."""
        if not self._told.whole:
            return "annotations.csv cannot be read whole"
        possible = found(ask, self._told, self._names)
        if answer not in possible:
            says = " or ".join(map(str, possible)) or "nothing"
            self._say(
                path,
                row,
                "answer",
                f"is {answer}, and annotations.csv says {says}; it is asked all the same, in no "
                "relation.",
            )
            return "annotations.csv says otherwise"
        reason = _mixed(ask)
        if reason:
            return reason
        if isinstance(ask, Side) and not self._is_placed(ask):
            return "how far apart they are seen is not known"
        try:
            certain = ask.answer(self._course)
        except Unmet as unmet:
            return str(unmet)
        return "" if certain == answer else "annotations.csv says otherwise"

    def _is_placed(self, ask: Side) -> bool:
        """Whether places are known of all things of the two names, in each frame."""
        ids = {one for name in (ask.first, ask.second) for one in self._names.get(name, ())}
        return all(
            frame[one].spread_px < float("inf")
            for frame in self._told.walk.frames
            for one in ids & set(frame)
        )


def _parts(text: str) -> tuple[int | None, str, str]:
    """Return line, column and the rest of an error about a file, behind the name of the file."""
    match = _PLACE.match(text)
    assert match is not None  # as all of it may be missing
    line = int(match["line"]) if match["line"] else None
    return line, match["column"] or "", text[match.end() :].strip()


def _unusable(
    text: str, given: str, ask: Ask | None, answer: str | int | None, *, again: bool
) -> tuple[str, str, str] | None:
    """Return column, reason, and reason in short, of a row that is not asked."""
    if not text or len(text) > _LONGEST:
        return "question", f"has {len(text):,} characters, expected 1 to {_LONGEST:,}", "no text"
    if answer is None and ask is None:
        return (
            "question",
            f"is {brief(text)}, and {brief(given)} no answer",
            "its words are not known",
        )
    if answer is None:
        return "answer", f"is {brief(given)}, no answer to {brief(text)}", "no answer"
    if again:
        return "question", f"asks again what is asked before: {brief(text)}", "asked before"
    return None


def _mixed(ask: Ask) -> str:
    """Return why a question has not one meaning; nothing where it has."""
    if isinstance(ask, Comparing) and not ask.first.apart_from(ask.second):
        return "the two categories overlap"
    if isinstance(ask, (Ordering, Side)) and ask.first == ask.second:
        return "both have one name"
    return ""
