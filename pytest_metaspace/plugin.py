"""The pytest plugin: a table of contents. Each hook hands on to the module that knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace import hookspecs, options
from pytest_metaspace.errors import MetaspaceError, UsageProblem

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

pytest_plugins = ("pytest_metaspace.fixtures",)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--metaspace-*`` and the ini options ``metaspace_*``."""
    options.add(parser)


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    """Add the hooks that register relations, agents and formats."""
    pluginmanager.add_hookspecs(hookspecs)


def pytest_configure(config: pytest.Config) -> None:
    """Resolve the options and, where there is an agent, register what it takes."""
    config.addinivalue_line(
        "markers",
        "metaspace(sc=None, mr=None, trajectories=None): cases for the fixture metaspace_case.",
    )
    try:
        resolved = options.resolve(config)
        if resolved.agent is None:
            if resolved.gates_typed:
                raise UsageProblem(
                    f"metaspace: {resolved.gates_typed} has nothing to decide on without an "
                    "agent. Add --metaspace-agent=NAME."
                )
            config.pluginmanager.register(WithoutAgent(), "metaspace-without-agent")
            return
        from pytest_metaspace import session

        session.start(config, resolved)
    except MetaspaceError as problem:
        raise pytest.UsageError(str(problem)) from problem


def pytest_unconfigure(config: pytest.Config) -> None:
    """Forget the run."""
    config.stash.get(options.CLEANUP, lambda: None)()


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Keep pytest out of the pictures of trajectories."""
    if collection_path.name == "frames" and (collection_path.parent / "trajectory.json").is_file():
        return True
    return None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrize functions that ask for ``metaspace_case`` or ``metaspace_trajectory``."""
    if not {"metaspace_case", "metaspace_trajectory"}.isdisjoint(metafunc.fixturenames):
        from pytest_metaspace import handwritten

        handwritten.parametrize(metafunc)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[Any]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Let what a case came to ride on its report."""
    report = yield
    finding = item.stash.get(options.CHECKED, None)
    if finding is not None and call.when == "call":
        from pytest_metaspace import items

        items.attach(report, finding)
    return report


class WithoutAgent:
    """What there is to say when no agent is configured: only that one is missing."""

    def pytest_collection(self, session: pytest.Session) -> None:
        """Refuse trajectories that were named although nobody is there to be asked."""
        from pytest_metaspace import trajectories

        for arg in session.config.args:
            path = session.config.invocation_params.dir / arg.split("::")[0]
            named = path / "trajectory.json" if path.is_dir() else path
            if trajectories.is_log(named):
                raise pytest.UsageError(
                    f"metaspace: {arg} is a trajectory, and there is no agent to ask about it. "
                    "Add --metaspace-agent=NAME; try --metaspace-agent=truth first. Known: "
                    "truth, geometric, openai:MODEL, python:MODULE:FUNCTION, replay:FILE, "
                    "mutant:FAULT:AGENT, random, collapsed."
                )
