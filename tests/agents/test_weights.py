"""What tells one local model from another, and what is refused before anything is loaded."""

from __future__ import annotations

import json
import os
import shutil
import sys
from argparse import Namespace
from importlib import util
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace import arguments, pipeline
from pytest_metaspace.agents import ModelOptions, transformers_local
from pytest_metaspace.agents._weights import find
from pytest_metaspace.agents.transformers_local import TransformersAgent
from pytest_metaspace.domain import Settings
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.model_options import MODEL_OPTIONS, models_of
from pytest_metaspace.reports import terminal

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """Files as they lie beside weights; nothing that could be loaded."""
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "config.json").write_text('{"model_type": "llava", "dtype": "bfloat16"}')
    (folder / "model.safetensors").write_bytes(b"weights")
    (folder / "tokenizer.json").write_text("{}")
    (folder / "chat_template.jinja").write_text("{{ messages }}")
    return folder


def identity(folder: Path, **options: Any) -> str:
    found = TransformersAgent(str(folder), ModelOptions(**options), folder.parent).identity
    assert found is not None
    return found


def test_a_run_of_samples_is_told_that_a_local_model_takes_the_likeliest_word(model: Path) -> None:
    made = TransformersAgent(str(model), ModelOptions(), model.parent)
    told = terminal.header("local", Settings(samples=3), greedy=getattr(made, "greedy", False))
    assert "note: at temperature 0 the samples of a question may all be equal" in told


# ---------------------------------------------------------------------------- the identity


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("model.safetensors", "Weights"),
        ("config.json", '{"model_type": "llava", "dtype": "bfloat16", "more": 1}'),
        ("tokenizer.json", "[]"),
        ("chat_template.jinja", "{{ messages[0] }}"),
        ("preprocessor_config.json", "{}"),
        ("modeling_own.py", ""),
    ],
)
def test_whatever_the_answers_depend_on_changes_the_identity(
    model: Path, file: str, content: str
) -> None:
    before = identity(model)
    (model / file).write_text(content)
    assert identity(model) != before


def test_what_answers_do_not_depend_on_does_not(model: Path) -> None:
    before = identity(model)
    (model / "README.md").write_text("about")
    moved = shutil.copytree(model, model.parent / "elsewhere")
    assert identity(model, batch_size=1, device="cpu") == identity(moved) == before


def test_every_option_that_changes_answers_is_part_of_the_identity(model: Path) -> None:
    found = {
        identity(model),
        identity(model, dtype="float32"),
        identity(model, max_output_tokens=5),
        identity(model, trust_remote_code=True),
    }
    assert len(found) == 4


def test_the_identity_tells_in_words_how_the_model_was_asked(model: Path) -> None:
    facts = json.loads(identity(model).removeprefix("transformers:"))
    assert sorted(facts) == ["dtype", "generation", "layout", "sha256", "template"]
    assert facts["dtype"] == "bfloat16"
    assert facts["generation"] == {
        "do_sample": False,
        "max_new_tokens": 1024,
        "no_repeat_ngram_size": 0,
        "num_beams": 1,
        "repetition_penalty": 1.0,
    }


def test_weights_are_read_once_while_their_file_stays_the_same(model: Path, tmp_path: Path) -> None:
    before = identity(model)
    (known,) = (tmp_path / "cache").rglob("weights.json")
    digests = json.loads(known.read_text())
    digests[str(model / "model.safetensors")][-1] = "from the list"
    known.write_text(json.dumps(digests))
    assert identity(model) != before, "the weights were read again"
    os.utime(model / "model.safetensors", ns=(1, 1))
    assert identity(model) == before, "they were touched, and must be read again"


@pytest.mark.parametrize("content", ["", "[]", '{"": 1}', "\0"])
def test_a_broken_list_of_digests_costs_time_only(
    model: Path, tmp_path: Path, content: str
) -> None:
    before = identity(model)
    (known,) = (tmp_path / "cache").rglob("weights.json")
    known.write_text(content)
    assert identity(model) == before


def test_a_cache_folder_that_cannot_be_written_is_passed_over(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = identity(model)
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert identity(model) == before


@pytest.mark.parametrize(
    ("config", "dtype"),
    [
        ({"dtype": "bfloat16"}, "bfloat16"),
        ({"torch_dtype": "float16"}, "float16"),
        ({"text_config": {"torch_dtype": "torch.bfloat16"}}, "bfloat16"),
        ({"dtype": None}, "float32"),
        ({}, "float32"),
        ({"dtype": "float8_e4m3fn"}, "float32"),
    ],
)
def test_the_number_type_is_that_of_the_weights(
    model: Path, config: dict[str, Any], dtype: str
) -> None:
    (model / "config.json").write_text(json.dumps({"model_type": "llava", **config}))
    assert find(str(model), model.parent).dtype == dtype


@pytest.mark.parametrize(
    ("file", "content", "template"),
    [
        ("chat_template.json", '{"chat_template": "a"}', "a"),
        ("processor_config.json", '{"chat_template": "b"}', "b"),
        (
            "tokenizer_config.json",
            '{"chat_template": [{"name": "default", "template": "c"}]}',
            None,
        ),
        ("tokenizer_config.json", "{}", None),
    ],
)
def test_the_template_is_found_wherever_it_stands(
    model: Path, file: str, content: str, template: str | None
) -> None:
    (model / "chat_template.jinja").unlink()
    (model / file).write_text(content)
    found = find(str(model), model.parent).template
    assert found == (
        template if template or content == "{}" else json.loads(content)["chat_template"]
    )


# ------------------------------------------------------------------- what is refused, and how


def build(name: str, root: Path, **options: Any) -> object:
    return pipeline.Registries.built_in().agent(name, root, ModelOptions(**options))


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if torch and transformers were installed, wherever this runs."""
    monkeypatch.setattr(transformers_local, "_NEEDS", ())


def test_missing_packages_name_the_extra_and_the_command(
    model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    find_spec = util.find_spec
    monkeypatch.setattr(
        util, "find_spec", lambda name: None if name == "torch" else find_spec("re")
    )
    with pytest.raises(UsageProblem) as told:
        build(f"transformers:{model}", model.parent)
    assert str(told.value) == (
        f"metaspace: asking transformers:{model} needs torch. Type:  "
        "pip install 'pytest-metaspace[transformers]'"
    )


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("name", "options", "told"),
    [
        ("transformers:", {}, "names no model; write transformers:FOLDER"),
        ("transformers:model", {"temperature": 0.5}, "--metaspace-temperature must be 0"),
        ("transformers:model", {"temperature": None}, "--metaspace-temperature must be 0"),
        ("transformers:model", {"dtype": "int8"}, "--metaspace-dtype int8: expected auto, float32"),
        ("transformers:missing", {}, "there is no folder 'missing'"),
        ("transformers:./missing/model", {}, "there is no folder './missing/model'"),
        ("transformers:a/b/c", {}, "there is no folder 'a/b/c'"),
        ("transformers:empty", {}, "has no config.json"),
        ("transformers:light", {}, "no weights"),
    ],
)
def test_a_slip_is_told_before_anything_is_loaded(
    model: Path, name: str, options: dict[str, Any], told: str
) -> None:
    (model.parent / "empty").mkdir()
    (model.parent / "light").mkdir()
    (model.parent / "light" / "config.json").write_text("{}")
    with pytest.raises(UsageProblem, match=r"^metaspace: ") as problem:
        build(name, model.parent, **options)
    assert told in str(problem.value)


@pytest.mark.usefixtures("installed")
def test_a_folder_is_found_beside_the_ini_file(model: Path) -> None:
    agent = build("transformers:model", model.parent)
    assert isinstance(agent, TransformersAgent)
    assert agent.identity == identity(model)


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("content", ["{", "[]"])
def test_a_broken_configuration_is_named(model: Path, content: str) -> None:
    (model / "config.json").write_text(content)
    with pytest.raises(UsageProblem, match=r"config\.json"):
        identity(model)


def test_a_name_of_the_hub_is_no_folder_and_asks_nobody_yet(
    tmp_path: Path, installed: None
) -> None:
    agent = build("transformers:some/model@v1", tmp_path)
    assert isinstance(agent, TransformersAgent)
    assert not agent.paid


def test_where_nothing_is_asked_no_hub_is_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[object] = []

    def nowhere(*_words: object, **_more: object) -> None:
        looked.append(_words)
        raise OSError("there is a network")

    hub = SimpleNamespace(
        HfApi=lambda: SimpleNamespace(model_info=nowhere),
        snapshot_download=nowhere,
        try_to_load_from_cache=lambda *_, **__: None,
        constants=SimpleNamespace(HF_HUB_CACHE="/somewhere"),
    )
    monkeypatch.setitem(sys.modules, "huggingface_hub", hub)
    for offline, told in ((True, "nothing is looked up where nothing"), (False, "not be fetched")):
        agent = TransformersAgent("some/model", ModelOptions(offline=offline), tmp_path)
        with pytest.raises(UsageProblem, match=told):
            assert agent.identity
        assert len(looked) == (not offline)


def test_a_run_that_is_offline_and_commands_that_ask_nothing_say_so_to_models() -> None:
    given: dict[str, Any] = {option.name: option.default for option in MODEL_OPTIONS}
    for answers, offline in (("cached", False), ("refresh", False), ("offline", True)):
        put = {**given, "prompting": "direct", "answers": answers}
        assert models_of(put).offline is offline
    typed = Namespace(prompting="direct")
    assert arguments.models_of(typed, asks=False).offline
    assert not arguments.models_of(typed, asks=True).offline
