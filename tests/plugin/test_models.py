"""A model behind an endpoint, asked by a run of pytest: once, within caps, and never by accident."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.agents.endpoint import Reply, serving, text_of

if TYPE_CHECKING:
    from tests.plugin.conftest import Project

pytest.importorskip("openai")
FEW = ("--metaspace-agent=openai:blind", "--metaspace-sc=SC1-b", "--metaspace-mr=MR2")
KEY = "sk-planted-in-the-environment-0123456789"


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


def two(_request: dict[str, Any], _number: int) -> Reply:
    return Reply.saying("2")


def test_a_model_is_asked_once_and_its_tokens_are_told(project: Project) -> None:
    walk = str(project.walk())
    with serving(two) as endpoint:
        first = project.run(walk, *FEW, f"--metaspace-base-url={endpoint.url}")
        asked = len(endpoint.requests)
        second = project.run(walk, *FEW, f"--metaspace-base-url={endpoint.url}")
    assert first.ret == second.ret == 0
    assert first.parseoutcomes() == second.parseoutcomes()
    assert asked == len(endpoint.requests) == len({text_of(one) for one in endpoint.requests})
    first.stdout.fnmatch_lines(
        [f"*{asked} put to openai:blind", f"{asked} calls, *, {asked * 100} tokens in, *"]
    )
    second.stdout.fnmatch_lines(["*, 0 put to openai:blind"])
    second.stdout.no_fnmatch_line("*tokens in*")


def test_a_wrong_key_costs_one_round_and_is_in_no_file(project: Project) -> None:
    walk = str(project.walk())
    with serving(lambda *_: Reply.failing(401, f"Incorrect API key: {KEY}")) as endpoint:
        options = (f"--metaspace-base-url={endpoint.url}", "--metaspace-concurrency=1")
        result = project.run(walk, *FEW, *options, "--junitxml=out.xml", "-v")
    assert result.ret == 1
    assert len(endpoint.requests) == 1
    result.stdout.fnmatch_lines(["*does not accept the key. Set OPENAI_API_KEY*"])
    told = result.stdout.str() + result.stderr.str()
    for path in project.path.rglob("*"):
        if path.is_file():
            told += path.read_bytes().decode("utf-8", "replace")
    assert KEY not in told


def test_a_cap_stops_the_run_and_the_next_goes_on(project: Project) -> None:
    walk = str(project.walk())
    with serving(two) as endpoint:
        url = f"--metaspace-base-url={endpoint.url}"
        capped = project.run(walk, *FEW, url, "--metaspace-max-calls=2")
        assert len(endpoint.requests) == 2
        whole = project.run(walk, *FEW, url)
    assert capped.ret == 1
    capped.stdout.fnmatch_lines(["*the cap on calls is reached (--metaspace-max-calls=2*"])
    assert whole.ret == 0
    assert len(endpoint.requests) == len({text_of(one) for one in endpoint.requests})


def test_many_paid_questions_need_a_cap(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    walk = str(project.walk())
    monkeypatch.setattr("pytest_metaspace.asking._round._FREELY", 2)
    monkeypatch.setattr("pytest_metaspace.agents.openai_compatible._is_local", lambda _: False)
    with serving(two) as endpoint:
        url = f"--metaspace-base-url={endpoint.url}"
        refused = project.run(walk, *FEW, url)
        assert endpoint.requests == []
        allowed = project.run(walk, *FEW, url, "--metaspace-max-calls=100")
    assert refused.ret == pytest.ExitCode.USAGE_ERROR
    refused.stderr.fnmatch_lines(["*paid for, and no cap is set. Add --metaspace-max-calls=*"])
    assert allowed.ret == 0


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--metaspace-budget=1",), "--metaspace-budget needs a price"),
        (("--metaspace-price=cheap",), "--metaspace-price cheap: expected IN/OUT"),
        (("--metaspace-price=-1/2",), "--metaspace-price -1/2: expected IN/OUT"),
        (("--metaspace-tries=0",), "--metaspace-tries 0: expected a whole number from 1"),
        (("--metaspace-temperature=hot",), "--metaspace-temperature hot: expected a number"),
        (("--metaspace-rate=0",), "--metaspace-rate 0: expected a number from 0.001 on"),
        (("--metaspace-max-calls=1.5",), "--metaspace-max-calls 1.5: expected a whole number"),
    ],
)
def test_wrong_values_are_named(project: Project, options: tuple[str, ...], told: str) -> None:
    result = project.run(str(project.walk()), *FEW, *options)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert told in result.stderr.str() + result.stdout.str()


def test_a_budget_has_a_price_where_the_model_is_known(project: Project) -> None:
    walk = str(project.walk())
    with serving(two) as endpoint:
        result = project.run(
            walk,
            "--metaspace-agent=gpt-4o",
            *FEW[1:],
            f"--metaspace-base-url={endpoint.url}",
            "--metaspace-budget=1",
        )
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*tokens in, * out, about $0.00"])
