"""The store: nothing is lost, nothing is evicted, and no row ever runs code."""

from __future__ import annotations

import json
import os
import pickle
import signal
import sqlite3
import subprocess
import sys
import textwrap
import time
import warnings
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_metaspace.asking import ask
from pytest_metaspace.asking.store import AnswerStore, StoreError
from tests.unit_support import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import diskcache

    from pytest_metaspace.domain import Question

    Ask = Callable[[int], list[Question]]

KEY, OTHER = "a" * 64, "b" * 64


def filled(folder: Path, *, raw: str = "left") -> Path:
    """Store an answer under two keys; return the database."""
    with AnswerStore(folder) as store:
        store.put(KEY, raw, agent="me@1")
        store.put(OTHER, raw, agent="me@1")
    return folder / "answers" / "cache.db"


def tamper(database: Path, statement: str, *values: object) -> None:
    with sqlite3.connect(database) as connection:
        connection.execute(statement, values)
    connection.close()


def python(code: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )


# ------------------------------------------------------------------------- there and back


@settings(max_examples=40, deadline=None)
@given(raw=st.text(st.characters(codec=None), max_size=200))
def test_what_is_stored_comes_back_to_the_letter(
    tmp_path_factory: pytest.TempPathFactory, raw: str
) -> None:
    with AnswerStore(tmp_path_factory.getbasetemp() / "any") as store:
        store.put(KEY, raw, agent="me@1")
        assert store.get(KEY) == raw


def test_a_huge_answer_comes_back(tmp_path: Path) -> None:
    raw = "left \u2603 \x00" * 300_000
    filled(tmp_path, raw=raw)
    with AnswerStore(tmp_path) as store:
        assert store.get(KEY) == raw


def test_a_key_that_was_never_stored_is_none(tmp_path: Path) -> None:
    with AnswerStore(tmp_path) as store:
        assert store.get(KEY) is None
        assert len(store) == 0


def test_the_last_answer_counts(tmp_path: Path) -> None:
    with AnswerStore(tmp_path) as store:
        for raw in ("left", "right"):
            store.put(KEY, raw, agent="me@1")
        assert (store.get(KEY), len(store)) == ("right", 1)


def test_a_row_is_json_that_repeats_its_key(tmp_path: Path) -> None:
    database = filled(tmp_path)
    with sqlite3.connect(database) as connection:
        (value,) = connection.execute("SELECT value FROM Cache WHERE key = ?", (KEY,)).fetchone()
    connection.close()
    row = json.loads(value)
    assert {name: row[name] for name in ("schema", "key", "agent", "raw")} == {
        "schema": 1,
        "key": KEY,
        "agent": "me@1",
        "raw": "left",
    }


def test_the_folder_explains_itself_and_stays_out_of_backups(tmp_path: Path) -> None:
    filled(tmp_path / "deep" / "cache")
    folder = tmp_path / "deep" / "cache"
    assert "pytest-metaspace" in (folder / "README.md").read_text()
    assert (folder / ".gitignore").read_text() == "*\n"
    tag = "Signature: 8a477f597d28d172789f06886806bc55"
    assert (folder / "CACHEDIR.TAG").read_text().startswith(tag)
    (folder / "README.md").write_text("mine")
    filled(folder)
    assert (folder / "README.md").read_text() == "mine"


def test_nothing_is_ever_evicted(tmp_path: Path) -> None:

    with AnswerStore(tmp_path) as store:
        cache: diskcache.Cache = store._cache
        assert cache.eviction_policy == "none"
        assert cache.cull_limit == 0
        assert cache.size_limit > 10**18
        for number in range(200):
            store.put(f"{number:064d}", "x" * 1000, agent="me@1")
        cache.cull()
        cache.expire()
        assert len(store) == 200


def test_limits_of_another_program_are_not_taken_over(tmp_path: Path) -> None:
    """A limit that somebody wrote into the database must not throw answers away."""
    database = filled(tmp_path)
    for name, value in (("size_limit", 1), ("cull_limit", 10)):
        tamper(database, "UPDATE Settings SET value = ? WHERE key = ?", value, name)
    tamper(
        database,
        "UPDATE Settings SET value = 'least-recently-stored' WHERE key = 'eviction_policy'",
    )
    with AnswerStore(tmp_path) as store:
        for number in range(50):
            store.put(f"{number:064d}", "x" * 1000, agent="me@1")
        assert len(store) == 52


# ---------------------------------------------------------------------- rows that run code


class Payload:
    """When unpickled, makes a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return (os.mkdir, (str(self.path),))


def test_a_pickle_that_is_read_does_run(tmp_path: Path) -> None:
    """The tests below would prove nothing if the payload were harmless."""
    pickle.loads(pickle.dumps(Payload(tmp_path / "ran")))
    assert (tmp_path / "ran").exists()


@pytest.mark.parametrize("mode", [4, 3, 0, 99, -1, None])
def test_a_pickled_row_is_refused_and_runs_nothing(tmp_path: Path, mode: int | None) -> None:
    database = filled(tmp_path / "cache")
    row = pickle.dumps(Payload(tmp_path / "ran"))
    tamper(database, "UPDATE Cache SET mode = ?, value = ? WHERE key = ?", mode, row, KEY)
    with AnswerStore(tmp_path / "cache") as store:
        with pytest.warns(UserWarning, match="damaged"):
            assert store.get(KEY) is None
        assert store.get(OTHER) == "left"
        store.put(KEY, "right", agent="me@1")
        assert store.get(KEY) == "right"
    assert not (tmp_path / "ran").exists()


def test_a_pickled_file_is_refused_and_runs_nothing(tmp_path: Path) -> None:
    database = filled(tmp_path / "cache", raw="x" * 100_000)
    files = list(database.parent.rglob("*.val"))
    assert len(files) == 2
    for path in files:
        path.write_bytes(pickle.dumps(Payload(tmp_path / "ran")))
    tamper(database, "UPDATE Cache SET mode = 4")
    with AnswerStore(tmp_path / "cache") as store, pytest.warns(UserWarning, match="damaged"):
        assert store.get(KEY) is None
    assert not (tmp_path / "ran").exists()


def test_a_pickled_key_is_not_read(tmp_path: Path) -> None:
    database = filled(tmp_path / "cache")
    tamper(
        database,
        "UPDATE Cache SET key = ?, raw = 0 WHERE key = ?",
        pickle.dumps(Payload(tmp_path / "ran")),
        KEY,
    )
    with AnswerStore(tmp_path / "cache") as store:
        assert store.get(KEY) is None
        with pytest.raises(ValueError, match="pickled key"):
            list(store._cache)
    assert not (tmp_path / "ran").exists()


def test_a_row_that_points_to_another_file_tells_nothing_of_it(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text('{"raw": "secret"}')
    database = filled(tmp_path / "cache")
    tamper(database, "UPDATE Cache SET filename = ?, mode = 2", str(tmp_path / "secret"))
    with (
        AnswerStore(tmp_path / "cache") as store,
        pytest.warns(UserWarning, match="damaged") as caught,
    ):
        assert store.get(KEY) is None
    assert "secret" not in str(caught[0].message)


# ---------------------------------------------------------------------------- damaged rows


@pytest.mark.parametrize(
    "row",
    [
        b"",
        b"\xff\xfe",
        b"left",
        b"{}",
        b"[]",
        b"5",
        b"null",
        b'"left"',
        b"[" * 100_000,
        b'{"schema": 1, "key": "%s", "agent": "me@1", "raw": "right", "sum": "0"}' % KEY.encode(),
        b'{"sum": null}',
        5,
        "left",
        None,
    ],
    ids=range(14),
)
def test_a_damaged_row_warns_and_counts_as_not_there(tmp_path: Path, row: object) -> None:
    database = filled(tmp_path)
    tamper(database, "UPDATE Cache SET value = ? WHERE key = ?", row, KEY)
    with AnswerStore(tmp_path) as store:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            assert store.get(KEY) is None
        if row is not None:
            assert f"the stored answer {KEY[:12]} is damaged" in str(caught[0].message)
            assert "asking again" in str(caught[0].message)
        assert store.get(OTHER) == "left"


def test_an_answer_moved_to_another_key_is_not_taken(tmp_path: Path) -> None:
    database = filled(tmp_path)
    tamper(database, "DELETE FROM Cache WHERE key = ?", OTHER)
    tamper(database, "UPDATE Cache SET key = ? WHERE key = ?", OTHER, KEY)
    with AnswerStore(tmp_path) as store, pytest.warns(UserWarning, match="checksum, key or schema"):
        assert store.get(OTHER) is None


def test_an_answer_that_was_edited_is_not_taken(tmp_path: Path) -> None:
    database = filled(tmp_path)
    tamper(
        database,
        "UPDATE Cache SET value = CAST(REPLACE(CAST(value AS TEXT), 'left', 'back') AS BLOB)",
    )
    with AnswerStore(tmp_path) as store, pytest.warns(UserWarning, match="damaged"):
        assert store.get(KEY) is None


def test_a_damaged_row_is_asked_again(tmp_path: Path, questions: Ask) -> None:
    class Agent:
        identity: str | None = "me@1"
        heard = 0

        def ask(self, question: Question) -> str:
            self.heard += 1
            return question.text

    agent = Agent()
    with AnswerStore(tmp_path / "cache") as store:
        ask(questions(3), agent, store)
    tamper(tmp_path / "cache" / "answers" / "cache.db", "UPDATE Cache SET value = x'00'")
    with AnswerStore(tmp_path / "cache") as store:
        with pytest.warns(UserWarning, match="asking again"):
            asked = ask(questions(3), agent, store)
        assert (agent.heard, asked.fresh) == (6, 3)
        assert ask(questions(3), agent, store).fresh == 0


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

        store = AnswerStore(Path(sys.argv[1]))
        store.put("a" * 64, "left", agent="me@1")
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
        stored = 1
        try:
            for number in range(2000):
                store.put(f"{number:064d}", "x" * 5000, agent="me@1")
                stored += 1
        except StoreError as problem:
            print(stored, store.get("a" * 64), problem)
    """
    child = python(code, str(tmp_path))
    out, err = child.communicate(timeout=60)
    stored, first, *words = out.split()
    assert 1 < int(stored) < 2000, err
    assert first == "left"
    assert "could not be stored" in " ".join(words)
    with AnswerStore(tmp_path) as store:
        assert len(store) == int(stored)
        assert store.get(f"{0:064d}") == "x" * 5000


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

        print(AnswerStore(Path(sys.argv[1])).get("a" * 64))
    """
    with AnswerStore(tmp_path) as store:
        store.put(KEY, "left", agent="me@1")
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
