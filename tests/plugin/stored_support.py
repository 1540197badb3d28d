"""What the tests of ``metaspace answers`` share: made-up answers, stored."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pytest_metaspace.asking.rows import Asked, Entry, key_of
from pytest_metaspace.asking.store import AnswerStore
from pytest_metaspace.domain import Reply

if TYPE_CHECKING:
    from pathlib import Path

Said = tuple[int, str, str]
"""Exit status, output and complaints of a command."""
Command = Callable[..., Said]

HOSTILE = "left\x1b[2J\x1b]0;owned\x07\n  | key      forged\r\u202egnorw\u2028x"


def entry(number: int, raw: str = "left", *, agent: str = "me@1", **more: Any) -> Entry:
    question = f"{number:064x}"
    return Entry(
        key=key_of(question, agent, 0),
        agent=agent,
        reply=Reply(text=raw, **more),
        asked=Asked(question=question, text=f"Where is {number}?", images=("000.png",)),
    )


def fill(folder: Path, *entries: Entry) -> Path:
    with AnswerStore(folder) as store:
        store.put_all(entries)
    return folder
