"""Reports to write in tests: a run as it may be, with whatever there is to tell, and a large one."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pytest_metaspace import summary
from pytest_metaspace.domain import (
    Capability,
    Cluster,
    Comparison,
    Derivation,
    GateResult,
    Interval,
    Kept,
    Known,
    KnownState,
    Moves,
    Outcome,
    Put,
    Record,
    Report,
    Run,
    Said,
    Settings,
    Shift,
    Step,
    ToldCase,
    ToldObject,
    ToldQuestion,
    ToldTrajectory,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

FRAMES: Final = Path(__file__).resolve().parents[2] / "fixtures/household/study-01/frames"
TITLES: Final = {
    "MR1": "transitivity",
    "MR2": "symmetry",
    "MR3": "contradiction",
    "A2": "odometry",
}
_DEGREES: Final = ("forward-left", "right", "backward", "none")


def sample() -> Report:
    """Return a run with two trajectories and whatever a report may have to tell."""
    report = of_cases(
        [*_household(), *_drone()],
        [trajectory_of("study-01", "household"), trajectory_of("harbour-02", "drone")],
    )
    run = report.run
    return replace(
        report,
        status=1,
        untold=2,
        run=replace(
            run,
            gates=_gates(),
            comparison=_comparison(report),
            known=_known(),
            drops={"too close to call": 12},
            questions=40,
            failures={"unreadable": 3, "timed out": 1},
            references={"random": {score.name: 0.5 for score in run.scores}},
        ),
    )


def of_cases(
    cases: Sequence[ToldCase],
    trajectories: Sequence[ToldTrajectory],
    *,
    titles: Mapping[str, str] = TITLES,
) -> Report:
    """Return a report of cases whose scores, counts and record follow from them."""
    clusters = {
        told.id: Cluster(scenario=told.scenario, objects=len(told.objects)) for told in trajectories
    }
    settings = Settings(anchors=frozenset({"A2"}))
    questions = tuple(_questions(cases))
    run = summary.summarise(
        agent="openai:gpt-4o",
        settings=settings,
        titles=titles,
        trajectories=tuple(clusters),
        outcomes=[(*case.parts[:3], case.outcome) for case in cases],
        drops={},
        questions=len(questions),
        anchored=frozenset({"A2"}),
        clusters=clusters,
        intervals=False,
    )
    return Report(
        run=_with_intervals(run),
        kept=_kept(cases, clusters, settings, titles),
        cases=tuple(sorted(cases, key=lambda case: case.address)),
        questions=questions,
        trajectories=tuple(trajectories),
        made_by="0.1.0",
        finished="2026-11-30T12:00:00Z",
    )


def large(cases: int = 30_300, trajectories: int = 60, told_in_full: int = 100) -> Report:
    """Return a run of many cases, every second one violated."""
    names = [f"house-{number:03d}" for number in range(trajectories)]
    groups = [(code, mr) for code in Capability for mr in ("MR1", "MR2", "MR3")]
    told: Counter[tuple[str, str]] = Counter()
    found = []
    for number in range(cases):
        capability, relation = groups[number % len(groups)]
        bad = number // len(groups) % 2 == 0
        told[capability.value, relation] += bad
        found.append(
            case(
                names[number // len(groups) % trajectories],
                capability.value,
                relation,
                f"f{number:06d}-chair1-table2-{number:08x}",
                Outcome.VIOLATED if bad else Outcome.SATISFIED,
                in_full=told[capability.value, relation] <= told_in_full,
            )
        )
    return of_cases(found, [trajectory_of(name, "household") for name in names])


def case(
    trajectory: str,
    capability: str,
    relation: str,
    own: str,
    outcome: Outcome,
    *,
    in_full: bool = False,
    text: str = "right",
) -> ToldCase:
    """Return a case; one in full that is violated has a derivation of two answers."""
    derived = in_full and outcome is Outcome.VIOLATED
    return ToldCase(
        address=f"{trajectory}::{capability}::{relation}::{own}",
        outcome=outcome,
        objects=("chair-1", "desk-1"),
        states=(0, 1),
        reason="" if outcome is Outcome.SATISFIED else _REASONS.get(outcome, ""),
        derivation=derivation(text) if derived else None,
        questions=(0, 1),
    )


_REASONS: Final = {
    Outcome.VIOLATED: "these answers cannot all be true",
    Outcome.INCONCLUSIVE: "the answers allow more than one direction",
    Outcome.INVALID: "the answer to question 2 is no direction: I cannot tell",
    Outcome.ERROR: "question 1 has no answer: timed out",
}


def derivation(text: str) -> Derivation:
    """Return a derivation with a rule, a consequence and two answers."""
    answers = [
        Step(goal=f"{text} is the direction there", because="said", source="answer", observation=0),
        Step(goal=f"{text} is the way back", because="said", source="answer", observation=1),
    ]
    opposite = Step(
        goal=f"the way back from {text} is another one",
        because="opposite/2",
        source="laws/symmetry.pl:70",
    )
    return Derivation(
        summary=f"These answers cannot all be true: {text} there and {text} back.",
        root=Step(
            goal=f"{text} there and {text} back are not opposite",
            because="violated/1",
            source="laws/symmetry.pl:40",
            children=(answers[0], opposite, answers[1]),
        ),
    )


def _household() -> Iterable[ToldCase]:
    for capability, relation, outcomes in (
        ("SC1-a", "MR1", "SSVSIS"),
        ("SC1-a", "A2", "SV"),
        ("SC2-a", "MR1", "VVVSU"),
        ("SC2-a", "MR2", "SSSS"),
        ("SC4-b", "MR3", "UUX"),
    ):
        yield from _group("study-01", capability, relation, outcomes)


def _drone() -> Iterable[ToldCase]:
    yield from _group("harbour-02", "SC1-a", "MR1", "SSSSVX")
    yield from _group("harbour-02", "SC2-a", "MR2", "VSSS")


def _group(trajectory: str, capability: str, relation: str, outcomes: str) -> Iterable[ToldCase]:
    letters = {
        "S": Outcome.SATISFIED,
        "V": Outcome.VIOLATED,
        "U": Outcome.INCONCLUSIVE,
        "I": Outcome.INVALID,
        "X": Outcome.ERROR,
    }
    for number, letter in enumerate(outcomes):
        own = f"f00{number}-chair1-desk1-{number:08x}"
        made = case(trajectory, capability, relation, own, letters[letter], in_full=True)
        if letter == "V":
            made = replace(
                made,
                news="known" if number % 2 else "new",
                excuse="known: leaves out mirrors (ada, until 2027-01-01)" if number == 1 else "",
            )
        yield made


def _questions(cases: Iterable[ToldCase]) -> Iterable[ToldQuestion]:
    trajectory, capability = next(((one.parts[0], one.parts[1]) for one in cases), ("", ""))
    for number in (0, 1):
        yield ToldQuestion(
            trajectory=trajectory,
            capability=capability,
            sentence=f"In which direction does desk-1 lie from chair-1 in frame {number}?",
            frames=(number,),
            said=said(_DEGREES[number]),
            text=f"You see frame {number}.\nAnswer with one word.",
            truth="right",
        )


def said(text: str) -> Said:
    return Said(raw=text[:20_000], length=len(text), value=text)


def trajectory_of(name: str, scenario: str, text: str = "") -> ToldTrajectory:
    frames = tuple(str(path) for path in sorted(FRAMES.glob("*.webp"))[:4])
    return ToldTrajectory(
        id=name,
        scenario=scenario,
        source=text or f"runs/{name}/trajectory.json",
        size=(640, 480),
        frames=frames,
        actions=(text or "move_forward 0.5 m", "turn_left 30 degrees", "move_right 0.5 m", ""),
        objects=tuple(
            ToldObject(
                id=name_of,
                label=text or name_of.split("-")[0],
                boxes=dict.fromkeys((0, 1), (40.0 * number, 60.0, 40.0 * number + 90, 200.5)),
            )
            for number, name_of in enumerate(("chair-1", "desk-1", text or "lamp-1"), start=1)
        ),
    )


def _kept(
    cases: Sequence[ToldCase],
    clusters: Mapping[str, Cluster],
    settings: Settings,
    titles: Mapping[str, str],
) -> Kept:
    return Kept(
        record=Record(
            agent="openai:gpt-4o",
            identity="0" * 64,
            made_by="0.1.0",
            wording={"household": "1" * 64},
            settings=settings,
            anchored=frozenset({"A2"}),
            trajectories=dict.fromkeys(clusters, "2" * 64),
            outcomes={case.address: case.outcome for case in cases},
        ),
        shard=(1, 1),
        stopped=False,
        titles=titles,
        clusters=clusters,
        drops={},
        skips={},
        tested=frozenset((case.parts[1], case.parts[2]) for case in cases),
        deselected=frozenset(),
        unrun=frozenset(),
        questions={f"{number:064x}": Put(capability="SC1-a") for number in (0, 1)},
        rules={},
    )


def _with_intervals(run: Run) -> Run:
    """Return it with made-up intervals: real ones take a library and time."""

    def around(value: float | None) -> Interval | None:
        return value if value is None else Interval(max(value - 0.1, 0), min(value + 0.1, 1), 7.0)

    return replace(
        run,
        scores=tuple(replace(one, interval=around(one.value)) for one in run.scores),
        by_relation=tuple(replace(one, interval=around(one.value)) for one in run.by_relation),
        anchors=tuple(replace(one, interval=around(one.value)) for one in run.anchors),
        by_scenario=tuple(replace(one, interval=around(one.value)) for one in run.by_scenario),
        overall=replace(run.overall, interval=around(run.overall.value)),
    )


def _gates() -> tuple[GateResult, ...]:
    return (
        GateResult(
            name="total",
            value=0.697,
            threshold=0.6,
            passed=True,
            sentence="total is 0.697, at least 0.6",
            basis="95 % interval 0.60-0.80; 28 cases in 2 trajectories",
        ),
        GateResult(
            name="SC2-a/MR1",
            value=0.25,
            threshold=0.5,
            passed=False,
            sentence="SC2-a/MR1 is 0.250, below 0.5",
            basis="5 cases in 1 trajectory",
        ),
        GateResult(
            name="drone",
            value=0.775,
            threshold=0.8,
            passed=True,
            undecided=True,
            sentence="drone is 0.775, which may be on either side of 0.8",
        ),
        GateResult(
            name="baseline",
            value=-0.2,
            threshold=0.0,
            passed=False,
            sentence="baseline: SC2-a fell by 0.200, more than chance would bring about",
        ),
        GateResult(
            name="quarantine",
            value=1.0,
            threshold=0.0,
            passed=True,
            sentence="quarantine: 1 entry is expired",
        ),
    )


def shift(capability: str, before: float, after: float) -> Shift:
    return Shift(
        capability=capability,
        cases=9,
        trajectories=2,
        before=before,
        after=after,
        p=0.01 if after < before else None,
        lost=3,
        won=1,
        detectable=0.1,
        needed=8,
        judged="worse" if after < before else "better",
    )


def _comparison(report: Report) -> Comparison:
    violated = [one.address for one in report.cases if one.outcome is Outcome.VIOLATED]
    return Comparison(
        before="baseline.jsonl",
        after="this run",
        differences=("the seed was 1 and is 0",),
        shifts=(shift("SC1-a", 0.5, 0.7), shift("SC2-a", 0.8, 0.6)),
        moves=Moves(
            newly_violated=tuple(violated[:3]),
            newly_satisfied=tuple(
                one.address for one in report.cases if one.outcome is Outcome.SATISFIED
            )[:2],
        ),
        anchored=frozenset({"A2"}),
    )


def _known() -> tuple[KnownState, ...]:
    entry = Known(
        case="study-01::SC2-a::MR1::*",
        reason="leaves out mirrors",
        owner="ada",
        expires=date(2027, 1, 1),
    )
    return (KnownState(known=entry, cases=5, broken=3, expired=False, healed=False, idle=False),)
