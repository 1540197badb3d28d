"""``metaspace answers``: what is stored is seen, shared and forgotten, and nothing by accident."""

from __future__ import annotations

import json
import sys
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace import cli, last_run, stored
from pytest_metaspace.asking.rows import Asked, Entry, key_of, line_of
from pytest_metaspace.asking.store import AnswerStore
from pytest_metaspace.domain import Reply
from tests.asking.store_support import tamper

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.plugin.conftest import Project

    Said = tuple[int, str, str]
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


@pytest.fixture
def answers(
    project: Project, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Command:
    """Type ``metaspace answers ...`` in the project; return status, output and complaints."""

    def typed(*words: str, stdin: str = "") -> Said:
        monkeypatch.setattr(sys, "stdin", StringIO(stdin))
        try:
            status = cli.main(["answers", *words])
        except SystemExit as left:
            status = int(left.code or 0)
        said = capsys.readouterr()
        return status, said.out, said.err

    return typed


@pytest.fixture
def cache(project: Project) -> Path:
    return project.path / ".metaspace_cache"


# ------------------------------------------------------------------------------------ list


def test_list_counts_by_agent(answers: Command, cache: Path) -> None:
    fill(
        cache,
        entry(1, tokens_in=10, tokens_out=2),
        entry(2, "no", trouble="refused", tokens_in=5, tokens_out=1),
        entry(3, agent="you@1"),
    )
    status, out, _ = answers("list")
    lines = out.splitlines()
    assert status == 0
    assert lines[0] == "me@1"
    assert lines[1].startswith("  2 answers, ")
    assert "stored 20" in lines[1]
    assert lines[2:4] == ["  15 tokens in, 3 out", "  1 refused"]
    assert lines[4] == "you@1"
    assert lines[-1] == f"3 answers in {cache}"
    status, out, _ = answers("list", "--agent=you")
    assert out.splitlines()[0] == "you@1"
    assert out.splitlines()[-1] == f"1 answer of agents with 'you' in their name in {cache}"


def test_list_for_machines_is_one_object_an_agent(answers: Command, cache: Path) -> None:
    fill(cache, entry(1, HOSTILE), entry(2, agent="you@1\x1b"))
    _, out, _ = answers("list", "--json")
    found = [json.loads(line) for line in out.splitlines()]
    assert [(one["agent"], one["answers"]) for one in found] == [("me@1", 1), ("you@1\x1b", 1)]
    assert "\x1b" not in out
    assert all(one["bytes"] > 100 and one["first"] == one["last"] for one in found)


def test_the_nearest_folder_is_taken_and_another_can_be_named(
    answers: Command, cache: Path, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(cache, entry(1))
    fill(project.path / "other", entry(1), entry(2))
    below = project.path / "a" / "b"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    assert answers("list")[1].endswith(f"1 answer in {cache}\n")
    named = f"--cache-dir={project.path / 'other'}"
    assert answers("list", named)[1].endswith(f"2 answers in {project.path / 'other'}\n")
    assert stored.FOLDER == last_run.FOLDER


@pytest.mark.parametrize(
    "words", [("list",), ("show", "ab"), ("export", "x.jsonl"), ("forget", "ab", "--yes")]
)
def test_where_nothing_is_stored_it_is_said_and_nothing_made(
    answers: Command, project: Project, words: tuple[str, ...]
) -> None:
    status, out, err = answers(*words, "--cache-dir=nowhere")
    assert (status, out) == (4, "")
    assert "there are no stored answers in nowhere" in err
    assert not (project.path / "nowhere").exists()
    assert not (project.path / "x.jsonl").exists()


def test_damaged_rows_are_listed_apart(answers: Command, cache: Path) -> None:
    fill(cache, entry(1), entry(2))
    database = cache / "answers" / "cache.db"
    tamper(database, "UPDATE Cache SET mode = 4 WHERE key = ?", entry(1).key)
    _, out, _ = answers("list")
    assert out.splitlines()[0] == "(damaged)"
    assert "me@1" in out
    _, out, _ = answers("show", entry(1).key)
    assert "damaged  a row that is not bytes is not read; a run asks again" in out


# ------------------------------------------------------------------------------------ show


def test_show_tells_everything_and_no_text_can_pose_as_ours(answers: Command, cache: Path) -> None:
    one = entry(1, HOSTILE, trouble="truncated", tokens_in=7, tokens_out=3)
    fill(cache, one)
    status, out, _ = answers("show", one.key[:10].upper())
    assert status == 0
    lines = out.splitlines()
    assert lines[0] == f"key      {one.key}"
    assert lines[2:] == [
        "agent    me@1",
        "trouble  truncated",
        "tokens   7 in, 3 out",
        "picture  000.png",
        "asked",
        "  | Where is 1?",
        "answer",
        r"  | left\x1b[2J\x1b]0;owned\x07",
        "  |   | key      forged",
        r"  | \u202egnorw\u2028x",
    ]
    assert all(character.isprintable() or character == "\n" for character in out)


def test_show_of_a_key_that_is_not_clear_says_more(answers: Command, cache: Path) -> None:
    made = [entry(number) for number in range(40)]
    fill(cache, *made)
    first = made[0].key[0]
    several = [one.key for one in made if one.key.startswith(first)]
    assert len(several) > 1
    status, _, err = answers("show", first)
    assert status == 4
    assert f"{first} begins the keys of {len(several)} answers: {min(several)[:12]}, " in err
    assert "no stored answer has a key that begins with " in answers("show", "0" * 64)[2]
    for wrong in ("xyz", "", "%", "a" * 65, "\x1b[2J"):
        status, _, err = answers("show", wrong)
        assert status == 4
        assert "is no key of an answer, nor the beginning of one" in err
        assert "\x1b" not in err


def test_show_tells_of_later_answers_too(answers: Command, cache: Path) -> None:
    fill(cache, entry(1), entry(1, "right"))
    _, out, _ = answers("show", entry(1).key)
    assert out.count("answer\n  | left") == 1
    assert "answer   received later; the first one counts\n  | right" in out


def test_an_answer_without_its_question_is_shown_and_exported(
    answers: Command, cache: Path, project: Project
) -> None:
    """Rows of early versions do not hold the question."""
    fill(cache, Entry(key="a" * 64, agent="me@1", reply=Reply(text="left")))
    assert "asked    not kept by the version that stored it" in answers("show", "aa")[1]
    _, out, _ = answers("export", "x.jsonl")
    assert "1 of them do not tell their question: replay:FILE passes them over." in out
    assert answers("import", "x.jsonl", "--cache-dir=other")[1].startswith("1 new, 0 known; in ")


# ------------------------------------------------------------------------ export and import


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


# ---------------------------------------------------------------------------------- forget


def test_forget_asks_first_and_says_how_many(answers: Command, cache: Path) -> None:
    fill(cache, *(entry(number) for number in range(3)), entry(1, agent="you@1"))
    for said in ("", "n\n", "\n"):
        status, out, err = answers("forget", "--agent=me", stdin=said)
        assert (status, out) == (0, "nothing forgotten\n")
        assert err == f"Forget 3 answers in {cache} (3 of me@1)? [y/N] "
    assert answers("forget", "--agent=me", stdin="y\n")[1] == "3 answers forgotten\n"
    assert answers("list")[1].endswith(f"1 answer in {cache}\n")
    assert answers("forget", entry(1, agent="you@1").key[:20], "--yes")[1] == "1 answer forgotten\n"
    assert answers("forget", "abc", "--yes")[1].startswith("nothing to forget")


def test_forget_takes_both_words_together_and_later_answers_along(
    answers: Command, cache: Path
) -> None:
    fill(cache, entry(1), entry(1, "right"), entry(2))
    key = entry(1).key
    assert answers("forget", key, "--agent=you", "--yes")[1].startswith("nothing to forget")
    assert answers("forget", key, "--agent=me", "--yes")[1] == "2 answers forgotten\n"
    with AnswerStore(cache) as store:
        assert len(store) == 1


def test_forget_of_nothing_in_particular_is_refused(answers: Command, cache: Path) -> None:
    fill(cache, entry(1))
    status, _, err = answers("forget", "--yes")
    assert status == 4
    assert "name what to forget" in err
    assert answers("forget", "x", "--yes")[0] == 4
    with AnswerStore(cache) as store:
        assert len(store) == 1


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
