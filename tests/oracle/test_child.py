"""Whatever happens to an engine, each case gets its verdict and nothing is left behind."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace.errors import OracleUnavailable
from pytest_metaspace.oracle import LawError, Oracle, hosts
from tests.oracle.engines import ENGINES, needs_native

if TYPE_CHECKING:
    from collections.abc import Iterator

ROGUE = Path(__file__).with_name("rogue.pl")


def deed(name: str) -> dict[str, Any]:
    return {"case": name, "relation": "ROGUE", "subjects": [name, "x"], "observations": []}


def good(count: int = 1) -> list[dict[str, Any]]:
    return [{**deed("well"), "case": str(number)} for number in range(count)]


def alive(pid: int) -> bool:
    """Tell whether a process runs; one that only waits to be buried does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


@pytest.fixture(scope="module", params=ENGINES)
def rogue(request: pytest.FixtureRequest) -> Iterator[Oracle]:
    with Oracle(request.param, laws=[ROGUE], trusted=True, wall_limit_s=3.0, chunk=4) as oracle:
        yield oracle


@pytest.mark.parametrize(
    ("name", "verdict", "words"),
    [
        ("violated", "violated", ""),
        ("endless", "error", "inference limit"),
        ("asleep", "error", "took longer than 3 s"),
        ("halted", "error", "ended with exit status 0"),
        ("flood", "satisfied", ""),
        ("greedy", "satisfied", ""),
        ("deep", "error", "tack limit"),
        ("recursive", "error", "tack limit"),
        ("thrown", "error", "ball"),
        ("undefined", "error", "no_such_predicate"),
        ("unbound", "error", "instantiated"),
        ("unknown", "error", "no verdict"),
    ],
)
def test_a_rogue_law_harms_only_its_own_case(
    rogue: Oracle, name: str, verdict: str, words: str
) -> None:
    cases = [*good(6), deed(name), *good(6)]
    results = list(rogue.judge(cases))
    assert [result["case"] for result in results] == [case["case"] for case in cases]
    assert [result["verdict"] for result in results[:6] + results[7:]] == ["satisfied"] * 12
    assert results[6]["verdict"] == verdict
    assert words in results[6].get("reason", "")


def open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def child_pid(oracle: Oracle) -> int:
    oracle.describe()
    assert oracle._child is not None
    return oracle._child.pid


def test_a_killed_engine_is_replaced_and_no_verdict_is_lost(rogue: Oracle) -> None:
    """Three times in one run, each time by another signal."""
    deadly = {1: signal.SIGKILL, 14: signal.SIGTERM, 27: signal.SIGSEGV}
    seen = []
    for result in rogue.judge(good(40)):
        seen.append(result)
        if len(seen) in deadly:
            os.kill(child_pid(rogue), deadly[len(seen)])
    assert [result["case"] for result in seen] == [str(number) for number in range(40)]
    assert {result["verdict"] for result in seen} == {"satisfied"}


@pytest.mark.parametrize("engine", ENGINES)
def test_what_was_sent_ahead_is_sent_again_to_the_next_engine(engine: str) -> None:
    start = time.monotonic()
    limits: dict[str, Any] = {"chunk": 4, "wall_limit_s": 30}
    with Oracle(engine, laws=[ROGUE], trusted=True, **limits) as oracle:  # type: ignore[arg-type]
        results = oracle.judge(good(40))
        first = next(results)
        os.kill(child_pid(oracle), signal.SIGKILL)
        rest = list(results)
    assert [result["verdict"] for result in [first, *rest]] == ["satisfied"] * 40
    assert time.monotonic() - start < 20  # nothing waited for answers that cannot come


def test_an_engine_killed_while_idle_is_replaced(rogue: Oracle) -> None:
    os.kill(child_pid(rogue), signal.SIGKILL)
    time.sleep(0.1)
    assert [result["verdict"] for result in rogue.judge(good())] == ["satisfied"]


def test_a_stopped_engine_is_given_up(rogue: Oracle) -> None:
    pid = child_pid(rogue)
    os.kill(pid, signal.SIGSTOP)
    assert [result["verdict"] for result in rogue.judge(good(3))] == ["satisfied"] * 3
    assert not alive(pid)


@pytest.mark.parametrize("rubbish", [b"no frame\n", b"2\n{}", b'7\n{"n":0}', b"x" * 100])
def test_an_engine_that_answers_nonsense_is_replaced(
    monkeypatch: pytest.MonkeyPatch, rubbish: bytes
) -> None:
    read = os.read
    lies = [rubbish, rubbish]

    def lying_read(descriptor: int, size: int) -> bytes:
        data = read(descriptor, size)
        return lies.pop() if lies and b'"verdict"' in data else data

    with Oracle(laws=[ROGUE], trusted=True) as oracle:
        oracle.describe()
        monkeypatch.setattr(os, "read", lying_read)
        first, second = oracle.judge(good(2))
    assert first["verdict"] == "error"
    assert "nonsense" in first["reason"]
    assert second["verdict"] == "satisfied"


def test_results_are_lazy_and_an_abandoned_run_spoils_nothing(rogue: Oracle) -> None:
    taken = []

    def cases() -> Iterator[dict[str, Any]]:
        for case in good(1000):
            taken.append(case)
            yield case

    results = rogue.judge(cases())
    assert next(results)["case"] == "0"
    assert len(taken) < 30
    results.close()  # type: ignore[attr-defined]
    same_size = [deed("violated")] * 4
    assert [result["verdict"] for result in rogue.judge(same_size)] == ["violated"] * 4


def test_an_error_of_the_source_reaches_the_caller(rogue: Oracle) -> None:
    def cases() -> Iterator[dict[str, Any]]:
        yield from good(5)
        raise RuntimeError("source")

    with pytest.raises(RuntimeError, match="source"):
        list(rogue.judge(cases()))
    assert [result["verdict"] for result in rogue.judge(good())] == ["satisfied"]


@pytest.mark.parametrize("engine", ENGINES)
def test_large_chunks_in_both_directions_block_nobody(engine: str) -> None:
    name = "n" * 200_000
    cases = [{**deed("violated"), "case": str(n), "extra": name} for n in range(60)]
    with Oracle(engine, laws=[ROGUE], trusted=True, chunk=5) as oracle:  # type: ignore[arg-type]
        assert {result["verdict"] for result in oracle.judge(cases)} == {"violated"}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
@pytest.mark.parametrize(
    ("name", "count"),
    [("well", 1), ("asleep", 1), pytest.param("violated", 10**6, id="replies are due")],
)
def test_a_parent_that_is_killed_leaves_no_engine(
    engine: str, number: signal.Signals, name: str, count: int
) -> None:
    program = f"""
import itertools, sys
from pytest_metaspace.oracle import Oracle
oracle = Oracle({engine!r}, laws=[{str(ROGUE)!r}], trusted=True)
oracle.describe()
print(oracle._child.pid, flush=True)
results = oracle.judge(itertools.repeat({deed(name)!r}, {count}))
next(results)
print("judged", flush=True)
for _ in results:
    pass
sys.stdin.read()
"""
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        if name != "asleep":
            parent.stdout.readline()
        time.sleep(0.3)
        assert alive(pid)
        parent.send_signal(number)
        parent.wait()
        try:
            assert ended(pid)
        finally:
            if alive(pid):
                os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("engine", [name for name in ENGINES if "swipl" not in name.values])
def test_a_parent_that_is_killed_while_its_engine_starts_leaves_none(engine: str) -> None:
    """The engine is kept within its start, so that only the watch over the parent can end it."""
    program = f"""
import sys
from pytest_metaspace.oracle import hosts
from pytest_metaspace.oracle.child import Child
config = hosts._config
hosts._config = lambda *numbers: {{**config(*numbers), "load": "repeat,fail"}}
child = Child({engine!r}, wall_limit_s=60)
print(child.pid, flush=True)
child.ask("describe.\\n")
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        time.sleep(2)
        assert alive(pid)
        parent.kill()
        parent.wait()
        try:
            assert ended(pid)
        finally:
            if alive(pid):
                os.kill(pid, signal.SIGKILL)


def ended(pid: int) -> bool:
    """Wait for the end of a process; tell whether it came within 10 s."""
    deadline = time.monotonic() + 10
    while alive(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not alive(pid)


@pytest.mark.parametrize("engine", ENGINES)
def test_closing_ends_the_engine(engine: str) -> None:
    with Oracle(engine) as oracle:  # type: ignore[arg-type]
        pid = child_pid(oracle)
        assert alive(pid)
        assert os.getsid(pid) == pid
        before = open_descriptors()
    assert not alive(pid)
    assert open_descriptors() == before - 5


def test_without_swi_prolog_the_error_says_what_to_type(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("LIBSWIPL_PATH", str(tmp_path / "none.so"))
    monkeypatch.setenv("SWI_HOME_DIR", str(tmp_path))
    monkeypatch.setattr(hosts, "wasm_bundle", lambda: tmp_path / "none.js")
    for engine in ("auto", "swipl", "pyswip", "wasm"):
        with pytest.raises(OracleUnavailable, match="apt-get install --no-install-recommends"):
            list(Oracle(engine).judge(good()))


@needs_native
def test_auto_falls_back_to_swipl(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    command = hosts._pyswip_command

    def broken(*numbers: int) -> list[str]:
        return [*command(*numbers)[:2], str(tmp_path / "absent.py")]

    monkeypatch.setattr(hosts, "_pyswip_command", broken)
    with Oracle() as oracle:
        assert oracle.describe()["engine"] == "swipl"
    with pytest.raises(OracleUnavailable, match="pyswip: ended with exit status"):
        Oracle("pyswip").describe()


def test_an_unknown_engine_is_told_at_once() -> None:
    with pytest.raises(OracleUnavailable, match="Known: auto, pyswip, swipl, wasm"):
        Oracle("gnu")  # type: ignore[arg-type]


BAD_LAWS = {
    "violated(x) :- foo(.\n": r"bad\.pl:4: error: .*Syntax error",
    "violated(X) :- subjects(_, _).\n": r"bad\.pl:4: warning: Singleton",
    "lacks(_) :- misspelt.\n": r"bad\.pl:4: error: lacks/1 calls misspelt/0, which is neither",
    ":- fail.\n": r"bad\.pl:4: error: the directive fail is not allowed",
    "violated(x) :- subjects(_, _), !.\n": r"bad\.pl:4: error: a cut in a law",
    "\n": "law bad does not define violated/1",
    "metaspace:law('MR1', bad, []).\n": "MR1 is judged by more than one law",
}
"""What is wrong with each; the first is refused when it is read, the second when it is loaded."""


def refuses(engine: str, law: Path, text: str) -> None:
    law.write_text(
        ":- module(bad, []). :- use_module(metaspace(facts)).\n"
        ":- multifile metaspace:law/3.\n"
        "metaspace:law('BAD', bad, []).\n" + text
    )
    with pytest.raises(LawError, match=BAD_LAWS[text]), Oracle(engine, laws=[law]) as oracle:  # type: ignore[arg-type]
        oracle.describe()


@needs_native
@pytest.mark.parametrize("text", BAD_LAWS)
def test_a_bad_law_is_refused_with_file_and_line(tmp_path: Path, text: str) -> None:
    refuses("swipl", tmp_path / "bad.pl", text)


@pytest.mark.parametrize("engine", ENGINES)
def test_each_host_hands_on_what_is_wrong_with_a_law(engine: str, tmp_path: Path) -> None:
    for text in list(BAD_LAWS)[:2]:
        refuses(engine, tmp_path / "bad.pl", text)


def test_a_law_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(LawError, match="absent"), Oracle(laws=[tmp_path / "absent.pl"]) as oracle:
        oracle.describe()


@pytest.mark.parametrize("kind", ["folder", "pipe", "link to a pipe", "device"])
def test_what_is_no_regular_file_is_no_law(tmp_path: Path, kind: str) -> None:
    pipe, link = tmp_path / "pipe", tmp_path / "link.pl"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    odd = {"folder": tmp_path, "pipe": pipe, "link to a pipe": link, "device": Path("/dev/zero")}
    law = odd[kind]
    told = f"the law {str(law)!r} is no regular file but a folder, a pipe or a device"
    with pytest.raises(LawError, match=re.escape(told)), Oracle(laws=[law]) as oracle:
        oracle.describe()


@pytest.mark.parametrize("engine", ENGINES)
def test_a_law_that_never_ends_loading_is_given_up_and_named(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    law = tmp_path / "endless.pl"
    law.write_text(":- module(endless, []).\n:- repeat, fail.\n")
    monkeypatch.setattr("pytest_metaspace.oracle.engine._START_LIMIT_S", 10.0)
    told = "the engine took longer than 10 s while it loaded the laws .*endless"
    oracle = Oracle(engine, laws=[law], trusted=True, wall_limit_s=1.0)  # type: ignore[arg-type]
    with pytest.raises(LawError, match=told), oracle:
        oracle.describe()


def test_the_engine_describes_the_relations_of_the_user_too(rogue: Oracle) -> None:
    assert rogue.describe()["relations"][:2] == ["MR1", "MR2"]
    assert "ROGUE" in rogue.describe()["relations"]


def test_a_law_of_the_user_tells_its_own_file_in_derivations(rogue: Oracle) -> None:
    (result,) = rogue.judge([deed("violated")])
    source = result["derivation"]["source"]
    line = int(source.removeprefix("rogue.pl:"))
    assert ROGUE.read_text().splitlines()[line - 1].startswith("violated(broken)")


@pytest.mark.parametrize(
    ("start", "words"),
    [("lambda: lambda text: text", "BrokenPipeError"), ("lambda: {}['no engine']", "KeyError")],
)
def test_a_host_leaves_without_the_cleanup_of_its_engine(start: str, words: str) -> None:
    requests, asking = os.pipe()
    answers, replies = os.pipe()
    os.write(asking, b"2 2\nhi")
    os.close(answers)
    frames = str(Path(hosts.__file__).with_name("host_frames.py"))
    program = f"""
import atexit, runpy
atexit.register(print, "cleaned up")
config = {{"requests": {requests}, "replies": {replies}}}
runpy.run_path({frames!r})["serve"](config, {start})
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        pass_fds=(requests, replies),
        capture_output=True,
        check=False,
        text=True,
        timeout=60,
    )
    for descriptor in (requests, asking, replies):
        os.close(descriptor)
    assert done.returncode == 1
    assert done.stdout == ""
    assert words in done.stderr.splitlines()[-1]
