"""From the moments of a log to states: what is missing, broken or stale is left out, and said.

A question shows frames. A moment without a frame of its own is therefore no state, and what was
done around it counts as unknown: no agent is held to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_metaspace.domain import Defect, State
from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.trajectories._defects import Unusable, decoded_size, same_picture

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pytest_metaspace.domain import Action

_FEWEST = 2
_SHOWN = 3


class Findings:
    """Collects what is wrong in a log that can be used all the same.

    Args:
        path: the file that is meant where a finding names none.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._found: list[Defect] = []
        self.notes: list[str] = []
        """What is worth knowing and no defect."""

    def add(
        self,
        field: str,
        what: str,
        next_step: str,
        *,
        line: int | None = None,
        file: Path | None = None,
    ) -> None:
        """Add one: field, what is wrong and what is done without it, and what to do about it."""
        self._found.append(Defect(file or self.path, field, line, what, next_step))

    @property
    def all(self) -> tuple[Defect, ...]:
        """All of them, as they were found."""
        return tuple(self._found)

    def nothing_left(self, what: str) -> TrajectoryError:
        """Return the error of a log of which nothing can be used, with the first reasons."""
        first = [str(one) for one in self._found[:_SHOWN]]
        return TrajectoryError("\n".join([f"{self.path}: {what}", *first]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """What a log tells of one moment.

    Attributes:
        name: what messages call it, as ``step 3``.
        frame: what was seen; None where there is no such file.
        field: what names the frame, for messages.
        line: of the log, where it has lines.
        action: what was done then; None where that is not known.
        succeeded: whether it was done in full; None where that is not known.
        changes: whether what was done changes the picture, by the log.
    """

    name: str
    frame: Path | None
    field: str
    line: int | None = None
    action: Action | None = None
    succeeded: bool | None = None
    changes: bool = False


@dataclass(frozen=True, slots=True)
class Told:
    """The states of a log.

    Attributes:
        states: in order.
        kept: for each of them, which moment it is.
        size: width and height of every frame, pixels.
    """

    states: tuple[State, ...]
    kept: tuple[int, ...]
    size: tuple[int, int]


def told(moments: Sequence[Moment], findings: Findings) -> Told:
    """Return the states of moments; what is wrong with the others is added to the findings.

    Raises:
        TrajectoryError: fewer than two moments have a frame of their own.
    """
    kept: list[int] = []
    size: tuple[int, int] | None = None
    changes = False
    for place, moment in enumerate(moments):
        before = moments[kept[-1]] if kept else None
        found = _shown(moment, size, findings)
        if found is not None and not (changes and _stale(moment, before, findings)):
            kept.append(place)
            size, changes = found, False
        changes = changes or moment.changes
    if size is None or len(kept) < _FEWEST:
        raise findings.nothing_left(
            f"only {len(kept)} of its {len(moments)} moments can be shown, and a trajectory needs "
            "two."
        )
    return Told(_states(moments, kept), tuple(kept), size)


def _states(moments: Sequence[Moment], kept: Sequence[int]) -> tuple[State, ...]:
    made = []
    for index, place in enumerate(kept):
        moment = moments[place]
        assert moment.frame is not None
        follows = kept[index + 1 : index + 2] == [place + 1]
        made.append(
            State(
                index=index,
                frame=moment.frame,
                action=moment.action if follows else None,
                succeeded=moment.succeeded if follows else None,
            )
        )
    return tuple(made)


def _shown(
    moment: Moment, size: tuple[int, int] | None, findings: Findings
) -> tuple[int, int] | None:
    """Return the size of a frame; where it cannot be shown, say why and return None."""
    if moment.frame is None:
        findings.add(
            moment.field,
            f"{moment.name} has no picture; that moment is left out.",
            "Copy all pictures of the run.",
            line=moment.line,
        )
        return None
    try:
        found = decoded_size(moment.frame)
        if size in (None, found):
            return found
        assert size is not None
        why = f"has {found[0]} x {found[1]} pixels, and those before it {size[0]} x {size[1]}."
    except Unusable as problem:
        why = str(problem)
    findings.add(
        moment.field,
        f"the picture of {moment.name} {why} That moment is left out.",
        "Put the right file there.",
        file=moment.frame,
    )
    return None


def _stale(moment: Moment, before: Moment | None, findings: Findings) -> bool:
    """Whether a frame is still that of the moment before, though something was done that shows."""
    assert moment.frame is not None
    if before is None or before.frame is None or not same_picture(before.frame, moment.frame):
        return False
    findings.add(
        moment.field,
        f"the picture of {moment.name} is the same as that of {before.name}, though what was done "
        "between them is said to have succeeded; that moment is left out.",
        "Save the picture after the action.",
        file=moment.frame,
    )
    return True
