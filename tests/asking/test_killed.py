"""Killed at any moment: what was stored is never asked again, and little else is."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from typing import TYPE_CHECKING

from pytest_metaspace.asking.reading import Reader
from tests.asking.killing import CONCURRENCY
from tests.unit_support import ROOT

if TYPE_CHECKING:
    from pathlib import Path

KILLS, QUESTIONS = 50, 1500


def lines_of(log: Path) -> list[tuple[int, str, str]]:
    """Return run, word and question of each line; the order is that of what happened."""
    lines = [line.split(" ", 2) for line in log.read_text().splitlines()]
    return [(int(run), what, text) for run, what, text in lines]


def asked_after_stored(lines: list[tuple[int, str, str]]) -> list[str]:
    """Return the questions that were asked although their answers had been stored."""
    stored: set[str] = set()
    again = []
    for _, what, text in lines:
        if what == "stored":
            stored.add(text)
        elif text in stored:
            again.append(text)
    return again


def test_fifty_kills_repeat_at_most_what_was_in_flight(tmp_path: Path) -> None:
    """The moments are drawn with a seed; what a process was doing then is up to the machine."""
    words = map(str, (tmp_path, KILLS, QUESTIONS, 20240607))
    done = subprocess.run(
        [sys.executable, "-m", "tests.asking.killing", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    killed, right = done.stdout.split()
    assert (int(killed), right) == (KILLS, "True"), "every run but the last was cut off"

    lines = lines_of(tmp_path / "log")
    assert asked_after_stored(lines) == []
    asked = Counter(run for run, what, _ in lines if what == "asked")
    stored = Counter(run for run, what, _ in lines if what == "stored")
    lost = {run: asked[run] - stored[run] for run in asked}
    assert max(lost.values()) <= CONCURRENCY
    assert lost[KILLS] == 0
    assert sum(asked.values()) <= QUESTIONS + KILLS * CONCURRENCY
    assert sum(count > 0 for run, count in lost.items() if run < KILLS) > KILLS // 5
    assert len(asked) >= KILLS // 2, "half of them at least were killed while they were asking"
    with Reader(tmp_path / "cache") as reader:
        rows = list(reader.rows())
    assert len(rows) == QUESTIONS
    assert all(row.entry is not None for row in rows)


def test_the_log_would_show_a_question_that_is_asked_again() -> None:
    lines = [(0, "asked", "a"), (0, "stored", "a"), (0, "asked", "b"), (1, "asked", "b")]
    assert asked_after_stored(lines) == []
    assert asked_after_stored([*lines, (1, "asked", "a")]) == ["a"]
