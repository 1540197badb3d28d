"""Stored answers, for people: how many there are, one in full, and forgetting some."""

from __future__ import annotations

import json
import re
import time
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from pytest_metaspace import nearest
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.prompts.words import one_line
from pytest_metaspace.reports.terminal import plural

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from pytest_metaspace.asking.reading import Reader, Row

_DAMAGED: Final = "(damaged)"
_NEAR: Final = 5
_SHORT: Final = 12
_LONGEST_AGENT: Final = 300
_PREFIX: Final = re.compile(r"[0-9a-f]{1,64}(\+[0-9]{1,6})?")
_KILO: Final = 1024


def folder_of(given: Path | None) -> Path:
    """Return the folder of answers: the one named, else the nearest here or above.

    Raises:
        UsageProblem: there is none.
    """
    from pytest_metaspace.asking.reading import Reader

    found = nearest.nearest(Reader.finds) if given is None else given
    if found is not None and Reader.finds(found):
        return found
    where = nearest.WHERE if given is None else f"in {given}"
    further = nearest.passed_by(Reader.finds) if given is None else ""
    raise UsageProblem(
        f"metaspace: there are no stored answers {where}. A run with an agent that is asked for "
        f"money or time stores them; name another folder with --cache-dir.{further}"
    )


def reader_of(given: Path | None) -> Reader:
    """Open the answers of the folder named, else of the nearest one.

    Raises:
        MetaspaceError: there are none, or they cannot be read.
    """
    from pytest_metaspace.asking.reading import Reader

    return Reader(folder_of(given))


# ------------------------------------------------------------------------------------ list


@dataclass
class _Group:
    """The answers of one agent."""

    answers: int = 0
    size: int = 0
    first: float = float("inf")
    last: float = 0.0
    tokens_in: int = 0
    tokens_out: int = 0
    troubles: Counter[str] = field(default_factory=Counter)

    def add(self, row: Row) -> None:
        self.answers += 1
        self.size += row.size
        self.first, self.last = min(self.first, row.when), max(self.last, row.when)
        if row.entry is not None:
            reply = row.entry.reply
            self.tokens_in += reply.tokens_in
            self.tokens_out += reply.tokens_out
            if reply.trouble is not None:
                self.troubles[reply.trouble] += 1

    def as_json(self, agent: str) -> dict[str, Any]:
        return {
            "agent": agent,
            "answers": self.answers,
            "bytes": self.size,
            "first": _moment(self.first),
            "last": _moment(self.last),
            "tokens_in": self.tokens_in,
            "tokens_out": self.tokens_out,
            **{kind: self.troubles[kind] for kind in sorted(self.troubles)},
        }


def listed(folder: Path | None, agent: str, *, as_json: bool) -> Iterator[str]:
    """Yield what is stored, by agent.

    Args:
        folder: of the answers; the nearest when None.
        agent: only agents whose identity has this in it.
        as_json: one JSON object a line instead of text.
    """
    groups: dict[str, _Group] = {}
    with reader_of(folder) as reader:
        for row in reader.rows():
            name = _DAMAGED if row.entry is None else row.entry.agent
            if agent in name:
                groups.setdefault(name, _Group()).add(row)
        where = reader.folder
    if as_json:
        yield from (json.dumps(groups[name].as_json(name)) for name in sorted(groups))
        return
    for name in sorted(groups):
        group = groups[name]
        yield one_line(name, _LONGEST_AGENT)
        yield f"  {plural(group.answers, 'answer')}, {_size(group.size)}, {_span(group)}"
        if group.tokens_in or group.tokens_out:
            yield f"  {group.tokens_in} tokens in, {group.tokens_out} out"
        for kind in sorted(group.troubles):
            yield f"  {group.troubles[kind]} {kind}"
    total = sum(group.answers for group in groups.values())
    of = f" of agents with {one_line(agent)!a} in their name" if agent else ""
    yield f"{plural(total, 'answer')}{of} in {where}"


def _size(size: int) -> str:
    return f"{size} bytes" if size < _KILO else f"{size / _KILO:.0f} KiB"


def _span(group: _Group) -> str:
    first, last = _moment(group.first), _moment(group.last)
    return f"stored {first}" if first == last else f"stored {first} to {last}"


def _moment(seconds: float) -> str:
    try:
        return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(seconds))
    except (OverflowError, ValueError, OSError):
        return "at an unknown time"


# ------------------------------------------------------------------------------------ show


def shown(folder: Path | None, prefix: str) -> Iterator[str]:
    """Yield one answer in full, safe for a terminal.

    Raises:
        UsageProblem: no key begins so, or several do.
    """
    with reader_of(folder) as reader:
        rows = list(reader.rows(_checked(prefix)))
        keys = sorted({row.key.partition("+")[0] for row in rows})
        if not keys:
            raise UsageProblem(
                f"metaspace: no stored answer has a key that begins with {prefix}. Keys stand in "
                "metaspace answers export and in recordings."
            )
        if len(keys) > 1:
            some = ", ".join(key[: max(_SHORT, len(prefix) + 4)] for key in keys[:_NEAR])
            raise UsageProblem(
                f"metaspace: {prefix} begins the keys of {len(keys)} answers: {some}"
                f"{', ...' if len(keys) > _NEAR else ''}. Give more of it."
            )
    for row in rows:
        yield from _about(row)


def _checked(prefix: str) -> str:
    if not _PREFIX.fullmatch(prefix.lower()):
        raise UsageProblem(
            f"metaspace: {one_line(prefix)!a} is no key of an answer, nor the beginning of one: "
            "expected hexadecimal digits."
        )
    return prefix.lower()


def _about(row: Row) -> Iterator[str]:
    yield f"key      {row.key}"
    yield f"stored   {_moment(row.when)}"
    entry = row.entry
    if entry is None:
        yield f"damaged  {one_line(row.damage, _LONGEST_AGENT)}; a run asks again"
        return
    yield f"agent    {_safe(entry.agent)}"
    reply = entry.reply
    if reply.trouble is not None:
        yield f"trouble  {reply.trouble}"
    if reply.tokens_in or reply.tokens_out:
        yield f"tokens   {reply.tokens_in} in, {reply.tokens_out} out"
    if entry.asked is None:
        yield "asked    not kept by the version that stored it"
    else:
        yield from (f"picture  {_safe(name)}" for name in entry.asked.images)
        yield "asked"
        yield from _quoted(entry.asked.text)
    yield "answer" if "+" not in row.key else "answer   received later; the first one counts"
    yield from _quoted(reply.text)


def _quoted(text: str) -> Iterator[str]:
    """Yield a text of others line by line behind a bar, so that it can pose as nothing else."""
    yield from (f"  | {_safe(line)}".rstrip() for line in re.split(r"\r\n|\r|\n", text))


def _safe(line: str) -> str:
    r"""Return a line in which what would move the cursor or turn the writing shows as ``\x1b``."""
    return "".join(
        char.encode("unicode_escape").decode("ascii")
        if unicodedata.category(char)[0] == "C" or char in "\u2028\u2029"
        else char
        for char in line
    )


# ---------------------------------------------------------------------------------- forget


def forgotten(
    folder: Path | None,
    agent: str,
    prefixes: Sequence[str],
    *,
    sure: Callable[[str], bool],
) -> Iterable[str]:
    """Delete answers, so that the next run asks for them again.

    Args:
        folder: of the answers; the nearest when None.
        agent: those of agents whose identity has this in it; all when empty.
        prefixes: those whose keys begin with one of these; all when empty.
        sure: asked before anything is deleted.

    Raises:
        UsageProblem: neither agent nor key is named.
    """
    from pytest_metaspace.asking.store import AnswerStore

    if not agent and not prefixes:
        raise UsageProblem(
            "metaspace: name what to forget: --agent=TEXT, or beginnings of keys. To forget "
            "everything, delete the folder."
        )
    begins = tuple(_checked(prefix) for prefix in prefixes)
    with reader_of(folder) as reader:
        where = reader.folder
        rows = [
            row
            for row in reader.rows()
            if (not begins or row.key.startswith(begins))
            and (not agent or (row.entry is not None and agent in row.entry.agent))
        ]
    if not rows:
        return ["nothing to forget: no stored answer is meant"]
    agents = Counter(_DAMAGED if row.entry is None else row.entry.agent for row in rows)
    meant = "; ".join(
        f"{count} of {one_line(name, _LONGEST_AGENT)}" for name, count in sorted(agents.items())
    )
    if not sure(f"Forget {plural(len(rows), 'answer')} in {where} ({meant})?"):
        return ["nothing forgotten"]
    with AnswerStore(where) as store:
        store.forget([row.key for row in rows])
    return [f"{plural(len(rows), 'answer')} forgotten"]
