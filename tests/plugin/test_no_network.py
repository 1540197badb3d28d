"""Without any network, recorded answers are enough: nothing hangs, and no name is looked up."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from pytest_metaspace import cli
from pytest_metaspace.asking.rows import key_of
from tests.agents.endpoint import Reply, serving

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plugin.conftest import Project

pytest.importorskip("openai")
#  Nobody answers to this name, here or anywhere.
NOWHERE = "--metaspace-base-url=http://models.invalid/v1"
FEW = ("--metaspace-sc=SC1-b", "--metaspace-mr=MR2")
MODEL = "--metaspace-agent=openai:blind"
#  Runs at the start of every Python process of the run, the one with Prolog in it too.
FORBIDDEN = """
import os, sys

def forbid(event, arguments):
    if not event.startswith("socket."):
        return
    if event in ("socket.connect", "socket.sendto", "socket.bind"):
        address = arguments[1]
        if isinstance(address, (str, bytes)):  # a file of this machine
            return
    elif event not in (
        "socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr",
        "socket.getnameinfo",
    ):
        return
    with open(os.environ["TRIED"], "a") as tried:
        tried.write(f"{event} {arguments}\\n")
    raise OSError(101, "Network is unreachable")

sys.addaudithook(forbid)
"""


@pytest.fixture
def tried(project: Project, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Forbid the network to processes started from here on; return what tells who tried."""
    site = project.path / "site"
    project.write("site/sitecustomize.py", FORBIDDEN)
    monkeypatch.setenv("PYTHONPATH", str(site))
    monkeypatch.setenv("TRIED", str(project.path / "tried.txt"))
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    return project.path / "tried.txt"


@pytest.fixture
def recorded(project: Project, monkeypatch: pytest.MonkeyPatch) -> str:
    """Record a model's answers, and store them as those of an endpoint that nobody finds."""
    walk = str(project.walk())
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none-0123456789abcdef")
    with serving(lambda *_: Reply.saying("2")) as endpoint:
        url = f"--metaspace-base-url={endpoint.url}"
        assert project.run(walk, MODEL, url, *FEW, "--metaspace-cache-dir=there").ret == 0
    assert cli.main(["answers", "export", "there.jsonl", "--cache-dir=there"]) == 0
    lines = []
    for line in (project.path / "there.jsonl").read_text().splitlines():
        entry = json.loads(line)
        entry["agent"] = entry["agent"].replace(endpoint.url, "http://models.invalid/v1")
        entry["key"] = key_of(entry["question"], entry["agent"], 0)
        lines.append(json.dumps(entry))
    project.write("answers.jsonl", "\n".join(lines))
    assert cli.main(["answers", "import", "answers.jsonl"]) == 0
    return walk


@pytest.mark.parametrize(
    "arguments",
    [
        (MODEL, NOWHERE, "--metaspace-answers=offline"),
        (MODEL, NOWHERE, "--metaspace-answers=cached"),
        (MODEL, NOWHERE, "-x", "--metaspace-lookahead=1"),
        ("--metaspace-agent=replay:answers.jsonl",),
        ("--metaspace-agent=truth",),
    ],
    ids=["offline", "cached", "waves", "replay", "truth"],
)
def test_what_is_recorded_needs_no_network_and_no_key(
    project: Project, recorded: str, tried: Path, arguments: tuple[str, ...]
) -> None:
    result = project.run_apart(recorded, *arguments, *FEW)
    result.assert_outcomes(passed=3)
    assert result.ret == 0
    assert not tried.exists(), tried.read_text()


def test_what_is_not_recorded_is_an_error_that_looks_up_nothing(
    project: Project, recorded: str, tried: Path
) -> None:
    other = ("--metaspace-sc=SC1-b", "--metaspace-mr=MR4", "--metaspace-answers=offline")
    result = project.run_apart(recorded, MODEL, NOWHERE, *other)
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*has no stored answer and --metaspace-answers=offline*"])
    assert not tried.exists(), tried.read_text()


def test_looking_at_what_is_stored_needs_no_network_either(
    project: Project, recorded: str, tried: Path
) -> None:
    for words in (("list",), ("export", "x.jsonl"), ("import", "x.jsonl")):
        result = project.pytester.runpython_c(
            f"from pytest_metaspace import cli; raise SystemExit(cli.main({['answers', *words]}))"
        )
        assert result.ret == 0
    assert not tried.exists(), tried.read_text()


def test_whoever_needs_the_network_is_seen_to_try_and_ends_soon(
    project: Project, recorded: str, tried: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tests above would prove nothing if nobody were seen."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none-0123456789abcdef")
    more = ("--metaspace-cache-dir=empty", "--metaspace-tries=1")
    result = project.run_apart(recorded, MODEL, NOWHERE, *FEW, *more)
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*no connection*"])
    assert "models.invalid" in tried.read_text()
