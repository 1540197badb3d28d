"""Where answers lie when nobody says: the nearest folder of them, here or above.

A run of pytest does not search: its folder lies beside the ini file. Commands do, since they are
typed anywhere in a project. The search ends at the root of version control, so that no project
takes what another left above it; further up only a folder beside an ini file of pytest counts,
where runs put theirs. What lies in a folder for everybody's files, such as ``/tmp``, is passed by:
a stranger may have put it there.
"""

from __future__ import annotations

import stat
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FOLDER: Final = ".metaspace_cache"
WHERE: Final = f"in a {FOLDER} here or above"
INI_FILES: Final = (
    "pytest.toml",
    ".pytest.toml",
    "pytest.ini",
    ".pytest.ini",
    "pyproject.toml",
    "tox.ini",
    "setup.cfg",
)
"""Where pytest looks for its options, the first that has some counts."""


def nearest(wanted: Callable[[Path], bool] = Path.is_dir) -> Path | None:
    """Return the nearest folder of answers, here or above as far as the project goes.

    Args:
        wanted: whether a folder is one that will do.
    """
    return next(filter(wanted, _within(Path.cwd())), None)


def here_or_above() -> Path:
    """Return the nearest folder of answers, or the one that may be made here."""
    return nearest() or Path.cwd() / FOLDER


def passed_by(wanted: Callable[[Path], bool]) -> str:
    """Say which folder would have done, had ``nearest`` gone on; empty where none would have."""
    here = Path.cwd()
    found = next(filter(wanted, (folder / FOLDER for folder in (here, *above(here)))), None)
    if found is None:
        return ""
    everybody = _for_everybody(found.parent)
    why = "lies where anybody may write" if everybody else "lies outside of this repository"
    return f" {found} {why}; name it if it is yours."


def _within(here: Path) -> Iterator[Path]:
    """Yield where answers of a project may lie, the nearest first."""
    yield here / FOLDER
    root = _root(here)
    for folder in above(here):
        inside = root is None or folder.is_relative_to(root)
        ours = inside or any(_there(folder / name) for name in INI_FILES)
        if ours and not _for_everybody(folder):
            yield folder / FOLDER


def _root(here: Path) -> Path | None:
    """Return the root of version control; None where there is none."""
    return next((up for up in (here, *above(here)) if _there(up / ".git")), None)


def above(here: Path) -> list[Path]:
    """Return the folders above one, the nearest first."""
    return list(here.parents)


def _for_everybody(folder: Path) -> bool:
    """Whether anybody may make files there, each their own."""
    try:
        mode = folder.stat().st_mode
    except OSError:
        return False
    return bool(mode & stat.S_IWOTH and mode & stat.S_ISVTX)


def _there(path: Path) -> bool:
    """Whether something is there, as far as we may see."""
    try:
        return path.exists()
    except OSError:
        return False
