"""What relations stand on: which windows, views and maps of a trajectory can be asked about.

A relation file says *what must hold*; this file says *between what* it can be asked. Everything
that is left out is counted with its reason.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

from pytest_metaspace.domain import Capability, Case, Given, Query
from pytest_metaspace.mrs import _ids
from pytest_metaspace.mrs._places import Map, View, Window

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pytest_metaspace.domain import Settings, Subject, TrackedObject, Trajectory
    from pytest_metaspace.mrs._places import Place

MIN_HEIGHT_PX = 24
MIN_VISIBLE_SHARE = 0.93
MAX_COVERED_SHARE = 0.02


class Grounds:
    """One trajectory, seen by the relations under one set of settings."""

    def __init__(self, trajectory: Trajectory, settings: Settings) -> None:
        self.trajectory = trajectory
        self.settings = settings
        self.drops: Counter[str] = Counter()
        self._whole: dict[tuple[str, int], bool] = {}
        self._about: dict[tuple[Capability, str, int], Query] = {}

    # ------------------------------------------------------------------ objects

    def seen(self, thing: TrackedObject) -> list[int]:
        """The frames that show an object above the confidence threshold, in order."""
        floor = self.settings.confidence
        return sorted(f for f in thing.boxes if thing.confidences[f] >= floor)

    @cached_property
    def persistent(self) -> tuple[TrackedObject, ...]:
        """The objects seen in at least two frames, by id."""
        things = sorted(self.trajectory.objects, key=lambda thing: thing.id)
        kept = tuple(thing for thing in things if len(self.seen(thing)) >= 2)  # noqa: PLR2004
        if len(kept) < len(things):
            self.drops["objects seen in fewer than two frames"] += len(things) - len(kept)
        return kept

    def whole(self, thing: TrackedObject, frame: int) -> bool:
        """Whether a frame shows an object whole (RELATIONS, "Whole means")."""
        key = (thing.id, frame)
        if key not in self._whole:
            self._whole[key] = self._is_whole(thing, frame)
        return self._whole[key]

    def _is_whole(self, thing: TrackedObject, frame: int) -> bool:
        box = thing.boxes.get(frame)
        if box is None or thing.confidences[frame] < self.settings.confidence:
            return False
        camera = self.trajectory.camera
        cut = box.x1 < 1 or box.y1 < 1 or box.x2 > camera.width - 1 or box.y2 > camera.height - 1
        if cut or box.height < MIN_HEIGHT_PX:
            return False
        truth = self.trajectory.truth
        if truth is not None and thing.id in truth.objects:
            return truth.objects[thing.id].visible.get(frame, 0.0) >= MIN_VISIBLE_SHARE
        others = (
            other.boxes[frame]
            for other in self.trajectory.objects
            if other.id != thing.id and frame in other.boxes
        )
        return all(box.overlap(other) <= MAX_COVERED_SHARE for other in others)

    @cached_property
    def whole_in(self) -> Mapping[int, tuple[TrackedObject, ...]]:
        """For each frame, the persistent objects that it shows whole, by id."""
        return {
            state.index: tuple(t for t in self.persistent if self.whole(t, state.index))
            for state in self.trajectory.states
        }

    def rested(self, thing: TrackedObject, first: int, last: int) -> bool:
        """Whether an object stayed where it was between two states.

        Where truth does not tell, it did unless the grasp log says that it was held.
        """
        truth = self.trajectory.truth
        if truth is not None and thing.id in truth.objects:
            return truth.objects[thing.id].rested(first, last)
        return all(s.holds != thing.id for s in self.trajectory.states[first : last + 1])

    @cached_property
    def mapped(self) -> tuple[TrackedObject, ...]:
        """The persistent objects that rested throughout, so that a map can show them."""
        last = len(self.trajectory.states) - 1
        kept = tuple(thing for thing in self.persistent if self.rested(thing, 0, last))
        if len(kept) < len(self.persistent):
            self.drops["SC4: objects that moved"] += len(self.persistent) - len(kept)
        return kept

    # ------------------------------------------------------------------- places

    def pairs(self, capability: Capability) -> Iterator[tuple[Place, tuple[Subject, Subject]]]:
        """Every pair that MR2 and MR3 take, lesser id first, and where it is asked about."""
        for place, subjects in self._places(capability, window=2):
            for a, b in combinations(subjects, 2):
                yield place, (a, b)

    def triples(
        self, capability: Capability
    ) -> Iterator[tuple[Place, tuple[Subject, Subject, Subject]]]:
        """Every triple that MR1 and MR4 take.

        Windows of three consecutive states as they are; of objects every set of three with each
        choice of the middle one, outer ids in order.
        """
        for place, subjects in self._places(capability, window=3):
            for a, b, c in combinations(subjects, 3):
                yield place, (a, b, c)
                if not isinstance(place, Window):
                    yield place, (b, a, c)
                    yield place, (a, c, b)

    def _places(
        self, capability: Capability, *, window: int
    ) -> Iterator[tuple[Place, Sequence[Subject]]]:
        if capability.startswith("SC1"):
            for first in range(len(self.trajectory.states) - window + 1):
                states = range(first, first + window)
                yield Window(self.trajectory, first, first + window - 1), states
        elif capability.about_map:
            yield self._map, [thing.id for thing in self.mapped]
        else:
            for frame, things in self.whole_in.items():
                yield self._views[frame], [thing.id for thing in things]

    @cached_property
    def _map(self) -> Map:
        return Map(self)

    @cached_property
    def _views(self) -> list[View]:
        return [View(self.trajectory, state.index) for state in self.trajectory.states]

    # -------------------------------------------------------------------- cases

    def case(
        self,
        *,
        relation: str,
        law: str,
        capability: Capability,
        tag: str,
        subjects: tuple[Subject, ...],
        queries: Sequence[Query],
        suffix: str = "",
        identity: Sequence[object] = (),
        **more: object,
    ) -> Case:
        """Build a case; its id follows from what it is about.

        Args:
            relation: name under which it is reported.
            law: name of the relation in the oracle that judges it.
            capability: what it tests.
            tag: where it looks, as in ``f004``; empty where the subjects say it all.
            subjects: ordered states or objects.
            queries: what is asked, in the order in which a person would read it.
            suffix: what tells it from its sisters about the same subjects.
            identity: anything else that makes it this case, such as a claim or an object.
            more: further fields of ``Case``.
        """
        identified = _ids.identity(
            (self.trajectory.id, capability.value, relation, tag), subjects, suffix, identity
        )
        return Case(
            id=_ids.case_id(tag, subjects, suffix, identified),
            trajectory=self.trajectory.id,
            capability=capability,
            relation=relation,
            law=law,
            semantics=self.settings.semantics,
            subjects=subjects,
            queries=tuple(queries),
            distance_metric=self.trajectory.distance_metric,
            watched=self.trajectory.watched,
            **more,  # type: ignore[arg-type]
        )

    def given(self, thing: TrackedObject, frame: int) -> Given:
        """The tracked height of an object in a frame, as a fact for the oracle."""
        return Given(frame=frame, object=thing.id, size_px=thing.boxes[frame].height)

    def about(self, capability: Capability, thing: TrackedObject, frame: int) -> Query:
        """The question for one object's size or depth in one frame."""
        key = capability, thing.id, frame
        if key not in self._about:
            self._about[key] = Query(
                trajectory=self.trajectory.id,
                capability=capability,
                a=thing.id,
                reference=frame,
                evidence=(frame,),
            )
        return self._about[key]
