"""Writing the files of reports: whole or not at all, or behind what is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.files import put, told

if TYPE_CHECKING:
    from pathlib import Path


def add(path: Path, content: bytes) -> None:
    """Write behind what a file holds.

    Raises:
        UsageProblem: it cannot be written.
    """
    try:
        with path.open("ab") as file:
            file.write(content)
    except OSError as problem:
        raise UsageProblem(
            f"metaspace: {told(path)} cannot be written ({problem.strerror}). Name a file in a "
            "folder where you may write."
        ) from problem


__all__ = ["add", "put"]
