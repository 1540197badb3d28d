"""The desk: bytes of JSON between processes, and no caller that can harm the run."""

from __future__ import annotations

import contextlib
import os
import pickle
import subprocess
import sys
import threading
import time
from multiprocessing.connection import Client
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace.desk import Caller, Desk
from pytest_metaspace.errors import AgentError

if TYPE_CHECKING:
    from collections.abc import Iterator

PATIENCE_S = 30


class Clerk:
    """Answers each request with itself, and keeps what it was asked; waits while it is held."""

    def __init__(self) -> None:
        self.rounds: list[list[Any]] = []
        self.free = threading.Event()
        self.free.set()
        self.busy = threading.Event()
        self.closed_by = ""

    def answer(self, requests: list[Any]) -> list[Any]:
        self.rounds.append(requests)
        self.busy.set()
        assert self.free.wait(PATIENCE_S)
        if "trouble" in requests:
            raise ValueError("no")
        return [{"raw": request} for request in requests]

    def close(self) -> None:
        self.closed_by = threading.current_thread().name


@pytest.fixture
def clerk() -> Clerk:
    return Clerk()


@pytest.fixture
def desk(clerk: Clerk) -> Iterator[Desk]:
    made = Desk(clerk.answer, clerk.close)
    yield made
    clerk.free.set()
    made.close()


@pytest.fixture
def caller(desk: Desk) -> Iterator[Caller]:
    made = Caller(desk.address, desk.key)
    yield made
    made.close()


def test_a_caller_gets_the_reply_to_each_request(caller: Caller) -> None:
    assert caller.ask(["a", "b"]) == [{"raw": "a"}, {"raw": "b"}]
    assert caller.ask(["\N{SNOWMAN}"]) == [{"raw": "\N{SNOWMAN}"}]
    assert caller.ask([]) == []


def test_what_waits_is_answered_in_one_round(desk: Desk, clerk: Clerk) -> None:
    """So that the agent is never asked by two threads, and may be asked concurrently."""
    clerk.free.clear()
    replies: dict[str, Any] = {}

    def call(name: str) -> None:
        caller = Caller(desk.address, desk.key)
        replies[name] = caller.ask([name])
        caller.close()

    threads = [threading.Thread(target=call, args=(name,)) for name in "abc"]
    threads[0].start()
    assert clerk.busy.wait(PATIENCE_S)
    for thread in threads[1:]:
        thread.start()
    while desk._requests.qsize() < 2:
        assert threads[1].is_alive()
    clerk.free.set()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert replies == {name: [{"raw": name}] for name in "abc"}
    assert [sorted(requests) for requests in clerk.rounds] == [["a"], ["b", "c"]]


def test_an_error_of_the_agent_is_told_and_the_desk_stays_open(caller: Caller) -> None:
    (told,) = caller.ask(["trouble"])
    assert told == {"raw": None, "error": "ValueError: no", "trouble": ""}
    assert caller.ask(["a"]) == [{"raw": "a"}]


def test_who_does_not_know_the_key_is_not_heard(desk: Desk, caller: Caller, clerk: Clerk) -> None:
    with pytest.raises(AgentError, match="cannot be reached"):
        Caller(desk.address, b"guessed").ask(["a"])
    with contextlib.closing(Client(desk.address)) as stranger:
        stranger.send_bytes(b'["a"]')
        stranger.recv_bytes()  # the challenge
        stranger.recv_bytes()  # no welcome
        with pytest.raises((EOFError, OSError)):
            stranger.recv_bytes()
    assert not clerk.rounds
    assert caller.ask(["b"]) == [{"raw": "b"}]


def test_someone_who_connects_and_says_nothing_holds_up_nobody(desk: Desk, caller: Caller) -> None:
    with contextlib.closing(Client(desk.address)):
        assert caller.ask(["a"]) == [{"raw": "a"}]


@pytest.mark.parametrize("content", [b"7", b"{", b"\xff", b"[" * 100_000])
def test_a_request_that_is_none_harms_nobody(desk: Desk, caller: Caller, content: bytes) -> None:
    with contextlib.closing(Client(desk.address, authkey=desk.key)) as friend:
        friend.send_bytes(content)
        with pytest.raises((EOFError, OSError)):
            friend.recv_bytes()
    assert caller.ask(["a"]) == [{"raw": "a"}]


class Bomb:
    def __reduce__(self) -> Any:
        return os.mkdir, ("exploded",)


def test_a_pickle_is_never_opened(
    desk: Desk, caller: Caller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with contextlib.closing(Client(desk.address, authkey=desk.key)) as friend:
        friend.send_bytes(pickle.dumps(Bomb()))
        with pytest.raises((EOFError, OSError)):
            friend.recv_bytes()
    assert not Path("exploded").exists()
    assert caller.ask(["a"]) == [{"raw": "a"}]


def test_a_caller_that_is_killed_while_it_asks_harms_nobody(
    desk: Desk, caller: Caller, clerk: Clerk
) -> None:
    clerk.free.clear()
    script = (
        "import sys; from pytest_metaspace.desk import Caller; "
        "Caller(sys.argv[1], bytes.fromhex(sys.argv[2])).ask(['last words'])"
    )
    command = [sys.executable, "-c", script, desk.address, desk.key.hex()]
    with subprocess.Popen(command) as doomed:
        assert clerk.busy.wait(PATIENCE_S)
        doomed.kill()
    clerk.free.set()
    assert caller.ask(["a"]) == [{"raw": "a"}]
    assert clerk.rounds == [["last words"], ["a"]]


def test_a_reply_that_nobody_waited_for_is_not_taken_for_the_next(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller.ask(["first"])
    connection: Any = caller._connection

    def interrupted() -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr(connection, "recv_bytes", interrupted)
    with pytest.raises(KeyboardInterrupt):
        caller.ask(["a"])
    assert caller.ask(["b"]) == [{"raw": "b"}]


def test_nothing_is_left_when_it_closes(clerk: Clerk) -> None:
    before = set(threading.enumerate())
    desk = Desk(clerk.answer, clerk.close)
    socket = Path(desk.address)
    assert socket.exists()
    assert socket.parent.stat().st_mode & 0o077 == 0
    caller = Caller(desk.address, desk.key)
    caller.ask(["a"])
    caller.close()
    desk.close()
    assert clerk.closed_by == "metaspace-_work"
    assert not socket.parent.exists()
    assert not any(thread.is_alive() for thread in desk._threads)
    for thread in set(threading.enumerate()) - before:
        thread.join(PATIENCE_S)
        assert not thread.is_alive()


def test_a_desk_that_is_gone_is_told(clerk: Clerk) -> None:
    desk = Desk(clerk.answer)
    caller = Caller(desk.address, desk.key)
    caller.ask(["a"])
    time.sleep(0.1)  # most likely it waits for the next request by now; either way is told
    desk.close()
    with pytest.raises(AgentError, match="the process that asks the agent cannot be reached"):
        caller.ask(["b"])


def test_a_long_path_of_temporary_files_does_no_harm(
    clerk: Clerk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = tmp_path / ("x" * 100)
    long.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(long))
    desk = Desk(clerk.answer)
    caller = Caller(desk.address, desk.key)
    assert caller.ask(["a"]) == [{"raw": "a"}]
    caller.close()
    desk.close()
    assert not list(long.iterdir())
