"""``transformers serve``, a real endpoint on this machine, asked by the agent for endpoints."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PIL import Image

pytest.importorskip("torch", reason="torch is not installed; ./dev test-local runs these tests")
pytest.importorskip("transformers", reason="transformers is not installed; see ./dev test-local")
pytest.importorskip("fastapi", reason="transformers[serving] is not installed")
pytest.importorskip("openai")

from pytest_metaspace import asking
from pytest_metaspace.agents import ModelOptions
from pytest_metaspace.agents.openai_compatible import OpenAIAgent
from pytest_metaspace.agents.transformers_local import TransformersAgent
from pytest_metaspace.asking.store import AnswerStore
from pytest_metaspace.questions import own_words
from tests.agents import tiny_models
from tests.plugin.made import Walk

if TYPE_CHECKING:
    from collections.abc import Iterator

_PATIENCE_S = 120
LENGTH = 8


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a model."""
    return tiny_models.smolvlm(tmp_path_factory.mktemp("models") / "smolvlm")


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a running server."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    log = tmp_path_factory.mktemp("serve") / "log"
    program = Path(sys.executable).with_name("transformers")
    with (
        log.open("wb") as output,
        subprocess.Popen(
            [program, "serve", "--device", "cpu", "--host", "127.0.0.1", "--port", str(port)],
            env={**os.environ, "HF_HUB_OFFLINE": "1"},
            stdout=output,
            stderr=subprocess.STDOUT,
        ) as server,
    ):
        try:
            _wait(f"http://127.0.0.1:{port}/health", server, log)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.terminate()


def _wait(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + _PATIENCE_S
    while time.monotonic() < until and server.poll() is None:
        with contextlib.suppress(OSError), urllib.request.urlopen(url, timeout=5):
            return
        time.sleep(0.2)
    pytest.fail(f"the server did not come up:\n{log.read_text(errors='replace')[-2000:]}")


def test_a_served_model_answers_as_it_does_in_this_process(
    endpoint: str, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    pictures = [tmp_path / f"{number}.png" for number in range(3)]
    for path, colour in zip(pictures, ("red", "green", "blue")):
        Image.new("RGB", (40, 30), colour).save(path)
    questions = [
        own_words(f"question {n}", shown)
        for n, shown in enumerate((pictures[:1], pictures[:2], pictures[::-1]))
    ]
    options = ModelOptions(base_url=endpoint, max_output_tokens=LENGTH, device="cpu")
    with AnswerStore(tmp_path / "answers") as store:
        served = asking.ask(questions, OpenAIAgent(str(model), options), store)
    here = asking.ask(questions, TransformersAgent(str(model), options, tmp_path), None)
    assert [served.answers[one.query].error for one in questions] == [None] * 3
    assert [served.answers[one.query].raw for one in questions] == [
        here.answers[one.query].raw for one in questions
    ]
    assert served.spent.tokens_in == here.spent.tokens_in
    with AnswerStore(tmp_path / "answers") as store:
        assert asking.ask(questions, OpenAIAgent(str(model), options), store).fresh == 0


def test_a_run_asks_a_served_model(
    pytester: pytest.Pytester, endpoint: str, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    Walk().write(pytester.path / "runs/walk")
    arguments = (
        "-p", "metaspace", "runs", "--metaspace-sc=SC1-b", "--metaspace-mr=MR2",
        f"--metaspace-max-output-tokens={LENGTH}", f"--metaspace-agent=openai:{model}",
        f"--metaspace-base-url={endpoint}",
    )  # fmt: skip
    first = pytester.runpytest_subprocess(*arguments, timeout=_PATIENCE_S)
    assert first.ret in (0, 1), first.stdout.str()
    assert not {"error", "errors"} & set(first.parseoutcomes())
    first.stdout.fnmatch_lines(["* put to openai:*", "* tokens in, * out"])
    again = pytester.runpytest_subprocess(*arguments, timeout=_PATIENCE_S)
    again.stdout.fnmatch_lines(["*, 0 put to openai:*"])
    assert again.parseoutcomes() == first.parseoutcomes()
