"""Writing the files of reports: whole, or not at all."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING

from pytest_metaspace.errors import UsageProblem

if TYPE_CHECKING:
    from pathlib import Path


def put(path: Path, content: bytes) -> None:
    """Write a file whole, or leave it as it was; a link stays one, its folder is made.

    Raises:
        UsageProblem: it cannot be written.
    """
    target = path.resolve()
    aside = target.with_name(f".{target.name}.{time.monotonic_ns()}.tmp")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        aside.write_bytes(content)
        aside.replace(target)
    except OSError as problem:
        raise refused(path, problem) from problem
    finally:
        with suppress(OSError):
            aside.unlink()


def add(path: Path, content: bytes) -> None:
    """Write behind what a file holds.

    Raises:
        UsageProblem: it cannot be written.
    """
    try:
        with path.open("ab") as file:
            file.write(content)
    except OSError as problem:
        raise refused(path, problem) from problem


def refused(path: Path, problem: OSError) -> UsageProblem:
    """Return the error for a report that cannot be written."""
    return UsageProblem(
        f"metaspace: the report {path} cannot be written ({problem.strerror}). Name a file in a "
        "folder where you may write: --metaspace-report=FORMAT:PATH"
    )
