"""Finding objects in frames and following them, one detector a file; registered as a stranger's.

A *detector* says what single frames show; which detections are one object, we say
(``identities``). A provider may bring tracks of its own instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_metaspace.tracking import detr, yolo
from pytest_metaspace.tracking._following import Following
from pytest_metaspace.tracking._kinds import (
    Detection,
    Detector,
    Tracker,
    TrackerContext,
    TrackerKind,
)

if TYPE_CHECKING:
    from pytest_metaspace.registry import Registry

BUILT_IN = (yolo.KIND, yolo.BOTSORT_KIND, detr.KIND)
NONE = frozenset({"", "none", "off"})
"""What stands for no tracker at all."""


def build(name: str, kinds: Registry[TrackerKind], context: TrackerContext) -> Detector | Tracker:
    """Make the detector or tracker that a full name asks for.

    Args:
        name: as on the command line, ``KIND`` or ``KIND:ARGUMENT``.
        kinds: what is registered.
        context: handed on to the builder.

    Raises:
        UsageProblem: there is none of that name, or its argument is wrong.
    """
    kind, _, argument = name.partition(":")
    return kinds.get(kind).build(argument, context)


__all__ = [
    "BUILT_IN",
    "NONE",
    "Detection",
    "Detector",
    "Following",
    "Tracker",
    "TrackerContext",
    "TrackerKind",
    "build",
]
