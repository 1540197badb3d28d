"""What all builds share: whose a folder is, how much of an order is there, and what is whole."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from pytest_metaspace import files
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.trajectories.items import MAIN_FILE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from pytest_metaspace.suites import Order

ORDER_FILE: Final = "build.json"
"""In each folder that is built: suite, seed, options, and how many items are finished."""
_VERSION: Final = 1
"""To be raised in a release whose generators make other items of the same order: no folder mixes
the two."""


def begun(order: Order, suite: str, *others: str) -> int:
    """Return how many items of an order are finished; nothing is written.

    How many are ordered is no matter: the first of more are the same.

    Args:
        order: what is to be built.
        suite: of which.
        others: files, beside ``items.json``, that an order would write and that no order made.

    Raises:
        UsageProblem: the folder holds something else; the text says what differs.
    """
    path = order.folder / ORDER_FILE
    if path.exists():
        there = _content(path)
        differs = list(_differences(there, _told(order, suite, 0)))
        if differs:
            raise UsageProblem(
                f"metaspace: {files.told(order.folder)} holds items of another order, see "
                f"{ORDER_FILE} there: {'; '.join(differs)}. Name another folder."
            )
        return int(there["items"])
    for name in (MAIN_FILE, *others):
        if (order.folder / name).exists():
            raise UsageProblem(
                f"metaspace: {files.told(order.folder / name)} is there already, and no "
                f"{ORDER_FILE} says what made it. Name another folder."
            )
    return 0


def all_there(order: Order, finished: int) -> str:
    """Return what to say where nothing is left to build, of as many as are ordered or of more."""
    more = finished - order.items
    return "all are there already" + (f", and {more} more" if more > 0 else "")


def note(order: Order, suite: str, items: int, dropped: Mapping[str, int] | None = None) -> None:
    """Write down whose the folder is, and how many items are finished.

    Args:
        order: what is to be built.
        suite: of which.
        items: how many are finished.
        dropped: what each filter threw away for all of them; None where that is not known.

    Raises:
        UsageProblem: it cannot be written.
    """
    told = _told(order, suite, items)
    if dropped is not None:
        told["dropped"] = dict(sorted(dropped.items()))
    files.put(order.folder / ORDER_FILE, json.dumps(told, ensure_ascii=True) + "\n")


def dropped_before(order: Order) -> dict[str, int]:
    """Return what each filter threw away when a folder was built, as far as it says so."""
    told = _content(order.folder / ORDER_FILE).get("dropped")
    found = told if isinstance(told, dict) else {}
    return {name: count for name, count in found.items() if type(count) is int}


def whole(questions: Path, folder: Path) -> bool:
    """Whether a file of questions reads, and all pictures are there that it names.

    Args:
        questions: as ``suites.writing`` writes it, an item a line; they are read one by one.
        folder: in which the pictures lie.
    """
    try:
        with questions.open("rb") as file:
            return all(
                (folder / name).is_file() for item in _items(file) for name in {*_pictures(item)}
            )
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return False


def _items(lines: Iterable[bytes]) -> Iterator[Mapping[str, Any]]:
    """Yield the items of a file that is whole, at least one.

    Raises:
        ValueError: a line is damaged, or missing.
    """
    first, last = b"", b""
    found = 0
    for line in lines:
        if first and last:
            yield json.loads(last.removesuffix(b",\n"))
            found += 1
        first, last = first or line, line if first else b""
    json.loads(first + b"{}" + last)
    if not found:
        raise ValueError("there are no items")


def _pictures(item: Mapping[str, Any]) -> Iterator[str]:
    for posing in item["posings"].values():
        for image in posing.get("images", ()):
            yield image if isinstance(image, str) else image["of"]


def _told(order: Order, suite: str, items: int) -> dict[str, Any]:
    return {
        "suite": suite,
        "version": _VERSION,
        "seed": order.seed,
        "items": items,
        "options": dict(sorted(order.options.items())),
    }


def _content(path: Path) -> dict[str, Any]:
    """Return what was noted.

    Raises:
        UsageProblem: it cannot be read.
    """
    try:
        told = json.loads(path.read_bytes())
        if isinstance(told["options"], dict) and isinstance(told["items"], int):
            return dict(told)
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        pass
    raise UsageProblem(
        f"metaspace: {files.told(path)} does not say what was built there. Name another folder, or "
        "remove this one."
    )


def _differences(there: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """Yield what an order and the one before differ in, as it was typed."""
    if there.get("suite") != now["suite"]:
        yield f"suite {_shown(there.get('suite'))} there, {now['suite']} now"
        return
    for name in ("version", "seed"):
        if there.get(name) != now[name]:
            dashes = "--" if name == "seed" else ""
            yield f"{dashes}{name} {_shown(there.get(name))} there, {now[name]} now"
    before = there["options"]
    for name in sorted({*before, *now["options"]}):
        one, other = before.get(name), now["options"].get(name)
        if one != other:
            yield f"--{_shown(name)} {_shown(one)} there, {_shown(other)} now"


def _shown(value: object) -> str:
    text = ascii("none" if value is None else value)
    return (text[1:-1] if isinstance(value, str) or value is None else text)[:40]
