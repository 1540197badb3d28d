"""Scores with their intervals, and gates on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from pytest_metaspace.domain._labels import SCENARIOS, Capability, suite_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_metaspace.domain._labels import Semantics
    from pytest_metaspace.domain._world import Trajectory

TOTAL: Final = "total"
_HALF: Final = 0.5


@dataclass(frozen=True, slots=True)
class Interval:
    """Where the score of all trajectories like these is, with 95 % confidence (docs/statistics.md).

    ``size`` is how many independent cases would have varied as much as these did.
    """

    low: float
    high: float
    size: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """What scores need to know of a trajectory, whose cases are not independent of each other."""

    scenario: str
    objects: int
    """How many tracked objects it has."""

    @classmethod
    def of(cls, trajectory: Trajectory) -> Cluster:
        """Return what scores need to know of a trajectory."""
        return cls(scenario=trajectory.scenario, objects=len(trajectory.objects))


@dataclass(frozen=True, slots=True)
class Selection:
    """Which cases a score is of: those of a scenario, a capability, a relation, or of all three."""

    scenario: str | None = None
    capability: str | None = None
    relation: str | None = None

    @classmethod
    def of(cls, name: str) -> Selection:
        """Return what a name means: ``total``, or parts as in ``drone/SC1-a/MR2`` in any order.

        Tasks of suites are capabilities. What is neither a scenario nor a capability is taken for
        a relation.
        """
        found: dict[str, str] = {}
        for part in name.split("/"):
            if part in SCENARIOS:
                found["scenario"] = part
            elif part in [code.value for code in Capability] or suite_of(part):
                found["capability"] = part
            elif part != TOTAL:
                found["relation"] = part
        return cls(**found)

    @property
    def name(self) -> str:
        """The parts that are set, joined by ``/``; ``total`` where none is."""
        parts = (self.scenario, self.capability, self.relation)
        return "/".join(part for part in parts if part) or TOTAL

    @property
    def is_mean(self) -> bool:
        """Whether its score is a mean over capabilities."""
        return self.capability is None and self.relation is None

    def takes(self, capability: str, relation: str) -> bool:
        """Whether cases of a capability and relation are among them."""
        return self.capability in (None, capability) and self.relation in (None, relation)


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Counts of outcomes and what follows from them (RELATIONS, "Verdicts and scores")."""

    name: str
    title: str
    semantics: Semantics
    satisfied: int = 0
    violated: int = 0
    inconclusive: int = 0
    invalid: int = 0
    error: int = 0
    trajectories: int = 0
    """Of how many trajectories the cases are."""
    objects: int = 0
    """How many tracked objects those trajectories have."""
    interval: Interval | None = None
    is_accuracy: bool = False
    """Whether it is accuracy on a suite, for which an answer that cannot be read is wrong."""

    @property
    def cases(self) -> int:
        """All cases, whatever became of them."""
        return self.satisfied + self.violated + self.inconclusive + self.invalid + self.error

    @property
    def decided_share(self) -> float | None:
        """(satisfied + violated) / all; None without cases."""
        return (self.satisfied + self.violated) / self.cases if self.cases else None

    @property
    def value(self) -> float | None:
        """The SC score, or None where nothing can be said.

        Under ``sound``: 1 - (violated + invalid) / (satisfied + violated + invalid).
        Under ``paper``: 1 - violated / all, equation 9 of the paper.
        Accuracy on a suite is that of ``sound``, also where no answer can be read: 0.
        """
        if self.is_accuracy and self.invalid:
            return self.satisfied / (self.satisfied + self.violated + self.invalid)
        if self.satisfied + self.violated == 0:
            return None
        if self.semantics == "paper":
            return 1 - self.violated / self.cases
        return self.satisfied / (self.satisfied + self.violated + self.invalid)

    @property
    def readable(self) -> float | None:
        """The score of the readable answers alone."""
        decided = self.satisfied + self.violated
        return self.satisfied / decided if decided else None

    @property
    def half_decided(self) -> bool:
        """Whether at least half of the cases were decided."""
        share = self.decided_share
        return share is not None and share >= _HALF


@dataclass(frozen=True, slots=True, kw_only=True)
class Mean:
    """The unweighted mean over capabilities: of a run, which is its total, or of a scenario."""

    name: str
    title: str
    parts: tuple[Score, ...]
    trajectories: int = 0
    objects: int = 0
    interval: Interval | None = None

    @property
    def value(self) -> float | None:
        """The mean of the scores there are; None where there is none."""
        return _mean(part.value for part in self.parts)

    @property
    def readable(self) -> float | None:
        """The mean of the scores of readable answers."""
        return _mean(part.readable for part in self.parts)

    @property
    def satisfied(self) -> int:
        """Satisfied cases of all capabilities."""
        return sum(part.satisfied for part in self.parts)

    @property
    def violated(self) -> int:
        """Violated cases of all capabilities."""
        return sum(part.violated for part in self.parts)

    @property
    def inconclusive(self) -> int:
        """Inconclusive cases of all capabilities."""
        return sum(part.inconclusive for part in self.parts)

    @property
    def invalid(self) -> int:
        """Invalid cases of all capabilities."""
        return sum(part.invalid for part in self.parts)

    @property
    def error(self) -> int:
        """Cases in error of all capabilities."""
        return sum(part.error for part in self.parts)

    @property
    def cases(self) -> int:
        """All cases of all capabilities."""
        return sum(part.cases for part in self.parts)

    @property
    def decided_share(self) -> float | None:
        """(satisfied + violated) / all; None without cases."""
        return (self.satisfied + self.violated) / self.cases if self.cases else None


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


Policy = Literal["point", "confident-fail", "confident-pass"]
"""What a gate goes by: the score itself; or its interval, whose middle ground passes or fails."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GateResult:
    """One gate, decided once: exit status, banner and table all read this object."""

    name: str
    value: float | None
    threshold: float
    passed: bool
    """Whether the run may end well as far as this gate goes."""
    sentence: str
    basis: str = ""
    """What it rests on: interval and number of cases, and what so many can show."""
    undecided: bool = False
    """Whether the interval holds both sides of the threshold and the policy asks for one."""
