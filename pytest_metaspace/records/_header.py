"""The header of a record: who was asked and how, as JSON-simple fields and back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple, get_args

from pytest_metaspace.domain import Boxes, Outcome, Prompting, Record, Semantics, Settings
from pytest_metaspace.records._files import Damage

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_PARTS: Final = 4  # of an address: trajectory, capability, relation, id
LETTERS: Final[Mapping[Outcome, str]] = {
    Outcome.SATISFIED: "S",
    Outcome.VIOLATED: "V",
    Outcome.INVALID: "I",
    Outcome.INCONCLUSIVE: "N",
    Outcome.ERROR: "E",
}
OUTCOMES: Final = {letter: outcome for outcome, letter in LETTERS.items()}


class _Field(NamedTuple):
    fits: Callable[[Any], bool]
    expected: str


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_list(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_map(value: object) -> bool:
    return isinstance(value, dict) and all(map(_is_text, value.values()))


def _one_of(words: tuple[str, ...]) -> _Field:
    return _Field(lambda value: value in words, f"one of {', '.join(words)}")


_TEXT: Final = _Field(_is_text, "a text")
_NUMBER: Final = _Field(_is_number, "a number")
_COUNT: Final = _Field(_is_count, "a whole number")
_LIST: Final = _Field(_is_list, "a list of texts")
_ABOUT: Final = {
    "agent": _TEXT,
    "identity": _Field(lambda value: value is None or _is_text(value), "a text or null"),
    "made_by": _TEXT,
    "anchored": _LIST,
    "wording": _Field(_is_map, "an object of texts"),
}
_SETTINGS: Final = {
    "semantics": _one_of(get_args(Semantics)),
    "prompting": _one_of(get_args(Prompting)),
    "boxes": _one_of(get_args(Boxes)),
    "tracker": _TEXT,
    "epsilon": _NUMBER,
    "delta": _NUMBER,
    "confidence": _NUMBER,
    "sample": _NUMBER,
    "samples": _COUNT,
    "seed": _COUNT,
    "capabilities": _LIST,
    "relations": _LIST,
    "anchors": _LIST,
}
_FIELDS: Final = {**_ABOUT, **_SETTINGS}


def fields(record: Record) -> dict[str, Any]:
    """Return the header of a record, JSON-simple, in the order in which files tell it."""
    about = {name: getattr(record, name) for name in _ABOUT}
    about["wording"] = dict(record.wording)
    about["anchored"] = sorted(record.anchored)
    settings = {name: getattr(record.settings, name) for name in _SETTINGS}
    return about | {
        name: sorted(value) if isinstance(value, frozenset) else value
        for name, value in settings.items()
    }


def checked(name: str, value: Any) -> Any:
    """Return the value of a field; that of a field that is not known as it is.

    Raises:
        Damage: it does not fit.
    """
    field = _FIELDS.get(name)
    if field is not None and not field.fits(value):
        raise Damage(f"{name} has to be {field.expected}")
    return value


def record(
    header: Mapping[str, Any],
    trajectories: Mapping[str, str],
    outcomes: Mapping[str, Outcome],
    source: str,
) -> Record:
    """Build a record of fields that are checked.

    Raises:
        Damage: a field is missing.
    """
    missing = [name for name in ("agent", "semantics", "prompting") if name not in header]
    if missing:
        raise Damage(f"the header lacks {', '.join(missing)}")
    known: dict[str, Any] = {
        name: frozenset(value) if isinstance(value, list) else value
        for name, value in header.items()
        if name in _SETTINGS
    }
    return Record(
        agent=header["agent"],
        identity=header.get("identity"),
        made_by=header.get("made_by", ""),
        wording=header.get("wording", {}),
        settings=replace(Settings(), **known),
        anchored=frozenset(header.get("anchored", ())),
        trajectories=trajectories,
        outcomes=outcomes,
        source=source,
    )


def require_address(address: object) -> str:
    """Return an address.

    Raises:
        Damage: it is none.
    """
    if not isinstance(address, str) or len(address.rsplit("::", _PARTS - 1)) != _PARTS:
        raise Damage("expected the address of a case, TRAJECTORY::CAPABILITY::RELATION::ID")
    return address
