"""What a run is to look at beside what was typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_metaspace import handwritten
from pytest_metaspace.errors import UsageProblem

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pytest_metaspace.ledger import Ledger


def check_shard(ledger: Ledger) -> None:
    """Refuse gates on a shard whose results nobody could put together.

    Raises:
        UsageProblem: the run is a part of one, has gates, and is kept in no file.
    """
    options, wanted = ledger.options, ledger.options.records
    gates = options.thresholds or options.limits or wanted.baseline or wanted.quarantine_strict
    kept = wanted.save_run is not None or any(one.format == "json" for one in wanted.reports)
    if wanted.in_parts and gates and not kept:
        raise UsageProblem(
            f"metaspace: no gate can decide on shard {wanted.shard} alone. Add "
            "--metaspace-save-run=FILE or --metaspace-report=json:FILE; metaspace merge decides "
            "over the files of all shards."
        )


def keep_shard(config: pytest.Config, items: list[pytest.Item], ledger: Ledger) -> None:
    """Leave out the cases of other shards; tests without a case stay in each."""
    shard = ledger.options.records.shard
    if not ledger.options.records.in_parts:
        return
    cases = [(item, handwritten.case_of(item)) for item in items]
    others = [item for item, case in cases if case is not None and not shard.has(case.address)]
    if others:
        left = set(others)
        items[:] = [item for item in items if item not in left]
        config.hook.pytest_deselected(items=others)


def is_empty_shard(session: pytest.Session, ledger: Ledger) -> bool:
    """Whether nothing ran because no case fell to this shard."""
    return (
        ledger.options.records.in_parts
        and session.exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED
        and bool(ledger.plans)
    )


def new_arguments(config: pytest.Config, paths: Iterable[Path]) -> list[str]:
    """Return the paths that pytest would not collect anyway.

    Of two arguments of which one holds the other, pytest 8 collects only the inner one: the tests
    of a whole repository would be lost beside its trajectories.
    """
    start = config.invocation_params.dir
    taken = [start / argument for argument in config.args]
    nested = pytest.version_tuple < (9,)
    return [
        str(path)
        for path in paths
        if path not in taken and not (nested and any(map(path.is_relative_to, taken)))
    ]
