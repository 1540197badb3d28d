"""The suites that the package brings along; apart, so that nobody loads all to have one."""

from __future__ import annotations

from pytest_metaspace.suites.embspatial import EMBSPATIAL

BUILT_IN = (EMBSPATIAL,)
