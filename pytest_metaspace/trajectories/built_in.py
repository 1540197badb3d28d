"""The formats that the package brings along; apart, so that nobody loads all to have one."""

from __future__ import annotations

from pytest_metaspace.trajectories import NATIVE
from pytest_metaspace.trajectories.aerialvln import AERIALVLN

BUILT_IN = (NATIVE, AERIALVLN)
