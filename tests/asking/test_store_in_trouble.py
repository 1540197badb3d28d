"""The store in trouble: full disks, broken folders, killed processes; no answer is lost."""

from __future__ import annotations

import os
import signal
import time
from typing import TYPE_CHECKING

import pytest

from pytest_metaspace.asking.store import AnswerStore, StoreError
from pytest_metaspace.domain import Reply
from tests.asking.store_support import python, raw_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_metaspace.domain import Question

    Ask = Callable[[int], list[Question]]

KEY, OTHER = "a" * 64, "b" * 64


# ----------------------------------------------------------------- folders that do not work


def test_a_database_that_is_none_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "answers").mkdir()
    (tmp_path / "answers" / "cache.db").write_bytes(b"no database at all" * 1000)
    with pytest.raises(StoreError, match="--metaspace-cache-dir"):
        AnswerStore(tmp_path)


@pytest.mark.parametrize("below", ["", "deeper"])
def test_a_file_in_place_of_the_folder_says_what_to_do(tmp_path: Path, below: str) -> None:
    (tmp_path / "cache").write_text("I am a file")
    with pytest.raises(StoreError, match="cannot be opened"):
        AnswerStore(tmp_path / "cache" / below)


def test_a_disk_that_is_full_stops_asking_and_keeps_the_answer(tmp_path: Path) -> None:
    """No file may grow over a limit: what a full disk looks like from inside."""
    code = """
        import resource, sys
        from pathlib import Path
        from pytest_metaspace.asking.store import AnswerStore, StoreError
        from pytest_metaspace.domain import Reply

        store = AnswerStore(Path(sys.argv[1]))
        store.put("a" * 64, Reply(text="left"), agent="me@1")
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
        stored = 1
        try:
            for number in range(2000):
                store.put(f"{number:064d}", Reply(text="x" * 5000), agent="me@1")
                stored += 1
        except StoreError as problem:
            print(stored, store.get("a" * 64).text, problem)
    """
    child = python(code, str(tmp_path))
    out, err = child.communicate(timeout=60)
    stored, first, *words = out.split()
    assert 1 < int(stored) < 2000, err
    assert first == "left"
    assert "could not be stored" in " ".join(words)
    with AnswerStore(tmp_path) as store:
        assert len(store) == int(stored)
        assert raw_of(store, f"{0:064d}") == "x" * 5000


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir(mode=0o500)
    with pytest.raises(StoreError, match="cannot be opened"):
        AnswerStore(tmp_path / "cache")


# -------------------------------------------------------------------------------- durable


def test_another_process_sees_an_answer_at_once(tmp_path: Path) -> None:
    code = """
        import sys
        from pathlib import Path
        from pytest_metaspace.asking.store import AnswerStore

        print(AnswerStore(Path(sys.argv[1])).get("a" * 64).text)
    """
    with AnswerStore(tmp_path) as store:
        store.put(KEY, Reply(text="left"), agent="me@1")
        child = python(code, str(tmp_path))
        assert child.communicate(timeout=60)[0] == "left\n"


KILLED = """
    import sys, time
    from pathlib import Path
    sys.path.insert(0, sys.argv[1])
    from pytest_metaspace.asking import ask
    from pytest_metaspace.asking.store import AnswerStore
    from pytest_metaspace.domain import AnswerFormat, Capability, Query, Question
    from pytest_metaspace.pipeline import Registries
    from tests.unit_support import trajectory

    made = trajectory()
    questions = [
        Question(
            query=Query(trajectory="t", capability=Capability.SIZE, a=str(number)),
            trajectory=made,
            text=f"question {number}",
            images=(),
            format=AnswerFormat(kind="metres"),
        )
        for number in range(40)
    ]
    agent = Registries.built_in().agent("python:brain:answer", Path.cwd())
    asked = ask(questions, agent, AnswerStore(Path(sys.argv[2])))
    print(asked.fresh, len(asked.answers), sum(a.raw == "1.5" for a in asked.answers.values()))
"""
BRAIN = """
import os, time

def answer(prompt, images):
    with open({log!r}, "a") as log:
        log.write(prompt + "\\n")
    time.sleep(0.01)
    if os.environ.get("DIE_AT") and prompt == "question " + os.environ["DIE_AT"]:
        time.sleep(60)
    return "1.5"
"""


def test_a_run_that_was_killed_asks_only_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log"
    (tmp_path / "brain.py").write_text(BRAIN.format(log=str(log)))
    monkeypatch.setenv("DIE_AT", "25")
    child = python(KILLED, str(tmp_path), str(tmp_path / "cache"))
    deadline = time.monotonic() + 60
    while not (log.exists() and "question 25\n" in log.read_text()):
        assert child.poll() is None, child.communicate()[1]
        assert time.monotonic() < deadline
        time.sleep(0.02)
    os.kill(child.pid, signal.SIGKILL)
    child.communicate(timeout=60)
    monkeypatch.delenv("DIE_AT")
    child = python(KILLED, str(tmp_path), str(tmp_path / "cache"))
    out, err = child.communicate(timeout=60)
    assert out == "15 40 40\n", err
    asked = log.read_text().splitlines()
    assert len(asked) == 41
    assert [text for text in set(asked) if asked.count(text) > 1] == ["question 25"]
