"""Any report at all: built from the type hints of the vocabulary, field by field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from datetime import date
from enum import Enum
from functools import cache
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

from pytest_metaspace import domain
from pytest_metaspace.domain import Report, Run, Step
from tests.reports.hostile import TEXTS

_NAMES: Final = {**vars(domain), "Mapping": Mapping, "date": date, "Any": Any}
_WORDS: Final = TEXTS.map(
    lambda text: text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
)
"""Any text but those in which two halves of a character stand side by side."""
_JSON: Final = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | _WORDS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_WORDS, inner, max_size=2),
    max_leaves=4,
)
_SIMPLE: Final[dict[Any, st.SearchStrategy[Any]]] = {
    str: _WORDS,
    int: st.integers(0, 2**60),
    bool: st.booleans(),
    float: st.floats(allow_nan=False),
    date: st.dates(),
    Any: _JSON,
    Step: st.deferred(lambda: _steps(2)),
}


@cache
def any_of(hint: Any) -> st.SearchStrategy[Any]:
    """Return whatever a type hint allows."""
    origin, inner = get_origin(hint), get_args(hint)
    if hint in _SIMPLE:
        return _SIMPLE[hint]
    if origin is Literal:
        return st.sampled_from(inner)
    if origin is tuple:
        several = inner[-1] is Ellipsis
        few = st.lists(any_of(inner[0]), max_size=2).map(tuple)
        return few if several else st.tuples(*map(any_of, inner))
    if origin is frozenset:
        return st.frozensets(any_of(inner[0]), max_size=2)
    if origin is Mapping:
        keys = st.integers(0, 10**6) if inner[0] is int else any_of(inner[0])
        return st.dictionaries(keys, any_of(inner[1]), max_size=2)
    if origin is not None:
        return st.one_of(*(st.none() if one is type(None) else any_of(one) for one in inner))
    if issubclass(hint, Enum):
        return st.sampled_from(list(hint))
    return _object(hint)


def _object(kind: Any) -> st.SearchStrategy[Any]:
    hints = get_type_hints(kind, localns=_NAMES)
    held = {one.name: any_of(hints[one.name]) for one in fields(kind)}
    if kind is Run:
        held["verdicts"] = st.just(())
    return st.fixed_dictionaries(held).map(lambda values: kind(**values))


def _steps(depth: int) -> st.SearchStrategy[Step]:
    children = st.just(()) if depth == 0 else st.lists(_steps(depth - 1), max_size=2).map(tuple)
    return st.builds(
        Step,
        goal=_WORDS,
        because=_WORDS,
        source=_WORDS,
        children=children,
        observation=st.none() | st.integers(0, 1),
    )


@st.composite
def any_report(draw: st.DrawFn) -> Report:
    """Return any report in which what points somewhere points at something."""
    report: Report = draw(any_of(Report))
    known = len(report.questions)
    cases = tuple(
        replace(
            one,
            address=f"{one.address}::SC1-a::MR1::{number}",
            questions=tuple(place % known for place in one.questions) if known else (),
            givens=("measured", "measured"),
        )
        for number, one in enumerate(report.cases)
    )
    told = tuple(
        replace(one, frames=tuple(f"/runs/{number}.webp" for number, _ in enumerate(one.frames)))
        for one in report.trajectories
    )
    return replace(report, cases=cases, trajectories=told)
