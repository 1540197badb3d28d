"""The address of an endpoint, and what in it is secret."""

from __future__ import annotations

import base64
import logging
import os
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl, quote, quote_plus, unquote, urlsplit, urlunsplit

from pytest_metaspace.agents._failures import clean, without
from pytest_metaspace.errors import UsageProblem

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_SHORTEST_SECRET: Final = 4
#  No word of an answer is as long.
_SURELY_SECRET: Final = 16
#  They tell the whole address of a request, and what came back, to whoever listens.
_TALKATIVE: Final = (
    "openai",
    "openai._base_client",
    *(
        f"{package}{part}"
        for package in ("httpx", "httpx2", "httpcore", "httpcore2")
        for part in ("", ".connection", ".http11", ".http2", ".proxy", ".socks")
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Where questions are sent.

    Attributes:
        url: without the name, password and query that may stand in an address.
        query: what is added to each request.
        headers: likewise; those that name and password make.
        secrets: what must not be told to anybody else, in each form in which it may come back.
    """

    url: str
    query: Mapping[str, str] = field(default_factory=dict, repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)

    @classmethod
    def of(cls, url: str) -> Endpoint:
        """Take an address apart.

        Raises:
            UsageProblem: it is none.
        """
        try:
            parts = urlsplit(url)
            right = parts.scheme in ("http", "https") and bool(parts.hostname)
            _ = parts.port
        except ValueError:
            right = False
        if not right:
            raise UsageProblem(
                "metaspace: --metaspace-base-url (or OPENAI_BASE_URL) is no address; expected one "
                "as in http://localhost:8000/v1."
            )
        user, host = parts.netloc.rpartition("@")[::2]
        query = dict(parse_qsl(parts.query, keep_blank_values=True))
        secrets = [*query.values(), parts.query, user, *user.split(":")]
        headers = {}
        if user:
            name, _, password = user.partition(":")
            pair = f"{unquote(name)}:{unquote(password)}".encode()
            encoded = base64.b64encode(pair).decode("ascii")
            headers["Authorization"] = f"Basic {encoded}"
            secrets.append(encoded)
        return cls(
            url=urlunsplit((parts.scheme, host, parts.path.rstrip("/"), "", "")),
            query=query,
            headers=headers,
            secrets=_forms(secrets),
        )

    def clean(self, text: str) -> str:
        """Return a text of somebody else's as one short line without secrets."""
        return clean(text, self.secrets)

    def kept_of(self, answer: str) -> str:
        """Return an answer to the letter, but for what can only be a secret sent back."""
        key = os.environ.get("OPENAI_API_KEY", "")
        for secret in (key, *self.secrets):
            if len(secret) >= _SURELY_SECRET:
                answer = answer.replace(secret, "[key]")
        return answer

    @contextmanager
    def discreet(self) -> Iterator[None]:
        """Keep the secrets out of what the client logs."""

        def scrub(record: logging.LogRecord) -> bool:
            record.msg, record.args = without(record.getMessage(), self.secrets), ()
            return True

        loggers = [logging.getLogger(name) for name in _TALKATIVE]
        for logger in loggers:
            logger.addFilter(scrub)
        try:
            yield
        finally:
            for logger in loggers:
                logger.removeFilter(scrub)


def _forms(secrets: list[str]) -> tuple[str, ...]:
    """Return secrets as they are, decoded and encoded; the longest first."""
    plain = {text for secret in secrets for text in (secret, unquote(secret))}
    forms = {
        form
        for text in plain
        for form in (text, quote(text), quote(text, safe=""), quote_plus(text))
    }
    return tuple(sorted((f for f in forms if len(f) >= _SHORTEST_SECRET), key=len, reverse=True))
