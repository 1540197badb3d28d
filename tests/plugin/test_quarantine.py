"""Known violations are expected failures; what has expired or healed is told."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace import memory
from tests.plugin.made import MOODY

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plugin.conftest import Project

PAIR = ("runs", "--metaspace-sc=SC1-a", "--metaspace-mr=MR2")
FILE = "--metaspace-quarantine=known.toml"
STRICT = "--metaspace-quarantine-strict"
REASON = "sees the way back as the way there; issue 12"


def entry(project: Project, *cases: str, **fields: Any) -> None:
    """Write the quarantine file, an entry for each case."""
    told = {"reason": f'"{REASON}"', "owner": '"perception"', "expires": "2999-12-31", **fields}
    lines = "".join(f"{name} = {value}\n" for name, value in told.items() if value is not None)
    text = "".join(f'[[quarantine]]\ncase = "{case}"\n{lines}\n' for case in cases)
    project.write("known.toml", text)


@pytest.mark.parametrize("workers", [False, True])
@pytest.mark.parametrize("violations", ["fail", "report"])
def test_a_known_violation_is_an_expected_failure_and_counts_in_the_score(
    project: Project, walk: Path, violations: str, *, workers: bool
) -> None:
    """Of three cases of the moody agent one is violated, one invalid, one right."""
    entry(project, "walk::SC1-a::MR2::*")
    run = project.run_workers if workers else project.run
    options = (FILE, f"--metaspace-violations={violations}", "-rx")
    result = run(project.brain(MOODY), *PAIR, *options)
    assert result.ret == 0
    assert result.parseoutcomes() == {"xfailed": 2, "passed": 1}
    result.stdout.fnmatch_lines(
        [
            "total * 3 * 1 * 1 * 0.333",
            "*= metaspace: known violations, by known.toml =*",
            "2 violated or invalid cases are known: expected failures (xfail), which count in *",
            f"  until 2999-12-31: walk::SC1-a::MR2::?, 2 of 3 cases violated (perception: {REASON})",
            f"XFAIL runs/walk/*s000-s001* known: {REASON} (perception, until 2999-12-31)",
        ]
    )
    result.stdout.no_fnmatch_line("*answers that cannot all be true*")


def test_a_hand_written_test_of_a_known_violation_is_expected_to_fail_too(
    project: Project, walk: Path
) -> None:
    entry(project, "s000-s001-*")
    project.brain(MOODY)
    project.write(
        "test_it.py",
        "import pytest\n"
        "@pytest.mark.metaspace(sc='SC1-a', mr='MR2', trajectories='runs')\n"
        "def test_back(metaspace_case):\n    metaspace_case.check()\n",
    )
    agent = "--metaspace-agent=python:brain:answer"
    result = project.run(agent, "test_it.py", FILE)
    assert result.parseoutcomes() == {"xfailed": 1, "invalid": 1, "passed": 1}
    as_usual = project.run(agent, "test_it.py", FILE, "--runxfail")
    assert as_usual.parseoutcomes() == {"violated": 1, "invalid": 1, "passed": 1}


def test_runxfail_reports_known_violations_as_what_they_are(project: Project, walk: Path) -> None:
    entry(project, "*")
    result = project.run(project.brain(MOODY), *PAIR, FILE, "--runxfail")
    assert result.parseoutcomes() == {"violated": 1, "invalid": 1, "passed": 1}


def test_under_a_debugger_a_known_violation_is_expected_too(project: Project, walk: Path) -> None:
    entry(project, "*")
    result = project.run(project.brain(MOODY), *PAIR, FILE, "--setup-show")
    assert result.parseoutcomes() == {"xfailed": 2, "passed": 1}


def test_a_gate_sees_the_full_score(project: Project, walk: Path) -> None:
    entry(project, "*")
    result = project.run(project.brain(MOODY), *PAIR, FILE, "--metaspace-fail-under=0.5")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["GATE FAILED: total is 0.333, below 0.5*"])


@pytest.mark.parametrize("strict", [False, True])
def test_what_expired_or_healed_is_told_and_strictly_fails(
    project: Project, walk: Path, *, strict: bool
) -> None:
    entry(project, "s000-*", "s002-s003-*", "no-such-case", expires="2020-02-29")
    more = [STRICT] if strict else []
    result = project.run(project.brain(MOODY), *PAIR, FILE, *more)
    result.stdout.fnmatch_lines(
        [
            "1 violated or invalid case is known: *",
            "  EXPIRED on 2020-02-29: s002-s003-?, 0 of 1 case violated (perception: *)",
            "  EXPIRED on 2020-02-29: s000-?, 1 of 1 case violated (perception: *)",
            "  EXPIRED on 2020-02-29: no-such-case, 0 of 0 cases violated (perception: *)",
        ]
    )
    entry(project, "s000-*", "s002-s003-*", "s00?-*", "no-such-case")
    result = project.run(project.brain(MOODY), *PAIR, FILE, *more)
    assert result.ret == int(strict)
    assert result.parseoutcomes() == {"xfailed": 2, "passed": 1}
    result.stdout.fnmatch_lines(
        [
            "  HEALED: s002-s003-?, 0 of 1 case violated; remove it (perception: *)",
            "  until 2999-12-31: s000-?, 1 of 1 case violated (perception: *)",
            "  matches no case of this run: no-such-case (perception: *)",
            *(["GATE FAILED: quarantine: 1 of 4 healed: remove or renew in known.toml"] * strict),
        ]
    )


def test_strict_passes_where_nothing_is_stale(project: Project, walk: Path) -> None:
    entry(project, "s000-*", "s001-*")
    result = project.run(project.brain(MOODY), *PAIR, FILE, STRICT)
    assert result.ret == 0
    result.stdout.fnmatch_lines(
        ["gate passed: quarantine: none of 2 entries has expired or healed"]
    )


def test_an_entry_holds_through_its_last_day(
    project: Project, walk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry(project, "s000-*", "s001-*", expires="2026-03-01")
    agent = project.brain(MOODY)
    for today, status in ((dt.date(2026, 3, 1), 0), (dt.date(2026, 3, 2), 1)):
        monkeypatch.setattr(memory, "today", lambda day=today: day)
        assert project.run(agent, *PAIR, FILE, STRICT).ret == status


def test_what_did_not_run_is_not_healed(project: Project, walk: Path) -> None:
    entry(project, "walk::SC1-a::MR2::*")
    agent = "--metaspace-agent=truth"
    part = project.run(agent, *PAIR, FILE, STRICT, "-k", "s000")
    part.stdout.fnmatch_lines(["*until 2999-12-31: walk::SC1-a::MR2::?, 0 of 1 case violated *"])
    whole = project.run(agent, *PAIR, FILE, STRICT)
    whole.stdout.fnmatch_lines(["*HEALED: walk::SC1-a::MR2::?, 0 of 3 cases violated; *"])
    assert (part.ret, whole.ret) == (0, 1)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[[quarantine]]\ncase = 3\n", "known.toml: entry 1: field reason is missing. Write *"),
        ("[[known]]\n", "known.toml: 'known' is not expected. Write entries *"),
        ("quarantine = 3\n", "known.toml: '[[]quarantine[]]' is not expected. *"),
        ("quarantine = [3]\n", "known.toml: entry 1 is no table. *"),
        ("[[quarantine\n", "known.toml: this is no TOML (*line 1*). *"),
    ],
)
def test_a_quarantine_that_is_none_is_one_error(
    project: Project, walk: Path, text: str, told: str
) -> None:
    project.write("known.toml", text)
    result = project.run("--metaspace-agent=truth", *PAIR, FILE)
    assert result.ret == 4
    result.stderr.fnmatch_lines([f"*{told}"])


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("owner", None, "field owner is missing"),
        ("owner", '" "', "field owner has to be a text that is not empty"),
        ("expires", '"2026-01-01"', "field expires has to be a date without quotes"),
        ("expires", "2026-01-01T10:00:00", "field expires has to be a date without quotes"),
        ("until", "2026-01-01", "field 'until' is not known"),
    ],
)
def test_a_wrong_field_is_named(
    project: Project, walk: Path, field: str, value: str | None, told: str
) -> None:
    entry(project, "s000-*", **{field: value})
    result = project.run("--metaspace-agent=truth", *PAIR, FILE)
    assert result.ret == 4
    result.stderr.fnmatch_lines([f"*known.toml: entry 1 ('s000-?'): {told}*"])


def test_a_quarantine_that_is_not_there_is_an_error(project: Project, walk: Path) -> None:
    result = project.run("--metaspace-agent=truth", *PAIR, FILE)
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*--metaspace-quarantine known.toml: cannot be read (No such *"])
