"""The option that asks for reports: which formats, and where each is written."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.option import Option

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from pytest_metaspace.registry import Registry
    from pytest_metaspace.reports.formats import ReportFormat

_OPTION: Final = "--metaspace-report"
REPORT: Final = Option(
    name="report",
    metavar="FORMAT[:PATH]",
    help="Write a report of this run: json, everything, for programs and for metaspace report; "
    "or a registered format. Without a path it is written into a file of its own name. Can be "
    "given several times; off switches those in the ini file off.",
    many=True,
    listed=False,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedReport:
    """A report to be written.

    Attributes:
        format: its name.
        path: where; None for the format's own place.
        folder: from where both are told.
    """

    format: str
    path: str | None
    folder: Path


def wanted_reports(
    texts: Iterable[str], folder: Path, option: str = _OPTION
) -> Iterator[WantedReport]:
    """Yield the reports that ``html`` or ``html:PATH`` ask for; *off* alone asks for none.

    Args:
        texts: one for each report.
        folder: from where paths are told.
        option: how they were typed.

    Raises:
        UsageProblem: one names no format, or an empty path.
    """
    asked = list(texts)
    if asked == ["off"]:
        return
    for text in asked:
        name, colon, path = (part.strip() for part in text.partition(":"))
        if not name or (colon and not path):
            raise UsageProblem(
                f"metaspace: {option} {ascii(text)[1:-1]}: expected FORMAT or FORMAT:PATH, as in "
                "json:out/run.json."
            )
        yield WantedReport(format=name, path=path or None, folder=folder)


def targets(
    wanted: Iterable[WantedReport],
    formats: Registry[ReportFormat],
    taken: Mapping[str, Path | None],
    option: str = _OPTION,
) -> list[tuple[ReportFormat, Path]]:
    """Return the formats that are wanted, and the file of each.

    Args:
        wanted: what was asked for.
        formats: those that are known.
        taken: other files, by what names them.
        option: how reports were asked for.

    Raises:
        UsageProblem: a format is not known, two files are one, or one is there and no report.
    """
    from pytest_metaspace.files import require_plain, told

    found: list[tuple[ReportFormat, Path]] = []
    names = {path.resolve(): name for name, path in taken.items() if path is not None}
    for one in wanted:
        form = formats.get(one.format)
        path = one.folder / (one.path or form.default)
        if path.is_dir():
            raise UsageProblem(
                f"metaspace: {option} {one.format}:{told(path)}: is a folder. Name a file in it."
            )
        require_plain(path, option)
        other = names.setdefault(path.resolve(), f"the report {one.format}")
        if path.resolve() in [known.resolve() for _, known in found] or not other.startswith("the"):
            raise UsageProblem(
                f"metaspace: the report {one.format} and {other} name the same file, "
                f"{told(path)!a}, and one would be lost. Name another file for one of them, as in "
                f"{option}={one.format}:PATH."
            )
        _require_ours(form, path, option)
        found.append((form, path))
    return found


def _require_ours(form: ReportFormat, path: Path, option: str) -> None:
    """Make sure that what would be written over is a report, before anybody is asked.

    Raises:
        UsageProblem: it is something else, or nothing tells what it is.
    """
    from pytest_metaspace.files import told
    from pytest_metaspace.trajectories import MAIN_FILE

    target = path.resolve()
    if not target.exists() or target.stat().st_size == 0:
        return
    alike = target.suffix == PurePath(form.default).suffix and target.name != MAIN_FILE
    if not (alike if form.ours is None else form.ours(target)):
        raise UsageProblem(
            f"metaspace: {option} {form.name}:{told(path)}: is there and is no report "
            f"{form.name}, so it is not overwritten. Name another file, or remove this one."
        )
