"""Options of logs: what they do not say themselves, and which of their episodes are looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.option import Option

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from pytest_metaspace.registries import Registries

LOG_OPTIONS = (
    Option(
        name="episodes",
        metavar="WHICH",
        help="Which episodes of logs that hold several: their names, as in episode-3,episode-7 or "
        "episode-1*, ranges of their numbers, as in 0-9, or all; or how many are drawn by the seed "
        "(default: 20)",
        many=True,
    ),
    Option(
        name="camera",
        metavar="NAME",
        help="Whose pictures to look at in logs with several cameras",
    ),
    Option(
        name="tasks",
        metavar="PATH",
        help="File or folder of the tasks that were run, for poses that a log lacks",
    ),
    Option(
        name="images",
        metavar="PATH",
        help="File or folder with the pictures that a log only names",
    ),
)
READ_BY = ("episodes", "camera", "tasks", "images", "seed")
"""What the options of logs are, with the seed that draws episodes."""
FRAMES = "frames"
"""Folder beside the answers in which pictures taken out of videos and archives are kept."""


def read_with(
    registries: Registries,
    values: Mapping[str, Any],
    *,
    place: Callable[[str], Path | None],
    cache_dir: Path,
) -> None:
    """Let logs be read as the options say.

    Args:
        registries: what is known by name.
        values: of all options, by name.
        place: returns the path that an option names.
        cache_dir: where answers are stored.

    Raises:
        UsageProblem: an option names a file that is not there, or episodes in words that say
            nothing.
    """
    from pytest_metaspace.trajectories import Reading
    from pytest_metaspace.trajectories._episodes import Choice

    paths = {name: place(name) for name in ("tasks", "images")}
    for name, path in paths.items():
        if path is not None and not path.exists():
            raise UsageProblem(
                f"metaspace: --metaspace-{name} {str(path)!a}: there is no such file or folder."
            )
    registries.reading = Reading(
        camera=values["camera"] or None, frames=cache_dir / FRAMES, **paths
    )
    registries.choice = Choice(values["episodes"], seed=int(values["seed"]))
