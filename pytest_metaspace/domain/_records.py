"""What one run found, as files keep it, and what a comparison of two such records came to."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from pytest_metaspace.domain._accuracy import Key
    from pytest_metaspace.domain._scores import Cluster
    from pytest_metaspace.domain._verdicts import Outcome, Settings


Across = Literal["agent", "prompting", "semantics", "trajectories"]
ACROSS: Final[tuple[Across, ...]] = get_args(Across)
"""What may differ between runs that are compared all the same, where that is wanted."""


UNDECIDED: Final = ("pass", "fail")
"""What becomes of a baseline's gate where too few trajectories tell a fall from chance."""


@dataclass(frozen=True, slots=True)
class Shard:
    """One of several parts of a run; by its address alone every case is in exactly one.

    Attributes:
        index: from 1.
        count: of all parts.
    """

    index: int
    count: int

    def has(self, address: str) -> bool:
        """Whether a case is in this shard."""
        digest = hashlib.sha256(address.encode("utf-8", "surrogatepass")).digest()
        return int.from_bytes(digest[:8], "big") % self.count == self.index - 1

    def __str__(self) -> str:
        return f"{self.index}/{self.count}"


@dataclass(frozen=True, kw_only=True)
class Record:
    """Who was asked, how, and what each case came to.

    Attributes:
        agent: its full name.
        identity: what its answers depend on beside the question; None where nothing tells.
        made_by: the version of this package.
        wording: fingerprints of the words in which questions are put, by kind of trajectory.
        settings: of the run.
        anchored: names of relations that are in no score of a capability.
        trajectories: fingerprint of what each trajectory shows, by id.
        outcomes: by address of the case; a case without an answer (*error*) is not among them.
        source: the file it was read from, for messages.
    """

    agent: str
    identity: str | None
    made_by: str
    wording: Mapping[str, str]
    settings: Settings
    anchored: frozenset[str]
    trajectories: Mapping[str, str]
    outcomes: Mapping[str, Outcome]
    source: str = ""


Judged = Literal["worse", "better", "same", "chance", "undecided"]
"""What a paired comparison says of a capability, or of a relation of a suite.

*worse* and *better*: by at least the minimum effect, and by more than chance would bring about.
*same*: by less than the minimum effect. *chance*: by more, and chance alone often brings that
about. *undecided*: by more, and there are too few trajectories to tell.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """How a capability differs between two records, over the cases that both decided.

    Attributes:
        capability: its code; of a suite the name of the relation.
        cases: how many were compared.
        trajectories: how many they belong to.
        before: mean over trajectories of their score in the first record.
        after: likewise in the second.
        p: of a change as large in the same direction by chance alone, Holm-adjusted over the
            capabilities; None where there are too few trajectories.
        lost: cases satisfied before and not now; with ``won`` McNemar's counts.
        won: cases satisfied now and not before.
        detectable: the smallest change that this comparison would have shown four times in five;
            None where nothing tells how trajectories scatter.
        needed: trajectories that a change as large as the one seen would need to be shown.
        judged: what all that comes to.
    """

    capability: str
    cases: int
    trajectories: int
    before: float
    after: float
    p: float | None
    lost: int
    won: int
    detectable: float | None
    needed: int
    judged: Judged

    @property
    def change(self) -> float:
        """After less before; negative where it got worse."""
        return self.after - self.before


@dataclass(frozen=True, slots=True, kw_only=True)
class Moves:
    """Which cases came out otherwise, by address, each in one list."""

    newly_violated: tuple[str, ...] = ()
    """Violated or invalid, and before neither of them."""
    newly_satisfied: tuple[str, ...] = ()
    """Satisfied, and violated or invalid before."""
    otherwise: tuple[str, ...] = ()
    """From or to inconclusive, or between violated and invalid."""
    added: tuple[str, ...] = ()
    """Only in the second record."""
    removed: tuple[str, ...] = ()
    """Only in the first, of trajectories that the second has too."""
    not_run: tuple[str, ...] = ()
    """Only in the first, and nothing says that they are gone."""
    changed: tuple[str, ...] = ()
    """In both, of trajectories that show something else now, so not compared."""


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Two records of the same cases, paired.

    Attributes:
        before: name of the first record: its file.
        after: name of the second.
        differences: what differs between the runs themselves, in words.
        shifts: by capability, in the paper's order.
        suites: by relation of suites, accuracy first; told beside the others.
        by_suites: whether they decide, as one of the records has cases of nothing else.
        moves: single cases.
        min_change: changes below this count as none.
        anchored: names of relations whose cases are in no capability.
    """

    before: str
    after: str
    differences: tuple[str, ...]
    shifts: tuple[Shift, ...]
    moves: Moves = field(default_factory=Moves)
    min_change: float = 0.0
    anchored: frozenset[str] = frozenset()
    suites: tuple[Shift, ...] = ()
    by_suites: bool = False

    @property
    def deciding(self) -> tuple[Shift, ...]:
        """What gates and exit statuses go by."""
        return self.suites if self.by_suites else self.shifts

    @property
    def unit(self) -> str:
        """What each of them is, in words."""
        return "relation of a suite" if self.by_suites else "capability"

    @property
    def trajectories(self) -> int:
        """The most trajectories that anything that decides was compared over."""
        return max((shift.trajectories for shift in self.deciding), default=0)

    def judged(self, *words: Judged) -> tuple[Shift, ...]:
        """Return what decides and came out as one of these."""
        return tuple(shift for shift in self.deciding if shift.judged in words)


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A violation that is known: which cases, why, who looks after it, and until when."""

    case: str
    """An address, an id, or a pattern of either with ``*`` and ``?``."""
    reason: str
    owner: str
    expires: date
    """The last day on which it holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownState:
    """How things are with a known violation after a run.

    Attributes:
        known: the entry.
        cases: how many of its cases ran.
        broken: how many of them are violated or invalid.
        expired: whether its last day is over.
        healed: whether all its cases ran and none is violated or invalid, one at least satisfied.
        idle: whether no case matches.
    """

    known: Known
    cases: int
    broken: int
    expired: bool
    healed: bool
    idle: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Put:
    """What a question came to: which capability it asks for, and what was wrong, if anything."""

    capability: str
    failed: str | None = None
    """The kind of failure, where it came to no value."""
    alike: bool | None = None
    """Whether its samples are all equal, where there are several."""


@dataclass(frozen=True, kw_only=True)
class Kept:
    """A run, or a shard of one, with all that its scores, gates and tables are made of.

    Attributes:
        record: who was asked, how, and what each case came to, cases in error included.
        shard: which part of how many.
        stopped: whether it ended before it was through.
        titles: what each relation is called.
        clusters: what scores need to know of trajectories, in the order in which they were loaded.
        drops: candidates left out, by reason.
        skips: what could not be asked, and why.
        tested: capabilities and relations that were looked at.
        deselected: addresses of cases that were not wanted.
        unrun: addresses of other cases that did not run.
        questions: what each question came to, by its digest.
        rules: the gates, JSON-simple.
        keys: what is known of the questions of suites that ran, by address of the case about
            their accuracy.
    """

    record: Record
    shard: tuple[int, int]
    stopped: bool
    titles: Mapping[str, str]
    clusters: Mapping[str, Cluster]
    drops: Mapping[str, int]
    skips: Mapping[str, str]
    tested: frozenset[tuple[str, str]]
    deselected: frozenset[str]
    unrun: frozenset[str]
    questions: Mapping[str, Put]
    rules: Mapping[str, Any]
    keys: Mapping[str, Key] = field(default_factory=dict)
