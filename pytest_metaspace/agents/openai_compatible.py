"""``gpt-4o``, ``openai:MODEL``: models behind an OpenAI-compatible endpoint.

One client with one pool of connections a run. A failure that may pass is tried again, as long as
the endpoint asks or with growing, jittered pauses; one that will not is told at once.
"""

from __future__ import annotations

import base64
import json
import os
import random
import re
from contextlib import ExitStack
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from pytest_metaspace import structured
from pytest_metaspace.agents._endpoint import Endpoint
from pytest_metaspace.agents._failures import Passing, Refused, Unsupported, ended, of_status
from pytest_metaspace.agents._kinds import AgentKind
from pytest_metaspace.agents._pace import Pace
from pytest_metaspace.canonical import canonical_json
from pytest_metaspace.domain import Reply
from pytest_metaspace.errors import AgentError, UsageProblem

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import TracebackType

    from typing_extensions import Self

    from pytest_metaspace.agents._kinds import AgentContext
    from pytest_metaspace.agents._models import ModelOptions
    from pytest_metaspace.domain import Question

_OPENAI: Final = "https://api.openai.com/v1"
_LAYOUT: Final = 1  # of a message; part of the key, so raise it when the layout changes
_FIRST_PAUSE_S: Final = 0.5
_LONGEST_PAUSE_S: Final = 30.0
_BEGINNING: Final = 60  # of a page that is no reply: enough to know it by
_TRANSPORTS: Final = frozenset({"httpx", "httpx2", "httpcore", "httpcore2", "h11", "anyio", "ssl"})
#  By how a file begins: two with the same bytes are sent alike, whatever they are called.
_MEDIA: Final = ((b"\xff\xd8\xff", "jpeg"), (b"GIF8", "gif"), (b"RIFF", "webp"))
#  Models that take the newer name of a field instead of the older one, which all others know.
_NEWER_NAMES: Final = {"max_tokens": "max_completion_tokens"}
_NO_SCHEMAS: Final = (
    "--metaspace-structured=on needs a schema for each answer. Write auto to go without one where "
    "the model takes none, or off."
)
#  Names that are OpenAI's without saying so.
_HOSTED: Final = re.compile(r"^(?:gpt|chatgpt|o[1-9])(?:[-.0-9]|$)", re.IGNORECASE)


def is_model(name: str, options: ModelOptions) -> bool:
    """Whether a name that is no agent's is that of a model.

    It is where an endpoint was named, which may call its models anything, and where the name is
    like OpenAI's own; any other is more likely a slip.
    """
    return options.base_url is not None or _HOSTED.match(name) is not None


class OpenAIAgent:
    """Puts questions to a model behind an OpenAI-compatible endpoint.

    Use it as an async context; it holds the connections.

    Args:
        model: its name, as the endpoint knows it.
        options: where and how to ask.
    """

    def __init__(self, model: str, options: ModelOptions) -> None:
        self._model = model
        self._options = options
        self._endpoint = Endpoint.of(
            options.base_url or os.environ.get("OPENAI_BASE_URL") or _OPENAI
        )
        self._fields = options.generation
        self._structured = options.structured != "off"
        self._pace = Pace(options.rate)
        self._client: Any = None
        self._open = ExitStack()
        self.structured = True
        self.concurrency = options.concurrency
        self.greedy = options.temperature == 0
        self.paid = not _is_local(self._endpoint.url)
        about: dict[str, Any] = {
            "endpoint": self._endpoint.url,
            "model": model,
            "layout": _LAYOUT,
            "generation": options.generation,
        }
        if self._structured:  # it changes what a model answers, so such answers are others
            about["structured"] = [options.structured, structured.VERSION]
        self.identity: str | None = "openai:" + canonical_json(about)

    async def __aenter__(self) -> Self:
        """Open the client.

        Raises:
            UsageProblem: there is no key, or the package is not installed.
        """
        try:
            import openai
        except ImportError as problem:
            raise UsageProblem(
                f"metaspace: asking {self._model} needs the package openai. Type:  "
                "pip install 'pytest-metaspace[openai]'"
            ) from problem
        key = os.environ.get("OPENAI_API_KEY")
        if not key and self._endpoint.url == _OPENAI:
            raise UsageProblem(
                f"metaspace: there is no key to ask {self._model} with. Set the environment "
                "variable OPENAI_API_KEY, or name another endpoint with --metaspace-base-url."
            )
        self._client = openai.AsyncOpenAI(
            api_key=key or "none",
            base_url=self._endpoint.url,
            default_query=dict(self._endpoint.query),
            default_headers=dict(self._endpoint.headers),
            timeout=self._options.timeout_s,
            max_retries=0,
        )
        self._open.enter_context(self._endpoint.discreet())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        client, self._client = self._client, None
        self._open.close()
        await client.close()

    async def ask(self, question: Question) -> Reply:
        """Return what the model replies.

        Raises:
            AgentError: it does not, and ``kind`` tells why.
        """
        import tenacity

        async for attempt in tenacity.AsyncRetrying(
            stop=tenacity.stop_after_attempt(self._options.tries),
            retry=tenacity.retry_if_exception_type(Passing),
            wait=_pause,
            reraise=True,
        ):
            with attempt:
                return await self._try(question)
        raise AssertionError  # pragma: no cover - the last try returns or raises

    async def _try(self, question: Question) -> Reply:
        import anyio  # comes with the client

        await self._pace.turn()
        try:
            #  Not ``asyncio.wait_for``: a task for each try lets connections lie idle between two
            #  questions, and the client looks through all idle ones for each request.
            with anyio.fail_after(self._options.timeout_s):
                return await self._send(question)
        except TimeoutError as problem:
            text = f"no answer within {self._options.timeout_s:g} s"
            raise Passing(text, kind="timed out") from problem
        except Unsupported as problem:
            self._give_up(problem)
            return await self._try(question)
        except Refused as problem:
            return Reply(text=str(problem), trouble="filtered")
        except Passing as problem:
            if problem.wait_s is not None:
                self._pace.hold(problem.wait_s)  # what one is told, all heed
            raise

    def _give_up(self, problem: Unsupported) -> None:
        """Take a field out that the model does not take, or call it by its newer name.

        Raises:
            AgentError: it is one that the run insists on.
        """
        if problem.field == structured.FIELD:
            if self._options.structured == "on":
                raise AgentError(
                    f"{ended(str(problem))} {_NO_SCHEMAS}", kind="bad request", fatal=True
                )
            self._structured = False
            return
        if problem.field not in self._fields:
            return  # another question in flight has told already
        value = self._fields.pop(problem.field)
        newer = _NEWER_NAMES.get(problem.field)
        if newer is not None:
            self._fields[newer] = value

    async def _send(self, question: Question) -> Reply:
        import openai
        from openai.types.chat import ChatCompletion

        fields = dict(self._fields)
        schema = structured.response_format(question) if self._structured else None
        if schema is not None:
            fields[structured.FIELD] = schema
        if question.sample and "seed" in fields:
            fields["seed"] += question.sample  # one seed would have one answer
        try:
            #  Not ``chat.completions.create``: looking for what to rename in its typed arguments
            #  takes longer than all else that is done for a question, and nothing is.
            completion = await self._client.post(
                "/chat/completions",
                body={"model": self._model, "messages": messages(question), **fields},
                cast_to=ChatCompletion,
            )
        except openai.APIStatusError as problem:
            raise of_status(problem, fields, self._endpoint.secrets) from problem
        except openai.APITimeoutError as problem:
            raise Passing("the endpoint did not answer in time", kind="timed out") from problem
        except openai.APIConnectionError as problem:
            text = f"no connection: {self._endpoint.clean(str(problem.__cause__ or problem))}"
            raise Passing(text, kind="no connection") from problem
        except (openai.OpenAIError, json.JSONDecodeError, UnicodeDecodeError) as problem:
            text = f"the endpoint's reply cannot be read: {self._endpoint.clean(str(problem))}"
            raise Passing(text, kind="server error") from problem
        except Exception as problem:
            # Not every version of the client wraps what its transport raises.
            if type(problem).__module__.partition(".")[0] not in _TRANSPORTS:
                raise
            text = f"no connection: {self._endpoint.clean(str(problem))}"
            raise Passing(text, kind="no connection") from problem
        reply = reply_of(completion, self._endpoint.clean)
        reply = replace(reply, text=self._endpoint.kept_of(reply.text))
        insists = schema is not None and self._options.structured == "on"
        if insists and reply.trouble is None and structured.fields(reply.text) is None:
            return replace(reply, trouble="malformed")
        return reply


def reply_of(completion: Any, clean: Callable[[str], str]) -> Reply:
    """Read a completion, whatever the endpoint made of it.

    Args:
        completion: as the client read it; a text where the endpoint sent no JSON.
        clean: makes one short line without secrets of what the endpoint said.

    Raises:
        Passing: it has no answer in it.
    """
    choices = getattr(completion, "choices", None)
    choice: Any = choices[0] if isinstance(choices, list) and choices else None
    message = getattr(choice, "message", None)
    text, refusal = getattr(message, "content", None), getattr(message, "refusal", None)
    reason = getattr(choice, "finish_reason", None)
    usage = getattr(completion, "usage", None)
    tokens = {
        "tokens_in": _count(usage, "prompt_tokens"),
        "tokens_out": _count(usage, "completion_tokens"),
    }
    if isinstance(refusal, str) and refusal:
        return Reply(text=refusal, trouble="refused", **tokens)
    if reason == "content_filter":
        said = text if isinstance(text, str) else ""
        return Reply(text=said, trouble="filtered", **tokens)
    if not isinstance(text, str):
        raise Passing(_without_answer(completion, clean), kind="server error")
    return Reply(text=text, trouble="truncated" if reason == "length" else None, **tokens)


def _without_answer(completion: Any, clean: Callable[[str], str]) -> str:
    """Return why a reply with status 200 has no answer in it, in the endpoint's words if any."""
    if isinstance(completion, str):
        return (
            f"the endpoint's reply is no JSON ({clean(completion)[:_BEGINNING]!r}): look at "
            "--metaspace-base-url, which mostly ends in /v1"
        )
    #  Routers in front of several providers tell a provider's failure so.
    error = getattr(completion, "error", None)
    said = error.get("message") if isinstance(error, dict) else error
    if isinstance(said, str) and said:
        return f"the endpoint's reply is an error: {clean(said)}"
    return "the endpoint's reply has no answer in it"


def _count(usage: Any, name: str) -> int:
    counted = getattr(usage, name, None)
    return counted if isinstance(counted, int) and counted >= 0 else 0


def messages(question: Question) -> list[dict[str, Any]]:
    """Return what the model gets: each picture under its number, then the question."""
    parts: list[dict[str, Any]] = []
    for number, path in enumerate(question.images, start=1):
        parts.append({"type": "text", "text": f"Image {number}:"})
        status = path.stat()
        url = _data_url(path, status.st_size, status.st_mtime_ns)
        parts.append({"type": "image_url", "image_url": {"url": url}})
    parts.append({"type": "text", "text": question.text})
    return [{"role": "user", "content": parts}]


@lru_cache(maxsize=256)
def _data_url(path: Path, size: int, modified_ns: int) -> str:
    del size, modified_ns  # they only tell the cache that the file has changed
    content = path.read_bytes()
    media = next((media for head, media in _MEDIA if content.startswith(head)), "png")
    return f"data:image/{media};base64,{base64.b64encode(content).decode('ascii')}"


def _is_local(url: str) -> bool:
    """Whether an endpoint is on this machine, where nobody sends a bill."""
    host = urlsplit(url).hostname or ""
    return host in ("localhost", "::1") or host.startswith("127.")


def _pause(state: Any) -> float:
    """Return how long to wait before the next try, with some jitter.

    What the endpoint asked for is not in it: the pace holds all questions for that long.
    """
    problem = state.outcome.exception()
    jitter: float = random.uniform(0.5, 1.0)  # noqa: S311 - spreads tries, hides nothing
    if isinstance(problem, Passing) and problem.wait_s is not None:
        return jitter * _FIRST_PAUSE_S
    doubled: float = _FIRST_PAUSE_S * 2 ** (state.attempt_number - 1)
    return min(doubled, _LONGEST_PAUSE_S) * jitter


def _build(argument: str, context: AgentContext) -> OpenAIAgent:
    if not argument:
        raise UsageProblem("metaspace: openai: names no model; write openai:MODEL.")
    return OpenAIAgent(argument, context.models)


KIND = AgentKind(
    name="openai",
    usage="openai:MODEL",
    summary="a model behind an OpenAI-compatible endpoint; gpt-… and o… need no prefix",
    build=_build,
)
