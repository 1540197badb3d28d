"""Cases, questions and answers: what is asked, and what comes back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, Union

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from pytest_metaspace.domain._facts import Fact
    from pytest_metaspace.domain._labels import Capability, Metric, Prompting, Semantics, Subject
    from pytest_metaspace.domain._world import Trajectory

_NO_NUMBERS: Mapping[str, float] = MappingProxyType({})


def _none() -> Mapping[str, float]:
    """Return the one empty mapping that all cases share."""
    return _NO_NUMBERS


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A statement to be confirmed or denied; exactly one field is set."""

    planar: str | None = None
    at_least: int | None = None
    exactly: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What a question means. Equal queries are one question.

    Attributes:
        trajectory: id of the trajectory.
        capability: decides the kind of answer and the template.
        a: the state or object from which, or the one object that is asked about.
        b: the state or object to which.
        reference: state whose camera heading is the reference frame; None for the map.
        evidence: the frames shown, in order.
        claim: what is to be confirmed; None for an open question.
        wording: 0, or 1 for the same question in other words.
    """

    trajectory: str
    capability: Capability
    a: Subject
    b: Subject | None = None
    reference: int | None = None
    evidence: tuple[int, ...] = ()
    claim: Claim | None = None
    wording: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One instance of a metamorphic relation: the follow-ups asked and the law that binds them."""

    id: str
    trajectory: str
    capability: Capability
    relation: str
    law: str
    semantics: Semantics
    subjects: tuple[Subject, ...]
    queries: tuple[Query, ...]
    object: str | None = None
    objects: tuple[str, str] | None = None
    givens: tuple[Fact, ...] = ()
    """What is not asked: measured, recorded or known."""
    tolerance: Mapping[str, float] = field(default_factory=_none)
    tolerance_parts: Mapping[str, float] = field(default_factory=_none)
    """What the tolerance for depths is made up of, for derivations."""
    distance_metric: Metric = "spatial"
    exact: bool = False
    watched: bool = False
    """Whether what moves is seen by a camera that stays: movements are then told in its words."""

    _address: str = field(default="", init=False, repr=False, compare=False)

    @property
    def address(self) -> str:
        """The case among all cases of a run: ``trajectory::capability::relation::id``.

        It is made once: whoever enters a case somewhere does so under its address.
        """
        if not self._address:
            #  Joined, because formatting a member of an Enum takes three times as long.
            told = "::".join((self.trajectory, self.capability, self.relation, self.id))  # noqa: FLY002
            object.__setattr__(self, "_address", told)
        return self._address


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerFormat:
    """The closed set of answers that a question allows; ``text`` allows any, and is not read.

    Thousands of questions share one, so what was read by it once is known by it.
    """

    kind: Literal["direction", "steps", "metres", "yes-no", "choice", "word", "count", "text"]
    planar: Mapping[str, str] = field(default_factory=dict)
    """Allowed word to canonical label, ``none`` included."""
    vertical: Mapping[str, str] = field(default_factory=dict)
    names: frozenset[str] = frozenset()
    """Words of the objects asked about, which an answer may repeat."""
    reasoned: bool = False
    """Whether reasoning comes first and the answer stands on a marked last line."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Letter to the option that it stands for; of ``word`` each option to itself."""

    def __hash__(self) -> int:
        return hash((self.kind, self.names, self.reasoned))


class DrawnPictures(Sequence["Path"]):
    """Pictures that are made when somebody looks at them; what stands for them is known before.

    Args:
        path_of: makes one of them, by its place.
        digest_of: what stands for it in the key of an answer.
        parts: the file that each is made of, and what is done to it; None for nothing.

    Attributes:
        parts: as given.
    """

    def __init__(
        self,
        path_of: Callable[[int], Path],
        digest_of: Callable[[int], str],
        parts: Sequence[tuple[Path, str | None]],
    ) -> None:
        self._path_of = path_of
        self._digest_of = digest_of
        self._count = len(parts)
        self.parts = tuple(parts)

    def digests(self) -> list[str]:
        """What stands for each picture."""
        return [self._digest_of(place) for place in range(self._count)]

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return tuple(self._path_of(one) for one in range(self._count)[place])
        return self._path_of(range(self._count)[place])


@dataclass(frozen=True, kw_only=True)
class Question:
    """A query as an agent sees it: text, pictures in order, and the answers allowed.

    ``query`` and ``trajectory`` are for agents that compute; a model sees ``text`` and
    ``images`` only, and neither tells the executed actions. Who looks into the ``query`` of a
    question in a test's own words gets an ``AgentError``: there is nothing to compute from.
    """

    query: Query
    trajectory: Trajectory
    text: str
    images: Sequence[Path]
    format: AnswerFormat
    prompting: Prompting = "direct"
    sample: int = 0
    """Which of several times the question is put, from 0; a model is shown nothing of it."""


Trouble = Literal["refused", "filtered", "truncated", "malformed"]
"""What a model can do instead of answering; it was received, so it is kept like an answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a model sent back to one question.

    Attributes:
        text: the raw answer, or the words of a refusal.
        trouble: why the text is no answer, where the endpoint says so.
        tokens_in: tokens of the question with its pictures, as the endpoint counts; 0 if unknown.
        tokens_out: tokens of the answer, likewise.
    """

    text: str
    trouble: Trouble | None = None
    tokens_in: int = 0
    tokens_out: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came back for one query: the raw text, or why there is none.

    Attributes:
        raw: the text; None when there is none.
        error: why there is none.
        kind: what kind of failure that was, for counting.
        trouble: why the text is no answer.
        cached: whether it was stored by an earlier run.
        samples: where a question was put several times, what came back each time, in order; this
            answer is then the one that they come to.
    """

    raw: str | None
    error: str | None = None
    kind: str | None = None
    trouble: Trouble | None = None
    cached: bool = False
    samples: tuple[Answer, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """A readable answer; the fields that belong to its question are set."""

    planar: str | None = None
    vertical: str | None = None
    steps: int | None = None
    metres: float | None = None
    holds: bool | None = None
    choice: str | int | None = None
    """An option, whatever its letter was, or the number that a question of a suite asks for."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """An answer that is not one of the allowed values, with the reason."""

    reason: str


@dataclass(frozen=True, slots=True)
class Missing:
    """No answer at all, with the reason: an API failure, a missing recording."""

    reason: str


Reading = Union[Value, Unreadable, Missing]
"""What became of one answer."""
