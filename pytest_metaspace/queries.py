"""From the words of a hand-written test to a query, the same that a relation would make."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_metaspace.domain import NONE, Capability, Claim, Query, Settings
from pytest_metaspace.errors import UsageProblem, unknown
from pytest_metaspace.mrs import Grounds, Map, View, Window
from pytest_metaspace.prompts import words

if TYPE_CHECKING:
    from pytest_metaspace.domain import Subject, Trajectory


def query(
    trajectory: Trajectory,
    capability: str,
    a: Subject,
    b: Subject | None = None,
    *,
    frame: int | None = None,
    claim: Claim | None = None,
    wording: int = 0,
) -> Query:
    """Return the query of a capability about one or two subjects.

    Args:
        trajectory: where it is asked about.
        capability: its code. ``SC1`` takes two states and no frame, ``SC2`` two objects and a
            frame, ``SC3`` one object and a frame, ``SC4`` two objects and no frame.
        a: the state (by index) or object (by id) from which, or the one that is asked about.
        b: the state or object to which.
        frame: the picture to look at.
        claim: what is to be confirmed; None for an open question.
        wording: 1 asks the same in other words.

    Raises:
        UsageProblem: there is no such capability, state, object or frame, or one too many.
    """
    codes = [code.value for code in Capability]
    if capability not in codes:
        raise unknown("capability", capability, codes, hint="See docs/concepts.md.")
    code = Capability(capability)
    _check_claim(code, claim)
    if code.startswith("SC1"):
        first, second = _states(trajectory, code, a, b, frame)
        window = Window(trajectory, min(first, second), max(first, second))
        return window.ask(code, first, second, claim=claim, wording=wording)
    if code.about_map:
        return _on_map(trajectory, code, a, b, frame).ask(
            code, a, b or "", claim=claim, wording=wording
        )
    names = (a,) if code.startswith("SC3") else (a, b)
    seen = _seen(trajectory, code, names, frame)
    if code.startswith("SC3"):
        if b is not None:
            raise UsageProblem(f"metaspace: {code} asks about one object, not about {b!r} too.")
        return Grounds(trajectory, Settings()).about(code, trajectory.by_id[str(a)], seen)
    return View(trajectory, seen).ask(code, a, b or "", claim=claim, wording=wording)


def _check_claim(code: Capability, claim: Claim | None) -> None:
    if claim is None:
        return
    if not isinstance(claim, Claim):
        raise UsageProblem(
            f"metaspace: {claim!r} is no claim. Write claim=Claim(planar='left'), at_least=2 or "
            "exactly=2 instead, with Claim from pytest_metaspace.domain."
        )
    fields = (claim.planar, claim.at_least, claim.exactly)
    if sum(field is not None for field in fields) != 1:
        raise UsageProblem(
            f"metaspace: {claim} is no claim: exactly one of planar, at_least and exactly is set."
        )
    fits = code.of_directions if claim.planar is not None else code.of_distances
    if not fits:
        raise UsageProblem(
            f"metaspace: {claim} is no claim about {code}, {code.meaning}. Claim planar for "
            "directions, at_least or exactly for distances, and nothing for sizes and depths."
        )
    labels = (*words.planar(code).values(), NONE) if claim.planar is not None else ()
    if claim.planar is not None and claim.planar not in labels:
        hint = f"These are the directions of {code}, {code.meaning}."
        raise unknown("direction", str(claim.planar), labels, hint=hint)
    for steps in (claim.at_least, claim.exactly):
        if steps is not None and (not isinstance(steps, int) or steps < 0):
            raise UsageProblem(
                f"metaspace: {claim} is no claim: distances are whole steps, from 0."
            )


def _states(
    trajectory: Trajectory, code: Capability, a: Subject, b: Subject | None, frame: int | None
) -> tuple[int, int]:
    last = len(trajectory.states) - 1
    for state in (a, b):
        if not isinstance(state, int) or not 0 <= state <= last:
            raise UsageProblem(
                f"metaspace: {code} asks about the way between two states of {trajectory.id!a}, "
                f"from 0 to {last}, not about {state!r}."
            )
    if a == b or frame is not None:
        wrong = f"state {a} twice" if a == b else f"frame {frame}"
        raise UsageProblem(
            f"metaspace: {code} asks about the way between two different states, not about "
            f"{wrong}. Leave frame out; the pictures are those from one state to the other."
        )
    assert isinstance(a, int)
    assert isinstance(b, int)
    return a, b


def _check_objects(
    trajectory: Trajectory, code: Capability, names: tuple[Subject | None, ...]
) -> None:
    if len(set(names)) < len(names):
        raise UsageProblem(f"metaspace: {code} asks about two different objects, not {names[0]!r}.")
    for name in names:
        if not isinstance(name, str) or name not in trajectory.by_id:
            raise unknown(
                f"object of {trajectory.id}",
                str(name),
                trajectory.by_id,
                hint="Name objects by their ids in objects.json.",
            )


def _seen(
    trajectory: Trajectory,
    code: Capability,
    names: tuple[Subject | None, ...],
    frame: int | None,
) -> int:
    """Return the frame, when it shows all the objects."""
    _check_objects(trajectory, code, names)
    boxes = [trajectory.by_id[str(name)].boxes for name in names]
    shown = [state.index for state in trajectory.states if all(state.index in b for b in boxes)]
    if frame not in shown:
        wanted = " and ".join(str(name) for name in names)
        raise UsageProblem(
            f"metaspace: {code} asks about a picture that shows {wanted}, and frame={frame} is "
            f"none. Frames that show them: {', '.join(map(str, shown)) or 'none'}."
        )
    assert frame is not None
    return frame


def _on_map(
    trajectory: Trajectory, code: Capability, a: Subject, b: Subject | None, frame: int | None
) -> Map:
    """Return the map, when both objects are on it."""
    _check_objects(trajectory, code, (a, b))
    if frame is not None:
        raise UsageProblem(f"metaspace: {code} asks about a map, not about frame {frame}.")
    grounds = Grounds(trajectory, Settings())
    mapped = [thing.id for thing in grounds.mapped]
    for name in (a, b):
        if name not in mapped:
            raise UsageProblem(
                f"metaspace: no map can show {name}: it was moved, or is seen in fewer than two "
                f"frames. On the map of {trajectory.id!a}: {', '.join(mapped) or 'nothing'}."
            )
    return Map(grounds)
