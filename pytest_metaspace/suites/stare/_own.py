"""The benchmark's own items, as the user downloaded them: JSON Lines and a folder of pictures.

A record has ``qid`` (or ``pid``), ``question``, ``images``, ``answer``, ``category`` and
``other_info``. Its pictures are as they are: letters of options may be drawn in them, so relations
that would change a picture have no case there.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NoReturn

from pytest_metaspace.domain import AS_WRITTEN, Capability, Item, Posing
from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.suites import ties
from pytest_metaspace.suites.stare import CODE
from pytest_metaspace.trajectories._defects import Unusable, brief, file_in, size_of
from pytest_metaspace.trajectories._json_rows import rows
from pytest_metaspace.trajectories._listed import looked_up, with_item
from pytest_metaspace.trajectories._moments import Findings

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pytest_metaspace.domain import Defect, Trajectory
    from pytest_metaspace.trajectories import Reading

TASKS: Final = {
    "2d_va": "analogy-2d",
    "2d_text_instruct": "instruction-2d",
    "3d_va": "analogy-3d",
    "3d_text_instruct": "instruction-3d",
    "folding_nets": "folding",
    "tangram_puzzle": "tangram",
    "perspective": "perspective",
    "temporal": "temporal",
}
"""Categories, in small letters and without ``_vsim``, and the tasks that they are."""
_SIMULATED: Final = "_vsim"
_OPTION: Final = re.compile(r"^\s*\(?([A-D])[.):]\s*(\S.*?)\s*$", re.MULTILINE)
_LETTERS: Final = ("A", "B", "C", "D")
_FEWER: Final = {"temporal": 3}
"""Tasks whose options are pictures with letters, and how many there are where not four."""
_STEPS: Final = re.compile(r"(\d)steps_(easy|medium|hard)")
_RIGHT: Final = "Which option is right?"
_LONGEST: Final = 600
"""An option has at most so many characters, and so has the question behind what is told first."""
_LONGEST_QUESTION: Final = 20_000


def names_of(path: Path) -> Sequence[str]:
    """Return the names of the items, in order.

    Raises:
        TrajectoryError: the file cannot be read, or holds none.
    """
    return tuple(_records(path, _changed(path))[0])


def load(path: Path, reading: Reading) -> Trajectory:
    """Load one item.

    Args:
        path: the file, with the name of the item behind it.
        reading: says nothing that matters here: pictures lie beside the file.

    Raises:
        TrajectoryError: it cannot be asked; the text names the line, the field and why.
    """
    main = path.parent
    del reading
    records, defects = _records(main, _changed(main))
    looked_up(path, tuple(records))
    line, record = records[path.name]
    return _Reader(main, line, record).item(path, defects)


def _changed(path: Path) -> tuple[int, int]:
    try:
        stat = path.stat()
    except OSError as problem:
        raise TrajectoryError(f"{path}: cannot be read ({problem.strerror}).") from problem
    return stat.st_mtime_ns, stat.st_size


@lru_cache(maxsize=8)
def _records(
    path: Path, changed: tuple[int, int]
) -> tuple[dict[str, tuple[int, dict[str, Any]]], tuple[Defect, ...]]:
    """Return records by name, each with its line, and what is wrong with the file."""
    del changed  # it says that the file is the same
    findings = Findings(path)
    found: dict[str, tuple[int, dict[str, Any]]] = {}
    for line, record in rows(path, findings):
        given = record.get("qid", record.get("pid"))
        name = re.sub(r"[^A-Za-z0-9._-]+", "_", str(given)).strip("._-")[:80] or f"line-{line}"
        while name in found:
            name = f"{name}-{line}"
        found[name] = (line, record)
    return found, findings.all


class _Reader:
    """Checks one record, field by field."""

    def __init__(self, main: Path, line: int, record: dict[str, Any]) -> None:
        self._main = main
        self._line = line
        self._record = record

    def item(self, path: Path, defects: tuple[Defect, ...]) -> Trajectory:
        """Return the item as a trajectory."""
        task, slices = self._task()
        images = self._images()
        context, text, options = self._question(task)
        answer = self._answer(options)
        written = Posing(
            text=text,
            context=context,
            options=options,
            images=images,
            answer=answer,
            written=True,
        )
        item = _with_order(Capability.of_suite(CODE, task), written, slices)
        return with_item(path, item, images, size_of(images[0]), defects=defects)

    def _refuse(self, field: str, what: str) -> NoReturn:
        raise TrajectoryError(
            f"{self._main}:{self._line}: field {field}: {what} See docs/suite-stare.md."
        )

    def _text(self, field: str) -> str:
        given = self._record.get(field)
        if not isinstance(given, str) or not given.strip():
            self._refuse(field, f"is {brief(given)}, expected a text.")
        return given.strip()

    def _task(self) -> tuple[str, dict[str, str]]:
        category = self._text("category")
        plain = category.lower()
        simulated = plain.endswith(_SIMULATED)
        task = TASKS.get(plain.removesuffix(_SIMULATED))
        if task is None:
            self._refuse("category", f"is {brief(category)}, expected one of {', '.join(TASKS)}.")
        slices = {"simulation": "with" if simulated else "without"}
        found = _STEPS.match(str(self._record.get("other_info", "")))
        if found is not None:
            slices |= {"steps": found[1], "difficulty": found[2]}
        return task, slices

    def _images(self) -> tuple[Path, ...]:
        given = self._record.get("images")
        if not isinstance(given, list) or not 0 < len(given) <= 64:  # noqa: PLR2004 - a few
            self._refuse("images", f"is {brief(given)}, expected a list of paths.")
        found = []
        for place, one in enumerate(given):
            if not isinstance(one, str):
                self._refuse(f"images.{place}", f"is {brief(one)}, expected a path.")
            try:
                found.append(file_in(self._main.parent, one))
                size_of(found[-1])
            except Unusable as problem:
                self._refuse(f"images.{place}", str(problem))
        return tuple(found)

    def _question(self, task: str) -> tuple[str, str, tuple[str, ...]]:
        """Return what is told first, its pictures by number, the question, and its options."""
        whole = self._text("question")
        if len(whole) > _LONGEST_QUESTION:
            self._refuse("question", f"has more than {_LONGEST_QUESTION} characters.")
        told = dict(_OPTION.findall(whole))
        options = tuple(told.values())
        if tuple(told) != _LETTERS[: len(told)] or len(told) == 1:
            self._refuse("question", f"has the options {', '.join(told)}.")
        if any(len(one) > _LONGEST for one in options):
            self._refuse("question", f"has an option of more than {_LONGEST} characters.")
        if len({one.casefold() for one in options}) < len(options):
            self._refuse("question", "has two equal options.")
        lines = [line.strip() for line in _numbered(_OPTION.sub("", whole)).splitlines()]
        told_first = [line for line in lines if line]
        asked = _RIGHT
        if options and told_first[-1].endswith("?") and len(told_first[-1]) <= _LONGEST:
            asked = told_first.pop()
        if not options:  # they are drawn, with letters
            options = _LETTERS[: _FEWER.get(task, len(_LETTERS))]
        return " ".join(told_first), asked, options

    def _answer(self, options: tuple[str, ...]) -> str:
        given = self._text("answer").upper()
        if given not in _LETTERS[: len(options)]:
            last = _LETTERS[len(options) - 1]
            self._refuse("answer", f"is {brief(given)}, expected a letter, A to {last}.")
        return options[_LETTERS.index(given)]


def _numbered(text: str) -> str:
    """Return text with ``[image 1]`` and so on where the pictures stand."""
    parts = text.split("<image>")
    shown = [f"{part}[image {place}]" for place, part in enumerate(parts[:-1], start=1)]
    return "".join([*shown, parts[-1]])


def _with_order(task: Capability, written: Posing, slices: dict[str, str]) -> Item:
    """Return an item that is also put with its options the other way round, where they are text."""
    relation = f"{CODE}-ORDER"
    if written.options == _LETTERS[: len(written.options)]:
        return Item(
            task=task,
            posings={AS_WRITTEN: written},
            unposed={relation: "the letters of its options are drawn"},
            slices=slices,
        )
    turned = Posing(
        text=written.text,
        context=written.context,
        options=written.options[::-1],
        images=written.images,
        answer=written.answer,
    )
    same = {option: option for option in written.options}
    return Item(
        task=task,
        posings={AS_WRITTEN: written, "reordered": turned},
        ties=(ties.mapped(relation, AS_WRITTEN, "reordered", same),),
        slices=slices,
    )
