"""What a stored answer is: one JSON object that repeats its key and carries a checksum.

The same fields make a row of the store and a line of a file that people review; a line has the
names of a recording (``question``, ``answer``), so that ``replay:FILE`` reads it too.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast, get_args

from pytest_metaspace.canonical import question_key, sha256
from pytest_metaspace.domain import Reply, Trouble

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_metaspace.domain import Question

_SCHEMA: Final = 1
_ENCODER: Final = json.JSONEncoder(sort_keys=True)
_LONGEST_TEXT: Final = 4000
_KEY: Final = re.compile(r"[0-9a-f]{64}")
#  Where a row of ours says its checksum: within a text of JSON these quotes cannot stand bare.
_SUM: Final = re.compile(rb', "sum": "([0-9a-f]{64})"')
_NEVER_EMPTY: Final = frozenset({"key", "agent", "question", "trouble", "tokens"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What was asked, for people: the answer's key alone does not tell.

    Attributes:
        question: its key.
        text: the prompt, cut where it is very long.
        images: names of the pictures, in order.
        sample: which of several answers to the question this is, from 0.
    """

    question: str
    text: str
    images: tuple[str, ...] = ()
    sample: int = 0

    @classmethod
    def of(cls, question: Question) -> Asked:
        """Return what to keep of a question."""
        text = question.text
        if len(text) > _LONGEST_TEXT:
            text = text[: _LONGEST_TEXT // 2] + " [...] " + text[-_LONGEST_TEXT // 2 :]
        return cls(
            question=question_key(question),
            text=text,
            images=tuple(image.name for image in question.images),
            sample=getattr(question, "sample", 0),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A stored answer.

    Attributes:
        key: of question and agent.
        agent: the agent's identity.
        reply: what came back.
        asked: what was asked; None in rows of early versions.
    """

    key: str
    agent: str
    reply: Reply
    asked: Asked | None = None


# ------------------------------------------------------------------------ rows of the store


def pack(entry: Entry) -> bytes:
    """Return the row of an entry."""
    reply = entry.reply
    body: dict[str, Any] = {
        "schema": _SCHEMA,
        "key": entry.key,
        "agent": entry.agent,
        "raw": reply.text,
    }
    if reply.trouble is not None:
        body["trouble"] = reply.trouble
    if reply.tokens_in or reply.tokens_out:
        body["tokens"] = [reply.tokens_in, reply.tokens_out]
    if entry.asked is not None:
        asked = entry.asked
        body["asked"] = {"question": asked.question, **_described(asked)}
    body["sum"] = _checksum(body)
    return _ENCODER.encode(body).encode("ascii")


def unpack(row: bytes, key: str) -> Entry:
    """Read a row; it is data from a disk that others may write to.

    Raises:
        ValueError: it is damaged, or that of another key; the text says how.
    """
    try:
        body = json.loads(row)
        if not isinstance(body, dict):
            raise TypeError("it is no JSON object")
        right = _is_whole(row, body.pop("sum"), body)
    except RecursionError as problem:
        raise ValueError("it is nested too deeply") from problem
    if not right or body["key"] != key or body["schema"] != _SCHEMA:
        raise ValueError("its checksum, key or schema does not fit")
    asked = body.get("asked")
    return Entry(
        key=key,
        agent=_text(body, "agent"),
        reply=_reply(body, "raw"),
        asked=None if asked is None else _asked(asked),
    )


def _is_whole(row: bytes, told: object, body: dict[str, Any]) -> bool:
    """Whether a checksum is that of a row: of its bytes without it, or else of what they say."""
    found = _SUM.search(row)
    if found and told == hashlib.sha256(row[: found.start()] + row[found.end() :]).hexdigest():
        return True
    return told == _checksum(body)


def _checksum(body: dict[str, Any]) -> str:
    return hashlib.sha256(_ENCODER.encode(body).encode("ascii")).hexdigest()


# ------------------------------------------------------------------------- lines of a file


def line_of(entry: Entry) -> str:
    """Return the line of an entry, ASCII and without a line break.

    The question is empty where it is not known, which is no question of any replay.
    """
    asked = entry.asked
    fields: dict[str, Any] = {
        "key": entry.key,
        "agent": entry.agent,
        "question": "" if asked is None else asked.question,
        **({} if asked is None else _described(asked)),
    }
    fields["answer"] = entry.reply.text
    if entry.reply.trouble is not None:
        fields["trouble"] = entry.reply.trouble
    if entry.reply.tokens_in or entry.reply.tokens_out:
        fields["tokens"] = [entry.reply.tokens_in, entry.reply.tokens_out]
    return json.dumps(fields)


def _described(asked: Asked) -> dict[str, Any]:
    """Return what is kept of a question for people."""
    sample = {"sample": asked.sample} if asked.sample else {}
    return {**sample, "images": list(asked.images), "text": asked.text}


def of_line(line: str) -> Entry:
    """Read a line that ``line_of`` wrote, or somebody else.

    Raises:
        ValueError: it is no answer to import; the text says what is wrong with it.
    """
    try:
        fields = json.loads(line)
    except RecursionError:
        raise ValueError("is nested too deeply") from None
    except ValueError as problem:
        raise ValueError(f"is no JSON ({problem})") from None
    if not isinstance(fields, dict):
        raise ValueError("is no JSON object")  # noqa: TRY004 - one kind of error for a line
    if "key" not in fields and "question" in fields:
        raise ValueError(
            "names no key and no agent, as a recording of --metaspace-record does not; use "
            "replay:FILE for it"
        )
    key, agent = _text(fields, "key"), _text(fields, "agent")
    if not _KEY.fullmatch(key):
        raise ValueError("field key: expected 64 hexadecimal digits")
    asked = _asked(fields) if fields.get("question") else None
    if asked is not None and key != key_of(asked.question, agent, asked.sample):
        raise ValueError("field key: is not the key of this question and this agent")
    return Entry(key=key, agent=agent, reply=_reply(fields, "answer"), asked=asked)


def key_of(question: str, agent: str, sample: int) -> str:
    """Return what ``canonical.answer_key`` makes of a question that has this key."""
    return sha256({"question": question, "agent": agent, "sample": sample})


# --------------------------------------------------------------------------- fields of both


def _text(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str) or (name in _NEVER_EMPTY and not value):
        raise ValueError(f"field {name}: expected a text")
    return value


def _reply(fields: Mapping[str, Any], name: str) -> Reply:
    trouble, tokens = fields.get("trouble"), fields.get("tokens", [0, 0])
    if trouble is not None and trouble not in get_args(Trouble):
        raise ValueError(f"field trouble: expected one of {', '.join(get_args(Trouble))}")
    if not (
        isinstance(tokens, list)
        and len(tokens) == 2  # noqa: PLR2004 - in and out
        and all(type(count) is int and 0 <= count < 2**53 for count in tokens)
    ):
        raise ValueError("field tokens: expected two whole numbers, in and out")
    return Reply(
        text=_text(fields, name),
        trouble=cast("Trouble | None", trouble),
        tokens_in=tokens[0],
        tokens_out=tokens[1],
    )


def _asked(fields: object) -> Asked:
    if not isinstance(fields, dict):
        raise ValueError("field asked: expected an object")  # noqa: TRY004 - likewise
    question, images = _text(fields, "question"), fields.get("images", [])
    if not _KEY.fullmatch(question):
        raise ValueError("field question: expected 64 hexadecimal digits")
    if not isinstance(images, list) or not all(isinstance(name, str) for name in images):
        raise ValueError("field images: expected a list of names")
    text = fields.get("text", "")
    if not isinstance(text, str):
        raise ValueError("field text: expected a text")  # noqa: TRY004 - likewise
    sample = fields.get("sample", 0)
    if type(sample) is not int or sample < 0:
        raise ValueError("field sample: expected a whole number from 0 on")
    return Asked(question=question, text=text, images=tuple(images), sample=sample)
