"""What a run tells besides its numbers: questions, answers, derivations, what was seen and done.

Nothing of it is kept where no report is wanted.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pytest_metaspace import files, last_run, true_values
from pytest_metaspace.domain import (
    AsksAbout,
    Becomes,
    Columns,
    Executed,
    Given,
    HeadingAt,
    IfAnswer,
    IfCounts,
    OnSide,
    Outcome,
    PrincipalColumn,
    Said,
    StepLength,
    ThenAnswer,
    ToldCase,
    ToldObject,
    ToldQuestion,
    ToldTrajectory,
    TrueAnswer,
    Value,
)
from pytest_metaspace.failures import kind_of
from pytest_metaspace.prompts import words
from pytest_metaspace.questions import answer_format, asked, question, shown, shown_names
from pytest_metaspace.repeats import reading_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from pytest_metaspace.domain import (
        Answer,
        AnswerFormat,
        Case,
        Derivation,
        Fact,
        Prompting,
        Query,
        State,
        Trajectory,
        Verdict,
    )
    from pytest_metaspace.reports.formats import ReportFormat

LONGEST_RAW: Final = 20_000
"""As many characters of an answer are kept where a case that is told rests on it."""
LONGEST_UNTOLD: Final = 1_000
"""As many of every other one."""
_NOT_ASKED: Final = "this question was not asked"
_SMALL: Final = 1e-9
_COMPARED: Final = {"more": "more than", "equal": "as many as", "fewer": "fewer than"}


@dataclass(frozen=True, slots=True)
class Why:
    """Why a case came to what it did; what is derived of a case that is told in full."""

    outcome: Outcome
    reason: str = ""
    derivation: Derivation | None = None
    in_full: bool = False


@dataclass
class Telling:
    """What is gathered while a run settles, for the reports that are wanted of it.

    Attributes:
        targets: the formats and where each is written.
        prompting: how questions were put, and so how answers are read.
        answers: to every question, as they come in.
        lost: why a case that was judged came to nothing, by address.
        stopped: whether the run ended before it was through; None where it did not begin.
        notices: what was written where.
        verbatim: lines that formats want printed as they are.
        trouble: what could not be written, and why.
        problems: what could not be collected, and why.
    """

    targets: Sequence[tuple[ReportFormat, Path]]
    prompting: Prompting = "direct"
    answers: Mapping[Query, Answer] = field(default_factory=dict)
    lost: dict[str, str] = field(default_factory=dict)
    stopped: bool | None = None
    notices: list[str] = field(default_factory=list)
    verbatim: list[str] = field(default_factory=list)
    trouble: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    _why: dict[str, Why] = field(default_factory=dict)

    def enter(self, verdict: Verdict) -> None:
        """Keep why a case is not satisfied."""
        if verdict.outcome is Outcome.SATISFIED:
            return
        self._why[verdict.case.address] = Why(
            verdict.outcome,
            "" if verdict.derivation or verdict.reason == last_run.UNTOLD else verdict.reason,
            verdict.derivation,
            bool(verdict.derivation or verdict.evidence),
        )

    def why(self, address: str, outcome: Outcome) -> Why:
        """Return why a case that ran came to what it did."""
        if address in self.lost:
            return Why(outcome, self.lost[address])
        found = self._why.get(address)
        return found if found is not None and found.outcome is outcome else Why(outcome)


class Teller:
    """Turns the cases of a run into what reports tell of them, and numbers their questions.

    Args:
        telling: what was gathered.
        trajectories: by id.
        news: what a baseline knew of a case.
        excuse: why a case is an expected failure.

    Attributes:
        untold: cases that are neither satisfied nor told, as there are too many.
    """

    def __init__(
        self,
        telling: Telling,
        trajectories: Mapping[str, Trajectory],
        news: Callable[[str, Outcome], str] = lambda _address, _outcome: "",
        excuse: Callable[[str, Outcome], str] = lambda _address, _outcome: "",
    ) -> None:
        self._telling = telling
        self._trajectories = trajectories
        self._news = news
        self._excuse = excuse
        self._numbers: dict[Query, int] = {}
        self._in_full: set[Query] = set()
        self._states: dict[str, dict[Path, int]] = {}
        self.untold = 0

    def cases(self, ran: Iterable[tuple[Case, Outcome]]) -> tuple[ToldCase, ...]:
        """Return cases that ran, in the order in which they are given."""
        return tuple(self._case(case, outcome) for case, outcome in ran)

    def _case(self, case: Case, outcome: Outcome) -> ToldCase:
        address = case.address
        why = self._telling.why(address, outcome)
        if why.in_full:
            self._in_full.update(case.queries)
        silent = outcome is not Outcome.SATISFIED and not why.reason and why.derivation is None
        self.untold += silent
        is_item = case.capability.suite is not None  # its subjects are ways of putting it
        named = [one for one in case.subjects if isinstance(one, str) and not is_item]
        about = [case.object] if case.object is not None else case.objects or ()
        return ToldCase(
            address=address,
            outcome=outcome,
            objects=tuple(dict.fromkeys([*named, *about])),
            states=tuple(one for one in case.subjects if isinstance(one, int)),
            reason=why.reason,
            derivation=why.derivation,
            questions=tuple(
                self._numbers.setdefault(query, len(self._numbers)) for query in case.queries
            ),
            givens=tuple(map(_given, case.givens)) if why.in_full else (),
            news=self._news(address, outcome),
            excuse=self._excuse(address, outcome),
        )

    def questions(self) -> tuple[ToldQuestion, ...]:
        """Return the questions of the cases that were told, and then what else was asked."""
        others = [query for query in self._telling.answers if query not in self._numbers]
        told = [self._question(query) for query in self._numbers]
        more = [self._question(query) for query in others if query.trajectory in self._trajectories]
        keyed = ((one.trajectory, one.capability, one.frames, one.sentence) for one in more)
        return tuple(told) + tuple(one for _, one in sorted(zip(keyed, more), key=_first))

    def _question(self, query: Query) -> ToldQuestion:
        trajectory, prompting = self._trajectories[query.trajectory], self._telling.prompting
        form = answer_format(query, trajectory, prompting)
        answer = self._telling.answers.get(query)
        in_full = query in self._in_full
        is_item = query.capability.suite is not None
        longest = LONGEST_RAW if in_full else LONGEST_UNTOLD

        def said(one: Answer | None) -> Said:
            return _said(one, query, trajectory, prompting, form, longest)

        return ToldQuestion(
            trajectory=query.trajectory,
            capability=query.capability.value,
            sentence=asked(query, trajectory),
            frames=self._frames(query, trajectory),
            said=said(answer),
            samples=() if answer is None else tuple(map(said, answer.samples)),
            text=question(query, trajectory, prompting).text if in_full else "",
            truth=_true(query, trajectory, form),
            pictures=shown_names(query, trajectory) if in_full and is_item else (),
        )

    def _frames(self, query: Query, trajectory: Trajectory) -> tuple[int, ...]:
        """Return the states whose frames a question shows, each once, changed or not."""
        if query.capability.suite is None:
            return query.evidence
        states = self._states.get(trajectory.id)
        if states is None:
            states = {state.frame: state.index for state in reversed(trajectory.states)}
            self._states[trajectory.id] = states
        files = dict.fromkeys(path for path, _ in shown(query, trajectory))
        return tuple(states[path] for path in files if path in states)


def _first(pair: tuple[tuple[object, ...], ToldQuestion]) -> tuple[object, ...]:
    return pair[0]


def _said(
    answer: Answer | None,
    query: Query,
    trajectory: Trajectory,
    prompting: Prompting,
    form: AnswerFormat,
    longest: int,
) -> Said:
    if answer is None:
        return Said(raw=None, error=_NOT_ASKED)
    reading = reading_of(answer, query, trajectory, prompting)
    raw = answer.raw
    return Said(
        raw=None if raw is None else raw[:longest],
        length=0 if raw is None else len(raw),
        error=answer.error,
        kind=kind_of(answer, reading),
        value=words.value(reading, form) if isinstance(reading, Value) else "",
    )


def _true(query: Query, trajectory: Trajectory, form: AnswerFormat) -> str | None:
    """Return the true answer, as the agent ``truth`` gives it; None where it is not known."""
    known = true_values.knows_truth(query, trajectory)
    if not known or true_values.unknown_to_truth(query, trajectory) is not None:
        return None
    value = true_values.true_value(query, trajectory)
    if query.claim is not None:
        value = Value(holds=true_values.holds(query.claim, value))
    return words.value(value, form)


def _given(fact: Fact) -> str:
    """Return where something that was not asked comes from, and what it is about."""
    match fact:
        case Given():
            about = f"{words.one_line(fact.object)} in frame {fact.frame}, {fact.size_px:g} px tall"
        case Columns():
            where = f"columns {fact.left:g} to {fact.right:g}"
            about = f"{words.one_line(fact.object)} in frame {fact.frame}, {where}"
        case PrincipalColumn(frame, column):
            about = f"the camera of frame {frame} looks along column {column:g}"
        case Executed():
            about = f"after state {fact.first}, {_moved(fact.move_m, fact.turn_deg) or 'nothing'}"
        case HeadingAt(state):
            about = f"the heading at state {state}"
        case StepLength(metres):
            about = f"a step of {metres:g} m"
        case TrueAnswer():
            about = "the true answer"
        case _:
            about = _by_construction(fact)
    return f"{fact.origin}: {about}"


def _by_construction(
    fact: Becomes | IfAnswer | IfCounts | ThenAnswer | OnSide | AsksAbout,
) -> str:
    match fact:
        case Becomes(option, other):
            return f"{words.one_line(option)!r} becomes {words.one_line(other)!r}"
        case IfAnswer(rule, posing, answer):
            return f"rule {rule}: if {words.one_line(posing)} has {words.one_line(answer)!r}"
        case IfCounts(rule, compares, first, second):
            first, second = words.one_line(first), words.one_line(second)
            return f"rule {rule}: if {first} has {_COMPARED[compares]} {second}"
        case ThenAnswer(rule, posing, answer):
            return f"rule {rule}: then {words.one_line(posing)} has {words.one_line(answer)!r}"
        case OnSide(side, posing):
            return f"{words.one_line(posing)} counts on the {side}"
        case AsksAbout(posing, option):
            return f"{words.one_line(posing)} asks about {words.one_line(option)!r}"


# ------------------------------------------------------------------------- what was done


def trajectories(loaded: Iterable[Trajectory]) -> tuple[ToldTrajectory, ...]:
    """Return trajectories as people look at them."""
    return tuple(
        ToldTrajectory(
            id=one.id,
            scenario=one.scenario,
            source=files.told(one.source),
            size=(one.camera.width, one.camera.height),
            frames=tuple(_rooted(state.frame) for state in one.states),
            actions=tuple(map(_done, one.states)),
            objects=tuple(
                ToldObject(
                    id=thing.id,
                    label=thing.label,
                    boxes={
                        state: (box.x1, box.y1, box.x2, box.y2)
                        for state, box in sorted(thing.boxes.items())
                    },
                )
                for thing in one.objects
            ),
        )
        for one in loaded
    )


def _rooted(frame: Path) -> str:
    """Return where a picture lies, from the root; a picture that is a link stays one."""
    return str(_folder(frame.parent) / frame.name)


@lru_cache(maxsize=1024)
def _folder(folder: Path) -> Path:
    return Path(os.path.realpath(folder))


def _done(state: State) -> str:
    """Return what was done after a state: the name that the log has for it, and the movement."""
    action = state.action
    if action is None:
        return ""
    moved = _moved(action.move_m, action.turn_deg)
    failed = "" if state.succeeded is not False else " (failed)"
    return f"{words.one_line(action.name)}{': ' if moved else ''}{moved}{failed}"


def _moved(move_m: Sequence[float], turn_deg: float) -> str:
    return ", ".join(_movements(move_m, turn_deg))


def _movements(move_m: Sequence[float], turn_deg: float) -> Iterator[str]:
    ways = (("forward", "backward"), ("right", "left"), ("up", "down"))
    for metres, (ahead, behind) in zip(move_m, ways):
        if abs(metres) > _SMALL:
            yield f"{abs(metres):g} m {ahead if metres > 0 else behind}"
    if abs(turn_deg) > _SMALL:
        yield f"turn {abs(turn_deg):g} degrees {'right' if turn_deg > 0 else 'left'}"
