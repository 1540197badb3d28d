"""What a run is to look at: paths of the ini file, and whether a selection can hold cases."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.pipeline import chosen

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pytest_metaspace.ledger import Ledger


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


def check(ledger: Ledger) -> None:
    """Refuse a selection that can hold no case.

    Raises:
        UsageProblem: a name is not known, or no chosen relation tests a chosen capability.
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
