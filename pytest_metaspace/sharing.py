"""Stored answers as files: export and import of JSON Lines that people commit and review."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.files import require_plain, told
from pytest_metaspace.nearest import FOLDER
from pytest_metaspace.prompts.words import one_line
from pytest_metaspace.reports.terminal import plural
from pytest_metaspace.reports.writing import begins
from pytest_metaspace.stored import folder_of, reader_of

if TYPE_CHECKING:
    from pytest_metaspace.asking.rows import Entry

_LONGEST_REASON: Final = 300


def exported(folder: Path | None, target: Path, agent: str) -> list[str]:
    """Write answers to a file, sorted, so that the same answers are the same bytes.

    Raises:
        UsageProblem: there is nothing to write, or it cannot be written, or is no export.
    """
    from pytest_metaspace.asking.rows import line_of

    _require_export(target)
    with reader_of(folder) as reader:
        rows = [row for row in reader.rows() if "+" not in row.key]
    damaged = sum(row.entry is None for row in rows)
    entries = sorted(
        (row.entry for row in rows if row.entry is not None and agent in row.entry.agent),
        key=_in_a_file,
    )
    if not entries:
        raise UsageProblem(
            "metaspace: there is no answer to export"
            + (f" of an agent with {one_line(agent)!a} in its name." if agent else ".")
        )
    _write(target, "".join(f"{line_of(entry)}\n" for entry in entries))
    told = [f"{plural(len(entries), 'answer')} written to {target}"]
    agents = {entry.agent for entry in entries}
    if len(agents) > 1:
        told.append(
            f"They are those of {len(agents)} agents: for replay:FILE, export one with --agent."
        )
    unknown = sum(entry.asked is None for entry in entries)
    if unknown:
        told.append(f"{unknown} of them do not tell their question: replay:FILE passes them over.")
    if damaged:
        told.append(f"{plural(damaged, 'damaged row')} left out.")
    return told


def _require_export(target: Path) -> None:
    """Make sure that what would be written over is an export of answers.

    Raises:
        UsageProblem: it is something else.
    """
    require_plain(target, "answers export")
    if target.is_dir() or not target.exists() or target.stat().st_size == 0:
        return
    if not begins(target, b'{"key":', b'{"key" :'):
        raise UsageProblem(
            f"metaspace: answers export {told(target)}: is there and is no export of answers, so "
            "it is not overwritten. Name another file, or remove this one."
        )


def _in_a_file(entry: Entry) -> tuple[str, str, str]:
    return entry.agent, entry.asked.text if entry.asked else "", entry.key


def _write(target: Path, text: str) -> None:
    """Write a file that is there whole or not at all."""
    aside = target.with_name(f"{target.name}.{time.monotonic_ns()}.tmp")
    try:
        aside.write_text(text, encoding="ascii")
        aside.replace(target)
    except OSError as problem:
        raise UsageProblem(
            f"metaspace: {target} cannot be written ({problem.strerror})."
        ) from problem
    finally:
        aside.unlink(missing_ok=True)


def imported(
    folder: Path | None, source: Path, *, replace: bool, skip: bool
) -> tuple[list[str], bool]:
    """Add the answers of a file to those that are stored: all of them, or none.

    Args:
        folder: of the answers, made when missing; the nearest when None, else one here.
        source: JSON Lines.
        replace: whether an answer that differs takes the place of the stored one.
        skip: whether lines that are no answers are passed over; else they keep all others out.

    Returns:
        What to say, and whether anything was imported.

    Raises:
        MetaspaceError: the file cannot be read, or the folder cannot be written.
    """
    from pytest_metaspace.asking.store import AnswerStore

    entries, refused = _read(source)
    if refused and not skip:
        end = (
            f"{plural(len(refused), 'line')} refused, and nothing imported. Mend them, or pass "
            f"them over with --skip-refused: {plural(len(entries), 'answer')} would be read."
        )
        return [*refused, end], False
    with AnswerStore(_target(folder)) as store:
        there = {key: store.get(key) for key in entries}
        differ = [
            key
            for key, entry in entries.items()
            if (old := there[key]) is not None
            and (old.text, old.trouble) != (entry.reply.text, entry.reply.trouble)
        ]
        new = [key for key, old in there.items() if old is None]
        wanted = [*new, *(differ if replace else ())]
        store.put_all([entries[key] for key in wanted], replacing=frozenset(differ))
        where = store.folder
    known = len(entries) - len(new) - len(differ)
    fate = "replaced" if replace else "kept as stored (--replace takes those of the file)"
    told = f"{len(new)} new, {known} known"
    told += f", {len(differ)} that differ {fate}" if differ else ""
    told += f", {len(refused)} refused" if refused else ""
    return [*refused, f"{told}; in {where}"], True


def _target(folder: Path | None) -> Path:
    if folder is not None:
        return folder
    try:
        return folder_of(None)
    except UsageProblem:
        return Path(FOLDER)


def _read(source: Path) -> tuple[dict[str, Entry], list[str]]:
    """Return the answers of a file by key, and what is wrong with other lines."""
    from pytest_metaspace.asking.rows import of_line

    entries: dict[str, Entry] = {}
    refused = []
    try:
        lines = source.read_bytes().split(b"\n")
    except OSError as problem:
        raise UsageProblem(f"metaspace: {source} cannot be read ({problem.strerror}).") from problem
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            entry = of_line(line.decode("utf-8"))
        except ValueError as problem:
            refused.append(f"{source}:{number}: {one_line(str(problem), _LONGEST_REASON)}")
            continue
        other = entries.setdefault(entry.key, entry)
        if (other.reply.text, other.reply.trouble) != (entry.reply.text, entry.reply.trouble):
            refused.append(f"{source}:{number}: has the key of an earlier line, not its answer")
    return entries, refused
