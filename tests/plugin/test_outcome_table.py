"""Exit status and counts: a table of situations and outcomes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.plugin.made import BROKEN, EVASIVE

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plugin.conftest import Project

ONE_PAIR = ("--metaspace-sc=SC1-a", "--metaspace-mr=MR2")
PATHS = ("--metaspace-sc=SC2-a", "--metaspace-mr=MR1")
# What the agent does, which cases it gets, what a case of them comes to, and how many there are.
OUTCOMES = {
    "satisfied": ("", ONE_PAIR, 3),
    "violated": ("return 'right'", ONE_PAIR, 3),
    "invalid": ("return 'upwards'", ONE_PAIR, 3),
    "inconclusive": (EVASIVE, PATHS, 12),
    "error": (BROKEN, ONE_PAIR, 3),
}
WORDS = {"satisfied": "passed", "error": "errored"}
GATES = {
    "no gate": (),
    "passes": ("--metaspace-fail-under=0",),
    "fails": ("--metaspace-fail-under=0.5",),
}
# Exit status by gate, for --metaspace-violations=fail, report and auto. A gate cannot pass where
# nothing was decided, and none of 0.5 fails where everything is satisfied: these are the same.
STATUS = {
    "satisfied": {"no gate": (0, 0, 0), "passes": (0, 0, 0), "fails": (0, 0, 0)},
    "violated": {"no gate": (1, 0, 1), "passes": (1, 0, 0), "fails": (1, 1, 1)},
    "invalid": {"no gate": (1, 0, 1), "passes": (1, 1, 1), "fails": (1, 1, 1)},
    "inconclusive": {"no gate": (0, 0, 0), "passes": (1, 1, 1), "fails": (1, 1, 1)},
    "error": {"no gate": (1, 1, 1), "passes": (1, 1, 1), "fails": (1, 1, 1)},
}
SITUATIONS = [
    pytest.param(outcome, violations, gate, status, id=f"{outcome}-{violations}-{gate}")
    for outcome, by_gate in STATUS.items()
    for gate, statuses in by_gate.items()
    for violations, status in zip(("fail", "report", "auto"), statuses)
]


def arguments(project: Project, outcome: str, violations: str, gate: str) -> list[str]:
    body, cases, _ = OUTCOMES[outcome]
    agent = "--metaspace-agent=truth" if outcome == "satisfied" else project.brain(body)
    return [agent, "runs", *cases, f"--metaspace-violations={violations}", *GATES[gate]]


def check(result: pytest.RunResult, outcome: str, gate: str, status: int) -> None:
    count = OUTCOMES[outcome][2]
    assert result.ret == status
    assert result.parseoutcomes() == {WORDS.get(outcome, outcome): count}
    text = result.stdout.str()
    assert "Traceback" not in text + result.stderr.str()
    assert text.count("GATE FAILED") + text.count("gate passed") == len(GATES[gate])


@pytest.mark.parametrize(("outcome", "violations", "gate", "status"), SITUATIONS)
def test_status_and_counts(
    project: Project, walk: Path, outcome: str, violations: str, gate: str, status: int
) -> None:
    result = project.run(*arguments(project, outcome, violations, gate))
    check(result, outcome, gate, status)


@pytest.mark.parametrize(
    ("outcome", "violations", "gate", "status"),
    [
        ("violated", "auto", "passes", 0),
        ("inconclusive", "fail", "no gate", 0),
        ("error", "report", "no gate", 1),
    ],
)
def test_status_and_counts_with_workers(
    project: Project, walk: Path, outcome: str, violations: str, gate: str, status: int
) -> None:
    """A choice: each is the same as without workers, and each takes two more processes."""
    assert STATUS[outcome][gate][("fail", "report", "auto").index(violations)] == status
    result = project.run_workers(*arguments(project, outcome, violations, gate))
    check(result, outcome, gate, status)
