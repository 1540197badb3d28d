"""The words of items of suites: the question, its options by letter, and how to answer."""

from __future__ import annotations

import string
from typing import TYPE_CHECKING

from pytest_metaspace.prompts import words
from pytest_metaspace.prompts.parts import MARKER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_metaspace.domain import Posing

_LONGEST = 600
_REASON = "Reason step by step before you answer, in at most 300 words."


def letters(posing: Posing) -> Mapping[str, str]:
    """Return the letter of each option, in the order shown."""
    return dict(zip(string.ascii_uppercase, posing.options))


def sentence(posing: Posing) -> str:
    """Return the question as one line, without its options."""
    return words.one_line(posing.text, _LONGEST)


def write(posing: Posing, *, reasoned: bool) -> str:
    """Return the text of a question.

    Args:
        posing: how the item is put.
        reasoned: whether reasoning comes first and the answer stands on a marked last line.
    """
    shown = letters(posing)
    options = "\n".join(
        f"{letter}) {words.one_line(option, _LONGEST)}" for letter, option in shown.items()
    )
    allowed = f"exactly one letter: {words.listed(list(shown))}"
    parts = [_pictures(len(posing.images)), sentence(posing), options]
    if reasoned:
        parts += [
            _REASON,
            (
                f"Then end with one last line that begins with {MARKER} and goes on with "
                f"{allowed}. Begin no other line with that word, and write nothing after it."
            ),
        ]
    else:
        parts.append(f"Answer with {allowed}.")
    return "\n\n".join(parts) + "\n"


def _pictures(count: int) -> str:
    if count == 1:
        return "Look at the image and choose the one answer that is right."
    return f"Look at the {count} images, in their order, and choose the one answer that is right."
