"""What a metamorphic relation is, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytest_metaspace.domain import Capability, Case
    from pytest_metaspace.mrs._grounds import Grounds


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """A metamorphic relation: between what it is asked, and which law judges the answers.

    Attributes:
        name: short and unique, as in ``MR1``; part of every case id.
        title: what it says, in two or three words.
        capabilities: those that it tests.
        instances: yields its cases on one trajectory for one capability.
        prolog: a file with clauses of its own, or None for the built-in laws.
        anchored: whether it holds each answer against what was measured, recorded or is known,
            instead of answers against each other. It is scored apart, runs only where it is
            asked for by name or by ``--metaspace-anchors``, and should yield cases about
            ``Grounds.questions`` only, so that nothing more is asked.
        suite: the suite whose items it is about; it is scored apart, too, and runs wherever there
            are such items. None for what is about runs of robots.
    """

    name: str
    title: str
    capabilities: tuple[Capability, ...]
    instances: Callable[[Grounds, Capability], Iterator[Case]]
    prolog: Path | None = None
    anchored: bool = False
    suite: str | None = None

    @property
    def apart(self) -> bool:
        """Whether its cases are in no score of a capability of the paper, and in no total."""
        return self.anchored or self.suite is not None
