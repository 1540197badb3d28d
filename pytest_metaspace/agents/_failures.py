"""What can go wrong with an OpenAI-compatible endpoint, and what to do about it."""

from __future__ import annotations

import email.utils
import os
import re
import time
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from pytest_metaspace.errors import AgentError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import openai

_LONGEST: Final = 300
_SHORTEST_KEY: Final = 8
_LONGEST_WAIT_S: Final = 120.0
_KEYS: Final = re.compile(
    r"\b(?:sk|pk|rk|gsk|xai|hf|AIza)[-_]?[A-Za-z0-9*_-]{12,}|(?:Bearer|Basic)\s+\S+"
)
_FATAL: Final = {
    401: ("not allowed", "The endpoint does not accept the key. Set OPENAI_API_KEY."),
    403: ("not allowed", "The key may not use this model or endpoint."),
    404: (
        "unknown model",
        (
            "The endpoint does not know the model, or is none: look at the name and at "
            "--metaspace-base-url."
        ),
    ),
}
_PASSING: Final = frozenset({408, 409, 425, 429})


class Passing(AgentError):
    """A failure that may be gone at the next try.

    Args:
        text: why.
        kind: in a word or two.
        wait_s: how long the endpoint asks to wait; None when it does not say.
    """

    def __init__(self, text: str, *, kind: str, wait_s: float | None = None) -> None:
        super().__init__(text, kind=kind)
        self.wait_s = wait_s


class Refused(AgentError):
    """The endpoint's filter would not let the question or the answer through."""


class Unsupported(AgentError):
    """The model does not take a field; ``field`` is its name as the endpoint tells it."""

    def __init__(self, text: str, field: str) -> None:
        super().__init__(text, kind="bad request")
        self.field = field


def clean(text: str, secrets: Iterable[str] = ()) -> str:
    """Return a text of somebody else's as one short line without keys.

    Args:
        text: what was said.
        secrets: what else must not be in it.
    """
    kept = _KEYS.sub("[key]", without(text, secrets))
    return " ".join(kept.split())[:_LONGEST]


def without(text: str, secrets: Iterable[str] = ()) -> str:
    """Return a text to the letter, but for secrets and the keys in the environment."""
    for name, value in os.environ.items():
        if name.endswith(("_KEY", "_TOKEN", "_SECRET")) and len(value) >= _SHORTEST_KEY:
            text = text.replace(value, "[key]")
    for secret in secrets:
        text = text.replace(secret, "[key]")
    return text


def ended(text: str) -> str:
    """Return a sentence with a mark at its end, so that another can follow."""
    return text if text.endswith((".", "!", "?")) else f"{text}."


def of_status(
    problem: openai.APIStatusError, fields: Mapping[str, object], secrets: Iterable[str] = ()
) -> AgentError:
    """Return what a status other than 200 means.

    Args:
        problem: as the client raised it.
        fields: the generation fields that were sent.
        secrets: what the text must not tell.
    """
    status = problem.status_code
    body = problem.body if isinstance(problem.body, dict) else {}
    code = str(body.get("code") or "")
    #  FastAPI, on which many servers are built, tells it as detail.
    said = clean(str(body.get("message") or body.get("detail") or problem.message), secrets)
    told = f"the endpoint answered {status}: {said}"
    if code == "insufficient_quota":
        return AgentError(
            f"{ended(told)} The account has no credit left.", kind="quota", fatal=True
        )
    if status in _FATAL:
        kind, advice = _FATAL[status]
        return AgentError(f"{ended(told)} {advice}", kind=kind, fatal=True)
    if status in _PASSING or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        limited = status == HTTPStatus.TOO_MANY_REQUESTS
        kind = "rate limited" if limited else "server error"
        return Passing(told, kind=kind, wait_s=wait_of(problem.response.headers))
    if code == "content_filter" or "content management policy" in said:
        return Refused(told, kind="filtered")
    field = _unsupported(str(body.get("param") or ""), code, said, fields)
    if field is not None:
        return Unsupported(told, field)
    return AgentError(told, kind="bad request")


def _unsupported(param: str, code: str, said: str, fields: Mapping[str, object]) -> str | None:
    """Return the field that a model does not take, or None.

    Endpoints tell it in many ways; what they share is that they name the field.
    """
    if param in fields and ("unsupported" in code or "invalid" in code or not code):
        return param
    lowered = said.lower()
    if not any(
        word in lowered
        for word in (
            "support",
            "unknown",
            "unrecognized",
            "not permitted",
            "extra inputs",
            "deprecated",
            "unavailable",
        )
    ):
        return None
    return next((name for name in fields if re.search(rf"\b{name}\b", said)), None)


def wait_of(headers: Mapping[str, str]) -> float | None:
    """Return how many seconds an endpoint asks to wait (``Retry-After``), at most two minutes."""
    given = headers.get("retry-after-ms")
    if given is not None:
        return _seconds(given, 1000.0)
    given = headers.get("retry-after")
    if given is None:
        return None
    seconds = _seconds(given, 1.0)
    if seconds is not None:
        return seconds
    try:
        moment = email.utils.parsedate_to_datetime(given).timestamp()
    except (TypeError, ValueError):
        return None
    return min(max(moment - time.time(), 0.0), _LONGEST_WAIT_S)


def _seconds(text: str, per: float) -> float | None:
    try:
        seconds = float(text) / per
    except ValueError:
        return None
    return min(seconds, _LONGEST_WAIT_S) if seconds >= 0 else None
