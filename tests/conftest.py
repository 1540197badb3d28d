"""What every test may rely on: one width, no colour, no CI, no options from outside."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

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


@pytest.fixture(scope="session", autouse=True)
def _nothing_left(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Fail at the end where files are left behind outside of the folders of tests."""
    with nothing_left(tmp_path_factory.getbasetemp()):
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
