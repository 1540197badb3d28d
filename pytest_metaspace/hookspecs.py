"""Hooks that add relations, agents, formats, trackers, reports and suites; so are ours added.

Each hook is called once, while pytest configures itself, so a conftest that implements one must
be an initial one: beside ``pytest.ini``/``pyproject.toml``, or in a folder named on the command
line. Each gets a ``register`` callable and returns nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_metaspace.agents import AgentKind
    from pytest_metaspace.mrs import Relation
    from pytest_metaspace.reports.formats import ReportFormat
    from pytest_metaspace.suites import Suite
    from pytest_metaspace.tracking import TrackerKind
    from pytest_metaspace.trajectories import TrajectoryFormat


def pytest_metaspace_register_relations(register: Callable[[Relation], None]) -> None:
    """Add metamorphic relations.

    Called once per run that has an agent, after the built-in relations are there.

    Args:
        register: takes a ``pytest_metaspace.mrs.Relation``; a name that is taken is an error.

    Example::

        def pytest_metaspace_register_relations(register):
            register(my_relations.VIEWPOINT)
    """


def pytest_metaspace_register_agents(register: Callable[[AgentKind], None]) -> None:
    """Add agents under names of their own.

    Called once per run that has an agent.

    Args:
        register: takes a ``pytest_metaspace.agents.AgentKind``; a name that is taken is an error.

    Example::

        def pytest_metaspace_register_agents(register):
            register(AgentKind(name="ours", usage="ours", summary="our robot", build=build))
    """


def pytest_metaspace_register_trajectory_formats(
    register: Callable[[TrajectoryFormat], None],
) -> None:
    """Add ways to store trajectories.

    Called once per run that has an agent.

    Args:
        register: takes a ``pytest_metaspace.trajectories.TrajectoryFormat``.

    Example::

        def pytest_metaspace_register_trajectory_formats(register):
            register(TrajectoryFormat(name="ours", matches=is_ours, load=load_ours))
    """


def pytest_metaspace_register_trackers(register: Callable[[TrackerKind], None]) -> None:
    """Add detectors and trackers under names of their own.

    Called once per run that has an agent or a tracker.

    Args:
        register: takes a ``pytest_metaspace.tracking.TrackerKind``; a name that is taken is an
            error.

    Example::

        def pytest_metaspace_register_trackers(register):
            register(TrackerKind(name="ours", usage="ours:FILE", summary="ours", build=build))
    """


def pytest_metaspace_register_reports(register: Callable[[ReportFormat], None]) -> None:
    """Add formats of reports, to be named in ``--metaspace-report``.

    Called once per run that has an agent.

    Args:
        register: takes a ``pytest_metaspace.reports.formats.ReportFormat``; a name that is taken
            is an error.

    Example::

        def pytest_metaspace_register_reports(register):
            register(ReportFormat(name="ours", summary="ours", default="ours.txt", write=write))
    """


def pytest_metaspace_register_suites(register: Callable[[Suite], None]) -> None:
    """Add suites of questions, each with its tasks, relations and formats.

    Called once per run that has an agent.

    Args:
        register: takes a ``pytest_metaspace.suites.Suite``; a name that is taken is an error.

    Example::

        def pytest_metaspace_register_suites(register):
            register(my_suite.SUITE)
    """
