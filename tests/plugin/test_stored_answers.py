"""``metaspace answers``: what is stored is seen and forgotten, and nothing by accident."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from pytest_metaspace.asking.rows import Entry
from pytest_metaspace.asking.store import AnswerStore
from pytest_metaspace.domain import Reply
from tests.asking.store_support import tamper
from tests.plugin.stored_support import HOSTILE, entry, fill

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plugin.conftest import Project
    from tests.plugin.stored_support import Command


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
