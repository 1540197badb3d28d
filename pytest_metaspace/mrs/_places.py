"""Where a question is asked from: a window of states, a camera view, or the map.

All questions of one case speak of one reference frame (RELATIONS, "Reference frames"); a place
knows which one, and which pictures it takes to answer.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Protocol

from pytest_metaspace.domain import Query

if TYPE_CHECKING:
    from pytest_metaspace.domain import Action, Capability, Claim, Subject, Trajectory
    from pytest_metaspace.mrs._grounds import Grounds


class Place(Protocol):
    """A reference frame with its pictures."""

    @property
    def tag(self) -> str:
        """How ids name it; empty where the subjects say it all."""
        ...

    @property
    def exact(self) -> bool:
        """Whether the legs between consecutive subjects are exact (RELATIONS, "Exact legs")."""
        ...

    def ask(
        self,
        capability: Capability,
        a: Subject,
        b: Subject,
        *,
        claim: Claim | None = None,
        wording: int = 0,
    ) -> Query:
        """The question about a pair, from a to b."""
        ...


class _Asking:
    """Asks each question once: a query is in several cases, and then one object."""

    def __init__(self, trajectory: Trajectory) -> None:
        self._trajectory = trajectory
        self._asked: dict[tuple[Capability, Subject, Subject, Claim | None, int], Query] = {}

    def ask(
        self,
        capability: Capability,
        a: Subject,
        b: Subject,
        *,
        claim: Claim | None = None,
        wording: int = 0,
    ) -> Query:
        """Ask about a pair, from a to b."""
        key = capability, a, b, claim, wording
        query = self._asked.get(key)
        if query is None:
            reference, evidence = self._seen(a, b)
            query = self._asked[key] = Query(
                trajectory=self._trajectory.id,
                capability=capability,
                a=a,
                b=b,
                reference=reference,
                evidence=evidence,
                claim=claim,
                wording=wording,
            )
        return query

    def _seen(self, a: Subject, b: Subject) -> tuple[int | None, tuple[int, ...]]:
        """Return the reference state, None for the map, and the frames to look at."""
        raise NotImplementedError


class Window(_Asking):
    """Consecutive states; directions are told in the heading at the first one."""

    tag = ""

    def __init__(self, trajectory: Trajectory, first: int, last: int) -> None:
        super().__init__(trajectory)
        self._first = first
        self._last = last

    @property
    def exact(self) -> bool:
        """Whether every move of the window is whole steps along a multiple of 45 degrees.

        The moves of a watched mover are told as the camera stands, whichever way it turns itself.
        """
        heading = 0.0
        for state in self._trajectory.states[self._first : self._last]:
            action = state.action
            if action is None or not state.succeeded:
                return False
            if action.translates and not self._on_grid(action, heading):
                return False
            heading += 0.0 if self._trajectory.watched else action.turn_deg
        return True

    def _on_grid(self, action: Action, heading_deg: float) -> bool:
        forward, right, up = action.move_m
        steps = action.length_m / self._trajectory.step_length_m
        eighths = (heading_deg + math.degrees(math.atan2(right, forward))) / 45
        whole = round(steps)
        on_the_way = action.turns and action.translates and not self._trajectory.watched
        return (
            abs(up) < 1e-9  # noqa: PLR2004
            and not on_the_way
            and whole >= 1
            and math.isclose(steps, whole, abs_tol=1e-6)
            and math.isclose(eighths, round(eighths), abs_tol=1e-6)
        )

    def _seen(self, a: Subject, b: Subject) -> tuple[int | None, tuple[int, ...]]:
        """Return how the movement from state a to state b is seen.

        The pair's own first state is the reference where no turn lies before it: the heading is
        the same, and the question is then shared with other windows.
        """
        assert isinstance(a, int)
        assert isinstance(b, int)
        own, last = min(a, b), max(a, b)
        turned = self._trajectory.turns_between(self._first, own)
        anchor = self._first if turned else own
        return anchor, tuple(range(anchor, last + 1))


class View(_Asking):
    """One frame; directions are told as its camera sees them."""

    exact = False

    def __init__(self, trajectory: Trajectory, frame: int) -> None:
        super().__init__(trajectory)
        self._frame = frame
        self.tag = f"f{frame:03d}"

    def _seen(self, a: Subject, b: Subject) -> tuple[int | None, tuple[int, ...]]:
        """Return this view: object b is seen from object a in its one frame."""
        del a, b
        return self._frame, (self._frame,)


class Map(_Asking):
    """The whole trajectory; north is the heading at its first state."""

    tag = "map"
    exact = False

    def __init__(self, grounds: Grounds) -> None:
        super().__init__(grounds.trajectory)
        self._first_two = {thing.id: tuple(grounds.seen(thing)[:2]) for thing in grounds.mapped}

    def _seen(self, a: Subject, b: Subject) -> tuple[int | None, tuple[int, ...]]:
        """Return what shows two objects on the map.

        The evidence is the first frame and the first two frames that show each object, so the
        pairs of one case may rest on different frames, which is the point.
        """
        assert isinstance(a, str)
        assert isinstance(b, str)
        return None, tuple(sorted({0, *self._first_two[a], *self._first_two[b]}))
