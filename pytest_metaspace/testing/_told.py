"""Made-up reports for the check of formats: one of nothing, an ordinary one, a hostile one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from pytest_metaspace import samples
from pytest_metaspace.domain import (
    Cluster,
    Derivation,
    Kept,
    Key,
    Outcome,
    Put,
    Record,
    Report,
    Said,
    Settings,
    Step,
    ToldCase,
    ToldObject,
    ToldQuestion,
    ToldTrajectory,
)
from pytest_metaspace.summary import Rules, summarise

if TYPE_CHECKING:
    from collections.abc import Sequence

_PLAIN: Final = "right"
_HOSTILE: Final = (
    "<script>alert(1)</script> ]]> | `x` ::error::\n\r\x1b[31m\x00\u202e\u2028 "
    "\ud800 \udfff \ufffe % & \" ' ../../etc/passwd"
)
_TITLE: Final = "symmetry"


def reports() -> list[tuple[str, Report]]:
    """Return reports to write, each with what it is."""
    return [
        ("a run of nothing", _report((), "empty", _PLAIN)),
        ("an ordinary run", _report(tuple(Outcome), "study-01", _PLAIN)),
        ("a run with hostile texts", _report(tuple(Outcome), _HOSTILE, _HOSTILE)),
    ]


def _report(outcomes: Sequence[Outcome], trajectory: str, text: str) -> Report:
    cases = tuple(_case(trajectory, outcome, text) for outcome in outcomes)
    clusters = {trajectory: Cluster(scenario="household", objects=1)} if outcomes else {}
    settings = Settings()
    run = summarise(
        agent=text,
        settings=settings,
        titles={"MR2": _TITLE},
        trajectories=tuple(clusters),
        outcomes=[(trajectory, "SC1-a", "MR2", outcome) for outcome in outcomes],
        drops={text: 1},
        questions=2 * bool(outcomes),
        rules=Rules(thresholds={"total": 0.9, "SC1-a": 0.1}),
        clusters=clusters,
        failures={"unreadable": 1},
        marked=[
            (f"{trajectory}::TST-fold::TST-ACC::{outcome.value}", _key(text), outcome)
            for outcome in outcomes
        ],
    )
    return Report(
        run=run,
        kept=_kept(cases, clusters, settings, text),
        cases=cases,
        questions=tuple(_question(trajectory, text, said) for said in (text, None))
        if cases
        else (),
        trajectories=(_trajectory(trajectory, text),) if cases else (),
        made_by="1.0",
        finished="2026-11-30T12:00:00Z",
        status=1,
        untold=1 if cases else 0,
    )


def _key(text: str) -> Key:
    return Key(answer=text, options=2, slices={text: text})


def _case(trajectory: str, outcome: Outcome, text: str) -> ToldCase:
    bad = outcome is Outcome.VIOLATED
    return ToldCase(
        address=f"{trajectory}::SC1-a::MR2::{outcome}",
        outcome=outcome,
        objects=(text,),
        states=(0, 1),
        reason="" if outcome in (Outcome.SATISFIED, Outcome.VIOLATED) else text,
        derivation=_derivation(text) if bad else None,
        questions=(0, 1),
        givens=(f"measured: {text}",) if bad else (),
        news="new" if bad else "",
        excuse=text if bad else "",
    )


def _derivation(text: str) -> Derivation:
    leaves = tuple(
        Step(goal=f"{text} {number}", because="said", source="answer", observation=number)
        for number in range(3)
    )
    root = Step(goal=text, because="violated/1", source="laws/symmetry.pl:40", children=leaves)
    return Derivation(summary=f"These answers cannot all be true: {text}.", root=root)


def _question(trajectory: str, text: str, said: str | None) -> ToldQuestion:
    return ToldQuestion(
        trajectory=trajectory,
        capability="SC1-a",
        sentence=text,
        frames=(0, 1),
        said=Said(
            raw=said,
            length=len(said or ""),
            error=None if said else text,
            kind=None if said else "timed out",
            value=said or "",
        ),
        samples=(Said(raw=text), Said(raw=None, error=text)),
        text=text,
        truth=text,
        pictures=(text,),
    )


def _trajectory(trajectory: str, text: str) -> ToldTrajectory:
    picture = min((samples.folder() / "frames").iterdir())
    return ToldTrajectory(
        id=trajectory,
        scenario="household",
        source=text,
        size=(640, 480),
        frames=(str(picture), str(Path(picture.parent, "missing.png"))),
        actions=(text, ""),
        objects=(ToldObject(id=text, label=text, boxes={0: (10.0, 10.0, 60.5, 80.0)}),),
    )


def _kept(
    cases: Sequence[ToldCase], clusters: dict[str, Cluster], settings: Settings, text: str
) -> Kept:
    return Kept(
        record=Record(
            agent=text,
            identity=text,
            made_by="1.0",
            wording={"household": "0"},
            settings=settings,
            anchored=frozenset(),
            trajectories=dict.fromkeys(clusters, "0"),
            outcomes={case.address: case.outcome for case in cases},
            source="this run",
        ),
        shard=(1, 1),
        stopped=False,
        titles={"MR2": _TITLE},
        clusters=clusters,
        drops={text: 1},
        skips={"SC2-a": text},
        tested=frozenset({("SC1-a", "MR2")}),
        deselected=frozenset(),
        unrun=frozenset(),
        questions={"0": Put(capability="SC1-a", failed="unreadable")},
        rules={"thresholds": {"total": 0.9, "SC1-a": 0.1}},
    )
