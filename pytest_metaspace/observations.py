"""From answers to what the oracle sees: one record a case, as RELATIONS writes it down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_metaspace.domain import (
    AsksAbout,
    Becomes,
    Capability,
    Columns,
    Executed,
    Given,
    HeadingAt,
    IfAnswer,
    IfCounts,
    Missing,
    OnSide,
    PrincipalColumn,
    StepLength,
    ThenAnswer,
    TrueAnswer,
    Unreadable,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_metaspace.domain import Case, Fact, Query, Reading, Subject


def record(case: Case, readings: Sequence[Reading]) -> dict[str, Any]:
    """Return a case as the oracle takes it.

    Args:
        case: the case.
        readings: one for each query of the case.
    """
    return framed(case, [observation(*said) for said in zip(case.queries, readings)])


def framed(case: Case, observed: Sequence[Any]) -> dict[str, Any]:
    """Return a case as the oracle takes it.

    Args:
        case: the case.
        observed: an observation for each query of the case, written or not.
    """
    of_frames = case.capability in (Capability.SIZE, Capability.DEPTH)
    kept: dict[str, Any] = {
        "case": case.address,
        "relation": case.law,
        "semantics": case.semantics,
        "subjects": [_name(subject, of_frame=of_frames) for subject in case.subjects],
        "observations": [
            *observed,
            *map(given, case.givens),
        ],
        "distance_metric": case.distance_metric,
        "exact": case.exact,
        "wording": _wording(case),
    }
    if case.tolerance:
        kept["tolerance"] = dict(case.tolerance)
        if case.tolerance_parts:
            kept["tolerance"]["depth_parts"] = dict(case.tolerance_parts)
    if case.object is not None:
        kept["object"] = case.object
    if case.objects is not None:
        kept["objects"] = list(case.objects)
    return kept


def given(fact: Fact) -> dict[str, Any]:
    """Return what is given with a case as the oracle takes it."""
    match fact:
        case Given():
            return {"kind": "size_px", **_box(fact), "value": fact.size_px}
        case Columns():
            return {"kind": "columns", **_box(fact), "left": fact.left, "right": fact.right}
        case PrincipalColumn(frame, column):
            frame_ = _name(frame, of_frame=True)
            return {"kind": "principal_column", "frame": frame_, "column": column}
        case Executed():
            forward, right, up = fact.move_m
            ends = {"from": _name(fact.first), "to": _name(fact.first + 1)}
            moved = {"forward": forward, "right": right, "up": up, "turn": fact.turn_deg}
            return {"kind": "action", **ends, **moved}
        case HeadingAt(state):
            return {"kind": "heading", "at": _name(state)}
        case StepLength(metres):
            return {"kind": "step_length", "metres": metres}
        case TrueAnswer(query, value):
            return {"kind": "true", "about": observation(query, value)}
        case _:
            return _by_construction(fact)


def _by_construction(
    fact: Becomes | IfAnswer | IfCounts | ThenAnswer | OnSide | AsksAbout,
) -> dict[str, Any]:
    """Return what binds the questions of an item of a suite."""
    match fact:
        case Becomes(option, other):
            return {"kind": "becomes", "option": option, "becomes": other}
        case IfAnswer(rule, posing, answer):
            return {"kind": "if_answer", "rule": rule, "question": posing, "option": answer}
        case IfCounts(rule, compares, first, second):
            told = {"compares": compares, "first": first, "second": second}
            return {"kind": "if_counts", "rule": rule, **told}
        case ThenAnswer(rule, posing, answer):
            return {"kind": "then_answer", "rule": rule, "question": posing, "option": answer}
        case OnSide(side, posing):
            return {"kind": "side", "side": side, "question": posing}
        case AsksAbout(posing, option):
            return {"kind": "asks_about", "question": posing, "option": option}


def _box(fact: Given | Columns) -> dict[str, Any]:
    return {"frame": _name(fact.frame, of_frame=True), "object": fact.object}


def _name(subject: Subject, *, of_frame: bool = False) -> str:
    if isinstance(subject, str):
        return subject
    return f"frame {subject}" if of_frame else f"state {subject}"


def _wording(case: Case) -> str:
    if case.capability.startswith("SC1"):
        return "watched" if case.watched else "forward"
    return "compass" if case.capability.about_map else "farther"


def observation(query: Query, reading: Reading) -> dict[str, Any]:
    """Return one answer as the oracle takes it."""
    if query.capability.suite is not None:
        return {"kind": "choice", "question": query.a, "option": _field(reading, "choice")}
    subject = _subject(query)
    if query.claim is not None:
        about = {**subject, **_claimed(query)}
        return {"kind": "claim", "about": about, "holds": _field(reading, "holds")}
    if query.b is None:
        return {**subject, "value": _field(reading, "metres")}
    if query.capability.of_distances:
        return {**subject, "steps": _field(reading, "steps")}
    rise = _field(reading, "vertical")
    said = {**subject, "planar": _field(reading, "planar")}
    return said if rise is None else {**said, "vertical": rise}


def _field(reading: Reading, name: str) -> Any:
    """Return a field of a value; what is no value stands for itself."""
    return reading if isinstance(reading, (Unreadable, Missing)) else getattr(reading, name)


def _subject(query: Query) -> dict[str, Any]:
    if query.b is None:
        kind = "size" if query.capability is Capability.SIZE else "depth"
        return {
            "kind": kind,
            "frame": _name(query.reference or 0, of_frame=True),
            "object": query.a,
        }
    kind = "distance" if query.capability.of_distances else "direction"
    return {"kind": kind, "from": _name(query.a), "to": _name(query.b)}


def _claimed(query: Query) -> Mapping[str, Any]:
    claim = query.claim
    assert claim is not None
    if claim.planar is not None:
        return {"planar": claim.planar}
    if claim.at_least is not None:
        return {"at_least": claim.at_least}
    return {"exactly": claim.exactly}
