"""Which protocol an item runs under: ours, pytest's default one, or what other plugins make of it.

Ours is four times as cheap and calls no hook of setup, call and teardown. It is for items that
nobody else wants to see in all their phases.
"""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pytest

_BY_OPTION = ("usepdb", "trace", "setupshow", "setuponly", "setupplan", "allure_report_dir")
_PHASES = ("setup", "call", "teardown", "makereport")
_BY_MARK = {"skip", "skipif", "xfail"}


def wants_phases(config: pytest.Config) -> bool:
    """Whether a run needs every phase of every item.

    A debugger does, ``--setup-show`` and ``--alluredir``, and a ``conftest.py`` or a local plugin
    with hooks of these phases. Installed plugins with such hooks are many, and do without.
    """
    if any(config.getoption(name, None) for name in _BY_OPTION):
        return True
    installed = {plugin for plugin, _ in config.pluginmanager.list_plugin_distinfo()}
    return any(
        isinstance(found.plugin, ModuleType)
        and found.plugin not in installed
        and not found.plugin.__name__.startswith("_pytest.")
        for phase in _PHASES
        for found in getattr(config.hook, f"pytest_runtest_{phase}").get_hookimpls()
    )


def is_marked(item: pytest.Item) -> bool:
    """Whether somebody put a mark on a case that decides over its outcome."""
    return any(mark.name in _BY_MARK for mark in item.own_markers)


def is_last(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    """Whether a run leaves a trajectory after a case.

    What tests of the same folder have set up is torn down then, which our protocol does not do.
    """
    return nextitem is None or nextitem.path != item.path


def skips(marks: Iterable[pytest.Mark]) -> bool:
    """Whether marks skip an item for certain, so that nobody has to be asked about it."""
    return any(
        mark.name == "skip" or (mark.name == "skipif" and True in mark.args) for mark in marks
    )


def run_once(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    """Run an item under the default protocol, out of reach of plugins that run items again.

    What a case comes to was settled before: no second attempt ends otherwise.
    """
    runner = item.config.pluginmanager.get_plugin("runner")
    assert runner is not None
    return bool(runner.pytest_runtest_protocol(item, nextitem))
