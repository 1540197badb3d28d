"""Local models: tiny ones with random weights, through the real classes of transformers."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

pytest.importorskip("torch", reason="torch is not installed; ./dev test-local runs these tests")
pytest.importorskip("transformers", reason="transformers is not installed; see ./dev test-local")

import huggingface_hub.constants
import torch
from safetensors.torch import load_file, save_file
from transformers import (
    AutoModelForImageTextToText,
    AutoProcessor,
    LlavaForConditionalGeneration,
)

from pytest_metaspace import asking
from pytest_metaspace.agents import ModelOptions, transformers_local
from pytest_metaspace.agents._local_model import LocalModel, Stopped
from pytest_metaspace.agents._weights import find
from pytest_metaspace.agents.transformers_local import TransformersAgent
from pytest_metaspace.asking.store import AnswerStore
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.questions import own_words
from tests.agents import tiny_models

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pytest_metaspace.domain import Answer, Question

LENGTH = 10


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One model of each family, never to be changed."""
    folder = tmp_path_factory.mktemp("models")
    return {name: build(folder / name) for name, build in tiny_models.FAMILIES.items()}


@pytest.fixture(params=sorted(tiny_models.FAMILIES))
def model(request: pytest.FixtureRequest, built: dict[str, Path]) -> Path:
    """The folder of a model, one family after the other."""
    return built[request.param]


@pytest.fixture
def llava(built: dict[str, Path], tmp_path: Path) -> Path:
    """A model to change."""
    return Path(shutil.copytree(built["llava"], tmp_path / "llava"))


@pytest.fixture
def pictures(tmp_path: Path) -> list[Path]:
    """Four pictures in colours far apart."""
    colours = ((250, 20, 20), (20, 250, 20), (20, 20, 250), (240, 240, 20))
    paths = [tmp_path / f"{number}.png" for number in range(4)]
    for path, colour in zip(paths, colours):
        Image.new("RGB", (40, 30), colour).save(path)
    return paths


@pytest.fixture
def questions(pictures: list[Path]) -> list[Question]:
    """Twelve questions of all lengths, with none to three pictures."""
    return [
        own_words(f"question {n}: " + "which way " * (n % 5), (pictures * 2)[n % 4 :][: n % 4])
        for n in range(12)
    ]


def agent(folder: Path | str, **options: Any) -> TransformersAgent:
    given = {"max_output_tokens": LENGTH, "device": "cpu", **options}
    return TransformersAgent(str(folder), ModelOptions(**given), Path("/nowhere"))


def answers(asked: Sequence[Question], who: TransformersAgent) -> list[Answer]:
    told = asking.ask(asked, who, None)
    assert told.stopped is None
    return [told.answers[question.query] for question in asked]


def raw(asked: Sequence[Question], who: TransformersAgent) -> list[str | None]:
    return [answer.raw for answer in answers(asked, who)]


def bare_tokens(folder: Path, text: str, pictures: Sequence[Path]) -> tuple[list[int], int]:
    """Ask a model without any of our code; return prompt and answer, and where it begins."""
    processor = AutoProcessor.from_pretrained(folder)
    bare = AutoModelForImageTextToText.from_pretrained(folder, dtype=torch.float32).eval()
    content: list[dict[str, str]] = []
    for number in range(1, len(pictures) + 1):
        content += [{"type": "text", "text": f"Image {number}:"}, {"type": "image"}]
    content.append({"type": "text", "text": text})
    prompt = processor.apply_chat_template(
        [{"role": "user", "content": content}], add_generation_prompt=True
    )
    shown = [Image.open(path).convert("RGB") for path in pictures]
    inputs = processor(text=[prompt], images=[shown], return_tensors="pt")
    tokens = bare.generate(**inputs, do_sample=False, max_new_tokens=LENGTH)
    return tokens[0].tolist(), inputs["input_ids"].shape[1]


@pytest.fixture
def batches(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[int]]:
    """Watch how many questions are generated together, and let larger batches fail."""

    def watch(most: int = 99, problem: Exception | None = None) -> list[int]:
        sizes: list[int] = []
        generate = LlavaForConditionalGeneration.generate

        def watched(self: Any, **inputs: Any) -> Any:
            sizes.append(len(inputs["input_ids"]))
            if sizes[-1] > most and problem is not None:
                raise problem
            return generate(self, **inputs)

        monkeypatch.setattr(LlavaForConditionalGeneration, "generate", watched)
        return sizes

    return watch


# --------------------------------------------------------------------------- what is answered


def test_a_batched_answer_equals_the_unbatched_one(model: Path, questions: list[Question]) -> None:
    alone = raw(questions, agent(model, batch_size=1))
    assert len(set(alone)) > 8, "the questions must tell these models apart"
    for size in (2, 5, 12):
        assert raw(questions, agent(model, batch_size=size)) == alone


def test_answers_are_those_of_transformers_itself(model: Path, pictures: list[Path]) -> None:
    tokens, start = bare_tokens(model, "Which way?\n", pictures[:2])
    decoded = AutoProcessor.from_pretrained(model).tokenizer.decode(
        tokens[start:], skip_special_tokens=True
    )
    told = asking.ask([own_words("Which way?\n", pictures[:2])], agent(model), None)
    assert [answer.raw for answer in told.answers.values()] == [decoded.strip()]
    assert (told.spent.tokens_in, told.spent.tokens_out) == (start, LENGTH)


def test_pictures_are_seen_in_their_order(model: Path, pictures: list[Path]) -> None:
    one, two, three = pictures[:3]
    orders = [(one, two, three), (three, two, one), (one, two, two)]
    told = [raw([own_words("Which way?", order)], agent(model))[0] for order in orders]
    assert len(set(told)) == 3


def test_an_answer_that_ends_is_whole_and_one_that_does_not_is_truncated(
    llava: Path, pictures: list[Path]
) -> None:
    question = own_words("Which way?\n", pictures[:1])
    (cut,) = answers([question], agent(llava))
    assert cut.trouble == "truncated"
    (longer,) = answers([question], agent(llava, max_output_tokens=2 * LENGTH))
    assert cut.raw is not None
    assert longer.raw is not None
    assert len(longer.raw) > len(cut.raw)

    tokens, start = bare_tokens(llava, "Which way?\n", pictures[:1])
    said = tokens[start:]
    end = next(place for place, token in enumerate(said) if place and token not in said[:place])
    path = llava / "generation_config.json"
    settings = json.loads(path.read_text())
    path.write_text(json.dumps({**settings, "eos_token_id": [2, said[end]]}))
    asked = asking.ask([question], agent(llava), None)
    (whole,) = asked.answers.values()
    decoded = AutoProcessor.from_pretrained(llava).tokenizer.decode(said[:end])
    assert (whole.trouble, whole.raw) == (None, decoded.strip())
    assert asked.spent.tokens_out == end + 1


def test_what_a_model_brings_along_for_sampling_and_repeating_is_not_heeded(
    llava: Path, questions: list[Question]
) -> None:
    plain = raw(questions, agent(llava))
    path = llava / "generation_config.json"
    wild = {"do_sample": True, "temperature": 5.0, "top_k": 3, "repetition_penalty": 9.0}
    path.write_text(json.dumps({**json.loads(path.read_text()), **wild}))
    assert raw(questions, agent(llava)) == plain


def test_a_model_without_a_padding_token_pads_with_the_end(
    llava: Path, questions: list[Question]
) -> None:
    path = llava / "tokenizer_config.json"
    settings = json.loads(path.read_text())
    settings.pop("pad_token")
    path.write_text(json.dumps(settings))
    assert AutoProcessor.from_pretrained(llava).tokenizer.pad_token is None
    assert raw(questions, agent(llava, batch_size=5)) == raw(questions, agent(llava, batch_size=1))


def test_other_number_types_answer_too_and_under_their_own_identity(
    model: Path, questions: list[Question]
) -> None:
    half = agent(model, dtype="bfloat16")
    assert all(answer.error is None for answer in answers(questions, half))
    assert half.identity != agent(model).identity


def test_other_weights_are_another_agent(tmp_path: Path) -> None:
    folders = [tiny_models.llava(tmp_path / str(seed), seed=seed) for seed in (0, 1, 0)]
    first, second, again = (agent(folder).identity for folder in folders)
    assert first == again != second


# ------------------------------------------------------------------------------- how it is asked


def test_questions_fill_batches(
    built: dict[str, Path], questions: list[Question], batches: Callable[..., list[int]]
) -> None:
    sizes = batches()
    pictured = [question for question in questions if question.images]
    raw(pictured, agent(built["llava"], batch_size=4))
    assert sizes == [4, 4, 1]


def test_the_model_is_loaded_once_for_all_rounds(
    built: dict[str, Path], questions: list[Question], monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[str] = []

    class Counted(LocalModel):
        def __init__(self, name: str, *more: Any) -> None:
            loaded.append(name)
            super().__init__(name, *more)

    monkeypatch.setattr(transformers_local, "LocalModel", Counted)
    who = agent(built["llava"])
    assert raw(questions[:3], who) == raw(questions[:3], who)
    assert len(loaded) == 1


def test_stored_answers_need_no_model(
    built: dict[str, Path],
    questions: list[Question],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with AnswerStore(tmp_path / "answers") as store:
        first = asking.ask(questions, agent(built["llava"]), store)
    monkeypatch.setattr(transformers_local, "LocalModel", None)
    with AnswerStore(tmp_path / "answers") as store:
        second = asking.ask(questions, agent(built["llava"]), store)
    assert (first.fresh, second.fresh) == (len(questions), 0)
    for question in questions:
        assert second.answers[question.query].raw == first.answers[question.query].raw


def test_whoever_is_gone_stops_the_model_between_two_words(
    built: dict[str, Path], questions: list[Question]
) -> None:
    found = find(str(built["llava"]), Path("/nowhere"))
    loaded = LocalModel("tiny", found, "float32", ModelOptions(device="cpu"))
    loaded.stopped.set()
    with pytest.raises(Stopped):
        loaded.answer(questions[:1])


# --------------------------------------------------------------------------------- memory

FULL = [
    torch.cuda.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB"),
    RuntimeError("MPS backend out of memory (MPS allocated: 9.05 GB)"),
    RuntimeError("[enforce fail at alloc_cpu.cpp:117] err == 0. DefaultCPUAllocator: can't "
                 "allocate memory: you tried to allocate 9 bytes."),
    MemoryError(),
]  # fmt: skip


@pytest.mark.parametrize("problem", FULL, ids=["cuda", "mps", "cpu", "python"])
def test_a_batch_that_does_not_fit_is_halved_and_all_is_answered(
    built: dict[str, Path],
    questions: list[Question],
    batches: Callable[..., list[int]],
    problem: Exception,
) -> None:
    expected = raw(questions, agent(built["llava"]))
    sizes = batches(most=2, problem=problem)
    pictured = [question for question in questions if question.images]
    told = raw(pictured, agent(built["llava"], batch_size=8))
    assert told == [text for text, one in zip(expected, questions) if one.images]
    assert sizes == [8, 4, 2, 2, 4, 2, 2, 1]


def test_later_batches_stay_small_and_grow_again_when_it_has_been_calm(
    built: dict[str, Path],
    pictures: list[Path],
    batches: Callable[..., list[int]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("pytest_metaspace.agents._local_model._CALM", 3)
    found = find(str(built["llava"]), Path("/nowhere"))
    loaded = LocalModel("tiny", found, "float32", ModelOptions(device="cpu", max_output_tokens=1))
    asked = [own_words(str(n), pictures[:1]) for n in range(8)]
    sizes = batches(most=4, problem=FULL[0])
    for _ in range(3):
        loaded.answer(asked)
    assert sizes == [8, 4, 4, 4, 4, 8, 4, 4]


def test_a_question_that_fits_nowhere_fails_alone(
    built: dict[str, Path], pictures: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    generate = LlavaForConditionalGeneration.generate

    def watched(self: Any, **inputs: Any) -> Any:
        if inputs["pixel_values"].shape[0] > 6:
            raise FULL[0]
        return generate(self, **inputs)

    monkeypatch.setattr(LlavaForConditionalGeneration, "generate", watched)
    asked = [own_words(f"{n}", pictures[:1]) for n in range(5)]
    asked.append(own_words("huge", pictures * 2))
    *others, huge = answers(asked, agent(built["llava"]))
    assert [answer.error for answer in others] == [None] * 5
    assert (huge.raw, huge.kind) == (None, "out of memory")
    assert huge.error is not None
    assert "CUDA out of memory" in huge.error


def test_a_picture_that_cannot_be_read_fails_its_own_question(
    built: dict[str, Path], questions: list[Question], tmp_path: Path
) -> None:
    torn = tmp_path / "torn.png"
    torn.write_bytes(b"no picture")
    pictured = [question for question in questions if question.images]
    asked = [*pictured[:3], own_words("torn", [torn])]
    *others, last = answers(asked, agent(built["llava"]))
    assert [answer.raw for answer in others] == raw(pictured[:3], agent(built["llava"]))
    assert last.kind == "failed"
    assert last.error is not None
    assert "torn.png" in last.error


# --------------------------------------------------------------------------------- refusals


def refused(who: TransformersAgent, question: Question) -> str:
    with pytest.raises(UsageProblem) as problem:
        asking.ask([question], who, None)
    return str(problem.value)


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
    own_code: Path, questions: list[Question], tmp_path: Path
) -> None:
    told = refused(agent(own_code), questions[1])
    assert "it runs Python code that comes with the weights" in told
    assert "--metaspace-trust-remote-code" in told
    assert str(own_code) in told
    assert not (tmp_path / "trace").exists()


def test_it_runs_for_whoever_says_so(
    own_code: Path,
    built: dict[str, Path],
    questions: list[Question],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("transformers.dynamic_module_utils.HF_MODULES_CACHE", str(tmp_path / "hf"))
    expected = raw(questions, agent(built["llava"]))
    assert raw(questions, agent(own_code, trust_remote_code=True)) == expected
    assert (tmp_path / "trace").exists()


def test_a_type_that_nobody_knows_needs_a_newer_version(
    llava: Path, questions: list[Question]
) -> None:
    path = llava / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "model_type": "qwen9_vl"}))
    told = refused(agent(llava), questions[1])
    assert "does not know its type 'qwen9_vl'" in told
    assert "pip install --upgrade transformers" in told


def test_a_missing_template_is_told(llava: Path, questions: list[Question]) -> None:
    (llava / "chat_template.jinja").unlink()
    told = refused(agent(llava), questions[1])
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
    llava: Path, questions: list[Question], template: str, told: str
) -> None:
    (llava / "chat_template.jinja").write_text(template)
    assert told in refused(agent(llava), questions[1])


def test_a_model_of_words_only_is_told(tmp_path: Path, questions: list[Question]) -> None:
    told = refused(agent(tiny_models.words_only(tmp_path / "words")), questions[1])
    assert "which reads no pictures" in told


def test_weights_that_are_torn_are_told(llava: Path, questions: list[Question]) -> None:
    (llava / "model.safetensors").write_bytes(b"torn")
    assert "its weights cannot be loaded" in refused(agent(llava), questions[1])


def test_weights_that_are_not_all_there_are_told(llava: Path, questions: list[Question]) -> None:
    weights = load_file(llava / "model.safetensors")
    del weights[max(weights)]
    save_file(weights, llava / "model.safetensors", metadata={"format": "pt"})
    assert "1 of its tensors are in no file, as model." in refused(agent(llava), questions[1])


@pytest.mark.parametrize("device", ["gpu", "cuda:99", "xpu"])
def test_a_device_that_is_not_there_is_told(
    built: dict[str, Path], questions: list[Question], device: str
) -> None:
    told = refused(agent(built["llava"], device=device), questions[1])
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
    hub: Callable[[str], None], built: dict[str, Path], questions: list[Question]
) -> None:
    commits = ["a" * 40, "b" * 40]
    hub(commits[0])
    first = agent("some/model")
    assert raw(questions, first) == raw(questions, agent(built["llava"]))
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
    hub: Callable[[str], None], questions: list[Question], name: str
) -> None:
    hub("a" * 40)
    told = refused(agent(name), questions[1])
    assert f"transformers:{name}: the model is not in the local cache" in told
    model, _, revision = name.partition("@")
    assert f"hf download {model}{f' --revision {revision}' if revision else ''}   or" in told
