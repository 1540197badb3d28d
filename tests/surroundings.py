"""What surrounds this run; read before any test may change it."""

from __future__ import annotations

import os
from typing import Final

IN_CI: Final = bool(os.environ.get("CI"))
"""Whether whatever tests need has to be there, so that what is missing is a failure."""
FROM_OUTSIDE: Final = (
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
"""Variables that would change what runs print which tests start."""
