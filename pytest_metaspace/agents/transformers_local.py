"""``transformers:FOLDER_OR_NAME``: a vision-language model in this process, asked in batches.

Nothing heavy is imported, nothing is downloaded and no weights are read before the first question
that has no stored answer, but for what tells the model from every other.
"""

from __future__ import annotations

import asyncio
from functools import cached_property
from importlib import util
from typing import TYPE_CHECKING, Final

from pytest_metaspace.agents._batches import WINDOW, Batches
from pytest_metaspace.agents._kinds import AgentKind
from pytest_metaspace.agents._local_model import LocalModel, generation_of
from pytest_metaspace.agents._weights import DTYPES, Weights, find, folder_of
from pytest_metaspace.canonical import canonical_json, sha256
from pytest_metaspace.errors import UsageProblem

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from typing_extensions import Self

    from pytest_metaspace.agents._kinds import AgentContext
    from pytest_metaspace.agents._models import ModelOptions
    from pytest_metaspace.domain import Question, Reply
    from pytest_metaspace.errors import AgentError

_NEEDS: Final = ("transformers", "torch")
_LAYOUT: Final = 1  # of a prompt; part of the key, so raise it when the layout changes


class TransformersAgent:
    """Puts questions to a model that runs in this process.

    Use it as an async context; the model is loaded when it is first entered, and kept.

    Args:
        name: a folder, or ``OWNER/MODEL`` of the Hugging Face hub with or without ``@REVISION``.
        options: device, number type, batch size, length of answers.
        root: folder to which relative paths belong.
    """

    def __init__(self, name: str, options: ModelOptions, root: Path) -> None:
        self._name = name
        self._options = options
        self._root = root
        self._model: LocalModel | None = None
        self._batches: Batches | None = None
        self.concurrency = WINDOW * options.batch_size
        self.paid = False
        self.greedy = True
        self.weighs = True

    @cached_property
    def identity(self) -> str | None:
        """What its answers depend on: weights, template, number type, decoding.

        Raises:
            UsageProblem: there is no such model.
        """
        weights = self._weights
        facts = {
            **weights.told_by,
            "layout": _LAYOUT,
            "template": sha256(weights.template),
            "dtype": self._dtype,
            "generation": generation_of(self._options),
        }
        if self._options.trust_remote_code:
            facts["trust_remote_code"] = True
        return "transformers:" + canonical_json(facts)

    @cached_property
    def _weights(self) -> Weights:
        return find(self._name, self._root, offline=self._options.offline)

    @property
    def _dtype(self) -> str:
        wish = self._options.dtype
        return self._weights.dtype if wish == "auto" else wish

    async def __aenter__(self) -> Self:
        """Load the model, the first time.

        Raises:
            UsageProblem: it cannot be loaded.
        """
        if self._model is None:
            self._model = await asyncio.to_thread(
                LocalModel, self._name, self._weights, self._dtype, self._options
            )
        self._model.stopped.clear()
        self._batches = Batches(self._options.batch_size, self._answer)
        return self

    async def __aexit__(self, *raised: object) -> None:
        """Stop what still computes; the model stays loaded."""
        model, batches = self._model, self._batches
        self._batches = None
        assert model is not None
        assert batches is not None
        model.stopped.set()
        await batches.close()

    async def ask(self, question: Question) -> Reply:
        """Return what the model replies.

        Raises:
            AgentError: it does not.
        """
        assert self._batches is not None, "enter the agent first"
        return await self._batches.ask(question)

    def _answer(self, questions: Sequence[Question]) -> Sequence[Reply | AgentError]:
        assert self._model is not None
        return self._model.answer(questions)


def _build(argument: str, context: AgentContext) -> TransformersAgent:
    if not argument:
        raise UsageProblem(
            "metaspace: transformers: names no model; write transformers:FOLDER, or "
            "transformers:OWNER/MODEL for one of the Hugging Face hub."
        )
    missing = [name for name in _NEEDS if util.find_spec(name) is None]
    if missing:
        raise UsageProblem(
            f"metaspace: asking transformers:{argument} needs {' and '.join(missing)}. Type:  "
            "pip install 'pytest-metaspace[transformers]'"
        )
    options = context.models
    if options.temperature != 0:
        raise UsageProblem(
            "metaspace: local models take the likeliest word each time, so --metaspace-temperature "
            "must be 0, its default, for transformers:."
        )
    if options.dtype not in ("auto", *DTYPES):
        raise UsageProblem(
            f"metaspace: --metaspace-dtype {options.dtype}: expected auto, {', '.join(DTYPES)}."
        )
    folder_of(argument, context.root)  # a slip is told before anything is collected
    return TransformersAgent(argument, options, context.root)


KIND = AgentKind(
    name="transformers",
    usage="transformers:FOLDER_OR_NAME",
    summary="a vision-language model in this process, asked in batches",
    build=_build,
)
