"""One call for authors of relations, agents, formats and trackers: does it do what we demand?

    from pytest_metaspace import testing

    def test_our_relation():
        testing.check_relation(viewpoint.RELATION)

Each check raises ``AssertionError`` with one text that says what is wrong, where, and what to do.
None of them needs pytest, the network or an agent that costs money.
"""

from pytest_metaspace.testing._agents import check_agent
from pytest_metaspace.testing._formats import check_trajectory_format
from pytest_metaspace.testing._relations import check_relation
from pytest_metaspace.testing._reports import check_report_format
from pytest_metaspace.testing._trackers import check_tracker

__all__ = [
    "check_agent",
    "check_relation",
    "check_report_format",
    "check_tracker",
    "check_trajectory_format",
]
