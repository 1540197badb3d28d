"""The words of items of suites: the question, its options by letter, and how to answer."""

from __future__ import annotations

import string
from typing import TYPE_CHECKING

from pytest_metaspace.prompts import words
from pytest_metaspace.prompts.parts import MARKER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_metaspace.domain import Posing
    from pytest_metaspace.prompts._strategy import Strategy

_LONGEST = 600
_LONGEST_CONTEXT = 20_000
_REASON = "Reason step by step before you answer, in at most 300 words."


def letters(posing: Posing) -> Mapping[str, str]:
    """Return the letter of each option, in the order shown."""
    return dict(zip(string.ascii_uppercase, posing.options))


def sentence(posing: Posing) -> str:
    """Return the question as one line, without its options."""
    return words.one_line(posing.text, _LONGEST)


def weighed(posing: Posing, way: Strategy) -> bool:
    """Whether the options of an item are weighed; a number has none."""
    return way.weighed and posing.form != "count"


def write(posing: Posing, way: Strategy) -> str:
    """Return the text of a question.

    Args:
        posing: how the item is put.
        way: whether reasoning comes first and the answer stands on a marked last line, or options
            are weighed, which are then told without letters.
    """
    parts = [_pictures(posing)]
    if posing.context:
        parts.append(words.one_line(posing.context, _LONGEST_CONTEXT))
    parts.append(sentence(posing))
    if weighed(posing, way):
        return "\n\n".join([*parts, f"Answer with {_in_words(posing)}."]) + "\n"
    if posing.form == "letter":
        shown = letters(posing).items()
        parts.append(
            "\n".join(f"{letter}) {words.one_line(one, _LONGEST)}" for letter, one in shown)
        )
    allowed = _allowed(posing)
    if way.reasoned:
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


def _allowed(posing: Posing) -> str:
    if posing.form == "letter":
        return f"exactly one letter: {words.listed(list(letters(posing)))}"
    if posing.form == "count":
        return "exactly one whole number, in digits"
    return _in_words(posing)


def _in_words(posing: Posing) -> str:
    told = words.listed([words.one_line(option, _LONGEST) for option in posing.options])
    return f"exactly one of these: {told}"


def _pictures(posing: Posing) -> str:
    count = len(posing.images)
    task = "answer the question"
    if posing.form == "letter":
        task = "choose the one answer that is right"
    if count == 0:
        return f"Read this, and {task}."
    if count == 1:
        return f"Look at the image and {task}."
    return f"Look at the {count} images, in their order, and {task}."
