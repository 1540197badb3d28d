"""Labels and answers are data: nothing of them runs, breaks a report, or moves the cursor."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from tests.plugin.made import Thing

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plugin.conftest import Project

ONE_PAIR = ("runs", "--metaspace-sc=SC2-a", "--metaspace-mr=MR2")
# What a terminal would act on, line feeds aside, and what turns the writing direction.
DANGEROUS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
# What GitHub's runner obeys in the output of a job.
COMMANDS = re.compile(r"^\s*::|##\[", re.MULTILINE)
HOSTILE = {
    "prolog": "a'). :- shell('touch pwned'). %",
    "python": "__import__('os').system('touch pwned')",
    "shell": "left\n$(touch pwned) `touch pwned`; touch pwned",
    "quotes": "\"'\\' \\x41\\ ]]> <b>&amp;</b>",
    "nul": "left\0right",
    "surrogate": "left\udcff\ud800",
    "right-to-left": "\u202eleft\u202c",
    "escapes": "\x1b[2J\x1b]0;title\x07\x9b31mleft\r\b",
    "lines": "left\n\n\u2028\x85 right",
    "command": "::error::pwned ##[error]pwned",
    "format": "{0} %s %n [red]left[/red]",
    "megabyte": "left " * 200_000,
    "empty": "",
}


def survived(project: Project, result: pytest.RunResult) -> None:
    """Nothing ran, nothing dangerous was printed, and the JUnit report is XML."""
    assert not list(project.path.rglob("pwned"))
    shown = result.stdout.str() + result.stderr.str()
    assert not DANGEROUS.search(shown), DANGEROUS.search(shown)
    assert "INTERNALERROR" not in shown
    assert not COMMANDS.search(shown), COMMANDS.search(shown)
    assert len(shown) < 100_000
    tree = ET.parse(project.path / "report.xml")
    assert len(list(tree.iter("testcase"))) == 12


@pytest.mark.parametrize("answer", HOSTILE.values(), ids=HOSTILE)
def test_hostile_answers_are_wrong_answers_and_nothing_more(
    project: Project, walk: Path, answer: str
) -> None:
    agent = project.brain(f"return {answer!a}")
    result = project.run(agent, *ONE_PAIR, "-v", "--junitxml=report.xml")
    survived(project, result)
    assert result.ret == 1
    # A word between invisible characters may be read; it is then consistently wrong.
    assert result.parseoutcomes() in ({"invalid": 12}, {"violated": 12})


@pytest.mark.parametrize(
    "word",
    [text for name, text in HOSTILE.items() if name not in ("surrogate", "megabyte", "empty")],
)
def test_hostile_ids_and_labels_are_shown_safely(project: Project, word: str) -> None:
    """The agent is wrong, so that derivations show what objects are called."""
    things = (
        Thing(word, word, (4.0, 1.0, 1.0)),
        Thing(word + "2", word, (5.0, -1.5, 1.0)),
        Thing("table-1", "table", (6.0, 0.5, 1.0)),
    )
    project.walk(id=f"walk {word}", things=things)
    agent = project.brain("return 'left'")
    result = project.run(agent, *ONE_PAIR, "-v", "--junitxml=report.xml")
    survived(project, result)
    assert result.ret == 1
    assert result.parseoutcomes() == {"violated": 12}


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        (
            "left\udcff",
            "Input should be a valid string, unable to parse raw data as a unicode string",
        ),
        ("", "String should have at least 1 character, found ''"),
        ("left" * 100, "String should have at most 200 characters, found 'leftleft"),
    ],
    ids=["surrogate", "empty", "long"],
)
def test_labels_that_are_no_text_are_refused_with_file_and_field(
    project: Project, word: str, expected: str
) -> None:
    walk = project.walk(things=(Thing("chair-1", word, (4.0, 1.0, 1.0)),))
    result = project.run("--metaspace-agent=truth", "runs")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    where = f"{walk.with_name('objects.json')}: field objects.0.label: "
    assert any(line.startswith(where + expected) for line in result.outlines)
    assert not DANGEROUS.search(result.stdout.str())
    assert "\udcff" not in result.stdout.str()


@pytest.mark.parametrize("reason", ["escapes", "right-to-left", "surrogate", "megabyte"])
def test_what_an_agent_raises_is_shown_safely(project: Project, walk: Path, reason: str) -> None:
    agent = project.brain(f"raise ValueError({HOSTILE[reason]!a})")
    result = project.run(agent, *ONE_PAIR, "-v", "--junitxml=report.xml")
    survived(project, result)
    assert result.parseoutcomes() == {"errored": 12}


def test_hostile_words_survive_a_terminal_that_knows_only_ascii(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("PYTHONIOENCODING", raising=False)
    things = (
        Thing("\u6905\u5b50", "\u202e\u6905\u5b50\x1b[31m", (4.0, 1.0, 1.0)),
        Thing("\U0001f6cb", "\U0001f6cb sof\u00e1", (5.0, -1.5, 1.0)),
        Thing("table-1", "table", (6.0, 0.5, 1.0)),
    )
    project.walk(id="k\u00fcche", things=things)
    agent = project.brain("return 'left \\u6905' if 'frame 0' in prompt else 'left'")
    result = project.run_apart(agent, *ONE_PAIR, "-v", "--junitxml=report.xml")
    survived(project, result)
    assert result.ret == 1
    assert result.parseoutcomes() == {"violated": 9, "invalid": 3}
    assert result.stdout.str().isascii()
