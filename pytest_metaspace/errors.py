"""Everything that pytest-metaspace raises on purpose.

    MetaspaceError                 an expected failure: printed without a traceback
    ├── UsageProblem               the user asked for something that is not there (exit 4)
    ├── TrajectoryError            a trajectory on disk is not as it should be
    ├── TrackerError               a detector or tracker cannot find objects
    ├── AgentError                 an agent gave no answer
    └── OracleUnavailable          no Prolog engine can be started

Every text names what is wrong, where, and what to do next.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class MetaspaceError(Exception):
    """An expected failure with a text that tells the next step."""


class UsageProblem(MetaspaceError):
    """The user named something that does not exist or does not fit."""


class TrajectoryError(MetaspaceError):
    """A trajectory file is missing, unreadable or contradicts itself."""


class TrackerError(MetaspaceError):
    """A detector or tracker cannot find the objects of a trajectory."""


class AgentError(MetaspaceError):
    """An agent could not give an answer; the question may be asked again later.

    Args:
        text: why.
        kind: in a word or two, for counting: ``"timed out"``, ``"server error"``.
        fatal: whether every other question would fail in the same way (a wrong key, a model
            that does not exist), so that none is asked.
    """

    def __init__(self, text: str, *, kind: str = "failed", fatal: bool = False) -> None:
        super().__init__(text)
        self.kind = kind
        self.fatal = fatal


class OracleUnavailable(MetaspaceError):
    """No Prolog engine can be started on this machine."""


def warn(text: str) -> None:
    """Warn, and go on even where a filter makes errors of warnings.

    For what is noticed in the middle of asking: answers in flight must not be lost over it.
    """
    try:
        warnings.warn(text, stacklevel=3)
    except UserWarning:
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.warn(text, stacklevel=3)


def unknown(kind: str, name: str, known: Iterable[str], *, hint: str) -> UsageProblem:
    """Build the error for a name that is in no registry: near matches first, then all.

    Args:
        kind: what was looked up, as in ``"agent"``.
        name: the name that the user gave.
        known: every name that would have been right.
        hint: one sentence that says how to add a new one.
    """
    from difflib import get_close_matches

    names = sorted(known)
    lowered = {known_name.lower(): known_name for known_name in reversed(names)}
    near = [lowered[word] for word in get_close_matches(name.lower(), lowered, n=3, cutoff=0.5)]
    guess = f" Did you mean {' or '.join(repr(word) for word in near)}?" if near else ""
    return UsageProblem(
        f"metaspace: {kind} {name!r} is not known.{guess} Known: {', '.join(names)}. {hint}"
    )
