"""What the hooks of a run add to what is built in, and the marks of capabilities and relations."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import pytest

from pytest_metaspace import pipeline
from pytest_metaspace.domain import Capability
from pytest_metaspace.episodes import open_logs
from pytest_metaspace.following import open_tracker
from pytest_metaspace.options import resolve

if TYPE_CHECKING:
    from pytest_metaspace.options import PluginOptions

#  Marks that do something; pytest tells of them only after this plugin was configured.
_OF_PYTEST: Final = {
    "filterwarnings",
    "parametrize",
    "skip",
    "skipif",
    "usefixtures",
    "xfail",
}
_REGISTRIES: pytest.StashKey[pipeline.Registries] = pytest.StashKey()


def registered(config: pytest.Config, options: PluginOptions | None = None) -> pipeline.Registries:
    """Return what is built in and what the hooks of this run add, with its tracker; made once.

    Args:
        config: of the run.
        options: of the run, where they are resolved already.

    Raises:
        UsageProblem: a name is taken, or the tracker cannot be made.
    """
    if _REGISTRIES not in config.stash:
        resolved = options or resolve(config)
        registries = _with_hooks(config, resolved)
        open_logs(config, registries, resolved)
        open_tracker(config, registries, resolved)
        config.stash[_REGISTRIES] = registries
    return config.stash[_REGISTRIES]


def _with_hooks(config: pytest.Config, options: PluginOptions) -> pipeline.Registries:
    registries = pipeline.Registries.built_in(options.showing)
    hook = config.hook

    def relation(thing: Any) -> None:
        registries.relations.add(thing.name, thing, thing.instances.__module__)

    def agent(thing: Any) -> None:
        registries.agents.add(thing.name, thing, thing.build.__module__)

    def trajectory_format(thing: Any) -> None:
        registries.formats.add(thing.name, thing, thing.matches.__module__)

    def tracker(thing: Any) -> None:
        registries.trackers.add(thing.name, thing, thing.build.__module__)

    def report(thing: Any) -> None:
        registries.reports.add(thing.name, thing, thing.write.__module__)

    def suite(thing: Any) -> None:
        registries.add_suite(thing, thing.title)

    hook.pytest_metaspace_register_suites(register=suite)
    hook.pytest_metaspace_register_relations(register=relation)
    hook.pytest_metaspace_register_agents(register=agent)
    hook.pytest_metaspace_register_trajectory_formats(register=trajectory_format)
    hook.pytest_metaspace_register_trackers(register=tracker)
    hook.pytest_metaspace_register_reports(register=report)
    return registries


def register_marks(config: pytest.Config, registries: pipeline.Registries) -> frozenset[str]:
    """Make marks of capabilities and relations; a name that another mark has stays with it."""
    told = {code.value: f"cases of {code.meaning} (metaspace)" for code in Capability}
    tasks = (code for one in registries.suites for code in one.capabilities)
    told |= {code.value: f"items of {code.meaning} (metaspace)" for code in tasks}
    told |= {
        one.name: f"cases of the relation {one.title} (metaspace)" for one in registries.relations
    }
    named = (re.split(r"[:(]", line)[0].strip() for line in config.getini("markers"))
    taken = _OF_PYTEST.union(named)
    kept = {name for name in told if re.fullmatch(r"[A-Za-z][\w.+-]*", name) and name not in taken}
    for name in sorted(kept):
        config.addinivalue_line("markers", f"{name}: {told[name]}")
    return frozenset(kept)
