"""A provider that fails for three requests of ten: the run ends as with one that never does."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ET
import zlib
from typing import TYPE_CHECKING, Any

import pytest

from tests.agents.endpoint import Endpoint, Reply, serving, text_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plugin.conftest import Project

pytest.importorskip("openai")
AGENT = "--metaspace-agent=openai:blind"
SELECT = ("runs", AGENT, "--metaspace-sc=SC1-a,SC1-b,SC2-a,SC3-a", "--metaspace-price=1/1")
PATIENCE = ("--metaspace-timeout=0.4", "--metaspace-tries=30", "--metaspace-concurrency=32")
FAULTS = (
    lambda: Reply.failing(429, headers={"Retry-After": "0.02"}),
    lambda: Reply.failing(500),
    lambda: Reply.failing(503, headers={"Retry-After": "soon"}),
    lambda: Reply(cut=True),
    lambda: Reply(body={}, stall_s=0.8),
    lambda: Reply(body="<html>502 Bad Gateway</html>"),
    lambda: Reply(body='{"choices": [{"mess'),
    lambda: Reply(body={"unexpected": True}),
)


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none-is-needed")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.setattr("pytest_metaspace.agents.openai_compatible._FIRST_PAUSE_S", 0.005)
    monkeypatch.setattr("pytest_metaspace.agents._pace._SPREAD_S", 0.005)


def steady(request: dict[str, Any], _number: int) -> Reply:
    """Answer each question in its own way, always the same; some answers cannot be read."""
    text = text_of(request)
    draw = zlib.crc32(text.encode())
    if draw % 17 == 0:
        return Reply.saying("I cannot say.")
    if "yes or no" in text.lower():
        return Reply.saying(("yes", "no")[draw % 2])
    if "left" in text:
        return Reply.saying(("left", "right", "none")[draw % 3])
    return Reply.saying(str(1 + draw % 3))


class Flaky:
    """Fails for a share of the requests, as a seed has it; knows how often it did in which way."""

    def __init__(self, seed: int) -> None:
        self._draw = random.Random(seed)
        self.failed = [0] * len(FAULTS)

    def __call__(self, request: dict[str, Any], number: int) -> Reply:
        if self._draw.random() < 0.3:
            fault = self._draw.randrange(len(FAULTS))
            self.failed[fault] += 1
            return FAULTS[fault]()
        return steady(request, number)


def verdicts(path: Path) -> dict[str, tuple[str, str]]:
    """Return outcome and reason of every case, as JUnit has them."""
    found = {}
    for case in ET.parse(path).iter("testcase"):
        told = [one for one in case if one.tag in ("failure", "error", "skipped")]
        outcome = [
            one.attrib["value"] for one in case.iter("property") if one.attrib["name"] == "outcome"
        ]
        key = f"{case.attrib['classname']}::{case.attrib['name']}"
        assert key not in found
        found[key] = (str(outcome), "".join(one.text or "" for one in told))
    return found


def asked_once_in_the_end(flaky: Endpoint, whole: Endpoint) -> bool:
    return {text_of(one) for one in flaky.requests} == {text_of(one) for one in whole.requests}


def test_with_three_requests_of_ten_failing_every_verdict_is_the_same(project: Project) -> None:
    project.walk()
    flaky = Flaky(seed=5)
    with serving(steady) as whole:
        url = f"--metaspace-base-url={whole.url}"
        wanted = project.run(*SELECT, url, *PATIENCE, "--junitxml=whole.xml")
    with serving(flaky) as endpoint:
        url = f"--metaspace-base-url={endpoint.url}"
        result = project.run(*SELECT, url, *PATIENCE, "--junitxml=flaky.xml")
    assert all(flaky.failed), flaky.failed
    assert 0.2 < sum(flaky.failed) / len(endpoint.requests) < 0.4
    assert asked_once_in_the_end(endpoint, whole)
    expected = verdicts(project.path / "whole.xml")
    assert verdicts(project.path / "flaky.xml") == expected
    assert {outcome for outcome, _ in expected.values()} >= {"['violated']", "['invalid']", "[]"}
    assert result.parseoutcomes() == wanted.parseoutcomes()
    assert "unanswered" not in result.parseoutcomes()
    assert result.ret == wanted.ret == pytest.ExitCode.TESTS_FAILED


def test_workers_see_the_same_through_a_flaky_endpoint(project: Project) -> None:
    """Few questions: this run has a process of its own, and pauses as long as users' do."""
    project.walk()
    few = ("runs", AGENT, "--metaspace-sc=SC1-a", "--metaspace-mr=MR1,MR2", *PATIENCE)
    with serving(steady) as whole:
        url = f"--metaspace-base-url={whole.url}"
        wanted = project.run(*few, url, "--junitxml=whole.xml")
    flaky = Flaky(seed=5)
    with serving(flaky) as endpoint:
        url = f"--metaspace-base-url={endpoint.url}"
        result = project.run_workers(*few, url, "--junitxml=flaky.xml")
    assert sum(flaky.failed) > 0
    assert asked_once_in_the_end(endpoint, whole)
    assert verdicts(project.path / "flaky.xml") == verdicts(project.path / "whole.xml")
    assert result.parseoutcomes() == wanted.parseoutcomes()
