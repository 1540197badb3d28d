"""Where nothing can be stored, a run goes on, and what it received can be imported."""

from __future__ import annotations

import os
import shlex
import sqlite3
import stat
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_metaspace.asking import ask
from pytest_metaspace.asking.keeping import Keeper
from pytest_metaspace.asking.reading import Reader
from pytest_metaspace.asking.rows import Entry, of_line
from pytest_metaspace.asking.spare import Spare
from pytest_metaspace.asking.store import AnswerStore, StoreError
from pytest_metaspace.domain import Question, Reply
from pytest_metaspace.errors import MetaspaceError
from tests.asking.store_support import KEY, OTHER, filled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Ask = Callable[[int], list[Question]]


class Counting:
    identity: str | None = "counting@1"

    def __init__(self) -> None:
        self.heard = 0

    def ask(self, question: Question) -> str:
        self.heard += 1
        return f"answer to {question.text}"


def in_file(spare: Spare) -> list[Entry]:
    assert spare.path is not None
    return [of_line(line) for line in spare.path.read_text().splitlines()]


def test_a_file_in_place_of_the_folder_ends_in_a_spare_file_with_all_answers(
    tmp_path: Path, questions: Ask
) -> None:
    (tmp_path / "cache").write_text("I am a file")
    spare, agent = Spare([tmp_path]), Counting()
    keeper = Keeper(tmp_path / "cache", spare)
    asked = ask(questions(5), agent, keeper)
    again = ask(questions(7), agent, keeper)
    keeper.close()
    assert (asked.stopped, asked.fresh, again.fresh, agent.heard) == (None, 5, 2, 7)
    entries = in_file(spare)
    assert {entry.reply.text for entry in entries} == {f"answer to question {n}" for n in range(7)}
    assert all(entry.asked and entry.asked.text.startswith("question") for entry in entries)
    told = spare.told(tmp_path / "cache")
    assert told.startswith(f"metaspace: 7 answers could not be stored in {tmp_path / 'cache'} (")
    words = shlex.split(told.partition("type: ")[2])
    assert words == [
        "metaspace",
        "answers",
        "import",
        str(spare.path),
        f"--cache-dir={tmp_path / 'cache'}",
    ]


def test_the_file_is_ours_alone_and_there_only_when_it_is_needed(tmp_path: Path) -> None:
    spare = Spare([tmp_path])
    assert (spare.path, spare.told(tmp_path), len(spare)) == (None, "", 0)
    assert list(tmp_path.iterdir()) == []
    spare.put(Entry(key=KEY, agent="me@1", reply=Reply(text="left")), "disk full")
    assert spare.path is not None
    assert stat.S_IMODE(spare.path.stat().st_mode) == 0o600
    assert spare.told(tmp_path).startswith("metaspace: 1 answer could")


def test_the_next_folder_takes_everything_when_the_first_is_full_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    spare = Spare([first, second])
    spare.put(Entry(key=KEY, agent="me@1", reply=Reply(text="left")), "disk full")
    assert spare.path is not None
    assert spare.path.parent == first
    write = os.write

    def full(file: int, data: bytes) -> int:
        if Path(f"/proc/self/fd/{file}").readlink().is_relative_to(first):
            write(file, bytes(data)[:10])
            raise OSError(28, "No space left on device")
        return write(file, data)

    monkeypatch.setattr(os, "write", full)
    spare.put(Entry(key=OTHER, agent="me@1", reply=Reply(text="right")), "disk full")
    assert [entry.reply.text for entry in in_file(spare)] == ["left", "right"]
    assert spare.path.parent == second
    assert list(first.iterdir()) == []


def test_where_nothing_takes_an_answer_asking_stops_and_says_how_many_there_are(
    tmp_path: Path, questions: Ask
) -> None:
    spare, agent = Spare([tmp_path / "nowhere"]), Counting()
    (tmp_path / "cache").write_text("I am a file")
    keeper = Keeper(tmp_path / "cache", spare)
    asked = ask(questions(5), agent, keeper, concurrency=1)
    assert agent.heard == 1
    assert asked.stopped is not None
    assert f"nor written to a file ({tmp_path / 'nowhere'}: No such file" in asked.stopped
    assert [answer.raw is None for answer in asked.answers.values()] == [False, *[True] * 4]
    told = spare.told(tmp_path / "cache")
    assert "1 answer that this run received could be written nowhere" in told
    assert keeper.get(next(iter(spare._entries))) is not None


def test_what_a_file_has_stays_there_when_nothing_takes_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spare = Spare([tmp_path])
    spare.put(Entry(key=KEY, agent="me@1", reply=Reply(text="left")), "disk full")
    write = os.write

    def full(file: int, data: bytes) -> int:
        write(file, bytes(data)[:10])
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        with pytest.raises(MetaspaceError, match="nor written to a file"):
            spare.put(Entry(key=OTHER, agent="me@1", reply=Reply(text="right")), "disk full")
    assert [entry.reply.text for entry in in_file(spare)] == ["left"]
    assert list(tmp_path.iterdir()) == [spare.path]
    told = spare.told(tmp_path)
    assert "1 answer that this run received could be written nowhere" in told
    assert f"1 answer could not be stored in {tmp_path} (disk full) and went to a file" in told
    spare.put(Entry(key="c" * 64, agent="me@1", reply=Reply(text="up")), "disk full")
    assert [entry.reply.text for entry in in_file(spare)] == ["left", "right", "up"]
    assert spare.told(tmp_path).startswith("metaspace: 3 answers could not be stored")


def test_a_database_that_is_no_database_is_refused_and_not_paid_for_again(tmp_path: Path) -> None:
    (tmp_path / "answers").mkdir()
    (tmp_path / "answers" / "cache.db").write_bytes(b"no database at all" * 1000)
    with pytest.raises(StoreError, match="cannot be opened"):
        Keeper(tmp_path, Spare([tmp_path]))


def test_a_disk_that_fills_up_in_between_is_the_same(
    tmp_path: Path, questions: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    spare, agent = Spare([tmp_path]), Counting()
    keeper = Keeper(tmp_path / "cache", spare)
    ask(questions(2), agent, keeper)

    def full(*_: object, **__: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(AnswerStore, "_put", full)
        asked = ask(questions(5), agent, keeper)
    assert (asked.stopped, agent.heard) == (None, 5)
    assert "(database or disk is full)" in spare.told(tmp_path)
    keeper.close()
    with AnswerStore(tmp_path / "cache") as store:
        assert len(store) == 2
        store.put_all(in_file(spare))
        assert len(store) == 5
        assert ask(questions(5), agent, store).fresh == 0


def test_a_fresh_answer_on_a_full_disk_counts_for_the_rest_of_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(tmp_path / "cache", raw="old")

    def full(*_: object, **__: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    keeper = Keeper(tmp_path / "cache", Spare([tmp_path]))
    monkeypatch.setattr(AnswerStore, "_put", full)
    keeper.put(KEY, Reply(text="new"), agent="me@1", replace=True)
    assert keeper.get(KEY) == Reply(text="new")
    assert keeper.get(OTHER) == Reply(text="old")
    keeper.close()


# ------------------------------------------------------------------------------- real disks


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 300 kB of its own, where this process may mount one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=300k", "none", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("nothing may be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_on_a_disk_that_really_fills_up_no_answer_is_lost(
    small_disk: Path, tmp_path: Path, questions: Ask
) -> None:
    class Talkative(Counting):
        def ask(self, question: Question) -> str:
            return super().ask(question) + "x" * 5000

    spare, agent = Spare([small_disk, tmp_path]), Talkative()
    keeper = Keeper(small_disk / "cache", spare)
    asked = ask(questions(60), agent, keeper)
    keeper.close()
    assert asked.stopped is None
    assert all(answer.raw for answer in asked.answers.values())
    with Reader(small_disk / "cache") as reader:
        kept = {row.key for row in reader.rows() if row.entry is not None}
    assert 0 < len(kept) < 60
    assert 60 - len(kept) <= len(spare) < 60
    assert len(kept | {entry.key for entry in in_file(spare)}) == 60
    assert spare.path is not None
    assert spare.path.parent == tmp_path


def test_a_read_only_disk_is_read_and_what_is_new_goes_elsewhere(
    small_disk: Path, tmp_path: Path, questions: Ask
) -> None:
    agent = Counting()
    with AnswerStore(small_disk / "cache") as store:
        ask(questions(3), agent, store)
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    spare = Spare([small_disk, tmp_path])
    keeper = Keeper(small_disk / "cache", spare)
    asked = ask(questions(5), agent, keeper)
    keeper.close()
    assert (asked.stopped, asked.fresh, agent.heard) == (None, 2, 5)
    assert len(in_file(spare)) == 2
    with Reader(small_disk / "cache") as reader:
        assert len(list(reader.rows())) == 3


def test_a_disk_that_turns_read_only_while_asking_hangs_nothing(
    small_disk: Path, tmp_path: Path, questions: Ask
) -> None:
    agent, spare = Counting(), Spare([small_disk, tmp_path])
    keeper = Keeper(small_disk / "cache", spare)
    ask(questions(2), agent, keeper)
    keeper.close()
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    asked = ask(questions(4), agent, keeper)
    keeper.close()
    assert (asked.stopped, asked.fresh) == (None, 2)
    assert len(in_file(spare)) == 2


def test_an_answer_that_no_file_takes_is_an_error_of_ours() -> None:
    with pytest.raises(MetaspaceError, match="Free the disk and run again"):
        Spare([]).put(Entry(key=KEY, agent="me@1", reply=Reply(text="left")), "disk full")
