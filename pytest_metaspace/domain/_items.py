"""Items of suites: one question with its pictures, and the ways in which it is put.

A suite brings data, never code that judges: each way of putting an item but the first says which
of its options follows from which of the first one's, or that the two answers must differ.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from pytest_metaspace.domain._labels import Capability

AS_WRITTEN: Final = "unchanged"
"""The name of the first way in which an item is put."""


@dataclass(frozen=True, kw_only=True)
class Posing:
    """One way to put an item.

    Attributes:
        text: the question, without its options.
        options: what may be chosen, in the order shown; each stands for itself, no two are equal.
        images: the pictures, in the order shown.
        answer: the true option; None where nobody knows it.
        relation: the relation whose case it makes with the first one; empty for the first one.
        law: what judges that case.
        follows: option of the first one to the option here that has to be chosen then; what is
            missing decides nothing.
    """

    text: str
    options: tuple[str, ...]
    images: Sequence[Path]
    answer: str | None
    relation: str = ""
    law: Literal["MAP", "DIFF"] = "MAP"
    follows: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Item:
    """A question of a suite.

    Attributes:
        task: which score it belongs to, as ``Capability.of_suite`` makes it.
        posings: by name, ``AS_WRITTEN`` first; a name tells what was done, to follow "when".
        unposed: by relation, why it has no case on this item.
    """

    task: Capability
    posings: Mapping[str, Posing]
    unposed: Mapping[str, str] = field(default_factory=dict)

    @property
    def written(self) -> Posing:
        """The item as its authors put it."""
        return self.posings[AS_WRITTEN]
