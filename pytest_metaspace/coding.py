"""Dataclasses of the vocabulary as JSON-simple values and back; their type hints are the schema.

An object for a dataclass, without the fields that are empty; a list for a tuple, a
sorted one for a set; a mapping by texts or numbers is an object, one by tuples a list of pairs.
"""

from __future__ import annotations

import math
import types
from collections.abc import Mapping
from dataclasses import MISSING, fields
from datetime import date
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, Union, get_args, get_origin
from typing import get_type_hints as hints_of

from pytest_metaspace import domain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_NAMES: Final = {**vars(domain), "Mapping": Mapping, "date": date, "Any": Any}
_UNTOLD: Final[Mapping[tuple[type, str], Any]] = {(domain.Run, "verdicts"): ()}
"""Fields that are in no file, and what stands for them when one is read."""
_DERIVED: Final[Mapping[type, tuple[str, ...]]] = {
    domain.Score: ("cases", "value"),
    domain.Mean: ("cases", "value"),
    domain.Shift: ("change",),
    domain.TaskAccuracy: ("accuracy", "normalised"),
    domain.Sliced: ("accuracy",),
    domain.Gain: ("difference",),
}
"""Properties that are in files for who reads them by other means; they are not read."""
_NO_NUMBERS: Final = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


class Misfit(Exception):
    """A value that is not what its place asks for.

    Args:
        what: what is wrong, without the place.
    """

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what
        self.path: list[str | int] = []
        """The place, from the inside out."""

    @property
    def place(self) -> str:
        """The place, as in ``cases[3].outcome``."""
        parts = (f"[{p}]" if isinstance(p, int) else f".{p}" for p in reversed(self.path))
        return "".join(parts).removeprefix(".")


class Coder(NamedTuple):
    """How values of a type are written and read."""

    encode: Callable[[Any], Any]
    decode: Callable[[Any], Any]
    told: str
    """What is expected, for messages and for people."""


def encoded(value: Any) -> Any:
    """Return a dataclass of the vocabulary as a JSON-simple value."""
    kind: Any = type(value)
    return coder(kind).encode(value)


def decoded(kind: type, value: Any) -> Any:
    """Return the dataclass that a JSON-simple value stands for.

    Raises:
        Misfit: it stands for none.
    """
    return coder(kind).decode(value)


class Told(NamedTuple):
    """A field of a dataclass, as files hold it."""

    name: str
    coder: Coder
    default: Any
    """What it holds where the file does not tell; ``MISSING`` where the file has to."""
    is_left_out: bool
    """Whether a file does not tell it where it is empty."""


@cache
def told_fields(kind: type) -> tuple[Told, ...]:
    """Return the fields of a dataclass that files hold."""
    hints = hints_of(kind, localns=_NAMES)
    return tuple(
        _field(one, coder(hints[one.name]))
        for one in fields(kind)
        if (kind, one.name) not in _UNTOLD
    )


def _field(field: Any, inner: Coder) -> Told:
    default = field.default
    if default is MISSING and field.default_factory is not MISSING:
        default = field.default_factory()
    is_empty = not default and not isinstance(default, (int, float))
    return Told(field.name, inner, default, is_empty)


def derived_fields(kind: type) -> tuple[str, ...]:
    """Return the properties of a dataclass that files hold beside its fields."""
    return _DERIVED.get(kind, ())


@cache
def coder(hint: Any) -> Coder:
    """Return how values of a type hint are written and read."""
    origin, inner = get_origin(hint), get_args(hint)
    if hint in _SIMPLE:
        return _SIMPLE[hint]
    if isinstance(hint, type) and not origin:
        return _enum(hint) if issubclass(hint, Enum) else _object(hint)
    if origin in (Union, types.UnionType):
        (one,) = (part for part in inner if part is not type(None))
        return _optional(coder(one))
    if origin is Literal:
        return _one_of(inner)
    if origin is tuple:
        several = inner[-1] is Ellipsis
        return _list(coder(inner[0]), tuple) if several else _row([*map(coder, inner)])
    if origin is frozenset:
        return _list(coder(inner[0]), frozenset)
    assert origin is Mapping
    return _mapping(inner[0], coder(inner[1]))


# ------------------------------------------------------------------------------- one value


def _simple(kind: type | tuple[type, ...], told: str, *, boolean: bool = False) -> Coder:
    def decode(value: Any) -> Any:
        if not isinstance(value, kind) or (isinstance(value, bool) and not boolean):
            raise Misfit(f"expected {told}, found {_shown(value)}")
        return value

    return Coder(lambda value: value, decode, told)


def _shown(value: Any) -> str:
    text = ascii(value)
    return text if len(text) <= 60 else f"{text[:57]}..."  # noqa: PLR2004 - a line of a message


def _number() -> Coder:
    names = {repr(number): name for name, number in _NO_NUMBERS.items()}

    def encode(value: float) -> float | str:
        number = float(value)
        return number if math.isfinite(number) else names[repr(number)]

    def decode(value: Any) -> float:
        if isinstance(value, str) and value in _NO_NUMBERS:
            return _NO_NUMBERS[value]
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise Misfit(f"expected a number, found {_shown(value)}")
        try:
            return float(value)
        except OverflowError:
            raise Misfit("this number is too large") from None

    return Coder(encode, decode, "a number")


def _date() -> Coder:
    def decode(value: Any) -> date:
        try:
            return date.fromisoformat(value)
        except (TypeError, ValueError):
            raise Misfit(f"expected a date as 2027-01-31, found {_shown(value)}") from None

    return Coder(date.isoformat, decode, "a date as `2027-01-31`")


_SIMPLE: Final[Mapping[Any, Coder]] = {
    str: _simple(str, "a text"),
    int: _simple(int, "a whole number"),
    bool: _simple(bool, "true or false", boolean=True),
    float: _number(),
    date: _date(),
    Any: Coder(lambda value: value, lambda value: value, "any value"),
}


def _optional(inner: Coder) -> Coder:
    encode, decode, told = inner
    return Coder(
        lambda value: None if value is None else encode(value),
        lambda value: None if value is None else decode(value),
        f"{told}, or null",
    )


def _one_of(words: tuple[Any, ...]) -> Coder:
    told = f"one of {', '.join(map(str, words))}"

    def decode(value: Any) -> Any:
        if value not in words:
            raise Misfit(f"expected {told}, found {_shown(value)}")
        return value

    return Coder(lambda value: value, decode, told)


def _enum(kind: type[Enum]) -> Coder:
    members = {member.value: member for member in kind}
    told = f"one of {', '.join(members)}"

    def decode(value: Any) -> Enum:
        found = members.get(value) if isinstance(value, str) else None
        if found is None:
            raise Misfit(f"expected {told}, found {_shown(value)}")
        return found

    return Coder(lambda value: value.value, decode, told)


# ------------------------------------------------------------------------------ many values


def _list(inner: Coder, made: type) -> Coder:
    one_encoded, one_decoded, told = inner
    unordered = made is frozenset

    def encode(values: Any) -> list[Any]:
        found = [one_encoded(value) for value in values]
        return sorted(found) if unordered else found

    def decode(values: Any) -> Any:
        if not isinstance(values, list):
            raise Misfit(f"expected a list, found {_shown(values)}")
        found: list[Any] = []
        try:
            found.extend(one_decoded(value) for value in values)
        except Misfit as problem:
            problem.path.append(len(found))
            raise
        return made(found)

    return Coder(encode, decode, f"{'a sorted list' if unordered else 'a list'}: {told}")


def _row(parts: list[Coder]) -> Coder:
    def encode(values: tuple[Any, ...]) -> list[Any]:
        return [part.encode(value) for part, value in zip(parts, values)]

    def decode(values: Any) -> tuple[Any, ...]:
        if not isinstance(values, list) or len(values) != len(parts):
            raise Misfit(f"expected a list of {len(parts)}, found {_shown(values)}")
        found: list[Any] = []
        try:
            found.extend(part.decode(value) for part, value in zip(parts, values))
        except Misfit as problem:
            problem.path.append(len(found))
            raise
        return tuple(found)

    told = [part.told for part in parts]
    each = told[0] if len(set(told)) == 1 else "; ".join(told)
    return Coder(encode, decode, f"a list of {len(parts)}: {each}")


def _mapping(key: Any, inner: Coder) -> Coder:
    if key is str:
        return _by_text(str, str, inner, "a text")
    if key is int:
        return _by_text(str, _whole, inner, "a whole number")
    return _pairs(coder(key), inner)


def _whole(text: str) -> int:
    if not text.isdecimal() or not text.isascii():
        raise Misfit(f"expected a whole number, found {_shown(text)}")
    return int(text)


def _by_text(
    written: Callable[[Any], str], read: Callable[[str], Any], inner: Coder, told: str
) -> Coder:
    one_encoded, one_decoded, what = inner

    def encode(values: Mapping[Any, Any]) -> dict[str, Any]:
        return {written(name): one_encoded(value) for name, value in values.items()}

    def decode(values: Any) -> dict[Any, Any]:
        if not isinstance(values, dict):
            raise Misfit(f"expected an object, found {_shown(values)}")
        found = {}
        name = ""
        try:
            for name, value in values.items():
                found[read(name)] = one_decoded(value)
        except Misfit as problem:
            problem.path.append(name)
            raise
        return found

    return Coder(encode, decode, f"an object by {told}: {what}")


def _pairs(key: Coder, inner: Coder) -> Coder:
    row = _list(_row([key, inner]), dict)
    return Coder(
        lambda values: [[key.encode(name), inner.encode(value)] for name, value in values.items()],
        row.decode,
        f"a list of pairs: {key.told}; and {inner.told}",
    )


# ---------------------------------------------------------------------------------- objects


def _object(kind: type) -> Coder:
    """Return how a dataclass is written and read; what it holds is looked up at first use."""

    def encode(value: Any) -> dict[str, Any]:
        found = {}
        for name, inner, default, is_left_out in told_fields(kind):
            held = getattr(value, name)
            if not is_left_out or (held is not None if default is None else held):
                found[name] = inner.encode(held)
        for name in derived:
            found[name] = _follows(getattr(value, name))
        return found

    def decode(value: Any) -> Any:
        if not isinstance(value, dict):
            raise Misfit(f"expected an object, found {_shown(value)}")
        return kind(**dict(_decoded(kind, value)), **absent)

    derived = derived_fields(kind)
    absent = {name: value for (owner, name), value in _UNTOLD.items() if owner is kind}
    return Coder(encode, decode, f"an object, {kind.__name__}")


def _follows(number: float | None) -> Any:
    return number if number is None or isinstance(number, int) else _SIMPLE[float].encode(number)


def _decoded(kind: type, value: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    taken = 0
    for name, inner, default, _ in told_fields(kind):
        if name in value:
            taken += 1
            try:
                yield name, inner.decode(value[name])
            except Misfit as problem:
                problem.path.append(name)
                raise
        elif default is MISSING:
            raise Misfit(f"lacks the field {name}")
    if taken < len(value):
        known = {*derived_fields(kind), *(told.name for told in told_fields(kind))}
        stray = next((name for name in value if name not in known), None)
        if stray is None:
            return
        raise Misfit(f"has the field {_shown(stray)}, which is not known")
