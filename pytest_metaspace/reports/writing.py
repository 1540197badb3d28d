"""Writing the files of reports: whole or not at all, or behind what is there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.files import advice, put, told

if TYPE_CHECKING:
    from pathlib import Path


_HEAD: Final = 200
_BOM: Final = b"\xef\xbb\xbf"


def begins(path: Path, *starts: bytes, among: int = 0) -> bool:
    """Whether a file begins with one of some texts, behind a mark that editors put in front.

    Args:
        path: the file; one that cannot be read begins with nothing.
        starts: the texts.
        among: the first bytes, in which they may stand anywhere; 0 for the very beginning.
    """
    try:
        with path.open("rb") as file:
            found = file.read(among or _HEAD).removeprefix(_BOM)
    except OSError:
        return False
    return any(start in found if among else found.startswith(start) for start in starts)


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
            f"metaspace: {told(path)} cannot be written ({problem.strerror}). {advice(problem)}"
        ) from problem


__all__ = ["add", "begins", "put"]
