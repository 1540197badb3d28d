"""``pytest --metaspace-agent=transformers:…`` from end to end, each run in a process of its own."""

from __future__ import annotations

import json
import os
import socket
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("torch", reason="torch is not installed; ./dev test-local runs these tests")
pytest.importorskip("transformers", reason="transformers is not installed; see ./dev test-local")

from pytest_metaspace import cli
from tests.agents import tiny_models
from tests.plugin.made import Walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FEW = ("--metaspace-sc=SC1-b", "--metaspace-mr=MR2", "--metaspace-max-output-tokens=6")
HEAVY = """
import sys

def pytest_unconfigure(config):
    heavy = sorted({"torch", "transformers", "huggingface_hub", "openai", "cv2"} & set(sys.modules))
    print(f"HEAVY: {heavy}")
"""


@pytest.fixture
def run(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., pytest.RunResult]:
    """Run pytest in a repository with a tiny trajectory, apart, with nothing but our plugin."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("XDG_CACHE_HOME", str(pytester.path / "cache"))
    monkeypatch.setenv("HF_HUB_CACHE", str(pytester.path / "hub"))
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).resolve().parents[2]))
    pytester.makeconftest(HEAVY)
    Walk().write(pytester.path / "runs/walk")

    def run_(*arguments: str) -> pytest.RunResult:
        return pytester.runpytest_subprocess("-p", "metaspace", *arguments, timeout=120)

    return run_


@pytest.fixture(scope="module", params=sorted(tiny_models.FAMILIES))
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a model, one family after the other."""
    build = tiny_models.FAMILIES[request.param]
    return build(tmp_path_factory.mktemp("models") / request.param)


@pytest.fixture(scope="module")
def llava(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of one model."""
    return tiny_models.llava(tmp_path_factory.mktemp("models") / "llava")


def asked(result: pytest.RunResult) -> int:
    """How many questions a run put to its agent."""
    (line,) = [line for line in result.outlines if " put to " in line]
    return int(line.split(", ")[1].split()[0])


def test_a_run_asks_a_local_model_once(run: Callable[..., pytest.RunResult], model: Path) -> None:
    first = run("runs", f"--metaspace-agent=transformers:{model}", *FEW)
    assert first.ret in (0, 1), first.stdout.str()
    count = asked(first)
    assert count > 4
    first.stdout.fnmatch_lines(
        [f"* tokens in, {count * 6} out", "HEAVY: *'torch', 'transformers'*"]
    )
    first.stderr.no_fnmatch_line("*")  # no bars, no hints

    again = run("runs", f"--metaspace-agent=transformers:{model}", *FEW)
    assert asked(again) == 0
    assert again.parseoutcomes() == first.parseoutcomes()
    again.stdout.fnmatch_lines(["HEAVY: []"])

    longer = run("runs", f"--metaspace-agent=transformers:{model}", *FEW[:2],
                 "--metaspace-max-output-tokens=7")  # fmt: skip
    assert asked(longer) == count


def test_items_are_answered_by_likelihood_and_explain_shows_it(
    run: Callable[..., pytest.RunResult], llava: Path, pytester: pytest.Pytester
) -> None:
    assert cli.main(["build", "embspatial", "--items", "6", str(pytester.path / "items")]) == 0
    weighed = (f"--metaspace-agent=transformers:{llava}", "--metaspace-prompting=likelihood")
    first = run("items", *weighed, "--metaspace-episodes=all")
    outcomes = first.parseoutcomes()
    assert not {"invalid", "failed", "errors"} & set(outcomes)
    assert outcomes["violated"] > 0
    assert asked(first) > 12
    assert asked(run("items", *weighed, "--metaspace-episodes=all")) == 0
    first.stdout.fnmatch_lines(["*answer 1: '... ANSWER: [A-D]' to *"])
    address = next(
        line.split()[-1] for line in first.outlines if line.startswith("  EMB-ACC violated: ")
    )
    told = pytester.run(sys.executable, "-m", "pytest_metaspace", "explain", address)
    told.stdout.re_match_lines([r" +> -\d+\.\d{4} \S.*", r" +> ANSWER: [A-D]"])


def test_workers_share_one_model(run: Callable[..., pytest.RunResult], llava: Path) -> None:
    alone = run(
        "runs", f"--metaspace-agent=transformers:{llava}", *FEW, "--metaspace-answers=refresh"
    )
    spread = run("runs", f"--metaspace-agent=transformers:{llava}", *FEW, "-p", "xdist", "-n2")
    assert asked(spread) == 0
    assert spread.parseoutcomes() == alone.parseoutcomes()


@pytest.mark.parametrize(
    "arguments",
    [
        ("--co", "--metaspace-agent=transformers:{model}", "runs"),
        ("--co", "--metaspace-agent=transformers:some/model", "runs"),
        ("--metaspace-agent=truth", "runs"),
        ("--version",),
    ],
)
def test_nothing_heavy_is_imported_before_a_model_is_asked(
    run: Callable[..., pytest.RunResult], llava: Path, arguments: tuple[str, ...]
) -> None:
    result = run(*(argument.format(model=llava) for argument in arguments))
    assert result.ret == 0
    if "--version" not in arguments:
        result.stdout.fnmatch_lines(["HEAVY: []"])


def test_the_doctor_shows_a_local_model_three_pictures(
    run: Callable[..., pytest.RunResult], pytester: pytest.Pytester
) -> None:
    llava = tiny_models.llava(pytester.path / "llava")
    path = llava / "generation_config.json"  # almost every token ends an answer, for a short test
    path.write_text(json.dumps({**json.loads(path.read_text()), "eos_token_id": [*range(2, 390)]}))
    result = pytester.run(
        sys.executable, "-m", "pytest_metaspace", "doctor", "--agent", f"transformers:{llava}"
    )
    assert result.ret == 1  # it looks at random, and cannot be used
    result.stdout.fnmatch_lines(
        [
            "extra transformers: transformers *, torch *, for local models, and detectors *",
            "agent: CANNOT BE USED: it was shown 7, 2, 9 and answered '*",
        ]
    )


@pytest.fixture
def silence() -> Iterator[str]:
    """The address of a hub that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        kept: list[socket.socket] = []

        def accept() -> None:
            while True:
                try:
                    kept.append(server.accept()[0])
                except OSError:
                    return

        threading.Thread(target=accept, daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
        for one in kept:
            one.close()


@pytest.mark.parametrize("network", ["off", "refused", "silent"])
def test_a_model_that_is_not_here_and_cannot_be_fetched_is_one_clear_error(
    run: Callable[..., pytest.RunResult],
    monkeypatch: pytest.MonkeyPatch,
    silence: str,
    network: str,
) -> None:
    if network == "off":
        monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    else:
        monkeypatch.setenv("HF_ENDPOINT", silence if network == "silent" else "http://127.0.0.1:9")
    result = run("runs", "--metaspace-agent=transformers:some/model", *FEW)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["ERROR: metaspace: transformers:some/model: the model is not in the local cache*"]
    )
    (told,) = [line for line in result.errlines if line]
    assert "hf download some/model   or name a folder" in told
    assert os.environ["HF_HUB_CACHE"] in told


def test_a_model_that_cannot_be_loaded_ends_the_run_with_one_line(
    run: Callable[..., pytest.RunResult], tmp_path: Path
) -> None:
    folder = tiny_models.llava(tmp_path / "llava")
    (folder / "chat_template.jinja").unlink()
    result = run("runs", f"--metaspace-agent=transformers:{folder}", *FEW)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    (told,) = [line for line in result.errlines if line]
    assert told.startswith(
        f"ERROR: metaspace: transformers:{folder} cannot be asked: it has no chat"
    )
