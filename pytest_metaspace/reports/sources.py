"""Where a file lies, for services that know the repository and not the machine."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from pytest_metaspace.files import settled
from pytest_metaspace.prompts.words import one_line

_LONGEST: Final = 200


def in_repository(source: str) -> str:
    """Return the path of a file from the root of its repository, or from here where it has none.

    Of a path below a file, as that of an episode is, it is the file. Empty where the file is
    neither in a repository nor below this folder, and where it is no path.
    """
    try:
        path = settled(Path(source))
        path = path.parent if path.parent.is_file() else path
        roots = [folder for folder in path.parents if (folder / ".git").exists()]
        root = roots[0] if roots else Path.cwd()
        shown = path.relative_to(root).as_posix()
    except (OSError, ValueError):
        return ""
    return shown if shown == one_line(shown, len(shown) + 1) and len(shown) <= _LONGEST else ""
