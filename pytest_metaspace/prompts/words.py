"""The words of questions: the same eight sectors, said as fits what is asked.

Labels come from files, so what is shown of them is cut to one short line; they are data and
never part of a sentence that the program reads back.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from pytest_metaspace.domain import ALLOCENTRIC, EGOCENTRIC, NONE, VERTICAL

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_metaspace.domain import AnswerFormat, Capability, Value

_LONGEST_NAME = 60
_COMMANDS = re.compile(r"^\s*:(?=:)|##(?=\[)", re.MULTILINE)


def _renamed(ahead: str, behind: str) -> dict[str, str]:
    names = [name.replace("front", ahead).replace("back", behind) for name in EGOCENTRIC]
    return dict(zip(names, EGOCENTRIC))


MOVEMENT = _renamed("forward", "backward")
VIEW = _renamed("farther", "nearer")
COMPASS = {name: name for name in ALLOCENTRIC}
UP_DOWN = dict(zip(("up", "level", "down"), VERTICAL))
ABOVE_BELOW = {name: name for name in VERTICAL}


def planar(capability: Capability, *, watched: bool = False) -> Mapping[str, str]:
    """Return the words of a capability's directions, clockwise from ahead, to their labels.

    Args:
        capability: what is asked about.
        watched: whether the mover is seen by a camera that stays; the camera then says what is
            ahead, in movements too.
    """
    if capability.about_map:
        return COMPASS
    return MOVEMENT if capability.startswith("SC1") and not watched else VIEW


def vertical(capability: Capability) -> Mapping[str, str]:
    """Return the words for above, level and below to their labels."""
    return UP_DOWN if capability.startswith("SC1") else ABOVE_BELOW


def said(label: str, capability: Capability, *, watched: bool = False) -> str:
    """Return the word under which a capability asks for a canonical planar label."""
    if label == NONE:
        return NONE
    spoken = planar(capability, watched=watched)
    return next(word for word, meaning in spoken.items() if meaning == label)


def direction(found: Value, form: AnswerFormat) -> str:
    """Return a direction in the words that a question allows."""
    ahead = next(word for word, label in form.planar.items() if label == found.planar)
    if not form.vertical:
        return ahead
    rise = next(word for word, label in form.vertical.items() if label == found.vertical)
    return f"{ahead}, {rise}"


def value(found: Value, form: AnswerFormat) -> str:
    """Return what was read, as people see it: in the words of an answer, a number with its unit."""
    if found.choice is not None:
        return one_line(str(found.choice))
    if found.holds is not None:
        return "yes" if found.holds else "no"
    if found.steps is not None:
        return f"{found.steps} {'step' if found.steps == 1 else 'steps'}"
    if found.metres is not None:
        return f"{found.metres:.3f} m"
    return direction(found, form)


def one_line(text: str, longest: int = _LONGEST_NAME) -> str:
    """Return text from a file or a model as one short line without control characters.

    Line breaks become spaces; characters that could move the cursor or turn the writing
    direction become ``?``; the rest is kept, cut with an ellipsis.
    """
    if len(text) <= longest and text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()  # nearly all that is ever told
    head = re.sub(r"\s+", " ", text[: longest * 4]).strip()
    safe = "".join("?" if unicodedata.category(c)[0] == "C" else c for c in head)
    return (
        safe if len(safe) <= longest and len(text) <= longest * 4 else safe[: longest - 3] + "..."
    )


def inert(text: str) -> str:
    """Return lines to be printed, none of them a command to a service that reads them.

    GitHub's runner obeys lines that begin with ``::`` and, in any line, what begins with ``##[``;
    a blank parts these signs.
    """
    return _COMMANDS.sub(lambda found: f"{found[0]} ", text)


def listed(words: Sequence[str]) -> str:
    """Return ``a, b or c``."""
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]
