"""Each outcome has its own letter, word and count; pytest's own failure section stays empty."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.plugin.made import BROKEN, EVASIVE, MOODY

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plugin.conftest import Project

TRUTH = "--metaspace-agent=truth"
ONE_PAIR = ("runs", "--metaspace-sc=SC1-a", "--metaspace-mr=MR2")
EVADED = ("runs", "--metaspace-sc=SC2-a", "--metaspace-mr=MR1")


def test_letters_tell_violated_invalid_and_satisfied(project: Project, walk: Path) -> None:
    result = project.run(project.brain(MOODY), *ONE_PAIR)
    result.stdout.fnmatch_lines(["runs/walk/trajectory.json VI. *"])


@pytest.mark.parametrize(
    ("body", "select", "letter", "word", "category", "count"),
    [
        (MOODY, ONE_PAIR, "V", "VIOLATED", "violated", 1),
        (MOODY, ONE_PAIR, "I", "INVALID", "invalid", 1),
        (BROKEN, ONE_PAIR, "EEE", "ERROR", "errored", 3),
        (EVASIVE, EVADED, "-" * 12, "INCONCLUSIVE", "inconclusive", 12),
    ],
    ids=["violated", "invalid", "errored", "inconclusive"],
)
def test_an_outcome_has_a_letter_a_word_and_a_count(
    project: Project,
    walk: Path,
    body: str,
    select: tuple[str, ...],
    letter: str,
    word: str,
    category: str,
    count: int,
) -> None:
    agent = project.brain(body)
    short, long = project.run(agent, *select), project.run(agent, *select, "-v", "-rA")
    short.stdout.fnmatch_lines([f"runs/walk/trajectory.json *{letter}*"])
    words = [line for line in long.outlines if f" {word} " in line and "::" in line]
    assert len(words) == count
    for result in (short, long):
        assert result.parseoutcomes()[category] == count


@pytest.mark.parametrize("body", [MOODY, BROKEN], ids=["violated-and-invalid", "errored"])
def test_pytests_own_failure_section_stays_empty(project: Project, walk: Path, body: str) -> None:
    result = project.run(project.brain(body), *ONE_PAIR, "-rA")
    result.stdout.no_fnmatch_line("*= FAILURES =*")
    result.stdout.no_fnmatch_line("*= ERRORS =*")
    result.stdout.no_fnmatch_line("FAILED *")


def test_failures_of_other_tests_are_still_shown(project: Project, walk: Path) -> None:
    project.write("runs/test_other.py", "def test_other(): assert 1 == 2\n")
    result = project.run(project.brain(MOODY), *ONE_PAIR)
    assert result.parseoutcomes() == {"violated": 1, "invalid": 1, "passed": 1, "failed": 1}
    result.stdout.fnmatch_lines(
        ["*= FAILURES =*", "E *assert 1 == 2", "FAILED runs/test_other.py*"]
    )


@pytest.mark.parametrize(
    ("options", "status"),
    [
        (["--metaspace-violations=fail"], 1),
        (["--metaspace-violations=report"], 0),
        (["--metaspace-violations=auto"], 1),
        (["--metaspace-violations=auto", "--metaspace-fail-under=0.1"], 0),
        (["--metaspace-violations=fail", "--metaspace-fail-under=0.1"], 1),
        (["--metaspace-violations=report", "--metaspace-fail-under=0.9"], 1),
    ],
)
def test_violations_fail_or_are_reported_as_asked(
    project: Project, walk: Path, options: list[str], status: int
) -> None:
    """What is counted and shown is the same; only the exit status differs."""
    result = project.run(project.brain(MOODY), *ONE_PAIR, *options)
    assert result.ret == status
    assert result.parseoutcomes() == {"violated": 1, "invalid": 1, "passed": 1}
    result.stdout.fnmatch_lines(["*cannot all be true: the way back from right is left*"])


def test_what_is_inconclusive_does_not_fail(project: Project, walk: Path) -> None:
    result = project.run(project.brain(EVASIVE), *EVADED)
    assert result.ret == 0
    result.stdout.fnmatch_lines(["SC2-a * 12 * 0 * 0 * 12 * 0 * 0 % * n/a"])


def test_a_derivation_ends_in_questions_pictures_and_raw_answers(
    project: Project, walk: Path
) -> None:
    result = project.run(project.brain(MOODY), *ONE_PAIR)
    result.stdout.fnmatch_lines(
        [
            "*= metaspace: answers that cannot all be true =*",
            "SC1-a MR2 symmetry: 1 violation in 3 cases",
            "  MR2 violated: walk::SC1-a::MR2::s000-s001-*",
            "    These answers cannot all be true: the way back from right is left, but right was *",
            "      *(laws/symmetry.pl:*)",
            "        right is the direction from state 0 to state 1   <- answer 1",
            "        right is the direction from state 1 to state 0   <- answer 2",
            (
                "    answer 1: 'right' to \"In which direction is the movement from the place where "
                'frame 0 *" [[]000.png, 001.png]'
            ),
            "    answer 2: 'right' to \"In which direction is the movement from *frame 1 *\" *",
            "*= metaspace: answers that could not be judged =*",
            "invalid: 1 case: no direction out of *",
            "*= metaspace: spatial cognition scores =*",
        ]
    )


def test_quiet_keeps_derivations_and_very_quiet_drops_them(project: Project, walk: Path) -> None:
    result = project.run(project.brain(MOODY), *ONE_PAIR, "-q")
    result.stdout.fnmatch_lines(["*These answers cannot all be true*"])
    result = project.run(project.brain(MOODY), *ONE_PAIR, "-qq")
    result.stdout.fnmatch_lines(["SC1-a * 3 * 1 * 1 * 0 * 0 * 67 % * 0.333"])
    result.stdout.no_fnmatch_line("*cannot all be true*")


def test_verbose_shows_every_group_and_three_derivations_of_each(
    project: Project, walk: Path
) -> None:
    select = ("runs", "--metaspace-sc=SC2-a", "--metaspace-mr=MR2")
    agent = project.brain("return 'left'")
    brief, verbose = project.run(agent, *select), project.run(agent, *select, "-v")
    for result, shown in ((brief, 1), (verbose, 3)):
        assert sum("MR2 violated: " in line for line in result.outlines) == shown
        result.stdout.fnmatch_lines(["SC2-a MR2 symmetry: 12 violations in 12 cases"])


def test_a_derivation_that_does_not_check_is_loud(
    project: Project, walk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pytest_metaspace.oracle import checker

    def refuse(*_: object) -> None:
        raise checker.Unproved("observation 2 does not say so")

    monkeypatch.setattr(checker.Checker, "check", refuse)
    result = project.run(project.brain(MOODY), *ONE_PAIR, "--metaspace-violations=report")
    assert result.ret == 1
    assert result.parseoutcomes() == {"errored": 1, "invalid": 1, "passed": 1}
    result.stdout.fnmatch_lines(
        ["error: 1 case: internal error: the derivation does not check: observation 2 does not*"]
    )


def test_all_derivations_are_checked_when_all_are_printed_in_full(
    project: Project, walk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pytest_metaspace.oracle import checker

    checked: list[object] = []
    monkeypatch.setattr(checker.Checker, "check", lambda *given: checked.append(given))
    select = ("runs", "--metaspace-sc=SC2-a", "--metaspace-mr=MR2")
    agent = project.brain("return 'left'")
    project.run(agent, *select)
    few = len(checked)
    checked.clear()
    project.run(agent, *select, "--metaspace-explain")
    assert 3 <= few < len(checked) == 12
