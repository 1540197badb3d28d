"""The words of ``metaspace report``: reports of runs that are over, without pytest or an agent."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pytest_metaspace import arguments, run_files
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.files import told
from pytest_metaspace.prompts.words import inert, one_line
from pytest_metaspace.registry import Registry
from pytest_metaspace.report_options import WantedReport, targets, wanted_reports
from pytest_metaspace.reports import run_json
from pytest_metaspace.reports.built_in import BUILT_IN

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator

    from pytest_metaspace.domain import Report
    from pytest_metaspace.reports.formats import ReportFormat

_OPTION: Final = "--to"
_LONGEST: Final = 2000


def fill(command: argparse.ArgumentParser) -> None:
    """Give the command what it takes; its ``lines`` returns what to print and the exit status."""
    command.add_argument(
        "files",
        nargs="+",
        type=arguments.path,
        metavar="RUN.json",
        help="a report that --metaspace-report=json has written; more of them, or run files of "
        "--metaspace-save-run, are other runs to be shown beside it",
    )
    command.add_argument(
        _OPTION,
        action="append",
        default=[],
        metavar="FORMAT[:PATH]",
        help=f"write this report, as --metaspace-report does: {', '.join(_formats().names)}",
    )
    for form in BUILT_IN:
        command.add_argument(
            f"--{form.name}",
            type=arguments.path,
            metavar="FILE",
            help=f"write {form.summary}",
        )
    command.set_defaults(lines=lines, obeyed=True)


def lines(options: argparse.Namespace) -> tuple[Iterable[str], int]:
    """Return what to print, and the exit status 0.

    Raises:
        UsageProblem: a file cannot be read or written, or nothing is asked for.
    """
    read = {f"a run that is read, {told(path)},": path for path in options.files}
    wanted = targets(_wanted(options), _formats(), read, _OPTION)
    if not wanted:
        raise UsageProblem(
            "metaspace: report has nothing to write. Add --html FILE, --junit FILE, --markdown "
            f"FILE, or {_OPTION} FORMAT; there are: {', '.join(_formats().names)}."
        )
    first, *others = options.files
    report = run_json.read(first)
    beside = (*report.others, *map(run_files.read_run, others))
    report = replace(report, others=beside)
    return (line for form, path in wanted for line in _written(report, form, path)), 0


def _wanted(options: argparse.Namespace) -> Iterator[WantedReport]:
    here = Path.cwd()
    for form in BUILT_IN:
        path = getattr(options, form.name)
        if path is not None:
            yield WantedReport(format=form.name, path=str(path), folder=here)
    yield from wanted_reports(options.to, here, _OPTION)


def _written(report: Report, form: ReportFormat, path: Path) -> Iterator[str]:
    said = form.write(report, path)
    yield inert(f"metaspace: wrote the report {form.name} to {told(path)}")
    for line in said:
        shown = one_line(line if form.verbatim else f"metaspace: {line}", _LONGEST)
        yield shown if form.verbatim else inert(shown)


def _formats() -> Registry[ReportFormat]:
    found: Registry[ReportFormat] = Registry(
        "report format", "Formats of your own are written by runs, with --metaspace-report."
    )
    for form in BUILT_IN:
        found.add(form.name, form, "pytest-metaspace")
    return found
