"""A vision-language model in this process: loaded once, asked in batches.

Only this module imports torch and transformers, and only when something is asked.
"""

from __future__ import annotations

import gc
import os
import threading
from typing import TYPE_CHECKING, Any, Final

from pytest_metaspace.agents._weighing import is_weighed, mean_logs, raw_answer, rows_of
from pytest_metaspace.domain import Reply
from pytest_metaspace.errors import AgentError, UsageProblem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_metaspace.agents._models import ModelOptions
    from pytest_metaspace.agents._weights import Weights
    from pytest_metaspace.domain import Question

LONGEST: Final = 1024
"""Tokens of an answer at most, where nobody says."""
_LONGEST_TEXT: Final = 300
#  After so many batches in a row that fitted, a larger one is tried again.
_CALM: Final = 16
#  Neither torch nor the systems below it agree on a type for this.
_OUT_OF_MEMORY: Final = ("out of memory", "not enough memory", "can't allocate memory")


def generation_of(options: ModelOptions) -> dict[str, Any]:
    """Return the fields of greedy decoding; they stand above what a model brings along.

    A penalty for repeating would count padding too, and answers would depend on the batch.
    """
    return {
        "do_sample": False,
        "num_beams": 1,
        "repetition_penalty": 1.0,
        "no_repeat_ngram_size": 0,
        "max_new_tokens": options.max_output_tokens or LONGEST,
    }


class Stopped(Exception):
    """Whoever asked is gone."""


class LocalModel:
    """A model with its processor, on a device.

    Args:
        name: as the user typed it, for messages.
        weights: where it lies.
        dtype: the number type to compute in, as in ``float32``.
        options: device, batch size and length of answers.

    Raises:
        UsageProblem: it cannot be loaded; the text says what to do.
    """

    def __init__(self, name: str, weights: Weights, dtype: str, options: ModelOptions) -> None:
        import torch

        self._name = name
        self._options = options
        self._generation = generation_of(options)
        self._limit = options.batch_size
        self._calm = 0
        self.stopped = threading.Event()
        _hush()
        self.device = _device(options.device)
        self._processor = self._load_processor(weights)
        self._model = self._load_model(weights, getattr(torch, dtype))
        self._check_template()
        tokenizer = self._processor.tokenizer
        self._ends = _ends(self._model, tokenizer)
        if tokenizer.pad_token_id is None:
            tokenizer.pad_token = tokenizer.eos_token

    # -------------------------------------------------------------------------- loading

    def _load_processor(self, weights: Weights) -> Any:
        from transformers import AutoProcessor

        self._check_code(weights)
        try:
            processor = AutoProcessor.from_pretrained(
                weights.folder,
                local_files_only=True,
                trust_remote_code=self._options.trust_remote_code,
            )
        except ImportError as problem:
            raise self._unusable(
                f"its processor needs a package that is missing: {_short(problem)}. Models of "
                "the Qwen-VL and InternVL families need torchvision:  pip install torchvision"
            ) from problem
        except Exception as problem:
            raise self._unusable(f"its processor cannot be loaded: {_short(problem)}") from problem
        if getattr(processor, "tokenizer", None) is None or not hasattr(
            processor, "image_processor"
        ):
            raise self._unusable(
                f"it brings a {type(processor).__name__}, which reads no pictures. Name a model "
                "that takes pictures and text, of a family as in docs/models.md"
            )
        if not processor.chat_template:
            processor.chat_template = getattr(processor.tokenizer, "chat_template", None)
        if not processor.chat_template:
            raise self._unusable(
                "it has no chat template, so nobody knows how to put a question to it. Take its "
                "instruction-tuned variant, or put its template beside the weights as "
                "chat_template.jinja"
            )
        return processor

    def _check_code(self, weights: Weights) -> None:
        """Refuse a model that only runs with code which comes along with it."""
        from transformers import CONFIG_MAPPING, __version__

        kind = weights.config.get("model_type")
        if self._options.trust_remote_code or kind in CONFIG_MAPPING:
            return
        if "auto_map" in weights.config:
            raise self._unusable(
                f"its type {kind!r} is not part of transformers {__version__}: it runs Python "
                "code that comes with the weights, with all rights that you have. Read "
                f"that code ({weights.folder}), then add --metaspace-trust-remote-code; or take "
                "a variant whose name ends in -hf"
            )
        raise self._unusable(
            f"transformers {__version__} does not know its type {kind!r}. A newer version may:  "
            "pip install --upgrade transformers"
        )

    def _load_model(self, weights: Weights, dtype: Any) -> Any:
        from transformers import AutoModelForImageTextToText

        try:
            model, report = AutoModelForImageTextToText.from_pretrained(
                weights.folder,
                dtype=dtype,
                local_files_only=True,
                trust_remote_code=self._options.trust_remote_code,
                output_loading_info=True,
            )
            model = model.to(self.device).eval()
        except Exception as problem:
            if _is_out_of_memory(problem):
                text = (
                    f"its weights do not fit on {self.device}: {_short(problem)}. Try "
                    "--metaspace-dtype=bfloat16, --metaspace-device=cpu, or a smaller model"
                )
            else:
                text = f"its weights cannot be loaded: {_short(problem)}"
            raise self._unusable(text) from problem
        missing = sorted(report["missing_keys"])
        if missing:  # transformers draws them at random, and only warns
            raise self._unusable(
                f"{len(missing)} of its tensors are in no file, as {missing[0]}. Fetch or save "
                "the model again"
            )
        return model

    def _check_template(self) -> None:
        """Refuse a template that leaves the pictures out."""
        try:
            with_picture, without = (self._prompt("?", pictures) for pictures in (1, 0))
        except Exception as problem:
            raise self._unusable(f"its chat template fails: {_short(problem)}") from problem
        labels = self._prompt("?", 1, shown=False)
        if with_picture in (without, labels):
            raise self._unusable(
                "its chat template leaves pictures out, so it would be asked about what it does "
                "not see. Take the template of a model that takes pictures"
            )

    def _unusable(self, why: str) -> UsageProblem:
        return UsageProblem(f"metaspace: transformers:{self._name} cannot be asked: {why}.")

    # --------------------------------------------------------------------------- asking

    def answer(self, questions: Sequence[Question]) -> list[Reply | AgentError]:
        """Return a reply or a failure for each question, in order.

        A batch that does not fit into memory is halved, down to single questions, and later
        batches are as small until it has been calm for a while. A batch that fails in another
        way is halved too, so that in the end one question fails and not its neighbours.

        Raises:
            Stopped: ``stopped`` was set meanwhile.
        """
        found: list[Reply | AgentError] = []
        todo = list(questions)
        while todo:
            batch = todo[: self._limit]
            found += self._some(batch)
            del todo[: len(batch)]
        return found

    def _some(self, batch: Sequence[Question]) -> list[Reply | AgentError]:
        failure: AgentError
        try:
            replies: list[Reply | AgentError] = list(self._replies(batch))
        except Stopped:
            raise
        except Exception as problem:  # noqa: BLE001 - a picture, the device, the model's code
            full = _is_out_of_memory(problem)
            kind = "out of memory" if full else "failed"
            failure = AgentError(f"{type(problem).__name__}: {_short(problem)}", kind=kind)
        else:
            self._fitted(len(batch))
            return replies
        # Outside the handler, whose traceback would hold on to the memory.
        if full:
            self._make_room()
        rows = rows_of(batch, self._limit) if full else len(batch)
        if rows == 1:
            return [failure]
        half = (rows + 1) // 2
        if full:
            self._calm = 0
            self._limit = min(self._limit, half)
        return [
            reply
            for start in range(0, len(batch), half)
            for reply in self._some(batch[start : start + half])
        ]

    def _fitted(self, size: int) -> None:
        if size < self._limit or self._limit == self._options.batch_size:
            return
        self._calm += 1
        if self._calm >= _CALM:
            self._calm = 0
            self._limit = min(2 * self._limit, self._options.batch_size)

    def _make_room(self) -> None:
        import torch

        gc.collect()
        if self.device.type in ("cuda", "mps", "xpu"):
            getattr(torch, self.device.type).empty_cache()

    def _replies(self, batch: Sequence[Question]) -> list[Reply]:
        """Return what the model writes, or finds likeliest, as each question wants."""
        written = iter(self._generate([one for one in batch if not is_weighed(one)]))
        return [self._weighed(one) if is_weighed(one) else next(written) for one in batch]

    def _weighed(self, question: Question) -> Reply:
        """Return how likely each option is; as many are weighed at once as a batch has rows."""
        prompt = self._prompt(question.text, len(question.images))
        tokens = self._processed([prompt], [question])["input_ids"][0].tolist()
        options = list(question.format.options.values())
        found: list[float] = []
        for start in range(0, len(options), self._limit):
            if self.stopped.is_set():
                raise Stopped
            some = options[start : start + self._limit]
            texts = [prompt + option for option in some]
            inputs = self._processed(texts, [question] * len(some), side="right")
            found += mean_logs(self._model, inputs, tokens)
        return Reply(text=raw_answer(question.format, found), tokens_in=len(tokens))

    def _generate(self, batch: Sequence[Question]) -> list[Reply]:
        import torch

        if not batch:
            return []
        inputs = self._inputs(batch)
        with torch.inference_mode():
            out = self._model.generate(
                **inputs,
                **self._generation,
                temperature=None,
                top_p=None,
                top_k=None,
                pad_token_id=self._processor.tokenizer.pad_token_id,
                stopping_criteria=[self._heed],
            )
        start = inputs["input_ids"].shape[1]
        rows = out[:, start:].tolist()
        sizes = inputs["attention_mask"].sum(dim=1).tolist()
        return [self._reply(row, size) for row, size in zip(rows, sizes)]

    def _heed(self, input_ids: Any, _scores: Any, **_more: Any) -> Any:
        """Stop between two tokens when nobody waits for them; end no row otherwise."""
        import torch

        if self.stopped.is_set():
            raise Stopped
        return torch.zeros(input_ids.shape[0], dtype=torch.bool, device=input_ids.device)

    def _inputs(self, batch: Sequence[Question]) -> Any:
        texts = [self._prompt(one.text, len(one.images)) for one in batch]
        return self._processed(texts, batch)

    def _processed(self, texts: list[str], batch: Sequence[Question], *, side: str = "left") -> Any:
        """Return tokens of texts in the model's form, with pictures; padded on a side."""
        from PIL import Image

        self._processor.tokenizer.padding_side = side

        pictures = []
        for question in batch:
            shown = []
            for path in question.images:
                with Image.open(path) as image:
                    shown.append(image.convert("RGB"))
            pictures.append(shown)
        inputs = self._processor(
            text=texts,
            images=pictures if any(pictures) else None,
            padding=True,
            return_tensors="pt",
        )
        return inputs.to(device=self.device, dtype=self._model.dtype)

    def _prompt(self, text: str, pictures: int, *, shown: bool = True) -> str:
        """Return a question in the model's form: each picture under its number, then the text."""
        content: list[dict[str, str]] = []
        for number in range(1, pictures + 1):
            content.append({"type": "text", "text": f"Image {number}:"})
            if shown:
                content.append({"type": "image"})
        content.append({"type": "text", "text": text})
        prompt: str = self._processor.apply_chat_template(
            [{"role": "user", "content": content}], add_generation_prompt=True, tokenize=False
        )
        return prompt

    def _reply(self, row: list[int], tokens_in: int) -> Reply:
        end = next((place for place, token in enumerate(row) if token in self._ends), None)
        kept = row if end is None else row[:end]
        text = self._processor.tokenizer.decode(kept, skip_special_tokens=True)
        return Reply(
            text=text.strip(),
            trouble="truncated" if end is None else None,
            tokens_in=int(tokens_in),
            tokens_out=len(kept) + (end is not None),
        )


def _hush() -> None:
    """Keep bars and hints of transformers out of a report, unless the user asked for them."""
    from transformers.utils import logging

    logging.disable_progress_bar()
    if "TRANSFORMERS_VERBOSITY" not in os.environ:
        logging.set_verbosity_error()


def _device(wish: str) -> Any:
    """Return the device that is wished for, or the best that is there.

    Raises:
        UsageProblem: it is not there.
    """
    import torch

    if wish == "auto":
        if torch.cuda.is_available():
            wish = "cuda"
        else:
            wish = "mps" if torch.backends.mps.is_available() else "cpu"
    try:
        device = torch.device(wish)
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError, NotImplementedError) as problem:
        raise UsageProblem(
            f"metaspace: --metaspace-device {wish}: torch {torch.__version__} cannot use it here: "
            f"{_short(problem)} Write auto, cpu, cuda, cuda:1 or mps."
        ) from problem
    return device


def _ends(model: Any, tokenizer: Any) -> frozenset[int]:
    """Return the tokens that end an answer."""
    named = model.generation_config.eos_token_id
    if named is None:
        named = tokenizer.eos_token_id
    if named is None:
        return frozenset()
    return frozenset(named) if isinstance(named, (list, tuple)) else frozenset({named})


def _is_out_of_memory(problem: BaseException) -> bool:
    import torch

    if isinstance(problem, (MemoryError, torch.cuda.OutOfMemoryError)):
        return True
    told = str(problem).lower()
    return isinstance(problem, RuntimeError) and any(word in told for word in _OUT_OF_MEMORY)


def _short(problem: BaseException) -> str:
    return " ".join(str(problem).split())[:_LONGEST_TEXT].rstrip(".")
