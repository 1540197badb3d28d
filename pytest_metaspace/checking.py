"""``metaspace check``: whether trajectories are as they should be, and what they can feed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_metaspace import handedness, pipeline
from pytest_metaspace.domain import Capability, Settings
from pytest_metaspace.errors import TrackerError, TrajectoryError, UsageProblem
from pytest_metaspace.files import settled
from pytest_metaspace.plans import ALL
from pytest_metaspace.prompts import words
from pytest_metaspace.questions import distinct
from pytest_metaspace.reports.terminal import plural
from pytest_metaspace.trajectories import MAIN_FILE
from pytest_metaspace.trajectories._defects import Unusable, decoded_size, new_defects, put_right
from pytest_metaspace.trajectories._episodes import as_typed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pytest_metaspace.domain import Trajectory
    from pytest_metaspace.mrs import Relation
    from pytest_metaspace.pipeline import Registries
    from pytest_metaspace.plans import Plan

_SHOWN = 5
# What it takes, told where no filter gave a reason of its own.
_NEEDS = {
    "SC1": "needs more states in a row",
    "SC2": "needs pictures that show several objects whole, each seen in at least two",
    "SC3": "needs objects that are seen whole in at least two pictures",
    "SC4": "needs several objects that stay where they are, each seen in at least two pictures",
}


class Check:
    """What there is to say about trajectories.

    ``wrong`` counts what is not as it should be, ``defects`` what readers found and left out.
    """

    def __init__(self, paths: Iterable[Path], registries: Registries) -> None:
        self.wrong = 0
        self.defects = 0
        self._paths = list(paths)
        self._told: set[str] = set()
        self._registries = registries
        self._settings = Settings(anchors=frozenset({ALL}))

    def lines(self) -> Iterator[str]:
        """Load every trajectory at or below the paths; yield the report as it goes.

        Raises:
            UsageProblem: a path does not exist.
        """
        for path in self._paths:
            if not pipeline.exists(path):
                raise UsageProblem(f"metaspace: there is no file or folder {str(path)!a}.")
        files: dict[Path, None] = {}
        for path in self._paths:
            yield from self._find(path, files)
        self._registries.choice.require()
        loaded: dict[str, Trajectory] = {}
        for file in files:
            trajectory = self._load(file, loaded)
            if isinstance(trajectory, str):
                yield from self._wrong([trajectory])
            else:
                yield from self._about(trajectory)
            yield ""
        self._registries.let_go()
        right = "1 trajectory" if len(loaded) == 1 else f"{len(loaded)} trajectories"
        yield from map(_shown, self._registries.choice.lines())
        defects = f"{plural(self.defects, 'defect')}, " if self.defects else ""
        yield f"{right} loaded; {defects}{plural(self.wrong, 'problem')}"

    def _find(self, path: Path, files: dict[Path, None]) -> Iterator[str]:
        known = ", ".join(self._registries.formats.names)
        problems = [
            f"{file}: is cut off or belongs to no known format, so pytest passes it by; expected "
            f'a field "format" (docs/format.md) that is one of: {known}.'
            for file in (sorted(path.rglob(MAIN_FILE)) if path.is_dir() else ())
            if self._registries.format_of(file) is None
        ]
        found, wrong = pipeline.search(path, self._registries)
        files.update(dict.fromkeys(map(settled, found)))
        if not problems or pipeline.main_files(path, self._registries):
            problems += wrong
        for text in problems:
            yield from self._wrong([text])

    def _load(self, file: Path, loaded: dict[str, Trajectory]) -> Trajectory | str:
        if self._registries.format_of(file) is None:
            return f"{file}: changed while it was checked. Check it again."
        try:
            trajectory = self._registries.load(file)
            pipeline.add(loaded, trajectory)
        except (TrajectoryError, TrackerError) as problem:
            return str(problem)
        return trajectory

    def _wrong(self, problems: Sequence[str]) -> Iterator[str]:
        self.wrong += len(problems)
        for text in problems[:_SHOWN]:
            yield f"PROBLEM {_shown(text)}"
        if len(problems) > _SHOWN:
            yield f"... and {plural(len(problems) - _SHOWN, 'problem')} more of this trajectory"

    # ------------------------------------------------------------------ one trajectory

    def _about(self, trajectory: Trajectory) -> Iterator[str]:
        name = _shown(trajectory.id).replace("\n", "\\n")
        source, typed = str(trajectory.source), as_typed(trajectory.source)
        yield f"{name}: {_shown(typed)}"
        yield from _facts(trajectory)
        for text in trajectory.warnings:
            yield f"  note: {_shown(text.replace(source, typed))}"
        for text in new_defects(trajectory, self._told):
            self.defects += 1
            yield f"  defect: {_shown(text.replace(source, typed))}"
        pictures = list(_bad_pictures(trajectory))
        yield from self._wrong(pictures)
        plan = pipeline.plan(trajectory, self._registries, self._settings)
        if trajectory.only_items:
            yield from _items(plan)
            return
        counts = Counter((case.capability.value, case.relation) for case in plan.cases)
        for capability in Capability:
            yield self._feeds(trajectory, capability, counts)
        anchored = [one for one in self._registries.relations if one.anchored]
        names = {one.name for one in anchored}
        related = [case for case in plan.cases if case.relation not in names]
        asked = plural(len(distinct(related)), "distinct question")
        yield f"  {plural(len(related), 'case')}, {asked}"
        counted = Counter(case.relation for case in plan.cases)
        held = (
            f"{one.name} {counted[one.name]}"
            if counted[one.name]
            else f"no {one.name} ({self._reason(trajectory, one.capabilities[0], one)})"
            for one in anchored
        )
        yield f"  answers held against the world (--metaspace-anchors): {'  '.join(held)}"
        if not pictures:
            yield from self._motion(trajectory)

    def _motion(self, trajectory: Trajectory) -> Iterator[str]:
        """Hold the moves of the log against its frames and its poses."""
        seen = handedness.compared(trajectory)
        yield f"  {seen.line()}"
        told = [*seen.problems(), *handedness.contradictions(trajectory)]
        yield from self._wrong([f"{trajectory.source}: {text}" for text in told])

    def _feeds(
        self, trajectory: Trajectory, capability: Capability, counts: Counter[tuple[str, str]]
    ) -> str:
        relations = [
            relation
            for relation in self._registries.relations
            if capability in relation.capabilities and not relation.anchored
        ]
        parts = [
            f"{relation.name} {counts[capability.value, relation.name]}"
            for relation in relations
            if counts[capability.value, relation.name]
        ]
        without: dict[str, list[str]] = {}
        for relation in relations:
            if not counts[capability.value, relation.name]:
                reason = self._reason(trajectory, capability, relation)
                without.setdefault(reason, []).append(relation.name)
        parts += [f"no {', '.join(names)} ({reason})" for reason, names in without.items()]
        return f"  {capability.value} {capability.meaning:<21} {'  '.join(parts)}"

    def _reason(self, trajectory: Trajectory, capability: Capability, relation: Relation) -> str:
        """Say why a relation has no case here: plan it alone, so that the reasons are its own."""
        alone = Settings(
            capabilities=frozenset({capability.value}), relations=frozenset({relation.name})
        )
        plan = pipeline.plan(trajectory, self._registries, alone)
        reasons = [*plan.skips.values(), *(f"{n} x {why}" for why, n in sorted(plan.drops.items()))]
        return "; ".join(reasons) or _NEEDS[capability.value[:3]]


def _items(plan: Plan) -> Iterator[str]:
    """Say which relations items of a suite feed, and why not others."""
    counted = Counter(case.relation for case in plan.cases)
    reasons = [f"no {reason}" for reason in sorted(plan.drops)]
    yield f"  {'  '.join([*(f'{name} {count}' for name, count in counted.items()), *reasons])}"
    asked = plural(len(distinct(plan.cases)), "distinct question")
    yield f"  {plural(len(plan.cases), 'case')}, {asked}"


def _facts(trajectory: Trajectory) -> Iterator[str]:
    camera = trajectory.camera
    for task, item in trajectory.items.items():
        written = sum(posing.written for posing in item.posings.values())
        yield f"  {task}: {plural(written, 'item')} of a suite"
    if trajectory.only_items:
        boxes = len(trajectory.objects)
        yield f"  objects with boxes: {boxes}, {camera.width} x {camera.height} pixels"
        return
    focal = "" if camera.fx or camera.fy else ", focal length unknown"
    states = len(trajectory.states)
    yield (
        f"  {trajectory.scenario}, {plural(states, 'state')}, steps of "
        f"{trajectory.step_length_m:g} m, {camera.width} x {camera.height} pixels{focal}"
    )
    known = sum(state.action is not None for state in trajectory.states[:-1])
    succeeded = sum(bool(state.succeeded) for state in trajectory.states[:-1])
    boxes = sum(len(thing.boxes) for thing in trajectory.objects)
    truth = trajectory.truth
    placed = len(truth.objects) if truth is not None else 0
    yield (
        f"  actions: {known} of {states - 1} known, {succeeded} succeeded; "
        f"poses: {'yes' if truth is not None else 'no'}; "
        f"tracked objects: {len(trajectory.objects)}{f', in {boxes} boxes' if boxes else ''}; "
        f"true places: {placed or 'none'}"
    )
    if trajectory.watched:
        yield (
            f"  what moves: the {words.one_line(trajectory.mover)}, seen by a camera that "
            f"stays; its places: {'yes' if truth is not None and truth.mover else 'no'}; holding "
            f"something in {plural(sum(s.holds is not None for s in trajectory.states), 'state')}"
        )


def _bad_pictures(trajectory: Trajectory) -> Iterator[str]:
    """Decode every picture; say which cannot be, and which has another size than the camera."""
    expected = (trajectory.camera.width, trajectory.camera.height)
    for frame in dict.fromkeys(state.frame for state in trajectory.states):
        try:
            size = decoded_size(frame)
        except Unusable as problem:
            yield put_right(frame, problem)
            continue
        if size != expected:
            yield (
                f"{trajectory.source}: field camera: says {expected[0]} x {expected[1]}, "
                f"but {frame.name} has {size[0]} x {size[1]} pixels. Boxes are told in the "
                "camera's pixels."
            )


def _shown(text: str) -> str:
    """Shorten paths to those below here; show what is not printable as escapes."""
    near = text.replace(f"{Path.cwd()}/", "")
    return "".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in near)
