"""Hypothesis strategies that damage files: their bytes, and what their JSON says."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Callable

ODD: tuple[Any, ...] = (
    None, True, -1, 0, 10**30, 1e308, float("nan"), float("inf"), "", "x" * 3000, "\x00",
    "/etc/passwd", "../../../../etc/passwd", "images/../../../up.png", "C:\\up.png", "file:///x",
    [], {}, [[]], [None] * 3, {"action": []}, "[1, 2", "__import__('os')", "9" * 5000,
    [[[[[[[[[[]]]]]]]]]], "\ud800", [7, 8], ["0", "Move forward by 0.25"], list(range(7)),
)  # fmt: skip
"""What a field may hold instead of what it should."""
_SHORT = (b"[", b"{", b'"', b"\\", b"]", b"}", b",", b"\n", b"\n\n", b"\xff", b"\x00", b"NaN")
_TOKENS = (*_SHORT, b"[" * 3000, b'{"a":' * 3000, b'{"__separator__": true}', b"-1", b"```\n")


@st.composite
def bytes_damage(draw: st.DrawFn) -> Callable[[bytes], bytes]:
    """Cut out, double, overwrite or insert a few bytes, up to four times."""
    cuts = draw(
        st.lists(
            st.tuples(
                st.floats(0, 1), st.integers(0, 400), st.sampled_from(_TOKENS), st.integers(0, 3)
            ),
            min_size=1,
            max_size=4,
        )
    )

    def damaged(content: bytes) -> bytes:
        for where, length, token, kind in cuts:
            start = int(where * len(content))
            there, rest = content[start : start + length], content[start + length :]
            middle = (b"", there + there, token + there, token)[kind]
            content = content[:start] + middle + rest
        return content

    return damaged


@st.composite
def fields_damage(draw: st.DrawFn) -> Callable[[Any], Any]:
    """Put something odd into a few fields, or leave them out."""
    changes = draw(
        st.lists(
            st.tuples(
                st.lists(st.integers(0, 30), min_size=1, max_size=6),
                st.sampled_from(ODD),
                st.booleans(),
            ),
            min_size=1,
            max_size=4,
        )
    )

    def damaged(content: Any) -> Any:
        made = json.loads(json.dumps(content))
        for path, odd, drop in changes:
            _change(made, path, odd, drop=drop)
        return made

    return damaged


def _change(content: Any, path: list[int], odd: Any, *, drop: bool) -> None:
    here = content
    for depth, choice in enumerate(path):
        if not isinstance(here, (list, dict)) or not here:
            return
        keys = list(here) if isinstance(here, dict) else list(range(len(here)))
        key: Any = keys[choice % len(keys)]
        inner = here[key]
        if depth == len(path) - 1 or not isinstance(inner, (list, dict)) or not inner:
            if drop:
                del here[key]
            else:
                here[key] = deepcopy(odd)
            return
        here = inner
