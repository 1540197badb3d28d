"""Files for people and for other programs: written whole or not at all, told by short paths."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
import time
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING

from pytest_metaspace.errors import UsageProblem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path


_IMAGES = "images"
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def told(path: Path) -> str:
    """Return a path for people: from here, where it lies below."""
    here = path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def settled(path: Path) -> Path:
    """Return the one path by which a trajectory is known, however it was named.

    Links are followed. Only one that leads to a file of another name, as in the cache of the Hub,
    stays: the name and what lies beside it say what the file is. So does a folder ``images``
    that is a link to where there is room: what lies beside the folder belongs to it.

    Args:
        path: a main file, with the name of an episode behind it where it holds several.
    """
    if path.parent.is_file():
        return settled(path.parent) / path.name
    if path.parent.name == _IMAGES and path.parent.is_symlink():
        return path.parent.parent.resolve() / _IMAGES / path.name
    real = path.resolve()
    return real if real.name == path.name else path.parent.resolve() / path.name


def put(path: Path, content: str | bytes) -> None:
    """Write a file whole, or leave it as it was; a link stays one, its folder is made.

    Args:
        path: the file.
        content: its bytes, or ASCII text.

    Raises:
        UsageProblem: it cannot be written.
    """
    _put(path, lambda file: file.write(content if isinstance(content, bytes) else _coded(content)))


def put_parts(path: Path, parts: Iterable[str]) -> None:
    """Write a file as ``put`` does, part after part, none of which is kept in memory.

    What is written so far has no name, so that nothing of it is left when the process is killed.

    Args:
        path: the file.
        parts: ASCII text; they may take long to come.

    Raises:
        UsageProblem: it cannot be written.
    """
    with _refusing(path):
        path.resolve().parent.mkdir(parents=True, exist_ok=True)
        spool = tempfile.TemporaryFile(dir=path.resolve().parent)  # noqa: SIM115 - closed below
    try:
        for part in parts:
            with _refusing(path):
                spool.write(_coded(part))
        with _refusing(path):
            spool.seek(0)
        _put(path, lambda file: shutil.copyfileobj(spool, file))
    finally:
        with suppress(OSError):  # what did not fit fails once more here, and is told already
            spool.close()


def _put(path: Path, write: Callable[[IO[bytes]], object]) -> None:
    """Have a file written beside another one, and put in its place when it is whole."""
    target = path.resolve()
    aside = target.with_name(f".{target.name}.{time.monotonic_ns()}.tmp")
    try:
        with _refusing(path):
            target.parent.mkdir(parents=True, exist_ok=True)
            with aside.open("wb") as file:
                write(file)
            aside.replace(target)
    finally:
        with suppress(OSError):
            aside.unlink()


def _coded(text: str) -> bytes:
    return text.encode("ascii")


@contextmanager
def _refusing(path: Path) -> Iterator[None]:
    """Say that a file cannot be written, and what to do about it, where it cannot."""
    try:
        yield
    except OSError as problem:
        raise UsageProblem(
            f"metaspace: {told(path)} cannot be written ({problem.strerror}). {advice(problem)}"
        ) from problem


def advice(problem: OSError, how: str = "") -> str:
    """Return what to do about a file that could not be written, a sentence.

    Args:
        problem: why it could not.
        how: what names another file, as `` with --file``.
    """
    if problem.errno in _FULL:
        return f"Make room on its disk, or name a file on another{how}."
    return f"Name a file in a folder where you may write{how}."


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


def require_folder(folder: Path) -> None:
    """Make sure that files can be written into a folder, as far as the folders above it tell.

    Raises:
        UsageProblem: it is a file, or it may not be made or written into.
    """
    there = next(one for one in (folder.resolve(), *folder.resolve().parents) if one.exists())
    if not there.is_dir():
        raise UsageProblem(f"metaspace: {told(there)} is a file; name a folder.")
    if not os.access(there, os.W_OK | os.X_OK):
        raise UsageProblem(
            f"metaspace: the folder {told(there)} may not be written. Name one in which you may "
            "write."
        )


def require_room(path: Path, option: str) -> None:
    """Make sure that a file can be written where it is to lie, as far as its folders tell.

    Args:
        path: the file; folders above it that are missing are made when it is written.
        option: how the file was named.

    Raises:
        UsageProblem: a folder is none, or may not be written.
    """
    folder = next(one for one in path.resolve().parents if one.exists())
    if not folder.is_dir():
        why = f"{told(folder)} is no folder"
    elif not os.access(folder, os.W_OK | os.X_OK):
        why = f"the folder {told(folder)} may not be written"
    else:
        return
    raise UsageProblem(
        f"metaspace: {option} {told(path)}: cannot be written, as {why}. Name a file in a folder "
        "where you may write."
    )
