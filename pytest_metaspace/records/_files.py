"""Reading and writing the files of records."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING

from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.files import put, require_plain, told

if TYPE_CHECKING:
    from pathlib import Path


class Damage(Exception):
    """What is wrong with a line or a field."""


def content(path: Path, option: str = "--metaspace-save-baseline") -> str:
    """Return the text of a file.

    Args:
        path: the file.
        option: what saves such a file, to be told where there is none.

    Raises:
        UsageProblem: it cannot be read, or is no text.
    """
    try:
        return path.read_text(encoding="utf-8-sig")  # editors may have put a mark in front
    except FileNotFoundError as problem:
        raise UsageProblem(
            f"metaspace: there is no file {told(path)}. Save one first: pytest "
            f"--metaspace-agent=NAME {option}={told(path)}"
        ) from problem
    except OSError as problem:
        raise UsageProblem(
            f"metaspace: {told(path)} cannot be read ({problem.strerror}). Name a file that "
            "--metaspace-save-baseline or --metaspace-save-run has written."
        ) from problem
    except UnicodeDecodeError as problem:
        raise UsageProblem(
            f"metaspace: {told(path)} is no text ({problem.reason}). Name a file that "
            "--metaspace-save-baseline or --metaspace-save-run has written."
        ) from problem


def require_ours(path: Path, start: str, option: str) -> None:
    """Make sure that what would be overwritten is a file of ours, before anybody is asked.

    Args:
        path: the file; one that is missing or empty may be written.
        start: how files of ours begin.
        option: how the file was named.

    Raises:
        UsageProblem: it is something else, or cannot be read.
    """
    try:
        require_plain(path, option)
        if not path.exists() or (path.is_file() and path.stat().st_size == 0):
            return
        with path.open("rb") as file:
            found = file.read(len(codecs.BOM_UTF8) + len(start)).removeprefix(codecs.BOM_UTF8)
    except OSError as problem:
        raise UsageProblem(
            f"metaspace: {option} {told(path)}: is there and cannot be read "
            f"({problem.strerror}). Name another file."
        ) from problem
    if not found.startswith(start.encode("ascii")):
        raise UsageProblem(
            f"metaspace: {option} {told(path)}: is there and is no file that {option} wrote, so "
            "it is not overwritten. Name another file, or remove this one."
        )


__all__ = ["Damage", "content", "put", "require_ours", "require_plain", "told"]
