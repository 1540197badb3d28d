"""The check of report formats: written whole, the same again, whatever texts a run holds."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.registry import NAME, NAME_RULE
from pytest_metaspace.testing._grounds import demand, watched
from pytest_metaspace.testing._told import reports

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_metaspace.domain import Report
    from pytest_metaspace.reports.formats import ReportFormat

_ADVICE: Final = (
    "A report that cannot be told in full is told in part; raise "
    "pytest_metaspace.errors.UsageProblem only where the file cannot be written."
)


def check_report_format(form: ReportFormat, *, more: Iterable[Report] = ()) -> None:
    """Check that a format of reports writes whatever a run has to tell.

    Args:
        form: what is handed to ``register``.
        more: reports to be written besides the made-up ones, such as
            ``pytest_metaspace.reports.run_json.read`` returns.

    Raises:
        AssertionError: it does not; the text says what, where and what to do.
    """
    name = f"report format {form.name!a}"
    _check_fields(form, name)
    with tempfile.TemporaryDirectory(prefix="metaspace-") as folder:
        yours = (("a report of yours", one) for one in more)
        for number, (what, report) in enumerate([*reports(), *yours]):
            _check_written(form, f"{name}: {what}", report, Path(folder) / str(number))
        _check_refused(form, name, Path(folder))


def _check_fields(form: ReportFormat, name: str) -> None:
    demand(
        isinstance(form.name, str) and NAME.fullmatch(form.name),
        f"{name}: field name: expected {NAME_RULE}.",
    )
    demand(
        isinstance(form.summary, str) and form.summary.strip() and form.summary.isprintable(),
        f"{name}: field summary: expected one line that says what it is good for; found "
        f"{form.summary!r}.",
    )
    path = Path(form.default)
    demand(
        form.default and not path.is_absolute() and ".." not in path.parts,
        f"{name}: field default: expected the name of a file, to be written where a run is typed; "
        f"found {form.default!r}.",
    )


def _check_written(form: ReportFormat, what: str, report: Report, folder: Path) -> None:
    path = folder / "made" / "report.out"
    lines = _written(form, what, report, path)
    demand(
        isinstance(lines, list) and all(isinstance(line, str) for line in lines),
        f"{what}: write returned {lines!r}. Return a list of lines to print, or an empty one.",
    )
    demand(path.is_file(), f"{what}: write wrote nothing to the path that it was given.")
    first = _content(path.parent)
    left = [name for name in first if name.startswith(".") or name.endswith(".tmp")]
    demand(not left, f"{what}: write left {left} behind. Remove what was only on the way.")
    again = folder / "again" / "report.out"
    again.parent.mkdir()
    again.write_text("an older and longer report " * 1000, encoding="utf-8")
    _written(form, what, report, again)
    demand(
        first == _content(again.parent),
        f"{what}: writing it twice gives other bytes. Leave out times, folders and whatever else "
        "is not in the report, and sort what has no order.",
    )


def _written(form: ReportFormat, what: str, report: Report, path: Path) -> Any:
    with watched(f"{what}: write", _ADVICE):
        return form.write(report, path)


def _content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def _check_refused(form: ReportFormat, name: str, folder: Path) -> None:
    """Check that a file that cannot be written is told as users are told."""
    (folder / "file").write_text("no folder", encoding="utf-8")
    _, report = reports()[0]
    try:
        form.write(report, folder / "file" / "report.out")
    except UsageProblem:
        return
    except Exception as problem:
        raise AssertionError(
            f"{name}: a path that cannot be written raised {type(problem).__name__}: {problem}. "
            "Raise pytest_metaspace.errors.UsageProblem with what to type instead."
        ) from problem
    raise AssertionError(
        f"{name}: a path that cannot be written raised nothing. Raise "
        "pytest_metaspace.errors.UsageProblem, so that a run without its report fails."
    )
