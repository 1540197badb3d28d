"""From questions of suites to files, as ``_item_reading`` has them back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from pytest_metaspace import files
from pytest_metaspace.observations import given
from pytest_metaspace.trajectories._altered import Altered
from pytest_metaspace.trajectories.items import MAIN_FILE, QUESTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from pytest_metaspace.domain import Item, Posing

_OWN: Final = ("written", "slices")
"""What a question never has from the one that it is like."""


def write_items(folder: Path, items: Iterable[tuple[str, Item]]) -> Path:
    """Write items to ``items.json``, one a line; return the file.

    Args:
        folder: in which their pictures lie, too.
        items: each with its id, which no two share; none is kept when the next one comes.

    Raises:
        UsageProblem: it cannot be written.
    """
    path = folder / MAIN_FILE
    lines = (_line({"id": name, **as_json(item, folder)}) for name, item in items)
    files.put_parts(path, _listed(lines))
    return path


def _listed(lines: Iterable[str]) -> Iterator[str]:
    """Yield a JSON list, an entry a line."""
    yield "[\n"
    for place, line in enumerate(lines):
        yield f",\n{line}" if place else line
    yield "\n]\n"


def write_questions(folder: Path, items: Iterable[Item]) -> Path:
    """Write ``questions.json`` beside a native trajectory; return the file.

    Raises:
        UsageProblem: it cannot be written.
    """
    path = folder / QUESTIONS
    files.put(path, _questions(_line(as_json(item, folder)) for item in items))
    return path


def _questions(lines: Iterable[str]) -> str:
    head = '{"format": "metaspace-questions", "version": 1, "items": [\n'
    return "".join([head, ",\n".join(lines), "\n]}\n"])


def asks_nothing(folder: Path) -> bool:
    """Whether ``write_questions`` was done for a folder, and there were none to write."""
    nothing = _questions(()).encode()
    try:
        with (folder / QUESTIONS).open("rb") as file:
            return file.read(len(nothing) + 1) == nothing
    except OSError:
        return False


def as_json(item: Item, folder: Path) -> dict[str, Any]:
    """Return an item as a file has it, its pictures told from a folder."""
    first = next(iter(item.posings))
    told: dict[str, Any] = {
        "task": str(item.task),
        "posings": {
            name: _posing(posing, folder, None if name == first else (first, item.posings[first]))
            for name, posing in item.posings.items()
        },
        "ties": [
            {
                "relation": tie.relation,
                "law": tie.law,
                "posings": list(tie.posings),
                "givens": list(map(given, tie.givens)),
            }
            for tie in item.ties
        ],
    }
    for field in ("unposed", "slices", "twin", "probe"):
        value = getattr(item, field)
        if value:
            told[field] = value if isinstance(value, (str, bool)) else dict(value)
    return told


def _posing(posing: Posing, folder: Path, like: tuple[str, Posing] | None) -> dict[str, Any]:
    own = _fields(posing, folder)
    if like is None:
        return own
    name, other = like
    shared = _fields(other, folder)
    differs = {key: value for key, value in own.items() if key in _OWN or shared[key] != value}
    return {"like": name, **differs}


def _fields(posing: Posing, folder: Path) -> dict[str, Any]:
    told: Mapping[str, Any] = {
        "text": posing.text,
        "context": posing.context,
        "options": list(posing.options),
        "images": _pictures(posing, folder),
        "answer": posing.answer,
        "form": posing.form,
    }
    own: Mapping[str, Any] = {"written": posing.written, "slices": dict(posing.slices)}
    return {**told, **{key: value for key, value in own.items() if value}}


def _pictures(posing: Posing, folder: Path) -> list[Any]:
    if not isinstance(posing.images, Altered):
        return [path.relative_to(folder).as_posix() for path in posing.images]
    return [
        name if change is None else {"of": name, "change": change}
        for name, change in (
            (path.relative_to(folder).as_posix(), change) for path, change in posing.images.parts
        )
    ]


def _line(told: Mapping[str, Any]) -> str:
    return json.dumps(told, ensure_ascii=True, separators=(",", ":"))
