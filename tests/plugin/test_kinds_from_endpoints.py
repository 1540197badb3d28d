"""Whatever an endpoint does instead of answering has one name, and is never a violation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.agents.endpoint import Reply, serving

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.plugin.conftest import Project

pytest.importorskip("openai")
FEW = ("runs", "--metaspace-agent=openai:m", "--metaspace-sc=SC1-b", "--metaspace-mr=MR2")
ONCE = "--metaspace-tries=1"

FAULTS: dict[str, tuple[Callable[[], Reply], str]] = {
    "unreadable": (lambda: Reply.saying("somewhere"), "invalid"),
    "refused": (lambda: Reply.saying(None, refusal="I will not say"), "invalid"),
    "filtered": (lambda: Reply.saying("2", finish="content_filter"), "invalid"),
    "truncated": (lambda: Reply.saying("2", finish="length"), "invalid"),
    "timed out": (lambda: Reply(body={}, stall_s=5), "error"),
    "rate limited": (lambda: Reply.failing(429), "error"),
    "server error": (lambda: Reply.failing(503), "error"),
    "server error, as a page": (lambda: Reply(body="<html>busy</html>"), "error"),
    "no connection": (lambda: Reply(cut=True), "error"),
    "bad request": (lambda: Reply.failing(400), "error"),
    "not allowed": (lambda: Reply.failing(401), "error"),
    "unknown model": (lambda: Reply.failing(404), "error"),
    "quota": (lambda: Reply.failing(429, code="insufficient_quota"), "error"),
}


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_has_a_row_and_a_gate_of_its_own(project: Project, walk: Path, fault: str) -> None:
    """The first question meets the fault; the others are answered, and contradict each other."""
    make, outcome = FAULTS[fault]
    kind = fault.split(",", maxsplit=1)[0]

    def script(_request: dict[str, Any], number: int) -> Reply:
        return make() if number == 1 else Reply.saying(str(number))

    with serving(script) as endpoint:
        result = project.run(
            *FEW,
            ONCE,
            f"--metaspace-timeout={2 if kind == 'timed out' else 60}",
            f"--metaspace-base-url={endpoint.url}",
            "--metaspace-concurrency=1",
            f"--metaspace-max-invalid={kind.replace(' ', '-')}=0",
        )
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        [
            f"{outcome} * {kind} * 1 * 16.7 % *",
            f"GATE FAILED: {kind}: 1 of 6 questions (16.7 %), above 0 % *",
        ]
    )
    outcomes = result.parseoutcomes()
    word = {"error": "errored"}.get(outcome, outcome)
    fatal = kind in ("not allowed", "unknown model", "quota")
    assert outcomes == ({"errored": 3} if fatal else {word: 1, "violated": 2})


def test_what_was_received_is_not_asked_again_and_what_was_not_is(
    project: Project, walk: Path
) -> None:
    faults = [Reply.failing(500), *(FAULTS[kind][0]() for kind in ("refused", "truncated"))]

    def script(_request: dict[str, Any], number: int) -> Reply:
        return faults[number - 1] if number <= len(faults) else Reply.saying("2")

    with serving(script) as endpoint:
        options = (f"--metaspace-base-url={endpoint.url}", "--metaspace-concurrency=1", ONCE)
        project.run(*FEW, *options)
        assert len(endpoint.requests) == 6
        again = project.run(*FEW, *options)
        assert len(endpoint.requests) == 7
    again.stdout.fnmatch_lines(["invalid * refused * 1 *", "invalid * truncated * 1 *"])
    again.stdout.no_fnmatch_line("*server error*")


def test_without_asking_what_is_not_stored_is_no_recording(project: Project, walk: Path) -> None:
    result = project.run(*FEW, "--metaspace-answers=offline", "--metaspace-max-invalid=error=0")
    result.stdout.fnmatch_lines(
        ["error * no recording * 6 * 100.0 % * record it: *", "GATE FAILED: error: 6 of 6 *"]
    )


def test_an_agent_that_raises_and_one_that_says_nothing_are_told_apart(
    project: Project, walk: Path
) -> None:
    raising = project.run(project.brain("raise ValueError('flat')"), *FEW[:1], *FEW[2:])
    raising.stdout.fnmatch_lines(["error * agent raised * 6 * the reason below names the line"])
    silent = project.run(project.brain("return None", name="silent"), *FEW[:1], *FEW[2:])
    silent.stdout.fnmatch_lines(["error * failed * 6 * the reason below is the agent's"])
