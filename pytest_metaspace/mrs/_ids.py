"""Case ids: readable, stable, and the same whatever else is in the run.

The hash covers what a case is (trajectory, capability, relation, subjects, frame, claim), never
pixels, prompts or models, so that baselines can pair cases over the years.
"""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from pytest_metaspace.canonical import canonical_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_metaspace.domain import Subject

_LONGEST = 80


def digest(*identity: object) -> bytes:
    """Return the SHA-256 of an identity made of JSON-simple values."""
    return hashlib.sha256(canonical_json(identity).encode("ascii")).digest()


def identity(
    group: tuple[str, str, str, str],
    subjects: Sequence[Subject],
    suffix: str,
    more: Sequence[object],
) -> bytes:
    """Return the ``digest`` of a case; what many cases share is written once.

    Args:
        group: trajectory, capability, relation and tag.
        subjects: states or objects.
        suffix: what tells sister cases apart.
        more: anything else that makes it this case.
    """
    told = ",".join([_written(subject) for subject in subjects])
    rest = "[]" if more == () else canonical_json(more)
    text = f"[{_group(group)},[{told}],{_written(suffix)},{rest}]"
    return hashlib.sha256(text.encode("ascii")).digest()


@lru_cache(maxsize=64)
def _group(parts: tuple[str, ...]) -> str:
    return canonical_json(parts)[1:-1]


#  Typed, because 1 and True are equal and written differently.
_written = lru_cache(maxsize=1024, typed=True)(canonical_json)


def case_id(tag: str, subjects: Sequence[Subject], suffix: str, identity: bytes) -> str:
    """Return an id of ASCII letters, digits and dashes, at most 80 characters.

    Args:
        tag: where the case looks, as in ``f004``; may be empty.
        subjects: states or objects, named in this order.
        suffix: what tells sister cases apart, as in ``claim1``; ASCII, may be empty.
        identity: a digest; its first 8 hexadecimal digits end the id.
    """
    words = [tag, *[word(subject) for subject in subjects], suffix]
    readable = "-".join(filter(None, words))[: _LONGEST - 9].rstrip("-")
    return f"{readable}-{identity[:4].hex()}"


@lru_cache(maxsize=1024)
def word(subject: Subject) -> str:
    """Return a subject as at most 14 ASCII letters and digits."""
    if isinstance(subject, int):
        return f"s{subject:03d}"
    return re.sub(r"[^A-Za-z0-9]", "", subject)[:14] or "object"
