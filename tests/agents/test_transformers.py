"""Local models: tiny ones with random weights, through the real classes of transformers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

pytest.importorskip("torch", reason="torch is not installed; ./dev test-local runs these tests")
pytest.importorskip("transformers", reason="transformers is not installed; see ./dev test-local")

import torch
from transformers import (
    AutoModelForImageTextToText,
    AutoProcessor,
    LlavaForConditionalGeneration,
)

from pytest_metaspace import asking
from pytest_metaspace.agents import ModelOptions, transformers_local
from pytest_metaspace.agents._local_model import LocalModel, Stopped
from pytest_metaspace.agents._weights import find
from pytest_metaspace.asking.store import AnswerStore
from pytest_metaspace.questions import own_words
from tests.agents import tiny_models
from tests.agents.local_support import LENGTH, agent, answers, raw

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pytest_metaspace.domain import Question


@pytest.fixture(params=sorted(tiny_models.FAMILIES))
def model(request: pytest.FixtureRequest, built: dict[str, Path]) -> Path:
    """The folder of a model, one family after the other."""
    return built[request.param]


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


def test_a_batched_answer_equals_the_unbatched_one(model: Path, mixed: list[Question]) -> None:
    alone = raw(mixed, agent(model, batch_size=1))
    assert len(set(alone)) > 8, "the questions must tell these models apart"
    for size in (2, 5, 12):
        assert raw(mixed, agent(model, batch_size=size)) == alone


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
    llava: Path, mixed: list[Question]
) -> None:
    plain = raw(mixed, agent(llava))
    path = llava / "generation_config.json"
    wild = {"do_sample": True, "temperature": 5.0, "top_k": 3, "repetition_penalty": 9.0}
    path.write_text(json.dumps({**json.loads(path.read_text()), **wild}))
    assert raw(mixed, agent(llava)) == plain


def test_a_model_without_a_padding_token_pads_with_the_end(
    llava: Path, mixed: list[Question]
) -> None:
    path = llava / "tokenizer_config.json"
    settings = json.loads(path.read_text())
    settings.pop("pad_token")
    path.write_text(json.dumps(settings))
    assert AutoProcessor.from_pretrained(llava).tokenizer.pad_token is None
    assert raw(mixed, agent(llava, batch_size=5)) == raw(mixed, agent(llava, batch_size=1))


def test_other_number_types_answer_too_and_under_their_own_identity(
    model: Path, mixed: list[Question]
) -> None:
    half = agent(model, dtype="bfloat16")
    assert all(answer.error is None for answer in answers(mixed, half))
    assert half.identity != agent(model).identity


def test_other_weights_are_another_agent(tmp_path: Path) -> None:
    folders = [tiny_models.llava(tmp_path / str(seed), seed=seed) for seed in (0, 1, 0)]
    first, second, again = (agent(folder).identity for folder in folders)
    assert first == again != second


# ------------------------------------------------------------------------------- how it is asked


def test_questions_fill_batches(
    built: dict[str, Path], mixed: list[Question], batches: Callable[..., list[int]]
) -> None:
    sizes = batches()
    pictured = [question for question in mixed if question.images]
    raw(pictured, agent(built["llava"], batch_size=4))
    assert sizes == [4, 4, 1]


def test_the_model_is_loaded_once_for_all_rounds(
    built: dict[str, Path], mixed: list[Question], monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[str] = []

    class Counted(LocalModel):
        def __init__(self, name: str, *more: Any) -> None:
            loaded.append(name)
            super().__init__(name, *more)

    monkeypatch.setattr(transformers_local, "LocalModel", Counted)
    who = agent(built["llava"])
    assert raw(mixed[:3], who) == raw(mixed[:3], who)
    assert len(loaded) == 1


def test_stored_answers_need_no_model(
    built: dict[str, Path],
    mixed: list[Question],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with AnswerStore(tmp_path / "answers") as store:
        first = asking.ask(mixed, agent(built["llava"]), store)
    monkeypatch.setattr(transformers_local, "LocalModel", None)
    with AnswerStore(tmp_path / "answers") as store:
        second = asking.ask(mixed, agent(built["llava"]), store)
    assert (first.fresh, second.fresh) == (len(mixed), 0)
    for question in mixed:
        assert second.answers[question.query].raw == first.answers[question.query].raw


def test_whoever_is_gone_stops_the_model_between_two_words(
    built: dict[str, Path], mixed: list[Question]
) -> None:
    found = find(str(built["llava"]), Path("/nowhere"))
    loaded = LocalModel("tiny", found, "float32", ModelOptions(device="cpu"))
    loaded.stopped.set()
    with pytest.raises(Stopped):
        loaded.answer(mixed[:1])


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
    mixed: list[Question],
    batches: Callable[..., list[int]],
    problem: Exception,
) -> None:
    expected = raw(mixed, agent(built["llava"]))
    sizes = batches(most=2, problem=problem)
    pictured = [question for question in mixed if question.images]
    told = raw(pictured, agent(built["llava"], batch_size=8))
    assert told == [text for text, one in zip(expected, mixed) if one.images]
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
    built: dict[str, Path], mixed: list[Question], tmp_path: Path
) -> None:
    torn = tmp_path / "torn.png"
    torn.write_bytes(b"no picture")
    pictured = [question for question in mixed if question.images]
    asked = [*pictured[:3], own_words("torn", [torn])]
    *others, last = answers(asked, agent(built["llava"]))
    assert [answer.raw for answer in others] == raw(pictured[:3], agent(built["llava"]))
    assert last.kind == "failed"
    assert last.error is not None
    assert "torn.png" in last.error
