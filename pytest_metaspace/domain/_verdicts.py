"""Verdicts, and the settings and the run that they belong to."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_metaspace.domain._accuracy import TaskAccuracy
    from pytest_metaspace.domain._cases import Case
    from pytest_metaspace.domain._labels import Boxes, Prompting, Semantics
    from pytest_metaspace.domain._records import Comparison, KnownState
    from pytest_metaspace.domain._scores import Cluster, GateResult, Mean, Score


class Outcome(str, Enum):
    """What the oracle says of a case; the score formula is in ``Score``."""

    SATISFIED = "satisfied"
    VIOLATED = "violated"
    INCONCLUSIVE = "inconclusive"
    INVALID = "invalid"
    ERROR = "error"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A node of a derivation: a goal, why it holds, and what that rests on."""

    goal: str
    because: str
    source: str
    children: tuple[Step, ...] = ()
    observation: int | None = None
    """For a leaf, the index of the answer among the observations of the case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Derivation:
    """Why a verdict is what it is: one sentence and a tree that ends in answers."""

    summary: str
    root: Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What was asked in one sentence, its pictures and the raw answer, as people see them."""

    question: str
    images: tuple[str, ...]
    raw: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The oracle's decision on one case."""

    case: Case
    outcome: Outcome
    reason: str = ""
    derivation: Derivation | None = None
    evidence: tuple[Evidence, ...] = ()
    """In the order of the case's queries; filled for what is shown to a person."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What became of a case, small enough to ride on a test report."""

    address: str
    capability: str
    relation: str
    outcome: str
    summary: str = ""
    text: str = ""

    def as_json(self) -> dict[str, str]:
        """Return it JSON-simple; what is empty is left out, as there are many of these."""
        return {name: value for name in self.__slots__ if (value := getattr(self, name))}


@dataclass(frozen=True, slots=True)
class Rule:
    """A clause of a law, and in how many cases it was true."""

    source: str
    """File and line, as derivations tell them; our own files lie in a folder ``laws``."""
    head: str
    """Name and arity, as in ``violated/1``."""
    cases: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that decides which cases there are, how they are put and how they are judged."""

    capabilities: frozenset[str] = frozenset()
    """Codes to keep; empty keeps all."""
    relations: frozenset[str] = frozenset()
    anchors: frozenset[str] = frozenset()
    """Names of anchored relations to add, or ``all``; those in ``relations`` need not be here."""
    semantics: Semantics = "sound"
    prompting: Prompting = "direct"
    boxes: Boxes = "text"
    tracker: str = "none"
    """What finds objects where none are recorded."""
    epsilon: float = 0.1
    delta: float = 0.05
    confidence: float = 0.6
    sample: float = 1.0
    samples: int = 1
    """How often each question is put."""
    seed: int = 0
    engine: Literal["auto", "pyswip", "swipl", "wasm"] = "auto"


@dataclass(frozen=True, kw_only=True)
class Run:
    """Everything that a report needs to know about one run."""

    agent: str
    settings: Settings
    trajectories: tuple[str, ...]
    scores: tuple[Score, ...]
    by_relation: tuple[Score, ...]
    overall: Mean
    """The total: the mean over capabilities."""
    gates: tuple[GateResult, ...]
    verdicts: tuple[Verdict, ...]
    drops: Mapping[str, int]
    questions: int
    counts: Mapping[tuple[str, str, str, Outcome], int] = field(default_factory=dict)
    """How many cases of (trajectory, capability, relation) had which outcome."""
    clusters: Mapping[str, Cluster] = field(default_factory=dict)
    """The trajectories by id; those whose facts are not known are left out."""
    references: Mapping[str, Mapping[str, float | None]] = field(default_factory=dict)
    """Scores of reference agents on the same cases, by agent and capability."""
    failures: Mapping[str, int] = field(default_factory=dict)
    """How many questions came to no value, by kind of failure."""
    disagreement: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """By capability: questions whose samples are not all equal, of how many."""
    comparison: Comparison | None = None
    """With the baseline, where there is one."""
    known: tuple[KnownState, ...] = ()
    """How things are with each entry of the quarantine."""
    by_scenario: tuple[Mean, ...] = ()
    """Where there is more than one: the total of each scenario."""
    anchors: tuple[Score, ...] = ()
    """Of anchored relations, which are no part of ``scores`` and ``total``."""
    by_anchor: tuple[Score, ...] = ()
    """The same by capability, named as in ``by_relation``."""
    accuracy: tuple[TaskAccuracy, ...] = ()
    """By task of suites: beside guessing, by what tells items apart, with pictures and without."""

    @property
    def total(self) -> float | None:
        """The total score, or None where no capability has a score."""
        return self.overall.value
