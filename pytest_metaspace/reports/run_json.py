"""The report as JSON: everything that a run has to tell, from which every other one is rebuilt.

One object (docs/reports-json.md); each case, question and trajectory has a line of its own, so
that files can be compared line by line. Equal reports give equal bytes.
"""

from __future__ import annotations

import codecs
import json
import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from pytest_metaspace import files
from pytest_metaspace.canonical import canonical_json
from pytest_metaspace.coding import Misfit, decoded, encoded
from pytest_metaspace.domain import Report
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.prompts.words import one_line
from pytest_metaspace.reports.formats import ReportFormat

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytest_metaspace.domain import Step

FORMAT: Final = "metaspace-report"
VERSION: Final = 1
START: Final = f'{{\n"format":"{FORMAT}"'
_AN_ADDRESS: Final = 4
_HEAD: Final = 200  # bytes, in which the format is told even where somebody indented the file
_AGAIN: Final = (
    "Take the file whole from where it was written, or run again with --metaspace-report=json."
)


# --------------------------------------------------------------------------------- writing


def write(report: Report, path: Path) -> list[str]:
    """Write a report, whole or not at all; frames are told from the folder of the file.

    Raises:
        UsageProblem: it cannot be written.
    """
    folder = os.path.realpath(path.parent)
    files.put(path, "".join(_lines(_framed(report, lambda frame: _from_folder(frame, folder)))))
    return []


def _framed(report: Report, turned: Callable[[str], str]) -> Report:
    """Return a report with other names of the files of its frames."""
    return replace(
        report,
        trajectories=tuple(
            replace(one, frames=tuple(map(turned, one.frames))) for one in report.trajectories
        ),
    )


def _from_folder(frame: str, folder: str) -> str:
    """Return a file as it is told in a file of a folder: relative, with slashes."""
    if not os.path.isabs(frame):  # noqa: PTH117 - there are hundreds of thousands
        return frame
    try:
        return os.path.relpath(frame, folder).replace(os.sep, "/")
    except ValueError:  # on another drive of Windows
        return frame


def _lines(report: Report) -> Iterator[str]:
    yield f'{START},\n"version":{VERSION}'
    fields = encoded(report)
    for name in sorted(fields, key=lambda name: isinstance(fields[name], (dict, list))):
        yield f',\n"{name}":'
        value = fields.pop(name)
        if isinstance(value, list) and value:
            yield "[\n"
            yield ",\n".join(map(_ordered, value))
            yield "\n]"
        else:
            yield _ordered(value)
    yield "\n}\n"


#  In the order of the fields, for people; what has no order of its own was sorted before.
_ordered: Final = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


# --------------------------------------------------------------------------------- reading


def is_report(path: Path) -> bool:
    """Whether a file is a report in JSON, as far as its beginning tells."""
    try:
        with path.open("rb") as file:
            start = file.read(_HEAD).removeprefix(codecs.BOM_UTF8)
    except OSError:
        return False
    return f'"format":"{FORMAT}"'.encode("ascii") in b"".join(start.split())


def read(path: Path, text: str | None = None) -> Report:
    """Read a report; the files of its frames are told from the root.

    Args:
        path: where it lies.
        text: its text, where it has been read already.

    Raises:
        UsageProblem: it cannot be read, or is no such report; with file, field and next step.
    """
    shown = files.told(path)
    found = _parsed(_text(path) if text is None else text, shown)
    for name, wanted in (("format", FORMAT), ("version", VERSION)):
        told = found.pop(name, None)
        if told != wanted or isinstance(told, bool):
            raise UsageProblem(
                f"{shown}: field {name}: expected {canonical_json(wanted)}, found "
                f"{one_line(ascii(told), 60)}. {_other(name)}"
            )
    try:
        report: Report = decoded(Report, found)
        _require_sound(report)
    except Misfit as problem:
        place = f"field {one_line(problem.place, 200)}: " if problem.path else ""
        raise UsageProblem(f"{shown}: {place}{one_line(problem.what, 300)}. {_AGAIN}") from problem
    except RecursionError as problem:
        raise UsageProblem(f"{shown}: it is nested too deeply. {_AGAIN}") from problem
    folder = os.path.realpath(path.parent)
    return _framed(report, lambda frame: os.path.normpath(os.path.join(folder, frame)))  # noqa: PTH118 - likewise


def _text(path: Path) -> str:
    shown = files.told(path)
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as problem:
        raise UsageProblem(
            f"metaspace: there is no file {shown}. Write one first: pytest --metaspace-agent=NAME "
            f"--metaspace-report=json:{shown}"
        ) from problem
    except OSError as problem:
        raise UsageProblem(
            f"metaspace: {shown} cannot be read ({problem.strerror}). Name a file that "
            "--metaspace-report=json has written."
        ) from problem
    except UnicodeDecodeError as problem:
        raise UsageProblem(
            f"metaspace: {shown} is no text ({problem.reason}). Name a file that "
            "--metaspace-report=json has written."
        ) from problem


def _parsed(text: str, shown: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except json.JSONDecodeError as problem:
        raise UsageProblem(
            f"{shown}:{problem.lineno}: this is no JSON ({problem.msg}, character "
            f"{problem.colno}). {_AGAIN}"
        ) from problem
    except (ValueError, RecursionError) as problem:
        raise UsageProblem(
            f"{shown}: this is no JSON that can be read ({one_line(str(problem), 100)}). {_AGAIN}"
        ) from problem
    if not isinstance(found, dict):
        raise UsageProblem(f"{shown}: expected an object. {_AGAIN}")
    return found


def _other(name: str) -> str:
    if name == "version":
        return "Read it with the pytest-metaspace that wrote it, or run again."
    return "Name a file that --metaspace-report=json has written."


def _require_sound(report: Report) -> None:
    """Make sure that what points somewhere points at something.

    Raises:
        Misfit: it does not.
    """
    for number, case in enumerate(report.cases):
        if len(case.address.rsplit("::", _AN_ADDRESS - 1)) != _AN_ADDRESS:
            raise _at("expected TRAJECTORY::CAPABILITY::RELATION::ID", "address", number)
        for place, question in enumerate(case.questions):
            if not 0 <= question < len(report.questions):
                count = len(report.questions)
                raise _at(f"there are {count} questions, from 0", place, "questions", number)
        if case.derivation is not None:
            told = len(case.questions) + len(case.givens)
            if not all(0 <= one < told for one in _observations(case.derivation.root)):
                what = f"a step rests on more than the {told} questions and givens"
                raise _at(what, "derivation", number)


def _at(what: str, *inside_out: str | int) -> Misfit:
    problem = Misfit(what)
    problem.path += [*inside_out, "cases"]
    return problem


def _observations(step: Step) -> Iterator[int]:
    if step.observation is not None:
        yield step.observation
    for child in step.children:
        yield from _observations(child)


JSON: Final = ReportFormat(
    name="json",
    summary="everything, for programs, and for metaspace report to rebuild the others from",
    default="metaspace-report.json",
    write=write,
    ours=is_report,
)
