"""Run files: all that scores, gates and tables of a run are made of, as JSON Lines.

The first line is the header; then comes a line for each case, for each case that did not run, and
for each question, sorted. The last one counts them, so that a file that was cut is known. Equal
runs give equal bytes: nothing in it tells when or how fast.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from pytest_metaspace.canonical import canonical_json
from pytest_metaspace.domain import Cluster, Kept, Key, Outcome, Put
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.prompts.words import one_line
from pytest_metaspace.records import _header
from pytest_metaspace.records._files import Damage, content, put, require_ours, told

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FORMAT: Final = "metaspace-run"
VERSION: Final = 1
OPTION: Final = "--metaspace-save-run"
START: Final = f'{{"format":"{FORMAT}"'
_UNRUN: Final = {"deselected": True, "not run": False}


# -------------------------------------------------------------------------------- writing


def lines(kept: Kept) -> Iterator[str]:
    """Yield the lines of a run file."""
    header = {
        "version": VERSION,
        "shard": list(kept.shard),
        "stopped": kept.stopped,
        **_header.fields(kept.record),
        "titles": dict(sorted(kept.titles.items())),
        "trajectories": [
            {
                "id": name,
                "shown": kept.record.trajectories[name],
                "scenario": cluster.scenario,
                "objects": cluster.objects,
            }
            for name, cluster in kept.clusters.items()
        ],
        "drops": dict(sorted(kept.drops.items())),
        "skips": dict(sorted(kept.skips.items())),
        "tested": sorted(map(list, kept.tested)),
        "rules": dict(kept.rules),
    }
    #  The format comes first, by which files are told apart.
    yield f"{START},{canonical_json(header)[1:]}"
    written = 0
    for line in _body(kept):
        yield canonical_json(line)
        written += 1
    yield canonical_json({"lines": written})


def _body(kept: Kept) -> Iterator[dict[str, Any]]:
    for address, outcome in sorted(kept.record.outcomes.items()):
        line: dict[str, Any] = {"case": address, "outcome": outcome.value}
        if address in kept.keys:
            line["key"] = asdict(kept.keys[address])
        yield line
    for address in sorted(kept.deselected | kept.unrun):
        why = "deselected" if address in kept.deselected else "not run"
        yield {"case": address, "outcome": why}
    for digest, asked in sorted(kept.questions.items()):
        line = {"question": digest, "capability": asked.capability}
        if asked.failed is not None:
            line["failed"] = asked.failed
        if asked.alike is not None:
            line["alike"] = asked.alike
        yield line


def write(path: Path, kept: Kept) -> None:
    """Write a run file, so that it is there whole or as it was before.

    Raises:
        UsageProblem: it cannot be written, or is there and no run file.
    """
    require_run(path)
    put(path, "".join(f"{line}\n" for line in lines(kept)))


def require_run(path: Path) -> None:
    """Make sure that what would be overwritten is a run file, before anybody is asked.

    Raises:
        UsageProblem: it is something else, or cannot be read.
    """
    require_ours(path, START, OPTION)


# -------------------------------------------------------------------------------- reading


class _Read:
    """What was read so far."""

    def __init__(self) -> None:
        self.outcomes: dict[str, Outcome] = {}
        self.deselected: set[str] = set()
        self.unrun: set[str] = set()
        self.questions: dict[str, Put] = {}
        self.keys: dict[str, Key] = {}
        self.taken = 0
        self.promised: int | None = None

    def take(self, line: Any) -> None:
        """Take in a line."""
        if not isinstance(line, dict):
            raise Damage("expected an object")
        if self.promised is not None:
            raise Damage("a line after the last one")
        if "lines" in line:
            self.promised = line["lines"]
            return
        self.taken += 1
        if "question" in line:
            self.questions[_text(line, "question")] = Put(
                capability=_text(line, "capability"),
                failed=_text(line, "failed") if "failed" in line else None,
                alike=bool(line["alike"]) if "alike" in line else None,
            )
            return
        address = _header.require_address(line.get("case"))
        if address in self.outcomes or address in self.deselected or address in self.unrun:
            raise Damage("this case has a line already")
        word = line.get("outcome")
        if word in _UNRUN:
            (self.deselected if _UNRUN[word] else self.unrun).add(address)
        elif word in [outcome.value for outcome in Outcome]:
            self.outcomes[address] = Outcome(word)
            if "key" in line:
                self.keys[address] = _key(line["key"])
        else:
            raise Damage("this is no outcome")


def _text(line: dict[str, Any], name: str) -> str:
    value = line.get(name)
    if not isinstance(value, str):
        raise Damage(f"{name} has to be a text")
    return value


def _key(told: Any) -> Key:
    """Return what is known of a question.

    Raises:
        Damage: it is not as it should be.
    """
    from pydantic import ValidationError

    from pytest_metaspace.records._run_schema import KeyFile

    try:
        return Key(**KeyFile.model_validate(told).model_dump())
    except ValidationError as problem:
        first = problem.errors()[0]
        where = ".".join(map(str, ("key", *first["loc"])))
        raise Damage(f"field {where}: {one_line(first['msg'], 100)}") from problem


def read(path: Path, text: str | None = None) -> Kept:
    """Read a run file.

    Args:
        path: where it lies.
        text: its text, where it has been read already.

    Raises:
        UsageProblem: it cannot be read, is none, or a line is damaged; with file and line.
    """
    first, *rest = (content(path, OPTION) if text is None else text).split("\n")
    if not first.startswith(START):
        raise UsageProblem(
            f"{told(path)}:1: this is no run file: found {one_line(first, 60)!a}. Name a file that "
            f"{OPTION} has written."
        )
    found = _Read()
    with _told_at(path, 1, first):
        header = _checked(json.loads(first))
    for number, line in enumerate(rest, start=2):
        if line.strip():
            with _told_at(path, number, line):
                found.take(json.loads(line))
    _require_whole(found, path)
    with _told_at(path, 1, first):
        return _kept(header, found, told(path))


def _require_whole(found: _Read, path: Path) -> None:
    if found.promised != found.taken:
        lacks = (
            "its last line" if found.promised is None else f"lines: {found.promised} were written"
        )
        raise UsageProblem(
            f"{told(path)}: this run file lacks {lacks}, {found.taken} are there after the first. "
            "Take it whole from where it was written, or run again."
        )


class _told_at:  # noqa: N801 - reads as a word; a generator would take three times as long
    """Tells what is wrong with a line with its file and number."""

    def __init__(self, path: Path, number: int, line: str) -> None:
        self._where = path, number, line

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, problem: BaseException | None, trace: object) -> None:
        if isinstance(problem, (ValueError, RecursionError, Damage)):
            path, number, line = self._where
            wrong = problem if isinstance(problem, Damage) else "this is no line of a run file"
            raise UsageProblem(
                f"{told(path)}:{number}: {wrong}: {one_line(line, 100)!a}. Run the shard again, "
                "or take the file from where it was written."
            ) from problem


def _checked(header: dict[str, Any]) -> dict[str, Any]:
    """Return a header of which every field that is needed is as it should be.

    Raises:
        Damage: one is not.
    """
    from pydantic import ValidationError

    from pytest_metaspace.records._run_schema import HeaderFile

    version = header.get("version") if isinstance(header, dict) else None
    if version != VERSION:
        raise Damage(
            f"the run file has version {version!a}, and this pytest-metaspace reads version "
            f"{VERSION}"
        )
    for name, value in header.items():
        _header.checked(name, value)
    try:
        parsed = HeaderFile.model_validate(header)
    except ValidationError as problem:
        first = problem.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise Damage(f"field {where}: {one_line(first['msg'], 100)}") from problem
    return {**header, **parsed.model_dump()}


def _kept(header: dict[str, Any], found: _Read, source: str) -> Kept:
    trajectories = header["trajectories"]
    shown = {one["id"]: one["shown"] for one in trajectories}
    return Kept(
        record=_header.record(header, shown, found.outcomes, source),
        shard=header["shard"],
        stopped=header["stopped"],
        titles=header["titles"],
        clusters={
            one["id"]: Cluster(scenario=one["scenario"], objects=one["objects"])
            for one in trajectories
        },
        drops=header["drops"],
        skips=header["skips"],
        tested=frozenset(header["tested"]),
        deselected=frozenset(found.deselected),
        unrun=frozenset(found.unrun),
        questions=found.questions,
        rules=header["rules"],
        keys=found.keys,
    )
