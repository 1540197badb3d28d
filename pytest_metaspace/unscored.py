"""Selections of which nothing can be scored, and gates that have nothing to decide on."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final

import pytest

from pytest_metaspace import gates
from pytest_metaspace.domain import Selection
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.pipeline import chosen, plan
from pytest_metaspace.trajectories import MAIN_FILE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_metaspace.ledger import Ledger
    from pytest_metaspace.mrs import Relation

_GATE: Final = "--metaspace-fail-under"
_LOOKED_AT: Final = 20
"""Trajectories that are looked at for what could be selected instead."""


def check_selection(ledger: Ledger) -> None:
    """Check that there is something to select, and a score for each gate.

    Raises:
        UsageProblem: an option names what is not there, or what does not go together.
    """
    settings = ledger.options.settings
    relations = chosen(ledger.registries, settings)
    tested = {code.value for relation in relations for code in relation.capabilities}
    if settings.capabilities and not tested & settings.capabilities:
        raise UsageProblem(
            f"metaspace: {', '.join(relation.name for relation in relations)} does not test "
            f"{', '.join(sorted(settings.capabilities))}, but {', '.join(sorted(tested))}. Choose "
            "other capabilities or relations."
        )
    _check_gates(ledger, relations)


def _check_gates(ledger: Ledger, relations: Sequence[Relation]) -> None:
    """Check that each gate is on something that the run has, and can be decided.

    Gates of the ini file are those of the whole run: a part of it, as somebody tries one relation,
    is scored all the same.

    Raises:
        UsageProblem: it is not, or cannot.
    """
    thresholds, registries = ledger.options.thresholds, ledger.registries
    tasks = {code.value for suite in registries.suites for code in suite.capabilities}
    gates.check_names(thresholds, registries.relations.names, tasks)
    typed = ledger.options.gates_typed == _GATE
    for name in thresholds:
        what = Selection.of(name)
        lacks = _left_out(ledger, what, relations)
        if lacks and (typed or what.relation in ledger.anchors):
            raise UsageProblem(f"metaspace: the gate {name} has no score, as {lacks}")


def _left_out(ledger: Ledger, what: Selection, relations: Sequence[Relation]) -> str:
    """Return why no case of a gate can be in the run, and what to type; empty where one can be.

    A total without cases is told at the end of a run, by what there was.
    """
    name, code = what.relation, what.capability
    taken = [one for one in relations if name == one.name or (name is None and not one.apart)]
    if name is None and code is None:
        return ""
    if not taken:
        if name is None:
            return "the run leaves its relations out. Name some in --metaspace-mr."
        if ledger.registries.relations.get(name).anchored:
            return f"the run leaves its relation out. Add --metaspace-anchors={name}."
        return f"the run leaves its relation out. Name {name} in --metaspace-mr, too."
    tested = {each.value for one in taken for each in one.capabilities}
    if code is not None and code not in tested:
        names = ", ".join(one.name for one in taken)
        return f"{names} does not test {code}, but {', '.join(sorted(tested))}."
    wanted = ledger.options.settings.capabilities
    if wanted and not wanted & (tested if code is None else {code}):
        there = code or f"one of {', '.join(sorted(tested))}"
        return f"the run leaves out what it is about. Name {there} in --metaspace-sc, too."
    return ""


def why_empty(ledger: Ledger) -> Iterator[str]:
    """Yield that the relations and capabilities that were named have no case, and which have."""
    settings, made = ledger.options.settings, ledger.plans.values()
    named = [*sorted(settings.relations), *sorted(settings.capabilities)]
    if not named or not made or settings.sample < 1 or any(one.cases for one in made):
        return
    all_ = replace(settings, relations=frozenset(), capabilities=frozenset())
    some = islice(ledger.trajectories.values(), _LOOKED_AT)
    cases = (case for one in some for case in plan(one, ledger.registries, all_).cases)
    there = ", ".join(sorted({case.relation for case in cases})) or "none"
    many = f"{len(made)} trajectories" if len(made) > 1 else "the trajectory"
    yield f"metaspace: no case of {', '.join(named)} was found in {many}."
    yield f"Relations that have cases there: {there}. --metaspace-mr and --metaspace-sc select."


def refuse(session: pytest.Session, ledger: Ledger) -> None:
    """Refuse to end well where a gate was to decide and nothing was scored.

    A test that failed has decided already. A gate of the ini file is not meant for runs that
    select no case, as all runs of a project's other tests do.

    Raises:
        pytest.UsageError: the gate was typed, or trajectories were there and scored nothing.
    """
    options = ledger.options
    compared = options.records.baseline is not None
    if not (options.thresholds or options.limits or compared) or session.testsfailed:
        return
    typed = options.gates_typed
    there = ledger.plans and not ledger.deselected
    if typed or there or _names_a_trajectory(session.config, ledger):
        ini = "metaspace_max_invalid" if options.limits else "metaspace_baseline"
        ini = "metaspace_fail_under" if options.thresholds else ini
        gate = typed or f"the ini option {ini}"
        raise pytest.UsageError(
            f"metaspace: {gate} has nothing to decide on: no case was scored. Name trajectories, "
            "or widen the selection."
        )


def _names_a_trajectory(config: pytest.Config, ledger: Ledger) -> bool:
    """Whether a trajectory itself, not a folder above it, stands on the command line."""
    if config.args_source is not pytest.Config.ArgsSource.ARGS:
        return False
    paths = [config.invocation_params.dir / arg.split("::")[0] for arg in config.args]
    files = [path / MAIN_FILE if path.is_dir() else path for path in paths]
    return any(path.is_file() and ledger.registries.format_of(path) for path in files)
