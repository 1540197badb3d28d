"""What every test may rely on: one width, no colour, no CI, no options from outside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from pytest_metaspace import nearest
from tests.left_behind import nothing_left
from tests.surroundings import FROM_OUTSIDE

try:
    from hypothesis import settings
except ImportError:  # .venv-local has none, and its tests need none
    pass
else:  # a busy machine is no failure
    settings.register_profile("without-deadline", deadline=None)
    settings.load_profile("without-deadline")

if TYPE_CHECKING:
    from collections.abc import Iterator


LONGEST: Final = (
    "tests/oracle/test_child.py",
    "tests/test_docs.py",
    "tests/test_truth.py",
    "tests/oracle/test_wasm.py",
    "tests/oracle/test_allow_list.py",
    "tests/oracle/test_hostile_text.py",
    "tests/plugin/test_going_on.py",
    "tests/plugin/test_distributed.py",
    "tests/plugin/test_faults.py",
    "tests/testing/test_check_relation.py",
    "tests/test_prompting.py",
    "tests/oracle/test_large_cases.py",
    "tests/plugin/test_workers_ask.py",
    "tests/fixtures/test_arm.py",
    "tests/plugin/test_company.py",
    "tests/plugin/test_reports.py",
    "tests/plugin/test_baselines.py",
    "tests/test_sensitivity.py",
    "tests/oracle/test_judging.py",
    "tests/plugin/test_cli.py",
    "tests/oracle/test_hosts_agree.py",
    "tests/trajectories/test_hostile.py",
    "tests/fixtures/test_drone.py",
    "tests/fixtures/test_household.py",
    "tests/test_boxes.py",
    "tests/test_stability.py",
)
"""Files that begin first, since a worker that comes to one of them last is waited for."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest files; all else stays in its random order."""
    ranks = {name: rank for rank, name in enumerate(LONGEST)}
    items.sort(key=lambda item: ranks.get(item.nodeid.split("::", 1)[0], len(ranks)))


@pytest.fixture(scope="session", autouse=True)
def _nothing_left(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Fail at the end where files are left behind outside of the folders of tests."""
    with nothing_left(tmp_path_factory.getbasetemp()):
        yield


@pytest.fixture(scope="session", autouse=True)
def _nothing_found_above(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let no search for a folder of answers go further up than the folders of tests."""
    base = tmp_path_factory.getbasetemp()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            nearest, "above", lambda here: [up for up in here.parents if base in up.parents]
        )
        yield


@pytest.fixture
def pytester(pytester: pytest.Pytester) -> pytest.Pytester:
    """A project of its own: its ini file ends the search for one that lies above it by chance."""
    (pytester.path / "pytest.ini").write_text("[pytest]\n")
    return pytester


@pytest.fixture(scope="session", autouse=True)
def _same_output_everywhere() -> Iterator[None]:
    """Keep what surrounds this run out of the runs that tests start."""
    with pytest.MonkeyPatch.context() as patch:
        for name in FROM_OUTSIDE:
            patch.delenv(name, raising=False)
        patch.setenv("COLUMNS", "120")
        yield
