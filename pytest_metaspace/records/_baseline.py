"""Baselines: small text files of what each case came to, to be committed.

One case a line, sorted by address, so that a diff shows which cases came out otherwise and two
branches merge line by line. What stands in a baseline is data, and told as such.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pytest_metaspace.canonical import canonical_json
from pytest_metaspace.domain import Outcome
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.prompts.words import one_line
from pytest_metaspace.records import _header
from pytest_metaspace.records._files import Damage, content, put, require_ours, told

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_metaspace.domain import Record

MAGIC: Final = "metaspace-baseline"
OPTION: Final = "--metaspace-save-baseline"
_VERSION: Final = "1"
_ABOUT: Final = (
    "# What each case of a run came to. pytest --metaspace-baseline=THIS_FILE compares a run with",
    "# it, --metaspace-save-baseline=THIS_FILE writes it.",
    "# S satisfied, V violated, I invalid, N inconclusive: nothing can be said.",
)
_CONFLICT: Final = ("<<<<<<<", "|||||||", "=======", ">>>>>>>")
_MEND: Final = "Mend it, take the file from version control, or save it anew with " + OPTION
_DECODER: Final = json.JSONDecoder()


# -------------------------------------------------------------------------------- writing


def lines(record: Record) -> Iterator[str]:
    """Yield the lines of a baseline; equal records give equal lines."""
    yield f"{MAGIC} {_VERSION}"
    yield from _ABOUT
    for name, value in _header.fields(record).items():
        yield f"{name} {canonical_json(value)}"
    for trajectory, shown in sorted(record.trajectories.items()):
        yield f"trajectory {canonical_json(trajectory)} {canonical_json(shown)}"
    for address, outcome in sorted(record.outcomes.items()):
        shown = address if _is_plain(address) else canonical_json(address)
        yield f"{_header.LETTERS[outcome]} {shown}"


def _is_plain(address: str) -> bool:
    """Whether an address can stand in a line as it is."""
    return address.isascii() and address.isprintable() and " " not in address and address[:1] != '"'


def write(path: Path, record: Record) -> None:
    """Write a baseline, so that it is there whole or as it was before.

    Raises:
        UsageProblem: the file cannot be written, or is there and no baseline.
    """
    require_baseline(path)
    put(path, "".join(f"{line}\n" for line in lines(record)))


def require_baseline(path: Path) -> None:
    """Make sure that what would be overwritten is a baseline, before anybody is asked.

    Raises:
        UsageProblem: it is something else, or cannot be read.
    """
    require_ours(path, f"{MAGIC} ", OPTION)


# -------------------------------------------------------------------------------- reading


class _Read(NamedTuple):
    """What was read so far."""

    header: dict[str, Any]
    trajectories: dict[str, str]
    outcomes: dict[str, Outcome]


def read(path: Path, text: str | None = None) -> Record:
    """Read a baseline.

    Args:
        path: where it lies.
        text: its text, where it has been read already.

    Raises:
        UsageProblem: it cannot be read, is none, or a line is damaged; with file and line.
    """
    first, *rest = (content(path) if text is None else text).split("\n")
    _require_version(path, first)
    found = _Read({}, {}, {})
    for number, line in enumerate(rest, start=2):
        try:
            _take(line, found)
        except (ValueError, RecursionError, Damage) as problem:
            wrong = problem if isinstance(problem, Damage) else "this is no line of a baseline"
            raise UsageProblem(
                f"{told(path)}:{number}: {wrong}: {one_line(line, 100)!a}. {_MEND}."
            ) from problem
    try:
        return _header.record(*found, source=told(path))
    except Damage as problem:
        raise UsageProblem(f"{told(path)}: {problem}. {_MEND}.") from problem


def _require_version(path: Path, first: str) -> None:
    magic, _, version = first.partition(" ")
    if magic != MAGIC:
        raise UsageProblem(
            f"{told(path)}:1: this is no baseline: expected {f'{MAGIC} {_VERSION}'!r} in the "
            f"first line, found {one_line(first, 60)!a}. Name a file that {OPTION} has written."
        )
    if version != _VERSION:
        raise UsageProblem(
            f"{told(path)}:1: this baseline has version {one_line(version, 20)!a}, and this "
            f"pytest-metaspace reads version {_VERSION}. Use the one that wrote it, or save the "
            "baseline anew."
        )


def _take(line: str, found: _Read) -> None:
    """Take in a line."""
    if not line.strip() or line.startswith("#"):
        return
    if line.startswith(_CONFLICT):
        raise Damage("a merge conflict that was not resolved")
    word, _, rest = line.partition(" ")
    outcome = _header.OUTCOMES.get(word)
    if outcome is not None and outcome is not Outcome.ERROR:
        address = _header.require_address(
            json.loads(rest) if rest.startswith('"') else rest.strip()
        )
        if address in found.outcomes:
            raise Damage("this case has a line already")
        found.outcomes[address] = outcome
    elif word == "trajectory":
        name, end = _DECODER.raw_decode(rest)
        shown = json.loads(rest[end:])
        if not isinstance(name, str) or not isinstance(shown, str):
            raise Damage("expected the id of a trajectory and its fingerprint")
        if name in found.trajectories:
            raise Damage("this trajectory has a line already")
        found.trajectories[name] = shown
    elif word.isidentifier() and word.islower() and len(word) > 1:
        value = _header.checked(word, json.loads(rest))
        if word in found.header:
            raise Damage(f"{word} has a line already")
        found.header[word] = value
    else:
        raise Damage("expected S, V, I or N and the address of a case")
