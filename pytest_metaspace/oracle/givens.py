"""What a case gives to its law, as Prolog terms: for the checker, and written for it alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pytest_metaspace.oracle.terms import Term

#  What a law may ask for; where a case has none, that fails.
GIVEN: Final = frozenset(
    [
        ("subjects", 1), ("subjects", 2), ("subjects", 3), ("object", 1), ("objects", 2),
        ("semantics", 1), ("exact_legs", 0), ("distance_metric", 1), ("tolerance", 2),
        ("direction", 3), ("vertical", 3), ("distance", 3), ("claim", 2), ("measure", 4),
        ("repeated", 1), ("frame_columns", 4), ("principal_column", 2), ("executed", 6),
        ("heading_at", 1), ("step_length", 1), ("true_answer", 1), ("choice", 2), ("becomes", 2),
        ("if_answer", 3), ("if_counts", 4), ("then_answer", 3), ("on_side", 2), ("asks_about", 2),
    ]
)  # fmt: skip
_PLAIN: Final = {
    "heading": ("heading_at", ("at",)),
    "step_length": ("step_length", ("metres",)),
    "choice": ("choice", ("question", "option")),
    "becomes": ("becomes", ("option", "becomes")),
    "if_answer": ("if_answer", ("rule", "question", "option")),
    "if_counts": ("if_counts", ("rule", "compares", "first", "second")),
    "then_answer": ("then_answer", ("rule", "question", "option")),
    "side": ("on_side", ("side", "question")),
    "asks_about": ("asks_about", ("question", "option")),
}
"""Kinds whose fact has the fields of the observation as they are."""
_OPTIONS: Final = ("option", "becomes")
"""Fields with an option, or a whole number that JSON may have written as 3.0."""


def given(
    case: Mapping[str, Any], sectors: Mapping[str, Term], epsilon: float, delta: float
) -> Iterator[tuple[int | None, Term]]:
    """Yield the facts of a case that was judged, each with the index of its observation.

    Args:
        case: as RELATIONS.md describes it; its values are all allowed.
        sectors: label to sector.
        epsilon: tolerance of MR5 where the case brings none, and under ``paper``.
        delta: the same for MR6.
    """
    yield None, ("relation", case["relation"])
    subjects: Term = "[]"
    for subject in reversed(case["subjects"]):
        subjects = ("[|]", subject, subjects)
    yield None, ("subjects", subjects)
    if len(case["subjects"]) > 1:
        yield None, ("subjects", *case["subjects"])
    if "object" in case:
        yield None, ("object", case["object"])
    if isinstance(case.get("objects"), (list, tuple)):  # elsewhere nobody reads it
        yield None, ("objects", *case["objects"])
    semantics = case.get("semantics", "sound")
    yield None, ("semantics", semantics)
    if case.get("exact") is True:
        yield None, "exact_legs"
    yield None, ("distance_metric", case.get("distance_metric", "spatial"))
    told = case.get("tolerance", {}) if semantics == "sound" else {}
    for name, value in {"steps": 0, "depth": float(epsilon), "size": float(delta)}.items():
        yield None, ("tolerance", name, told.get(name, value))
    seen: list[Term] = []
    for index, fact in _observed(case["observations"], sectors):
        yield index, fact
        if fact in seen:
            yield index, ("repeated", fact)
        seen.append(fact)


def _observed(
    entries: Sequence[Mapping[str, Any]], sectors: Mapping[str, Term]
) -> Iterator[tuple[int, Term]]:
    tall = all("vertical" in entry for entry in entries if entry["kind"] == "direction")
    for index, entry in enumerate(entries):
        if entry["kind"] == "true":
            about = entry["about"]
            for fact in _facts(about, sectors, tall="vertical" in about):
                yield index, ("true_answer", fact)
        else:
            for fact in _facts(entry, sectors, tall=tall):
                yield index, fact


def _facts(entry: Mapping[str, Any], sectors: Mapping[str, Term], *, tall: bool) -> Iterator[Term]:
    match entry["kind"]:
        case "direction":
            ends = (entry["from"], entry["to"])
            yield ("direction", *ends, sectors[entry["planar"]])
            if tall:
                yield ("vertical", *ends, entry["vertical"])
        case "distance":
            yield ("distance", entry["from"], entry["to"], int(entry["steps"]))
        case "claim":
            yield ("claim", "yes" if entry["holds"] else "no", _claimed(entry, sectors))
        case "columns":
            yield ("frame_columns", *(entry[key] for key in ("frame", "object", "left", "right")))
        case "principal_column":
            yield ("principal_column", entry["frame"], entry["column"])
        case "action":
            keys = ("from", "to", "forward", "right", "up", "turn")
            yield ("executed", *(entry[key] for key in keys))
        case kind if kind in _PLAIN:
            name, plain = _PLAIN[kind]
            yield (name, *(_whole(key, entry[key]) for key in plain))
        case kind:
            yield ("measure", kind, entry["frame"], entry["object"], entry["value"])


def _whole(key: str, value: Term) -> Term:
    return int(value) if key in _OPTIONS and isinstance(value, float) else value


def _claimed(entry: Mapping[str, Any], sectors: Mapping[str, Term]) -> Term:
    about = entry["about"]
    ends = (about["from"], about["to"])
    if about["kind"] == "direction":
        return ("direction", *ends, sectors[about["planar"]])
    name = "at_least" if "at_least" in about else "exactly"
    return (name, *ends, int(about[name]))
