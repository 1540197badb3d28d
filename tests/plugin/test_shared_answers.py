"""``metaspace answers export`` and ``import``: all comes back, and nothing is overwritten."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from pytest_metaspace.asking.rows import Entry, line_of
from pytest_metaspace.asking.store import AnswerStore
from pytest_metaspace.domain import Reply
from tests.asking.store_support import tamper
from tests.plugin.stored_support import HOSTILE, entry, fill

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plugin.conftest import Project
    from tests.plugin.stored_support import Command


def test_what_is_exported_comes_back_and_is_the_same_bytes(
    answers: Command, cache: Path, project: Project
) -> None:
    made = [entry(1, HOSTILE, trouble="filtered", tokens_in=1), entry(2), entry(3, agent="a")]
    fill(cache, *made)
    status, out, _ = answers("export", "x.jsonl")
    assert status == 0
    assert out.splitlines() == [
        "3 answers written to x.jsonl",
        "They are those of 2 agents: for replay:FILE, export one with --agent.",
    ]
    status, out, _ = answers("import", "x.jsonl", "--cache-dir=other")
    assert (status, out) == (0, "3 new, 0 known; in other\n")
    answers("export", "y.jsonl", "--cache-dir=other")
    first, second = ((project.path / name).read_bytes() for name in ("x.jsonl", "y.jsonl"))
    assert first == second
    assert first.isascii()
    with AnswerStore(project.path / "other") as store:
        assert [store.entry(one.key) for one in made] == made
    status, out, _ = answers("import", "x.jsonl")
    assert (status, out) == (0, f"0 new, 3 known; in {cache}\n")


def test_export_of_one_agent_is_only_its_answers(
    answers: Command, cache: Path, project: Project
) -> None:
    fill(cache, entry(1), entry(1, agent="you@1"))
    assert answers("export", "x.jsonl", "--agent=you")[1] == "1 answer written to x.jsonl\n"
    (line,) = (project.path / "x.jsonl").read_text().splitlines()
    assert json.loads(line)["agent"] == "you@1"
    status, _, err = answers("export", "z.jsonl", "--agent=nobody")
    assert status == 4
    assert "no answer to export of an agent with 'nobody' in its name" in err
    status, _, err = answers("export", "nowhere/z.jsonl")
    assert status == 4
    assert "nowhere/z.jsonl cannot be written (No such file" in err


def test_export_writes_over_nothing_but_an_export(
    answers: Command, cache: Path, project: Project
) -> None:
    fill(cache, entry(1))
    project.write("robot.py", "def go(): pass\n")
    status, _, err = answers("export", "robot.py")
    assert status == 4
    assert "answers export robot.py: is there and is no export of answers, so it is not " in err
    assert (project.path / "robot.py").read_text() == "def go(): pass\n"
    project.write("x.jsonl", "")
    for _ in range(2):
        assert answers("export", "x.jsonl")[0] == 0


GOOD = json.loads(line_of(entry(1)))
BAD: dict[str, tuple[object, str]] = {
    "no JSON": ("left", "is no JSON"),
    "torn": (line_of(entry(1))[:-20], "is no JSON"),
    "list": ([], "is no JSON object"),
    "nested": ("[" * 100_000, "is nested too deeply"),
    "no key": ({**GOOD, "key": None}, "field key: expected a text"),
    "short key": ({**GOOD, "key": "ab"}, "field key: expected 64 hexadecimal digits"),
    "other key": ({**GOOD, "key": "a" * 64}, "field key: is not the key of this question and this"),
    "other agent": ({**GOOD, "agent": "you"}, "field key: is not the key of this question and"),
    "other sample": ({**GOOD, "sample": 1}, "field key: is not the key of this question and this"),
    "odd sample": ({**GOOD, "sample": -1}, "field sample: expected a whole number"),
    "no agent": ({**GOOD, "agent": ""}, "field agent: expected a text"),
    "no answer": ({**GOOD, "answer": 5}, "field answer: expected a text"),
    "odd trouble": ({**GOOD, "trouble": "odd"}, "field trouble: expected one of refused"),
    "odd tokens": ({**GOOD, "tokens": [1]}, "field tokens: expected two whole numbers"),
    "bool tokens": ({**GOOD, "tokens": [True, 1]}, "field tokens: expected two whole numbers"),
    "odd question": ({**GOOD, "question": "q"}, "field question: expected 64 hexadecimal"),
    "odd images": ({**GOOD, "images": [1]}, "field images: expected a list of names"),
    "odd text": ({**GOOD, "text": 5}, "field text: expected a text"),
    "recording": ({"question": "q", "answer": "a"}, "names no key and no agent, as a recording"),
    "bytes": (b"\xff\xfe", "codec can't decode"),
    "hostile": ("\x1b[2J", "is no JSON"),
    "twice": ({**GOOD, "answer": "right"}, "has the key of an earlier line, not its answer"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_line_that_is_no_answer_keeps_all_others_out(
    answers: Command, cache: Path, project: Project, name: str
) -> None:
    line, reason = BAD[name]
    if not isinstance(line, bytes):
        line = (line if isinstance(line, str) else json.dumps(line)).encode()
    good = [line_of(entry(number)).encode() for number in (1, 2)]
    (project.path / "x.jsonl").write_bytes(b"\n".join([good[0], b"", line, good[1]]) + b"\n")
    status, out, err = answers("import", "x.jsonl")
    assert (status, err) == (1, "")
    first, last = out.splitlines()
    assert first.startswith("x.jsonl:3: ")
    assert reason in first
    assert last.startswith("1 line refused, and nothing imported. ")
    assert "\x1b" not in out
    assert not cache.exists()
    status, out, _ = answers("import", "x.jsonl", "--skip-refused")
    assert status == 0
    assert out.splitlines()[1].startswith("2 new, 0 known, 1 refused; in .metaspace_cache")


def test_import_never_overwrites_unless_told(
    answers: Command, cache: Path, project: Project
) -> None:
    fill(cache, entry(1, "mine"), entry(2))
    lines = [line_of(entry(1, "theirs")), line_of(entry(2)), line_of(entry(3))]
    (project.path / "x.jsonl").write_text("\n".join(lines))
    told = f"1 new, 1 known, 1 that differ kept as stored (--replace takes those of the file); in {cache}\n"
    assert answers("import", "x.jsonl")[1] == told
    with AnswerStore(cache) as store:
        assert store.get(entry(1).key) == Reply(text="mine")
        assert len(store) == 3
    replaced = f"0 new, 2 known, 1 that differ replaced; in {cache}\n"
    assert answers("import", "x.jsonl", "--replace")[1] == replaced
    with AnswerStore(cache) as store:
        assert store.get(entry(1).key) == Reply(text="theirs")
        assert len(store) == 3


def test_an_import_that_fails_in_the_middle_leaves_all_as_it_was(
    answers: Command, cache: Path, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(cache, entry(1, "mine"))
    lines = [line_of(entry(number)) for number in range(1, 6)]
    (project.path / "x.jsonl").write_text("\n".join(lines))
    put, count = AnswerStore._put, 0

    def full(self: AnswerStore, one: Entry, *, replace: bool) -> Entry:
        nonlocal count
        count += 1
        if count == 3:
            raise OSError(28, "No space left on device")
        return put(self, one, replace=replace)

    monkeypatch.setattr(AnswerStore, "_put", full)
    status, _, err = answers("import", "x.jsonl")
    assert status == 4
    assert "none of them was" in err
    with AnswerStore(cache) as store:
        assert len(store) == 1


def test_an_import_mends_damaged_rows(answers: Command, cache: Path, project: Project) -> None:
    fill(cache, entry(1))
    tamper(cache / "answers" / "cache.db", "UPDATE Cache SET value = x'00'")
    (project.path / "x.jsonl").write_text(line_of(entry(1)))
    with pytest.warns(UserWarning, match="damaged"):
        assert answers("import", "x.jsonl")[1].startswith("1 new, 0 known; in ")
    with AnswerStore(cache) as store:
        assert store.get(entry(1).key) == Reply(text="left")


def test_a_file_that_cannot_be_read_is_named(answers: Command) -> None:
    status, _, err = answers("import", "nowhere.jsonl")
    assert status == 4
    assert "nowhere.jsonl cannot be read (No such file" in err


# ----------------------------------------------------------------------------- with real runs

MOODY = """
with open("calls.txt", "a") as calls:
    calls.write("x")
return "2"
"""
FEW = ("--metaspace-sc=SC1-b", "--metaspace-mr=MR2")


def test_what_a_run_stored_is_replayed_without_the_agent(
    project: Project, answers: Command
) -> None:
    walk = str(project.walk())
    first = project.run(walk, project.brain(MOODY), *FEW)
    assert answers("export", "answers.jsonl")[0] == 0
    replayed = project.run(walk, "--metaspace-agent=replay:answers.jsonl", *FEW)
    assert replayed.parseoutcomes() == first.parseoutcomes()
    assert replayed.ret == first.ret == 0
    line = json.loads((project.path / "answers.jsonl").read_text().splitlines()[0])
    assert "steps" in line["text"]
    assert {name.rpartition(".")[2] for name in line["images"]} == {"png"}


def test_a_run_asks_what_was_forgotten_and_not_what_was_imported(
    project: Project, answers: Command
) -> None:
    walk, agent = str(project.walk()), project.brain(MOODY)
    project.run(walk, agent, *FEW)
    asked = len((project.path / "calls.txt").read_text())
    answers("export", "answers.jsonl")
    key = json.loads((project.path / "answers.jsonl").read_text().splitlines()[0])["key"]
    answers("forget", key, "--yes")
    project.run(walk, agent, *FEW)
    assert len((project.path / "calls.txt").read_text()) == asked + 1
    answers("import", "answers.jsonl", "--cache-dir=shared")
    project.run(walk, agent, *FEW, "--metaspace-cache-dir=shared")
    assert len((project.path / "calls.txt").read_text()) == asked + 1
