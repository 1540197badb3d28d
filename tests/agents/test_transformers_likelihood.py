"""A local model's likeliest option is its answer: what is computed, shown, read and stored."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

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
from pytest_metaspace.agents._local_model import LocalModel
from pytest_metaspace.answers import read
from pytest_metaspace.asking.store import AnswerStore
from pytest_metaspace.domain import AS_WRITTEN, Capability, Item, Posing, Query, Value
from pytest_metaspace.questions import question
from pytest_metaspace.trajectories._listed import with_item
from tests.agents import tiny_models
from tests.agents.local_support import agent, answers, raw

if TYPE_CHECKING:
    from typing import Any

    from pytest_metaspace.domain import Form, Prompting, Question

OPTIONS = ("the sofa", "a lamp behind the table", "chair", "left of it")


@pytest.fixture(params=sorted(tiny_models.FAMILIES))
def model(request: pytest.FixtureRequest, built: dict[str, Path]) -> Path:
    """The folder of a model, one family after the other."""
    return built[request.param]


def asked(
    pictures: list[Path],
    prompting: Prompting = "likelihood",
    *,
    form: Form = "letter",
    options: tuple[str, ...] = OPTIONS,
    text: str = "Which object is nearest?",
) -> Question:
    """Return the question of an item with two pictures."""
    task = Capability.of_suite("EMB", "close")
    images = tuple(pictures[:2])
    posing = Posing(text=text, options=options, images=images, answer=None, written=True, form=form)
    item = Item(task=task, posings={AS_WRITTEN: posing})
    found = with_item(Path("items.json", text), item, images, (32, 32))
    query = Query(trajectory=found.id, capability=task, a=AS_WRITTEN, evidence=(0,))
    return question(query, found, prompting)


def bare(folder: Path, one: Question) -> list[float]:
    """Return the mean log-probability of each option, without any of our code and any padding."""
    processor = AutoProcessor.from_pretrained(folder)
    plain = AutoModelForImageTextToText.from_pretrained(folder, dtype=torch.float32).eval()
    content: list[dict[str, str]] = []
    for number in range(1, len(one.images) + 1):
        content += [{"type": "text", "text": f"Image {number}:"}, {"type": "image"}]
    content.append({"type": "text", "text": one.text})
    prompt = processor.apply_chat_template(
        [{"role": "user", "content": content}], add_generation_prompt=True
    )
    shown = [Image.open(path).convert("RGB") for path in one.images]
    start = processor(text=[prompt], images=[shown], return_tensors="pt")["input_ids"].shape[1]
    found = []
    for option in one.format.options.values():
        inputs = processor(text=[prompt + option], images=[shown], return_tensors="pt")
        labels = inputs["input_ids"].clone()
        labels[:, :start] = -100
        with torch.inference_mode():
            found.append(-float(plain(**inputs, labels=labels).loss))
    return found


def told(text: str | None) -> tuple[list[float], str]:
    """Return the likelihoods in a raw answer, and its last line."""
    assert text is not None
    *lines, last = text.splitlines()
    assert [line.split(" ", 1)[1] for line in lines] == list(OPTIONS)
    return [float(line.split()[0]) for line in lines], last


def test_likelihoods_are_those_of_transformers_itself(model: Path, pictures: list[Path]) -> None:
    one = asked(pictures)
    found, last = told(raw([one], agent(model))[0])
    wanted = bare(model, one)
    assert found == pytest.approx(wanted, abs=2e-4)
    assert len(set(found)) == len(OPTIONS)
    assert last == f"ANSWER: {'ABCD'[wanted.index(max(wanted))]}"


def test_how_many_are_weighed_together_is_no_matter(model: Path, pictures: list[Path]) -> None:
    some = [asked(pictures, text=f"Which object is {place}?") for place in ("nearest", "farther")]
    alone = [told(text) for text in raw(some, agent(model, batch_size=1))]
    assert alone[0] != alone[1]
    for size in (2, 3, 8):
        for (found, last), (wanted, same) in zip(
            map(told, raw(some, agent(model, batch_size=size))), alone
        ):
            assert found == pytest.approx(wanted, abs=2e-4)
            assert last == same


@pytest.mark.parametrize("form", ["letter", "word"])
def test_the_likeliest_option_is_read(
    built: dict[str, Path], pictures: list[Path], form: Form
) -> None:
    one = asked(pictures, form=form)
    assert "A)" not in one.text
    (text,) = raw([one], agent(built["llava"]))
    found, last = told(text)
    best = OPTIONS[found.index(max(found))]
    assert read(str(text), one.format) == Value(choice=best)
    assert last == f"ANSWER: {best if form == 'word' else 'ABCD'[OPTIONS.index(best)]}"


def test_what_has_no_options_is_written_in_the_same_batch(
    built: dict[str, Path], pictures: list[Path]
) -> None:
    number = asked(pictures, form="count", options=(), text="How many chairs?")
    assert number.prompting == "direct"
    assert number == asked(pictures, "direct", form="count", options=(), text="How many chairs?")
    (alone,) = raw([number], agent(built["llava"]))
    weighed, written = answers([asked(pictures), number], agent(built["llava"], batch_size=4))
    assert weighed.raw is not None
    assert "ANSWER: " in weighed.raw
    assert written.raw == alone


def test_an_answer_has_a_key_of_its_own_and_is_asked_for_once(
    built: dict[str, Path], pictures: list[Path], tmp_path: Path
) -> None:
    weighed, direct = asked(pictures), asked(pictures, "direct")
    with AnswerStore(tmp_path / "answers") as store:
        for one, new in ((weighed, 1), (direct, 1), (weighed, 0), (direct, 0)):
            assert asking.ask([one], agent(built["llava"]), store).spent.calls == new


def test_memory_that_is_full_is_an_error_of_the_question(
    built: dict[str, Path], pictures: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any, **__: Any) -> Any:
        raise torch.cuda.OutOfMemoryError

    monkeypatch.setattr(LocalModel, "_processed", full)
    (found,) = answers([asked(pictures)], agent(built["llava"]))
    assert found.error is not None


def test_options_that_do_not_fit_together_are_weighed_by_fewer(
    built: dict[str, Path], pictures: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    forward, sizes = LlavaForConditionalGeneration.forward, list[int]()

    def watched(self: Any, *given: Any, **inputs: Any) -> Any:
        sizes.append(len(inputs["input_ids"]))
        if sizes[-1] > 1:
            raise torch.cuda.OutOfMemoryError
        return forward(self, *given, **inputs)

    expected = raw([asked(pictures)], agent(built["llava"]))
    monkeypatch.setattr(LlavaForConditionalGeneration, "forward", watched)
    assert raw([asked(pictures)], agent(built["llava"], batch_size=8)) == expected
    assert sizes == [4, 2, 1, 1, 1, 1]
