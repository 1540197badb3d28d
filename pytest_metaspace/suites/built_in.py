"""The suites that the package brings along; apart, so that nobody loads all to have one."""

from __future__ import annotations

from pytest_metaspace.suites.embspatial import EMBSPATIAL
from pytest_metaspace.suites.rem import REM
from pytest_metaspace.suites.stare import STARE

BUILT_IN = (EMBSPATIAL, REM, STARE)
