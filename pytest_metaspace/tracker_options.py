"""Options of trackers: what finds objects in frames that come without, and where."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_metaspace.domain import Settings
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.option import Option, number

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pytest_metaspace.registries import Registries
    from pytest_metaspace.tracking import Following

TRACKER_OPTIONS = (
    Option(
        name="tracker",
        metavar="NAME",
        help="What finds objects in trajectories without objects.json: yolo:FILE.pt, "
        "botsort:FILE.pt (both Ultralytics, AGPL-3.0), detr:FOLDER (a detector of transformers), "
        "or a registered name; none leaves relations about objects out (default: none)",
        default="none",
    ),
    Option(
        name="retrack",
        metavar="",
        help="Use the tracker in place of objects.json, too",
        flag=True,
    ),
)

TAKEN = ("tracker", "retrack", "confidence", "device", "batch-size")
"""What the options of trackers are, with those that others take, too."""


def is_wanted(values: Mapping[str, Any]) -> bool:
    """Whether the options choose a tracker."""
    return values["tracker"] not in (None, "", "none", "off")


def typed(values: Mapping[str, Any]) -> list[str]:
    """Return the options to type for the same objects, without what is so by default."""
    words = [f"--metaspace-tracker={values['tracker']}"] if is_wanted(values) else []
    if words and values["retrack"]:
        words.append("--metaspace-retrack")
    if float(values["confidence"]) != Settings().confidence:
        words.append(f"--metaspace-confidence={values['confidence']}")
    return words


def require_tracker(values: Mapping[str, Any], *, retrack: bool) -> None:
    """Make sure that there is a tracker where objects are to be replaced by what it finds.

    Args:
        values: of all options, by name.
        retrack: whether that was typed; an ini file may say it for the runs with a tracker.

    Raises:
        UsageProblem: there is none.
    """
    if retrack and not is_wanted(values):
        raise UsageProblem(
            "metaspace: --metaspace-retrack has no tracker to find objects with. Add "
            "--metaspace-tracker=NAME, or leave --metaspace-retrack out."
        )


def following_of(
    registries: Registries, values: Mapping[str, Any], *, root: Path, cache_dir: Path
) -> Following | None:
    """Return what completes trajectories with the tracker that the options choose, if any.

    Args:
        registries: what is known by name.
        values: of all options, by name.
        root: folder to which relative paths belong.
        cache_dir: where detections are stored.

    Raises:
        UsageProblem: there is no such tracker, or it cannot be made.
    """
    if not is_wanted(values):
        return None
    from pytest_metaspace import tracking

    batch_size = int(number(values, "batch-size", low=1, whole=True))
    context = tracking.TrackerContext(root=root, device=values["device"])
    name = values["tracker"]
    return tracking.Following(
        name,
        tracking.build(name, registries.trackers, context),
        cache_dir,
        confidence=number(values, "confidence", low=0.0, high=1.0),
        retrack=bool(values["retrack"]),
        batch_size=batch_size,
    )
