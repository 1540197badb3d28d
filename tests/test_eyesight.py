"""The self-test of an agent: three numbered pictures, in order."""

from __future__ import annotations

import base64
import io
from typing import Any

import pytest
from PIL import Image

from pytest_metaspace import cli, doctor
from tests.agents.endpoint import Reply, serving

pytest.importorskip("openai")


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is a key, and no engine is started only to be told of beside."""
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    monkeypatch.setattr(doctor, "_engines", lambda: iter(["engine swipl: runs"]))


@pytest.mark.parametrize(
    ("said", "status", "told"),
    [
        ("7, 2, 9", 0, "agent: sees three pictures, in order"),
        ("7 9 2", 1, "in another order than they were sent: '7 9 2'"),
        ("I see no images.", 1, "was shown 7, 2, 9 and answered 'I see no images.'"),
        ("7", 1, "was shown 7, 2, 9 and answered '7'"),
    ],
)
def test_what_an_agent_sees_is_told(
    said: str, status: int, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(lambda *_: Reply.saying(said)) as endpoint:
        url = f"--base-url={endpoint.url}"
        assert cli.main(["doctor", "--agent=openai:some-model", url]) == status
    assert told in capsys.readouterr().out
    (request,) = endpoint.requests
    assert len({picture.tobytes() for picture in pictures(request)}) == 3


def pictures(request: dict[str, Any]) -> list[Image.Image]:
    parts = request["messages"][0]["content"]
    urls = [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]
    raws = (base64.b64decode(url.partition(",")[2]) for url in urls)
    return [Image.open(io.BytesIO(raw)).convert("L") for raw in raws]


def test_an_agent_that_does_not_answer_cannot_be_used(capsys: pytest.CaptureFixture[str]) -> None:
    with serving(lambda *_: Reply.failing(404, "no such model")) as endpoint:
        assert cli.main(["doctor", "--agent=openai:x", f"--base-url={endpoint.url}"]) == 1
    assert "CANNOT BE USED: it gave no answer" in capsys.readouterr().out


def test_an_answer_that_was_cut_off_or_refused_shows_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with serving(lambda *_: Reply.saying("7, 2, 9", finish="length")) as endpoint:
        assert cli.main(["doctor", "--agent=openai:x", f"--base-url={endpoint.url}"]) == 1
    told = "CANNOT BE USED: the answer was cut off before its end: '7, 2, 9'"
    assert told in capsys.readouterr().out


def test_the_agent_is_asked_with_the_options_of_a_run() -> None:
    options = ("--temperature=0.5", "--metaspace-top-p=none", "--max-output-tokens=5", "--tries=1")
    with serving(lambda *_: Reply.saying("7, 2, 9")) as endpoint:
        url = f"--metaspace-base-url={endpoint.url}"
        assert cli.main(["doctor", "--agent=openai:x", url, *options]) == 0
    (request,) = endpoint.requests
    assert (request["temperature"], request["max_tokens"]) == (0.5, 5)
    assert "top_p" not in request
