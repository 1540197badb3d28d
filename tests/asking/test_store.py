"""The store: nothing is lost, nothing is evicted, and no row ever runs code."""

from __future__ import annotations

import json
import os
import pickle
import sqlite3
import warnings
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_metaspace.asking import ask, rows
from pytest_metaspace.asking.reading import Reader
from pytest_metaspace.asking.store import AnswerStore
from pytest_metaspace.domain import Reply
from tests.asking.store_support import filled, raw_of, tamper

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import diskcache

    from pytest_metaspace.domain import Question

    Ask = Callable[[int], list[Question]]

KEY, OTHER = "a" * 64, "b" * 64


# ------------------------------------------------------------------------- there and back


@settings(max_examples=40, deadline=None)
@given(raw=st.text(st.characters(codec=None), max_size=200))
def test_what_is_stored_comes_back_to_the_letter(
    tmp_path_factory: pytest.TempPathFactory, raw: str
) -> None:
    with AnswerStore(tmp_path_factory.getbasetemp() / "any") as store:
        store.put(KEY, Reply(text=raw), agent="me@1", replace=True)
        assert raw_of(store, KEY) == raw


def test_a_huge_answer_comes_back(tmp_path: Path) -> None:
    raw = "left \u2603 \x00" * 300_000
    filled(tmp_path, raw=raw)
    with AnswerStore(tmp_path) as store:
        assert raw_of(store, KEY) == raw


def test_a_key_that_was_never_stored_is_none(tmp_path: Path) -> None:
    with AnswerStore(tmp_path) as store:
        assert raw_of(store, KEY) is None
        assert len(store) == 0


def test_the_first_answer_counts_and_a_later_one_is_kept_beside_it(tmp_path: Path) -> None:
    with AnswerStore(tmp_path) as store:
        told = [
            store.put(KEY, Reply(text=raw), agent="me@1").text for raw in ("left", "right", "back")
        ]
        assert told == ["left", "left", "left"]
        assert [raw_of(store, key) for key in (KEY, f"{KEY}+2", f"{KEY}+3")] == [
            "left",
            "right",
            "back",
        ]
        store.put(KEY, Reply(text="left", tokens_in=5), agent="me@1")
        assert len(store) == 3


def test_a_fresh_answer_takes_the_place_of_another(tmp_path: Path) -> None:
    with AnswerStore(tmp_path) as store:
        for raw in ("left", "right"):
            assert store.put(KEY, Reply(text=raw), agent="me@1", replace=True).text == raw
        assert (raw_of(store, KEY), len(store)) == ("right", 1)


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


def test_notes_that_a_full_disk_left_torn_are_written_again(tmp_path: Path) -> None:
    filled(tmp_path)
    names = (".gitignore", "README.md", "CACHEDIR.TAG")
    whole = [(tmp_path / name).read_bytes() for name in names]
    for name, content, length in zip(names, whole, (0, 10, 5)):
        (tmp_path / name).write_bytes(content[:length])
    filled(tmp_path)
    assert [(tmp_path / name).read_bytes() for name in names] == whole


def test_nothing_is_ever_evicted(tmp_path: Path) -> None:

    with AnswerStore(tmp_path) as store:
        cache: diskcache.Cache = store._cache
        assert cache.eviction_policy == "none"
        assert cache.cull_limit == 0
        assert cache.size_limit > 10**18
        for number in range(200):
            store.put(f"{number:064d}", Reply(text="x" * 1000), agent="me@1")
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
            store.put(f"{number:064d}", Reply(text="x" * 1000), agent="me@1")
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
            assert raw_of(store, KEY) is None
        assert raw_of(store, OTHER) == "left"
        store.put(KEY, Reply(text="right"), agent="me@1")
        assert raw_of(store, KEY) == "right"
    assert not (tmp_path / "ran").exists()


def test_a_pickled_file_is_refused_and_runs_nothing(tmp_path: Path) -> None:
    database = filled(tmp_path / "cache", raw="x" * 100_000)
    files = list(database.parent.rglob("*.val"))
    assert len(files) == 2
    for path in files:
        path.write_bytes(pickle.dumps(Payload(tmp_path / "ran")))
    tamper(database, "UPDATE Cache SET mode = 4")
    with AnswerStore(tmp_path / "cache") as store, pytest.warns(UserWarning, match="damaged"):
        assert raw_of(store, KEY) is None
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
        assert raw_of(store, KEY) is None
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
        assert raw_of(store, KEY) is None
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
        b'{"sum": "0", "raw": ' + b"[" * 900 + b"]" * 900 + b"}",
        b'{"sum": "0", "raw": ' + b"9" * 5000 + b"}",
        b'{"schema": 1, "key": "%s", "agent": "me@1", "raw": "right", "sum": "0"}' % KEY.encode(),
        b'{"sum": null}',
        5,
        "left",
        None,
    ],
    ids=range(16),
)
def test_a_damaged_row_warns_and_counts_as_not_there(tmp_path: Path, row: object) -> None:
    database = filled(tmp_path)
    tamper(database, "UPDATE Cache SET value = ? WHERE key = ?", row, KEY)
    with AnswerStore(tmp_path) as store:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            assert raw_of(store, KEY) is None
        if row is not None:
            assert f"the stored answer {KEY[:12]} is damaged" in str(caught[0].message)
            assert "asking again" in str(caught[0].message)
        assert raw_of(store, OTHER) == "left"


def test_an_answer_moved_to_another_key_is_not_taken(tmp_path: Path) -> None:
    database = filled(tmp_path)
    tamper(database, "DELETE FROM Cache WHERE key = ?", OTHER)
    tamper(database, "UPDATE Cache SET key = ? WHERE key = ?", OTHER, KEY)
    with AnswerStore(tmp_path) as store, pytest.warns(UserWarning, match="checksum, key or schema"):
        assert raw_of(store, OTHER) is None


def test_an_answer_that_was_edited_is_not_taken(tmp_path: Path) -> None:
    database = filled(tmp_path)
    tamper(
        database,
        "UPDATE Cache SET value = CAST(REPLACE(CAST(value AS TEXT), 'left', 'back') AS BLOB)",
    )
    with AnswerStore(tmp_path) as store, pytest.warns(UserWarning, match="damaged"):
        assert raw_of(store, KEY) is None


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


# ----------------------------------------------------- rows made up by who knows the checksum


@pytest.mark.parametrize(
    "changes",
    [
        {"raw": 5},
        {"raw": None},
        {"raw": ["left"]},
        {"agent": None},
        {"trouble": "odd"},
        {"trouble": ["refused"]},
        {"tokens": 5},
        {"tokens": ["1", "2"]},
        {"tokens": [1, 2, 3]},
        {"tokens": [-1, 2]},
        {"asked": "text"},
        {"asked": {}},
        {"asked": {"question": "0" * 64, "text": 5}},
        {"asked": {"question": "0" * 64, "text": "", "images": "x"}},
        {"schema": 2},
        {"schema": None},
        {"key": OTHER},
    ],
    ids=str,
)
@pytest.mark.parametrize("read_only", [False, True])
def test_fields_of_another_kind_are_damage_even_with_a_right_checksum(
    tmp_path: Path, changes: dict[str, object], read_only: bool
) -> None:
    database = filled(tmp_path)
    body = {"schema": 1, "key": KEY, "agent": "me@1", "raw": "left", **changes}
    body["sum"] = rows._checksum(body)
    row = json.dumps(body, sort_keys=True).encode()
    tamper(database, "UPDATE Cache SET value = ? WHERE key = ?", row, KEY)
    opened = Reader(tmp_path) if read_only else AnswerStore(tmp_path)
    with opened as store:
        with pytest.warns(UserWarning, match="damaged"):
            assert store.get(KEY) is None
        assert store.get(OTHER) == Reply(text="left")


def test_the_reader_runs_nothing_and_shows_every_row(tmp_path: Path) -> None:
    database = filled(tmp_path / "cache")
    payload = pickle.dumps(Payload(tmp_path / "ran"))
    tamper(database, "UPDATE Cache SET mode = 4, value = ? WHERE key = ?", payload, KEY)
    tamper(database, "UPDATE Cache SET raw = 0, key = ? WHERE key = ?", payload, OTHER)
    with Reader(tmp_path / "cache") as reader:
        damage = {row.key: row.damage for row in reader.rows()}
        with pytest.warns(UserWarning, match="damaged"):
            assert reader.get(KEY) is None
        assert reader.get(OTHER) is None
    assert damage == {KEY: "a row that is not bytes is not read", "": "its key is no text"}
    assert not (tmp_path / "ran").exists()


def test_a_damaged_row_is_told_once(tmp_path: Path, questions: Ask) -> None:
    """A run looks twice: when it begins, and just before it asks."""
    database = filled(tmp_path)
    tamper(database, "UPDATE Cache SET value = x'00'")
    with AnswerStore(tmp_path) as store:
        with pytest.warns(UserWarning, match="damaged"):
            assert store.get(KEY) is None
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert store.get(KEY) is None


def test_a_filter_that_makes_errors_of_warnings_ends_nothing(tmp_path: Path) -> None:
    tamper(filled(tmp_path), "UPDATE Cache SET value = x'00'")
    with (
        AnswerStore(tmp_path) as store,
        warnings.catch_warnings(record=True) as caught,
    ):
        warnings.simplefilter("error")
        assert store.get(KEY) is None
    assert ["damaged" in str(one.message) for one in caught] == [True]


def test_rows_of_before_the_question_was_kept_are_read(tmp_path: Path) -> None:
    """To the byte what the first version wrote."""
    database = filled(tmp_path)
    row = (
        f'{{"agent": "me@1", "key": "{KEY}", "raw": "2", "schema": 1, "sum": '
        '"959a57c3d92ab41b78d81a7cedbcbc95b877132afaa5829f47985bef6fa2a24a", "tokens": [7, 1]}'
    )
    tamper(database, "UPDATE Cache SET value = ? WHERE key = ?", row.encode(), KEY)
    with AnswerStore(tmp_path) as store:
        entry = store.entry(KEY)
    assert entry is not None
    assert (entry.reply, entry.asked) == (Reply(text="2", tokens_in=7, tokens_out=1), None)
