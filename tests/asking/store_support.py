"""What the tests of the store share: a filled store, a tampered one, a process of its own."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import textwrap
from typing import TYPE_CHECKING

from pytest_metaspace.asking.store import AnswerStore
from pytest_metaspace.domain import AnswerFormat, Capability, Query, Question, Reply
from tests.unit_support import ROOT, trajectory

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Ask = Callable[[int], list[Question]]

KEY, OTHER = "a" * 64, "b" * 64


def filled(folder: Path, *, raw: str = "left") -> Path:
    """Store an answer under two keys; return the database."""
    with AnswerStore(folder) as store:
        store.put(KEY, Reply(text=raw), agent="me@1")
        store.put(OTHER, Reply(text=raw), agent="me@1")
    return folder / "answers" / "cache.db"


def raw_of(store: AnswerStore, key: str) -> str | None:
    """Return the text that is stored under a key."""
    reply = store.get(key)
    return None if reply is None else reply.text


def tamper(database: Path, statement: str, *values: object) -> None:
    with sqlite3.connect(database) as connection:
        connection.execute(statement, values)
    connection.close()


def python(code: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )


def plain_questions(count: int) -> list[Question]:
    """Return questions without pictures; the number in the text tells which."""
    made = trajectory()
    return [
        Question(
            query=Query(trajectory="t", capability=Capability.SIZE, a=str(number)),
            trajectory=made,
            text=f"question {number}",
            images=(),
            format=AnswerFormat(kind="metres"),
        )
        for number in range(count)
    ]
