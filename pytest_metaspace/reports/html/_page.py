"""The page: template, style, scripts and data in one file that may run nothing but itself."""

from __future__ import annotations

import base64
import hashlib
import re
from importlib import resources
from typing import TYPE_CHECKING, Final

from pytest_metaspace.reports.html._columns import Columns
from pytest_metaspace.reports.html._pictures import MOST_PIXELS, Album
from pytest_metaspace.reports.html._summary import summary_of
from pytest_metaspace.reports.html._words import Words, as_json
from pytest_metaspace.reports.writing import put

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pytest_metaspace.domain import Report

SCRIPTS: Final = (
    "vendor/chart.umd.min.js",
    "vendor/chartjs-chart-matrix.min.js",
    "js/dom.js",
    "js/store.js",
    "js/filters.js",
    "js/frames.js",
    "js/charts.js",
    "js/tables.js",
    "js/overview.js",
    "js/list.js",
    "js/detail.js",
    "js/cases.js",
    "js/walk.js",
    "js/main.js",
)
STYLES: Final = (
    "css/colours.css",
    "css/base.css",
    "css/overview.css",
    "css/detail.css",
    "css/cases.css",
    "css/walk.css",
)
WORDS_BYTES: Final = 13_000_000
REASONS_BYTES: Final = 4_000_000
PICTURES_BYTES: Final = 7_000_000


def write(report: Report, path: Path) -> list[str]:
    """Write the page, whole or not at all; return a line for what was left out.

    Raises:
        UsageProblem: it cannot be written.
    """
    text, left_out = page(report, path.parent)
    put(path, text.encode())
    return [f"html: {sentence}" for sentence in left_out]


def page(report: Report, folder: Path) -> tuple[str, list[str]]:
    """Return the page, and what was left out of it, in sentences.

    Args:
        report: what it tells.
        folder: what relative names of frames belong to.
    """
    words, reasons = Words(WORDS_BYTES), Words(REASONS_BYTES)
    album = Album(folder, PICTURES_BYTES)
    columns = Columns(report, words, reasons, album)
    blocks = list(columns.blocks())
    left_out = list(_left_out(report, columns, words, album))
    summary = as_json(summary_of(report) | {"leftOut": left_out})
    style = "\n".join(_read(name) for name in STYLES)
    scripts = [_script(name) for name in SCRIPTS]
    parts = {
        "policy": _policy(style, scripts),
        "style": f"<style>{style}</style>",
        "summary": _block("summary", summary),
        "scripts": "\n".join(f"<script>{script}</script>" for script in scripts),
        "data": "\n".join(_block(name, text) for name, text in blocks),
    }
    template = re.split(r"\{\{(\w+)\}\}", _read("page.html"))
    return "".join(parts[piece] if i % 2 else piece for i, piece in enumerate(template)), left_out


def _left_out(report: Report, columns: Columns, words: Words, album: Album) -> Iterable[str]:
    """Yield what a reader does not find on the page, and where it is."""
    if report.untold:
        yield (
            f"{report.untold} cases that are not satisfied are listed without their derivation, "
            "as there are too many to keep"
        )
    if columns.left_out:
        yield f"{columns.left_out} derivations are left out to keep this page small"
    if words.left_out:
        yield f"{words.left_out} texts of questions and answers are left out to keep it small"
    if album.left_out:
        yield (
            f"{album.left_out} of {album.asked_for} frames are left out: pictures may take "
            f"{PICTURES_BYTES // 1_000_000} MB"
        )
    if album.missing:
        yield f"{album.missing} of {album.asked_for} frames were not found or could not be read"
    if album.addresses:
        yield f"frames are shown at {MOST_PIXELS} pixels at most"


def _policy(style: str, scripts: Iterable[str]) -> str:
    """Return what the page may do: run these scripts, wear this style, show its own pictures."""
    allowed = " ".join(_digest(script) for script in scripts)
    return (
        f"default-src 'none'; script-src {allowed}; style-src {_digest(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; "
        "trusted-types 'none'"
    )


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _script(name: str) -> str:
    """Return a script without the address of its source map, which nothing should fetch."""
    return re.sub(r"\n//# sourceMappingURL=\S+\s*$", "\n", _read(name))


def _read(name: str) -> str:
    return resources.files("pytest_metaspace.reports.html").joinpath(name).read_text("utf-8")


def _block(name: str, text: str) -> str:
    return f'<script type="application/json" id="data-{name}">{text}</script>'
