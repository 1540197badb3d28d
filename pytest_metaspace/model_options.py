"""Options of models behind an interface: where and how they are asked, and what that may cost."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final, get_args

from pytest_metaspace import prices
from pytest_metaspace.domain import Structured
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.option import Option, number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_metaspace.agents import ModelOptions
    from pytest_metaspace.asking import Caps

#  A map, 300 words and some room. Several servers give a few hundred when told nothing, and one
#  with a short context refuses a request that could outgrow it.
_ROOM_TO_REASON: Final = 4096

MODEL_OPTIONS = (
    Option(
        name="base-url",
        metavar="URL",
        help="The OpenAI-compatible endpoint of a model (default: $OPENAI_BASE_URL, else OpenAI's)",
    ),
    Option(
        name="temperature",
        metavar="NUMBER",
        help="Of models; none leaves it to the model (default: 0)",
        default="0",
    ),
    Option(
        name="top-p",
        metavar="NUMBER",
        help="Of models; none leaves it to the model (default: 0.9)",
        default="0.9",
    ),
    Option(
        name="model-seed",
        metavar="N",
        help="Sent to models that take a seed (default: none)",
        default="none",
    ),
    Option(
        name="max-output-tokens",
        metavar="N",
        help="Where a model's answer is cut off; none leaves it to the endpoint; auto is none "
        f"(1024 for local models) with --metaspace-prompting=direct, else {_ROOM_TO_REASON} "
        "(default: auto)",
        default="auto",
    ),
    Option(
        name="structured",
        metavar="MODE",
        help="Have the endpoint hold answers to a JSON schema: on, auto (where it can) or off; it "
        "changes answers, so scores with and without are not comparable (default: off)",
        default="off",
        choices=get_args(Structured),
    ),
    Option(
        name="timeout",
        metavar="SECONDS",
        help="For one try of one question put to a model (default: 120)",
        default="120",
    ),
    Option(
        name="tries",
        metavar="N",
        help="Put a question to a model so often at most while the failure may pass (default: 8)",
        default="8",
    ),
    Option(
        name="concurrency",
        metavar="N",
        help="So many questions to a model are in flight at once (default: 8)",
        default="8",
    ),
    Option(
        name="device",
        metavar="NAME",
        help="Where models in this process compute: auto, cpu, cuda, cuda:1, mps; auto takes a "
        "GPU where there is one (default: auto)",
        default="auto",
    ),
    Option(
        name="dtype",
        metavar="NAME",
        help="Number type of a local model: auto, float32, bfloat16, float16; auto is that of "
        "its weights (default: auto)",
        default="auto",
        choices=("auto", "float32", "bfloat16", "float16"),
    ),
    Option(
        name="batch-size",
        metavar="N",
        help="Put so many questions to a local model together; fewer where memory is short "
        "(default: 8)",
        default="8",
    ),
    Option(
        name="trust-remote-code",
        metavar="",
        help="Run Python code that comes with the weights of a local model, with all your "
        "rights; has no ini twin, so that no repository switches it on",
        flag=True,
        ini=False,
    ),
    Option(
        name="rate",
        metavar="N",
        help="So many requests a minute go out to a model at most, evenly spaced (default: none)",
        default="none",
    ),
    Option(
        name="max-calls",
        metavar="N",
        help="Cap: put this many questions at most, then stop; what was answered is stored",
    ),
    Option(
        name="max-tokens",
        metavar="N",
        help="Cap: stop before tokens in and out, as the endpoint counts them, exceed this",
    ),
    Option(
        name="budget",
        metavar="USD",
        help="Cap: stop before a model's answers cost more, by --metaspace-price",
    ),
    Option(
        name="price",
        metavar="IN/OUT",
        help="Dollars for a million tokens in and out, as in 2.50/10; a few models are known "
        f"(as of {prices.AS_OF})",
    ),
)


def models_of(values: Mapping[str, Any]) -> ModelOptions:
    """Return how models are to be asked.

    Raises:
        UsageProblem: a value is not allowed.
    """
    from pytest_metaspace.agents import ModelOptions

    seed = _maybe(values, "model-seed", whole=True)
    return ModelOptions(
        base_url=values["base-url"] or os.environ.get("OPENAI_BASE_URL") or None,
        temperature=_maybe(values, "temperature", low=0.0),
        top_p=_maybe(values, "top-p", low=0.0, high=1.0),
        seed=None if seed is None else int(seed),
        max_output_tokens=_room(values),
        structured=values["structured"],
        weighs=values["prompting"] == "likelihood",
        timeout_s=number(values, "timeout", low=0.001),
        tries=int(number(values, "tries", low=1, whole=True)),
        concurrency=int(number(values, "concurrency", low=1, whole=True)),
        device=values["device"],
        dtype=values["dtype"],
        batch_size=int(number(values, "batch-size", low=1, whole=True)),
        trust_remote_code=bool(values["trust-remote-code"]),
        offline=values["answers"] == "offline",
        rate=_maybe(values, "rate", low=0.001),
    )


def _room(values: Mapping[str, Any]) -> int | None:
    """Return how many tokens an answer may have: reasoning needs more than a server may give."""
    if values["max-output-tokens"] == "auto":
        return _ROOM_TO_REASON if values["prompting"] in ("cot", "map") else None
    cut = _maybe(values, "max-output-tokens", low=1)
    return None if cut is None else int(cut)


def caps_of(values: Mapping[str, Any]) -> Caps:
    """Return what a run may spend.

    Raises:
        UsageProblem: a value is not allowed, or there is a budget and no price.
    """
    from pytest_metaspace.asking import Caps

    calls, tokens = (
        _maybe(values, name, low=0, whole=True) for name in ("max-calls", "max-tokens")
    )
    usd = _maybe(values, "budget", low=0.0)
    price = price_of(values["price"]) if values["price"] else prices.of(values["agent"] or "")
    if usd is not None and price is None:
        raise UsageProblem(
            "metaspace: --metaspace-budget needs a price, and that of this agent is not known. "
            "Add --metaspace-price=IN/OUT, in dollars for a million tokens, as in 2.50/10."
        )
    usd_in, usd_out = price or (0.0, 0.0)
    return Caps(
        calls=None if calls is None else int(calls),
        tokens=None if tokens is None else int(tokens),
        usd=usd,
        usd_in=usd_in,
        usd_out=usd_out,
        picture_scale=prices.picture_scale(values["agent"] or ""),
    )


def _maybe(values: Mapping[str, Any], name: str, **bounds: Any) -> float | None:
    if values[name] in (None, "", "none"):
        return None
    return number(values, name, **bounds)


def price_of(text: str) -> tuple[float, float]:
    """Return dollars for a million tokens in and out.

    Raises:
        UsageProblem: the text is no such pair.
    """
    ends = text.split("/")
    try:
        usd_in, usd_out = (float(end) for end in ends)
    except ValueError:
        usd_in = usd_out = -1.0
    if not (0 <= usd_in < float("inf") and 0 <= usd_out < float("inf")):
        raise UsageProblem(
            f"metaspace: --metaspace-price {text}: expected IN/OUT in dollars for a million "
            "tokens, as in 2.50/10."
        )
    return usd_in, usd_out
