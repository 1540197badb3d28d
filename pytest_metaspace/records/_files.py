"""Reading and writing the files of records."""

from __future__ import annotations

import codecs
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from pytest_metaspace.errors import UsageProblem

if TYPE_CHECKING:
    from pathlib import Path


class Damage(Exception):
    """What is wrong with a line or a field."""


def told(path: Path) -> str:
    """Return a path for people: from here, where it lies below."""
    here = path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


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


def put(path: Path, text: str) -> None:
    """Write a file whole, or leave it as it was; a link stays one, its folder is made.

    Raises:
        UsageProblem: it cannot be written.
    """
    target = path.resolve()
    aside = target.with_name(f".{target.name}.{time.monotonic_ns()}.tmp")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        aside.write_text(text, encoding="ascii", newline="\n")
        aside.replace(target)
    except OSError as problem:
        raise UsageProblem(
            f"metaspace: {told(path)} cannot be written ({problem.strerror}). Name a file in a "
            "folder where you may write."
        ) from problem
    finally:
        with suppress(OSError):
            aside.unlink()


def require_plain(path: Path, option: str) -> None:
    """Make sure that what would be overwritten is no device, pipe or socket; it is not opened.

    Args:
        path: the file; one that is missing may be written.
        option: how the file was named.

    Raises:
        UsageProblem: it is none that can be overwritten.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        raise UsageProblem(
            f"metaspace: {option} {told(path)}: is no plain file, so it is not replaced. Name "
            "another file."
        )


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
