"""Does a relation do what we demand?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_metaspace import pipeline
from pytest_metaspace.agents.mutant import FAULTS
from pytest_metaspace.domain import Capability, Case, Outcome, Query, Settings
from pytest_metaspace.errors import MetaspaceError
from pytest_metaspace.mrs import Grounds, Relation
from pytest_metaspace.questions import distinct, question
from pytest_metaspace.registry import NAME, NAME_RULE
from pytest_metaspace.reports import derivation
from pytest_metaspace.testing._elsewhere import enumerations
from pytest_metaspace.testing._grounds import demand, loaded, watched

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pytest_metaspace.domain import Semantics, Subject, Trajectory, Verdict
    from pytest_metaspace.oracle import Oracle
_RESTLESS = (
    "yields other cases, or in another order, when it is asked again. Sort what comes out of a "
    "set, seed what is drawn by the case's identity, and keep nothing between calls: workers and "
    "later runs must find the same cases."
)


def check_relation(
    relation: Relation, *, trajectories: Iterable[Path | str] = (), engine: Any = "auto"
) -> None:
    """Check that a relation can be used, never accuses who is right, and notices who is wrong.

    It enumerates its cases twice under both semantics, and once more in two other processes where
    ``instances`` can be imported by its name. It has them asked of the agent ``truth`` and of its
    mutants, and has the answers judged by its law.

    Args:
        relation: as it is handed to ``register``.
        trajectories: trajectories, or folders of them, with ``truth.json``; the shipped one
            when empty.
        engine: what runs Prolog, as for ``--metaspace-engine``.

    Raises:
        AssertionError: it does not; the text says what, where and what to do.
    """
    _check_fields(relation)
    there = loaded(trajectories)
    cases = [case for found in there.values() for case in _cases(relation, found, "sound")]
    for found in there.values():
        _cases(relation, found, "paper")
    for others in enumerations(relation, there.values()):
        demand(others == [case.id for case in cases], f"relation {relation.name}: {_RESTLESS}")
    demand(
        cases,
        f"relation {relation.name}: yields no case on {', '.join(there)}. Hand in trajectories "
        "that feed it with trajectories=, or look at which pairs it leaves out.",
    )
    registries = pipeline.Registries()
    registries.relations.add(relation.name, relation, "check_relation")
    try:
        with pipeline.oracle_for(registries, Settings(engine=engine)) as oracle:
            _check_law(relation, cases, oracle)
            _check_truth(relation, cases, there, oracle)
            _check_mutants(relation, cases, there, oracle)
    except MetaspaceError as problem:
        raise AssertionError(f"relation {relation.name}: {problem}") from problem


def _check_fields(relation: Relation) -> None:
    demand(
        isinstance(relation, Relation),
        f"{relation!r} is no pytest_metaspace.mrs.Relation, which is what register takes.",
    )
    name = relation.name
    demand(
        isinstance(name, str) and NAME.fullmatch(name),
        f"relation {name!r}: field name: expected {NAME_RULE}.",
    )
    demand(
        isinstance(relation.title, str) and relation.title.strip() and "\n" not in relation.title,
        f"relation {name}: field title: expected two or three words for the score table, found "
        f"{relation.title!r}.",
    )
    codes = relation.capabilities
    demand(
        isinstance(codes, tuple) and codes and all(isinstance(code, Capability) for code in codes),
        f"relation {name}: field capabilities: expected a tuple of Capability, not empty, found "
        f"{codes!r}.",
    )
    demand(
        len(set(codes)) == len(codes),
        f"relation {name}: field capabilities: names one twice, so its cases would be too.",
    )
    law = relation.prolog
    demand(
        law is None or (isinstance(law, Path) and law.is_file()),
        f"relation {name}: field prolog: {law} is no file; expected a Path, as in "
        "Path(__file__).with_name('law.pl'), or None for a built-in law.",
    )


# ----------------------------------------------------------------------------- enumeration


def _cases(relation: Relation, trajectory: Trajectory, semantics: Semantics) -> list[Case]:
    """Return the cases on a trajectory, each looked at."""
    settings = Settings(semantics=semantics)
    found: list[Case] = []
    for capability in relation.capabilities:
        first, second = (
            _enumerated(relation, Grounds(trajectory, settings), capability) for _ in range(2)
        )
        where = f"relation {relation.name}, {capability} on {trajectory.id}"
        demand(
            first == second,
            f"{where}: {_RESTLESS}",
        )
        seen: dict[str, Case] = {}
        for case in first:
            _check_case(case, relation, capability, trajectory, settings)
            demand(
                case.id not in seen,
                f"{where}: yields the id {case.id} twice. Hand grounds.case what tells the two "
                "cases apart as identity= or suffix=.",
            )
            seen[case.id] = case
        found += first
    return found


def _enumerated(relation: Relation, grounds: Grounds, capability: Capability) -> list[Case]:
    where = f"relation {relation.name}, {capability} on {grounds.trajectory.id}: instances"
    with watched(where, "Yield nothing where a trajectory lacks what a case needs."):
        return list(relation.instances(grounds, capability))


def _check_case(
    case: Case,
    relation: Relation,
    capability: Capability,
    trajectory: Trajectory,
    settings: Settings,
) -> None:
    where = f"relation {relation.name}, {capability} on {trajectory.id}"
    demand(
        isinstance(case, Case),
        f"{where}: yields {case!r}, which is no Case. Make cases with grounds.case(...).",
    )
    demand(
        NAME.fullmatch(case.id),
        f"{where}: case id {case.id!a}: expected {NAME_RULE}. grounds.case makes such an id.",
    )
    where = f"{where}: case {case.id}"
    wanted = {
        "relation": relation.name,
        "capability": capability,
        "trajectory": trajectory.id,
        "semantics": settings.semantics,
    }
    for name, value in wanted.items():
        demand(
            getattr(case, name) == value,
            f"{where}: field {name}: is {getattr(case, name)!s}, expected {value!s}.",
        )
    demand(case.queries, f"{where}: field queries: is empty, so there is nothing to judge.")
    subjects = [*case.subjects, *(case.objects or ()), *([case.object] if case.object else ())]
    for subject in subjects:
        _check_subject(subject, trajectory, f"{where}: field subjects")
    for number, query in enumerate(case.queries):
        _check_query(query, trajectory, f"{where}: field queries.{number}")


def _check_subject(subject: Subject, trajectory: Trajectory, where: str) -> None:
    there = (
        0 <= subject < len(trajectory.states)
        if isinstance(subject, int)
        else subject in trajectory.by_id
    )
    demand(there, f"{where}: {subject!r} is no state and no tracked object of {trajectory.id}.")


def _check_query(query: Query, trajectory: Trajectory, where: str) -> None:
    demand(isinstance(query, Query), f"{where}: {query!r} is no Query.")
    demand(
        query.trajectory == trajectory.id,
        f"{where}: asks about the trajectory {query.trajectory!r}, its case about {trajectory.id}.",
    )
    for subject in (query.a, *([] if query.b is None else [query.b])):
        _check_subject(subject, trajectory, where)
    demand(query.evidence, f"{where}: field evidence: shows no picture.")
    frames = [*query.evidence, *([] if query.reference is None else [query.reference])]
    for frame in frames:
        demand(
            isinstance(frame, int) and 0 <= frame < len(trajectory.states),
            f"{where}: frame {frame!r} is none of {trajectory.id}'s {len(trajectory.states)}.",
        )
    advice = "Make queries with Window, View or Map of pytest_metaspace.mrs, or grounds.about."
    with watched(f"{where}: writing the question", advice):
        question(query, trajectory)


# ---------------------------------------------------------------------------------- judging


def _check_law(relation: Relation, cases: Sequence[Case], oracle: Oracle) -> None:
    if relation.prolog is not None:
        return  # it brings laws that the description does not list; judging tells
    known = set(oracle.describe()["relations"])
    for case in cases:
        demand(
            case.law in known,
            f"relation {relation.name}: case {case.id}: field law: {case.law!r} is none that the "
            f"oracle knows: {', '.join(sorted(known))}. Name a built-in law, or bring a file "
            "with its clauses in Relation.prolog.",
        )


def _judged(
    agent_name: str, cases: Sequence[Case], there: Mapping[str, Trajectory], oracle: Oracle
) -> list[Verdict]:
    agent = pipeline.Registries.built_in().agent(agent_name, Path.cwd())
    replies = pipeline.ask(cases, there, agent, None)
    return list(pipeline.judge(cases, replies.answers, there, oracle))


def _check_truth(
    relation: Relation, cases: Sequence[Case], there: Mapping[str, Trajectory], oracle: Oracle
) -> None:
    known = [case for case in cases if there[case.trajectory].truth is not None]
    demand(
        known,
        f"relation {relation.name}: no trajectory with cases has a truth.json, so nobody knows "
        "what is right. Hand in one that has, with trajectories=.",
    )
    verdicts = _judged("truth", known, there, oracle)
    for found in verdicts:
        where = f"relation {relation.name}: case {found.case.id}"
        demand(
            found.outcome not in (Outcome.ERROR, Outcome.INVALID),
            f"{where}: the law {found.case.law} cannot judge it ({found.outcome}): {found.reason}. "
            "Give it the subjects and questions that this law takes.",
        )
        demand(
            found.outcome is not Outcome.VIOLATED,
            f"{where}: accuses the agent truth, which is right about everything. Weaken the law, "
            "or leave out where it does not hold.\n" + "\n".join(derivation.short(found)),
        )
    demand(
        any(found.outcome is Outcome.SATISFIED for found in verdicts),
        f"relation {relation.name}: all of its {len(verdicts)} cases are inconclusive on true "
        f"answers, as in: {verdicts[0].reason}. It would never decide anything.",
    )


def _check_mutants(
    relation: Relation, cases: Sequence[Case], there: Mapping[str, Trajectory], oracle: Oracle
) -> None:
    for fault in FAULTS:
        verdicts = _judged(f"mutant:{fault}:truth", cases, there, oracle)
        if any(found.outcome is Outcome.VIOLATED for found in verdicts):
            return
    raise AssertionError(
        f"relation {relation.name}: notices no agent with a spatial fault ({', '.join(FAULTS)}) in "
        f"{len(cases)} cases with {len(distinct(cases))} questions. A relation that nothing breaks "
        "tests nothing: compare answers that a fault makes differ."
    )
