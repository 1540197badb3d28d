"""Canonical forms and the keys made of them: equal content, equal bytes, for good.

A question's key covers exactly what an agent sees (text and pictures, in order) and the prompting
strategy, by which its answer is read; so equal questions are one question across cases,
trajectories and runs.
"""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_metaspace.domain import DrawnPictures

if TYPE_CHECKING:
    from pytest_metaspace.domain import Question

SCHEMA = 1
#  Made once: ``json.dumps`` makes one for each call that is not all defaults.
_ENCODER = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False
)


def canonical_json(value: object) -> str:
    """Return JSON with sorted keys, no spaces and ASCII only.

    Args:
        value: JSON-simple; NaN and infinities are refused with ``ValueError``.
    """
    return _ENCODER.encode(value)


def sha256(value: object) -> str:
    """Return the SHA-256 of a value's canonical JSON, hexadecimal."""
    return hashlib.sha256(canonical_json(value).encode("ascii")).hexdigest()


@lru_cache(maxsize=4096)
def _digest(path: str, size: int, modified_ns: int) -> str:
    del size, modified_ns  # they only tell the cache that the file has changed
    content = Path(path).read_bytes()
    return _stamp_of(content) or hashlib.sha256(content).hexdigest()


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file's bytes, hexadecimal; read once while it stays the same.

    Of a picture that is ``stamped``, and is as it was then, the digest in its stamp.
    """
    status = path.stat()
    return _digest(str(path), status.st_size, status.st_mtime_ns)  # paths compare part by part


_HEAD_BYTES = 33
_STAMP = re.compile(
    rb"\x89PNG\r\n\x1a\n.{25}\x00\x00\x00\x8btEXtmetaspace\x00"
    rb"([0-9a-f]{64}) ([0-9a-f]{64}).{4}",
    re.DOTALL,
)


def stamped(png: bytes, digest: str) -> bytes:
    """Return a PNG that says what stands for it in keys, in a chunk of text.

    Another version of the library that packs pixels into a PNG may write other bytes; a picture
    made again with it is still the one that was answered about.

    Args:
        png: a whole file.
        digest: the SHA-256 of what the picture was made of, hexadecimal.
    """
    told = f"metaspace\0{digest} {hashlib.sha256(png).hexdigest()}".encode("ascii")
    chunk = b"tEXt" + told
    whole = len(told).to_bytes(4, "big") + chunk + zlib.crc32(chunk).to_bytes(4, "big")
    return png[:_HEAD_BYTES] + whole + png[_HEAD_BYTES:]


def _stamp_of(content: bytes) -> str | None:
    """Return the digest in a picture's stamp; None where there is none, or others changed it."""
    found = _STAMP.match(content)
    if found is None:
        return None
    bare = hashlib.sha256(content[:_HEAD_BYTES])
    bare.update(memoryview(content)[found.end() :])
    return found[1].decode() if bare.hexdigest().encode() == found[2] else None


def question_key(question: Question) -> str:
    """Return the key of what an agent sees of a question: its text and its pictures.

    A prompting strategy other than the direct one is in it too: an equal text would be answered
    alike, but its answer is read otherwise.
    """
    images = question.images
    seen = {
        "schema": SCHEMA,
        "text": question.text,
        "images": images.digests()
        if isinstance(images, DrawnPictures)
        else [file_digest(path) for path in images],
    }
    if question.prompting != "direct":
        seen["prompting"] = question.prompting
    return sha256(seen)


def answer_key(question: Question, identity: str, sample: int = 0) -> str:
    """Return the key under which an agent's answer to a question is stored.

    Args:
        question: what is asked.
        identity: who is asked.
        sample: which of several answers to the same question, from 0.
    """
    return sha256({"question": question_key(question), "agent": identity, "sample": sample})
