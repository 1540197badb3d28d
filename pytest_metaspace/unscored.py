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
    from collections.abc import Iterator

    from pytest_metaspace.ledger import Ledger

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
    _check_gates(ledger, [relation.name for relation in relations])


def _check_gates(ledger: Ledger, relations: list[str]) -> None:
    """Check that each gate is on something that the run has, and can be decided.

    Raises:
        UsageProblem: it is not, or cannot.
    """
    options = ledger.options
    for name in options.thresholds:
        relation = Selection.of(name).relation
        if relation in ledger.anchors and relation not in relations:
            raise UsageProblem(
                f"metaspace: the gate {name} has no score, as the run leaves its relation out. Add "
                f"--metaspace-anchors={relation}."
            )
    tasks = {code.value for suite in ledger.registries.suites for code in suite.capabilities}
    gates.check_names(options.thresholds, ledger.registries.relations.names, tasks)


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
