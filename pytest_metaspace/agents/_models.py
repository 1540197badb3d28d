"""How models are to be asked: where, with which fields, how patiently."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_metaspace.domain import Structured


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelOptions:
    """What a run says about asking models; the defaults are the paper's (section 5.1).

    Attributes:
        base_url: of an OpenAI-compatible endpoint; None for the environment's, else OpenAI's.
        temperature: 0 takes the likeliest word each time; None leaves it to the model.
        top_p: share of the likeliest words considered; None leaves it to the model.
        seed: sent along where it is not None.
        max_output_tokens: where an answer is cut off; None leaves it to the model.
        structured: whether the endpoint holds answers to a JSON schema.
        weighs: whether options are to be weighed by their likelihood, where questions have some.
        timeout_s: for one try, from the first byte sent to the last byte received.
        tries: how often one question is put at most while the failure may pass.
        concurrency: how many questions are in flight.
        device: where a model in this process computes: ``auto``, ``cpu``, ``cuda``, ``mps``.
        dtype: the number type that it computes in; ``auto`` for that of its weights.
        batch_size: how many questions are put to it together.
        trust_remote_code: whether code that comes along with its weights may run.
        offline: whether nothing is asked, so that no model is looked up or downloaded either.
        rate: how many requests go out in a minute at most, tries that failed among them; None
            for no limit.
    """

    base_url: str | None = field(default=None, repr=False)  # a password may stand in it
    temperature: float | None = 0.0
    top_p: float | None = 0.9
    seed: int | None = None
    max_output_tokens: int | None = None
    structured: Structured = "off"
    weighs: bool = False
    timeout_s: float = 120.0
    tries: int = 8
    concurrency: int = 8
    device: str = "auto"
    dtype: str = "auto"
    batch_size: int = 8
    trust_remote_code: bool = False
    offline: bool = False
    rate: float | None = None

    @property
    def generation(self) -> dict[str, Any]:
        """The fields that change what a model answers, as OpenAI calls them."""
        fields = {
            "temperature": self.temperature,
            "top_p": self.top_p,
            "seed": self.seed,
            "max_tokens": self.max_output_tokens,
        }
        return {name: value for name, value in fields.items() if value is not None}
