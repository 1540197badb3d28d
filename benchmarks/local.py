"""What asking a local model through the plugin costs beside a bare loop over model.generate.

Both put the same questions in the same batches to the same loaded model, in turn, so that a busy
machine slows both. The plugin's share has everything that a run has: collecting batches, the
chat template, and storing each answer on disk. The smaller the model, the harder the comparison.
Torch computes in one thread: two of them that wait for each other measure who else is busy.

Usage: .venv-local/bin/python benchmarks/local.py [FOLDER [ROUNDS]]

FOLDER is a model; without one a small model with random weights is built. Exit status 1 where the
plugin takes more than 10 % longer (median of the rounds).
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from PIL import Image

from pytest_metaspace import asking, pipeline
from pytest_metaspace.agents import ModelOptions
from pytest_metaspace.agents.transformers_local import TransformersAgent
from pytest_metaspace.asking.store import AnswerStore
from pytest_metaspace.domain import Settings
from pytest_metaspace.questions import question as ask_about

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_metaspace.domain import Question

ROOT = Path(__file__).resolve().parent.parent
QUESTIONS = 64
LENGTH = 16
ROUNDS = 5
ALLOWED = 1.10


class Watched(TransformersAgent):
    """The agent as it is; remembers the batches that it makes."""

    batches: list[Sequence[Question]]

    def _answer(self, questions: Sequence[Question]) -> Any:
        self.batches.append(questions)
        return super()._answer(questions)


def bare(model: Any, processor: Any, batches: Sequence[Sequence[Question]]) -> None:
    """Put batches to a model as its documentation shows."""
    for batch in batches:
        prompts, pictures = [], []
        for question in batch:
            content: list[dict[str, str]] = []
            for number in range(1, len(question.images) + 1):
                content += [{"type": "text", "text": f"Image {number}:"}, {"type": "image"}]
            content.append({"type": "text", "text": question.text})
            message = {"role": "user", "content": content}
            prompts.append(processor.apply_chat_template([message], add_generation_prompt=True))
            pictures.append([Image.open(path).convert("RGB") for path in question.images])
        inputs = processor(text=prompts, images=pictures, padding=True, return_tensors="pt")
        inputs = inputs.to(model.device, dtype=model.dtype)
        with torch.inference_mode():
            tokens = model.generate(**inputs, do_sample=False, max_new_tokens=LENGTH)
        start = inputs["input_ids"].shape[1]
        processor.batch_decode(tokens[:, start:], skip_special_tokens=True)


def questions() -> list[Question]:
    """Return questions about a shipped trajectory, of all capabilities."""
    registries = pipeline.Registries.built_in()
    (trajectory,) = pipeline.load([ROOT / "fixtures" / "household" / "study-01"], registries)
    cases = pipeline.plan(trajectory, registries, Settings()).cases
    queries = list(dict.fromkeys(query for case in cases for query in case.queries))
    step = max(1, len(queries) // QUESTIONS)
    return [ask_about(query, trajectory) for query in queries[::step][:QUESTIONS]]


def main(folder: Path, rounds: int) -> int:
    """Print a line for each round and the ratio; return the exit status."""
    torch.set_num_threads(1)
    options = ModelOptions(max_output_tokens=LENGTH)
    agent = Watched(str(folder), options, ROOT)
    todo = questions()

    def through_the_plugin() -> None:
        agent.batches = []
        with tempfile.TemporaryDirectory() as cache, AnswerStore(Path(cache)) as store:
            told = asking.ask(todo, agent, store)
        assert all(answer.error is None for answer in told.answers.values())

    through_the_plugin()  # loads the model, and finds out which batches it makes
    batches = list(agent.batches)
    local: Any = agent._model  # noqa: SLF001 - the same model for both
    model, processor = local._model, local._processor  # noqa: SLF001
    bare(model, processor, batches)
    ratios = []
    for number in range(rounds):
        taken = {}
        turns = [("plugin", through_the_plugin), ("bare", lambda: bare(model, processor, batches))]
        for name, turn in turns if number % 2 else reversed(turns):
            started = time.perf_counter()
            turn()
            taken[name] = time.perf_counter() - started
        ratios.append(taken["plugin"] / taken["bare"])
        print(f"round {number + 1}: plugin {taken['plugin']:.2f} s, bare {taken['bare']:.2f} s")
    ratio = statistics.median(ratios)
    print(
        f"{len(todo)} questions in {len(batches)} batches on {model.device}: the plugin takes "
        f"{ratio:.3f} of the bare loop (median of {rounds}, from {min(ratios):.3f} to "
        f"{max(ratios):.3f}); allowed {ALLOWED}"
    )
    return int(ratio > ALLOWED)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        if len(sys.argv) > 1 and sys.argv[1]:
            chosen = Path(sys.argv[1])
        else:
            sys.path.insert(0, str(ROOT))
            from tests.agents import tiny_models

            chosen = tiny_models.llava(Path(folder, "llava"))
        sys.exit(main(chosen, int(sys.argv[2]) if len(sys.argv) > 2 else ROUNDS))
