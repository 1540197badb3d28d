"""From files to questions of suites: one item of ``items.json``, or a walk's ``questions.json``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from pydantic import ValidationError

from pytest_metaspace.domain import (
    AsksAbout,
    Becomes,
    Capability,
    Defect,
    IfAnswer,
    IfCounts,
    Item,
    OnSide,
    Posing,
    ThenAnswer,
    Tie,
)
from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.trajectories import _item_schema as schema
from pytest_metaspace.trajectories import _json_index
from pytest_metaspace.trajectories._altered import shown
from pytest_metaspace.trajectories._defects import Unusable, brief, file_in, size_of
from pytest_metaspace.trajectories._episodes import usable
from pytest_metaspace.trajectories._json_text import json_of
from pytest_metaspace.trajectories._listed import looked_up, with_item
from pytest_metaspace.trajectories._stills import default_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from pydantic import BaseModel

    from pytest_metaspace.domain import Fact, Trajectory
    from pytest_metaspace.trajectories import Reading
    from pytest_metaspace.trajectories._altered import Change
    from pytest_metaspace.trajectories._json_index import Index

    _File = TypeVar("_File", bound=BaseModel)

_PAIR = 2
_LONGEST = 200
_PAGE = "See docs/format-items.md."


def index_of(path: Path) -> Index:
    """Return where the items of a file lie; walked over once in a process.

    Raises:
        TrajectoryError: the file cannot be read, or holds none.
    """
    try:
        return _json_index.index_of(path, _name)
    except TrajectoryError as problem:
        raise TrajectoryError(f"{problem} {_PAGE}") from problem


def _name(place: int, record: Any) -> str:
    given = record.get("id") if isinstance(record, dict) else None
    if isinstance(given, str) and len(given) <= _LONGEST and usable(given):
        return given
    return f"item-{place}"


def _checked(path: Path, content: Any, model: type[_File], where: str = "") -> _File:
    """Check what a file says, or what lies at a place in it.

    Raises:
        TrajectoryError: it does not fit; the text names each field.
    """
    try:
        return model.model_validate(content)
    except ValidationError as problem:
        lines = [
            f"{path}: field {'.'.join(filter(None, (where, field))) or '(the whole file)'}: {what}"
            for field, what in schema.complaints(problem, content)
        ]
        raise TrajectoryError("\n".join(lines) + f"\n{_PAGE}") from problem


def names_of(path: Path) -> Sequence[str]:
    """Return the names of the items, in order.

    Raises:
        TrajectoryError: the file cannot be read, or holds none.
    """
    return index_of(path).names


def load(path: Path, reading: Reading) -> Trajectory:
    """Load one item.

    Args:
        path: the file, with the name of the item behind it.
        reading: where changed pictures are kept.

    Raises:
        TrajectoryError: it cannot be asked; the text names the field and why.
    """
    main = path.parent
    index = index_of(main)
    place = looked_up(path, index.names)
    raw = _checked(main, index.read(place), schema.ItemFile, str(place))
    found = _Reader(main, str(place), reading.frames or default_folder()).item(raw)
    pictures = list(
        dict.fromkeys(one.of for posing in raw.posings.values() for one in posing.images)
    )
    if not pictures:
        raise TrajectoryError(
            f"{main}: field {place}.posings: none of them shows a picture. {_PAGE}"
        )
    shots = [main.parent / one for one in pictures]
    return with_item(
        path, found, shots, size_of(shots[0]), defects=tuple(_defects(index, place, raw))
    )


def _defects(index: Index, place: int, raw: schema.ItemFile) -> Iterator[Defect]:
    """Yield what is wrong with the file, and with the name of an item."""
    if index.problem:
        yield Defect(index.path, "", None, index.problem, "Fetch or write it again.")
    called = index.names[place]
    if "id" in raw.model_fields_set and raw.id != called:
        reason = (
            "which is that of an item before it"
            if _name(place, {"id": raw.id}) == raw.id
            else "which can be no name in a node id (printable ASCII without space, comma, slash, "
            "bracket and '::')"
        )
        yield Defect(
            index.path,
            f"{place}.id",
            None,
            f"is {brief(raw.id)}, {reason}; the item is called {brief(called)}.",
            "Write another id.",
        )


def questions(path: Path, frames: Path | None = None) -> Mapping[str, Item]:
    """Return the questions that a ``questions.json`` asks about the trajectory beside it, by task.

    Raises:
        TrajectoryError: it says something impossible.
    """
    raw = _checked(path, json_of(path), schema.QuestionsFile)
    found: dict[str, Item] = {}
    for place, one in enumerate(raw.items):
        made = _Reader(path, f"items.{place}", frames or default_folder()).item(one)
        if made.task in found:
            raise TrajectoryError(f"{path}: field items.{place}.task: {one.task} occurs twice.")
        found[made.task] = made
    return found


class _Reader:
    """Makes an item of what a file says, and refuses what cannot be."""

    def __init__(self, path: Path, where: str, frames: Path) -> None:
        self._path = path
        self._where = where
        self._frames = frames
        self._files: dict[str, Path] = {}

    def item(self, raw: schema.ItemFile) -> Item:
        """Return an item."""
        try:
            task = Capability(raw.task)
            assert task.suite is not None
        except (ValueError, AssertionError):
            self._refuse("task", f"is {brief(raw.task)}, expected one of a suite, as in REM-count.")
        posings: dict[str, Posing] = {}
        for name, one in raw.posings.items():
            posings[name] = self._posing(f"posings.{name}", one, posings)
        ties = tuple(self._tie(f"ties.{place}", one, posings) for place, one in enumerate(raw.ties))
        self._once(ties)
        return Item(
            task=task,
            posings=posings,
            ties=ties,
            unposed=raw.unposed,
            slices=raw.slices,
            twin=raw.twin,
            probe=raw.probe,
        )

    def _refuse(self, field: str, what: str) -> NoReturn:
        raise TrajectoryError(f"{self._path}: field {self._where}.{field}: {what} {_PAGE}")

    def _posing(self, where: str, raw: schema.PosingFile, known: Mapping[str, Posing]) -> Posing:
        like: Posing | None = None
        if raw.like is not None:
            like = known.get(raw.like)
            if like is None:
                self._refuse(f"{where}.like", f"there is no {brief(raw.like)} before it.")

        def of(field: str) -> Any:
            own = like is None or field in raw.model_fields_set
            return getattr(raw if own else like, field)

        images = of("images")
        if like is None or "images" in raw.model_fields_set:
            images = shown([self._picture(where, one) for one in raw.images], self._frames)
        made = Posing(
            text=of("text"),
            context=of("context"),
            options=of("options"),
            images=images,
            answer=of("answer"),
            form=of("form"),
            written=raw.written,
            slices=raw.slices,
        )
        self._check(where, made)
        return made

    def _picture(self, where: str, raw: schema.PictureFile) -> tuple[Path, Change | None]:
        if raw.of not in self._files:
            try:
                self._files[raw.of] = file_in(self._path.parent, raw.of)
                size_of(self._files[raw.of])
            except Unusable as problem:
                self._refuse(f"{where}.images", str(problem))
        return self._files[raw.of], raw.change

    def _check(self, where: str, made: Posing) -> None:
        if not made.text.strip():
            self._refuse(f"{where}.text", "is missing.")
        if made.form == "count":
            if made.options:
                self._refuse(f"{where}.options", "a number has none.")
            if made.answer is not None and not isinstance(made.answer, int):
                self._refuse(f"{where}.answer", f"is {brief(made.answer)}, expected a number.")
            return
        if len(made.options) < _PAIR:
            self._refuse(f"{where}.options", "are fewer than two.")
        if len({one.casefold() for one in made.options}) < len(made.options):
            self._refuse(f"{where}.options", "two are equal.")
        if made.answer is not None and made.answer not in made.options:
            self._refuse(f"{where}.answer", f"is {brief(made.answer)}, no option.")

    def _tie(self, where: str, raw: schema.TieFile, posings: Mapping[str, Posing]) -> Tie:
        if len(set(raw.posings)) < len(raw.posings):
            self._refuse(f"{where}.posings", "one occurs twice.")
        for name in raw.posings:
            if name not in posings:
                self._refuse(f"{where}.posings", f"there is no {brief(name)}.")
        for place, one in enumerate(raw.givens):
            told = {getattr(one, key, None) for key in ("question", "first", "second")} - {None}
            if not told <= set(raw.posings):
                self._refuse(f"{where}.givens.{place}", "names a question that is not in posings.")
        return Tie(
            relation=raw.relation,
            law=raw.law,
            posings=raw.posings,
            givens=tuple(map(_given, raw.givens)),
        )

    def _once(self, ties: Iterable[Tie]) -> None:
        """Refuse two ties that would be one case."""
        seen: set[tuple[str, ...]] = set()
        for place, tie in enumerate(ties):
            case = (tie.relation, *tie.posings)
            if case in seen:
                self._refuse(f"ties.{place}", f"{tie.relation} has these posings already.")
            seen.add(case)


def _given(raw: schema.Given) -> Fact:
    match raw:
        case schema.BecomesFile():
            return Becomes(raw.option, raw.becomes)
        case schema.IfAnswerFile():
            return IfAnswer(raw.rule, raw.question, raw.option)
        case schema.IfCountsFile():
            return IfCounts(raw.rule, raw.compares, raw.first, raw.second)
        case schema.ThenAnswerFile():
            return ThenAnswer(raw.rule, raw.question, raw.option)
        case schema.SideFile():
            return OnSide(raw.side, raw.question)
        case schema.AsksAboutFile():
            return AsksAbout(raw.question, raw.option)
