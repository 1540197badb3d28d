"""Local models that cannot be asked say why and what to type; models of the hub."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("torch", reason="torch is not installed; ./dev test-local runs these tests")
pytest.importorskip("transformers", reason="transformers is not installed; see ./dev test-local")

import huggingface_hub.constants
from safetensors.torch import load_file, save_file
from transformers import LlavaForConditionalGeneration

from tests.agents import tiny_models
from tests.agents.local_support import agent, raw, refused

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_metaspace.domain import Question


@pytest.fixture
def own_code(llava: Path, tmp_path: Path) -> Path:
    """A model whose code lies beside its weights, and leaves a trace when it runs."""
    weights = LlavaForConditionalGeneration.from_pretrained(llava).state_dict()
    save_file(weights, llava / "model.safetensors", metadata={"format": "pt"})
    path = llava / "config.json"
    config = json.loads(path.read_text())
    config["model_type"] = "llava_of_ours"
    config["auto_map"] = {
        "AutoConfig": "own.OurConfig",
        "AutoModelForImageTextToText": "own.OurModel",
    }
    path.write_text(json.dumps(config))
    (llava / "own.py").write_text(
        "from pathlib import Path\n"
        "from transformers import LlavaConfig, LlavaForConditionalGeneration\n"
        f"Path({str(tmp_path / 'trace')!r}).write_text('code ran')\n"
        "class OurConfig(LlavaConfig):\n    model_type = 'llava_of_ours'\n"
        "class OurModel(LlavaForConditionalGeneration):\n    config_class = OurConfig\n"
    )
    return llava


def test_a_model_with_code_of_its_own_is_refused_and_nothing_of_it_runs(
    own_code: Path, mixed: list[Question], tmp_path: Path
) -> None:
    told = refused(agent(own_code), mixed[1])
    assert "it runs Python code that comes with the weights" in told
    assert "--metaspace-trust-remote-code" in told
    assert str(own_code) in told
    assert not (tmp_path / "trace").exists()


def test_it_runs_for_whoever_says_so(
    own_code: Path,
    built: dict[str, Path],
    mixed: list[Question],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("transformers.dynamic_module_utils.HF_MODULES_CACHE", str(tmp_path / "hf"))
    expected = raw(mixed, agent(built["llava"]))
    assert raw(mixed, agent(own_code, trust_remote_code=True)) == expected
    assert (tmp_path / "trace").exists()


def test_a_type_that_nobody_knows_needs_a_newer_version(llava: Path, mixed: list[Question]) -> None:
    path = llava / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "model_type": "qwen9_vl"}))
    told = refused(agent(llava), mixed[1])
    assert "does not know its type 'qwen9_vl'" in told
    assert "pip install --upgrade transformers" in told


def test_a_missing_template_is_told(llava: Path, mixed: list[Question]) -> None:
    (llava / "chat_template.jinja").unlink()
    told = refused(agent(llava), mixed[1])
    assert "it has no chat template" in told
    assert "chat_template.jinja" in told


@pytest.mark.parametrize(
    ("template", "told"),
    [
        (tiny_models.TEMPLATE.replace("<image>", ""), "leaves pictures out"),
        ("{{ messages[0]['content'] | join }}{{ 1 / 0 }}", "its chat template fails"),
        ("{% for", "its chat template fails"),
    ],
)
def test_a_template_that_is_of_no_use_is_told(
    llava: Path, mixed: list[Question], template: str, told: str
) -> None:
    (llava / "chat_template.jinja").write_text(template)
    assert told in refused(agent(llava), mixed[1])


def test_a_model_of_words_only_is_told(tmp_path: Path, mixed: list[Question]) -> None:
    told = refused(agent(tiny_models.words_only(tmp_path / "words")), mixed[1])
    assert "which reads no pictures" in told


def test_weights_that_are_torn_are_told(llava: Path, mixed: list[Question]) -> None:
    (llava / "model.safetensors").write_bytes(b"torn")
    assert "its weights cannot be loaded" in refused(agent(llava), mixed[1])


def test_weights_that_are_not_all_there_are_told(llava: Path, mixed: list[Question]) -> None:
    weights = load_file(llava / "model.safetensors")
    del weights[max(weights)]
    save_file(weights, llava / "model.safetensors", metadata={"format": "pt"})
    assert "1 of its tensors are in no file, as model." in refused(agent(llava), mixed[1])


@pytest.mark.parametrize("device", ["gpu", "cuda:99", "xpu"])
def test_a_device_that_is_not_there_is_told(
    built: dict[str, Path], mixed: list[Question], device: str
) -> None:
    told = refused(agent(built["llava"], device=device), mixed[1])
    assert told.startswith(f"metaspace: --metaspace-device {device}: torch")
    assert told.endswith("Write auto, cpu, cuda, cuda:1 or mps.")


# ----------------------------------------------------------------------------------- the hub


@pytest.fixture
def hub(
    built: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], None]:
    """A local cache of the hub, in which commits of ``some/model`` can be put; no network."""
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    folder = tmp_path / "hub" / "models--some--model"

    def put(commit: str) -> None:
        shutil.copytree(built["llava"], folder / "snapshots" / commit)
        (folder / "refs").mkdir(exist_ok=True)
        (folder / "refs" / "main").write_text(commit)

    return put


def test_a_model_of_the_hub_is_told_by_its_commit(
    hub: Callable[[str], None], built: dict[str, Path], mixed: list[Question]
) -> None:
    commits = ["a" * 40, "b" * 40]
    hub(commits[0])
    first = agent("some/model")
    assert raw(mixed, first) == raw(mixed, agent(built["llava"]))
    hub(commits[1])
    for who, commit in (
        (first, commits[0]),
        (agent("some/model"), commits[1]),
        (agent(f"some/model@{commits[0]}"), commits[0]),
    ):
        assert who.identity is not None
        facts = json.loads(who.identity.removeprefix("transformers:"))
        assert (facts["model"], facts["revision"]) == ("some/model", commit)
        assert "sha256" not in facts


@pytest.mark.parametrize("name", ["some/model@v9", "other/model"])
def test_what_is_not_in_the_cache_is_told_with_the_command_that_fetches_it(
    hub: Callable[[str], None], mixed: list[Question], name: str
) -> None:
    hub("a" * 40)
    told = refused(agent(name), mixed[1])
    assert f"transformers:{name}: the model is not in the local cache" in told
    model, _, revision = name.partition("@")
    assert f"hf download {model}{f' --revision {revision}' if revision else ''}   or" in told
