"""The pictures that a dataset names: below the folder that its archive was unpacked into."""

from __future__ import annotations

from pathlib import PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, Any

from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.trajectories._defects import Unusable, brief, file_in

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_metaspace.trajectories._moments import Findings

_ARCHIVES = (".zip", ".tar", ".gz", ".tgz", ".7z")
_PREFIX = "images/"
_DRAWN = "_annotated"


class Pictures:
    """Finds pictures below some folders, with and without ``images/`` before their names.

    Args:
        main: the file that names them.
        roots: the folders.
        archive: one that was found packed; None where there is none.
    """

    def __init__(self, main: Path, roots: tuple[Path, ...], archive: Path | None) -> None:
        self._main = main
        self._roots = roots
        self._archive = archive
        self._told = False

    def find(self, given: Any, field: str, findings: Findings) -> Path | None:
        """Return a picture, without boxes drawn in where there are both; None if none is there.

        Raises:
            TrajectoryError: it is named by an absolute path, or by one that leaves the folder; or
                the archive is not unpacked.
        """
        if not isinstance(given, str) or not given:
            return None
        if _escapes(given):
            raise TrajectoryError(
                f"{self._main}: field {field}: {brief(given)} is absolute or leaves the folder of "
                "the pictures. Name pictures by paths below it."
            )
        name = given.replace("\\", "/")
        plain = name.replace(_DRAWN, "")
        found = next(filter(None, map(self._below, dict.fromkeys((plain, name)))), None)
        if found is None and self._archive is not None:
            raise TrajectoryError(
                f"{self._main}: field {field}: there is no picture {brief(given)}, and "
                f"{self._archive} is not unpacked. Unpack it beside the file "
                f"(unzip {self._archive.name}), or name the folder that it is unpacked in with "
                "--metaspace-images."
            )
        if found is not None and _DRAWN in found.name and not self._told:
            self._told = True
            findings.notes.append(
                f"boxes are drawn into some of its pictures (first in field {field}), and agents "
                "are shown them, too."
            )
        return found

    def _below(self, name: str) -> Path | None:
        short = name.removeprefix(_PREFIX)
        for root in self._roots:
            for one in (short, _PREFIX + short):
                try:
                    return file_in(root, one)
                except Unusable:
                    continue
        return None


def of(main: Path, images: Path | None) -> Pictures:
    """Return where the pictures of a file are.

    Args:
        main: the file.
        images: what a run names; None for the folder of the file.

    Raises:
        TrajectoryError: a run names what is not there.
    """
    if images is None:
        return Pictures(main, tuple(_beside(main)), _packed(main))
    if images.is_dir():
        return Pictures(main, (images,), None)
    if images.suffix.lower() in _ARCHIVES and images.is_file():
        return Pictures(main, tuple(_beside(main)), images)
    raise TrajectoryError(
        f"{main}: --metaspace-images names {images}, which is no folder. Name the folder that "
        "images.zip was unpacked in."
    )


def _beside(main: Path) -> Iterator[Path]:
    """Yield the folders; ``images`` may be a link to where there is room."""
    for folder in (main.parent / "images", main.parent):
        if folder.is_dir():
            yield folder


def _packed(main: Path) -> Path | None:
    """Return an archive of pictures that lies beside a file."""
    found = (main.with_name(f"images{ending}") for ending in _ARCHIVES)
    return next((one for one in found if one.is_file()), None)


def _escapes(given: str) -> bool:
    windows = PureWindowsPath(given)
    absolute = PurePosixPath(given).is_absolute() or bool(windows.drive or windows.root)
    return absolute or ".." in windows.parts
