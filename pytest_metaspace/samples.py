"""The trajectory that comes with the package, to try things on."""

from __future__ import annotations

import shutil
from pathlib import Path

from pytest_metaspace.errors import UsageProblem

NAME = "study-01"


def folder() -> Path:
    """Return where the sample lies: inside the package (wheels), else in the checkout.

    Raises:
        UsageProblem: it is in neither place.
    """
    package = Path(__file__).resolve().parent
    places = (package / "_sample" / NAME, package.parent / "fixtures" / "household" / NAME)
    for place in places:
        if (place / "trajectory.json").is_file():
            return place
    raise UsageProblem("metaspace: the sample trajectory is missing. Reinstall pytest-metaspace.")


def copy(target: Path) -> Path:
    """Copy the sample into a folder; return the folder of the trajectory.

    Raises:
        UsageProblem: it is there already, or the folder cannot be written.
    """
    made = target / NAME
    if made.exists():
        raise UsageProblem(f"metaspace: {made} exists already. Name another folder, or delete it.")
    try:
        shutil.copytree(folder(), made)
    except OSError as problem:
        raise UsageProblem(f"metaspace: {made} cannot be written ({problem}).") from problem
    return made
