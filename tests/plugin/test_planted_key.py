"""Secrets of an endpoint are in nothing that a run writes, stores, prints or logs."""

from __future__ import annotations

import base64
import logging
import subprocess
import sys
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from pytest_metaspace.agents import ModelOptions
from pytest_metaspace.agents.openai_compatible import OpenAIAgent
from pytest_metaspace.errors import UsageProblem
from tests.agents.endpoint import Endpoint, Reply, serving

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plugin.conftest import Project

pytest.importorskip("openai")
KEY = "sk-planted-in-the-environment-0123456789"
USER, PASSWORD = "planted-user", "planted/password of the address"
QUERY = "planted+query/of=the address"
PAIR = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
SECRETS = {
    form
    for secret in (KEY, PASSWORD, QUERY, PAIR)
    for form in (secret, quote(secret), quote(secret, safe=""), secret.replace(" ", "+"))
}
FEW = ("--metaspace-agent=openai:blind", "--metaspace-sc=SC1-b", "--metaspace-mr=MR2")
LOUD = (
    "-vv",
    "-l",
    "--full-trace",
    "--junitxml=junit.xml",
    "--metaspace-record=recorded.jsonl",
    "--metaspace-explain",
    "--metaspace-report=json",
    "--metaspace-report=html",
    "--metaspace-report=junit",
    "--metaspace-report=markdown",
    "--log-file=log.txt",
    "--log-file-level=DEBUG",
    "--log-cli-level=DEBUG",
)
OWN = """
def test_it(metaspace_agent):
    assert metaspace_agent.ask("Where is the door?") == "behind you"
"""


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.setenv("OPENAI_LOG", "debug")


def secret(url: str) -> str:
    """Return an address with a name, a password and a query in it."""
    scheme, _, rest = url.partition("://")
    password = quote(PASSWORD, safe="")
    return f"{scheme}://{USER}:{password}@{rest}?key={quote(QUERY, safe='')}&version=1"


def echoing(endpoint: list[Endpoint]) -> Any:
    """Return a script that sends back, in many ways, all that it was told."""

    def script(_request: dict[str, Any], number: int) -> Reply:
        said = (
            f"you said Authorization: {endpoint[0].authorizations[-1]} to {endpoint[0].paths[-1]}, "
            f"your key {KEY}, {PASSWORD}, {QUERY}, {quote(QUERY)}, {quote(PASSWORD, safe='')}"
        )
        replies = (
            Reply.failing(500, said),
            Reply(body=f"<html>{said}</html>", status=502),
            Reply.failing(429, said, headers={"Retry-After": "0", "X-Echo": f"{KEY} {PAIR}"}),
            Reply(body=said, status=200),
            Reply.saying(said),
            Reply.saying("2"),
            Reply.failing(400, said, code="content_filter"),
            Reply.failing(400, said, param="seed"),
            Reply.saying(None, refusal=said),
        )
        return replies[number % len(replies)]

    return script


def told(project: Project, output: str) -> str:
    """Return everything that is in files of the project, and what was printed."""
    files = [path for path in project.path.rglob("*") if path.is_file()]
    texts = [path.name + path.read_bytes().decode("utf-8", "replace") for path in files]
    return "\n".join([output, *texts])


def check(text: str) -> None:
    found = [form for form in SECRETS if form in text]
    places = [text[max(0, text.index(form) - 200) :][:400] for form in found]
    assert not found, "\n-----\n".join(places)


@pytest.mark.parametrize("status", [200, 401, 404])
def test_no_secret_is_in_anything_that_is_left_behind(
    project: Project, tmp_path: Path, status: int
) -> None:
    walk = str(project.walk())
    known: list[Endpoint] = []
    project.write("test_own.py", OWN)
    script = echoing(known)

    def fatal(request: dict[str, Any], number: int) -> Reply:
        echo = script(request, 0).body["error"]["message"]
        return Reply.failing(status, echo)

    with serving(script if status == 200 else fatal) as endpoint:
        known.append(endpoint)
        options = (f"--metaspace-base-url={secret(endpoint.url)}", "--metaspace-tries=2")
        first = project.run_apart(walk, "test_own.py", *FEW, *options, *LOUD)
        runs = [first]
        if status == 200:  # what is fatal ends the first run as a cap would
            capped = (*LOUD[:-1], "--metaspace-max-calls=1")
            runs.append(project.run_apart(walk, *FEW, *options, *capped))
        heard = endpoint.authorizations[0]
    assert first.ret == 1
    assert "Authorization" in first.stdout.str() or status == 200
    output = "\n".join(run.stdout.str() + run.stderr.str() for run in runs)
    #  pytest itself prints the options of -vv --full-trace nowhere; what it prints, we check.
    assert heard == f"Basic {PAIR}"
    assert "HTTP Request: POST http://127.0.0.1" in told(project, output)
    for command in (("list", "--json"), ("export", "exported.jsonl")):
        done = subprocess.run(
            [sys.executable, "-m", "pytest_metaspace", "answers", *command],
            cwd=project.path,
            capture_output=True,
            text=True,
            check=False,
        )
        output += done.stdout + done.stderr
    if status == 200:
        assert (project.path / "exported.jsonl").exists()
    check(told(project, output))


def test_a_key_alone_is_sent_as_a_bearer_and_told_nowhere(project: Project) -> None:
    walk = str(project.walk())
    known: list[Endpoint] = []
    with serving(echoing(known)) as endpoint:
        known.append(endpoint)
        url = f"--metaspace-base-url={endpoint.url}"
        result = project.run_apart(walk, *FEW, url, "--metaspace-tries=2", *LOUD)
        assert set(endpoint.authorizations) == {f"Bearer {KEY}"}
    assert KEY not in told(project, result.stdout.str() + result.stderr.str())


def test_query_and_path_arrive_as_they_should(project: Project) -> None:
    with serving(lambda *_: Reply.saying("2")) as endpoint:
        url = f"--metaspace-base-url={secret(endpoint.url)}"
        assert project.run(str(project.walk()), *FEW, url).ret == 0
        path, _, query = endpoint.paths[0].partition("?")
    assert path == "/v1/chat/completions"
    assert "version=1" in query
    assert query.startswith("key=planted%2Bquery")


@pytest.mark.parametrize(
    "url",
    [
        f"http://{USER}:{KEY}@[bad",
        f"ftp://{USER}:{KEY}@host/v1",
        f"{KEY}",
        f"http://{USER}:{KEY}@",
        f"http://host:{KEY}/v1",
    ],
)
def test_an_address_that_is_none_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(UsageProblem, match="--metaspace-base-url") as caught:
        OpenAIAgent("blind", ModelOptions(base_url=url))
    assert "planted" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert "planted" not in repr(ModelOptions(base_url=url))


def test_loggers_are_left_as_they_were(project: Project) -> None:
    names = ("httpx", "openai", "openai._base_client")
    before = [list(logging.getLogger(name).filters) for name in names]
    with serving(lambda *_: Reply.saying("2")) as endpoint:
        project.run(str(project.walk()), *FEW, f"--metaspace-base-url={endpoint.url}")
    assert [list(logging.getLogger(name).filters) for name in names] == before
