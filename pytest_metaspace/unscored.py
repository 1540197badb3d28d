"""What a gate comes to in a run that has scored no case."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_metaspace.trajectories import MAIN_FILE

if TYPE_CHECKING:
    from pytest_metaspace.ledger import Ledger


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
