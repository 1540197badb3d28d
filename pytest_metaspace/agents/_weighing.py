"""How likely a model finds each option of a question: the mode of answering without writing.

The likelihood of an option is the mean log-probability of its tokens behind the prompt, so that
long options are not punished for their length. What is told of it is a raw answer like any other:
a line for each option, and the best one behind the marker of reasoned answers.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from pytest_metaspace.errors import AgentError
from pytest_metaspace.prompts.parts import MARKER
from pytest_metaspace.prompts.words import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_metaspace.domain import AnswerFormat, Question

_LONGEST = 600
"""An option has at most so many characters."""


def is_weighed(question: Question) -> bool:
    """Whether the options of a question are to be weighed, and nothing written."""
    return question.prompting == "likelihood"


def rows_of(batch: Sequence[Question], limit: int) -> int:
    """Return how many rows a model is given at once: questions, or options of a single one.

    Args:
        batch: questions that are asked together.
        limit: rows at most.
    """
    if len(batch) == 1 and is_weighed(batch[0]):
        return min(limit, len(batch[0].format.options))
    return len(batch)


def raw_answer(form: AnswerFormat, likelihoods: Sequence[float]) -> str:
    """Return the raw answer: each option with its likelihood, and the name of the best.

    Args:
        form: has the options.
        likelihoods: of them, in order; of equal ones the first is taken.

    Raises:
        AgentError: one is no number.
    """
    if not all(map(math.isfinite, likelihoods)):
        raise AgentError("the model finds an option neither likely nor unlikely", kind="failed")
    options: Mapping[str, str] = form.options
    texts = [one_line(text, _LONGEST) for text in options.values()]  # none of them ends an answer
    lines = [f"{one:.4f} {text}" for one, text in zip(likelihoods, texts)]
    best = max(range(len(lines)), key=lambda place: likelihoods[place])
    return "\n".join([*lines, f"{MARKER} {one_line(list(options)[best], _LONGEST)}"])


def mean_logs(model: Any, inputs: Any, prompt: Sequence[int]) -> list[float]:
    """Return how likely a model finds what stands behind a prompt, a row for each option.

    Args:
        model: of transformers.
        inputs: rows of prompt and option, padded on the right, where causal models do not see it.
        prompt: the tokens of the prompt alone. A tokenizer may put its end and the beginning of an
            option together; such a token counts as the option's.
    """
    import torch

    with torch.inference_mode():
        logits = model(**inputs, use_cache=False).logits
    found = []
    sizes = inputs["attention_mask"].sum(dim=1).tolist()
    for row, size in enumerate(sizes):
        tokens = inputs["input_ids"][row, :size]
        start = _shared(tokens.tolist(), prompt)
        logs = torch.log_softmax(logits[row, start - 1 : size - 1].float(), dim=-1)
        each = logs.gather(1, tokens[start:].unsqueeze(1))
        found.append(float(each.mean()))
    return found


def _shared(tokens: Sequence[int], prompt: Sequence[int]) -> int:
    """Return how many tokens two lists begin with alike, at least one."""
    pairs = enumerate(zip(tokens, prompt))
    differ = (place for place, (one, other) in pairs if one != other)
    return max(1, next(differ, min(len(tokens) - 1, len(prompt))))
