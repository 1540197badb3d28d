"""What every test may rely on: one width, no colour, no CI, no options from outside."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

try:
    from hypothesis import settings
except ImportError:  # .venv-local has none, and its tests need none
    pass
else:  # a busy machine is no failure
    settings.register_profile("without-deadline", deadline=None)
    settings.load_profile("without-deadline")

if TYPE_CHECKING:
    from collections.abc import Iterator

_FROM_OUTSIDE = (
    "BUILD_NUMBER",
    "CI",
    "CLICOLOR",
    "FORCE_COLOR",
    "GITHUB_ACTIONS",
    "GITHUB_STEP_SUMMARY",
    "NO_COLOR",
    "PY_COLORS",
    "PYTEST_ADDOPTS",
    "PYTEST_PLUGINS",
)


@pytest.fixture(scope="session", autouse=True)
def _same_output_everywhere() -> Iterator[None]:
    """Keep what surrounds this run out of the runs that tests start."""
    with pytest.MonkeyPatch.context() as patch:
        for name in _FROM_OUTSIDE:
            patch.delenv(name, raising=False)
        patch.setenv("COLUMNS", "120")
        yield
