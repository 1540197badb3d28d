"""The formats that the package brings along; apart, so that nobody loads all to have one."""

from __future__ import annotations

from pytest_metaspace.trajectories import NATIVE
from pytest_metaspace.trajectories.aerialvln import AERIALVLN
from pytest_metaspace.trajectories.eb_manipulation import EB_MANIPULATION
from pytest_metaspace.trajectories.eb_navigation import EB_NAVIGATION
from pytest_metaspace.trajectories.embodiedbench_datasets import EMBODIEDBENCH_DATASETS
from pytest_metaspace.trajectories.items import ITEMS
from pytest_metaspace.trajectories.lerobot import LEROBOT
from pytest_metaspace.trajectories.urbanvideo import URBANVIDEO
from pytest_metaspace.trajectories.video import VIDEO

BUILT_IN = (
    NATIVE,
    AERIALVLN,
    EB_NAVIGATION,
    EB_MANIPULATION,
    EMBODIEDBENCH_DATASETS,
    LEROBOT,
    URBANVIDEO,
    VIDEO,
    ITEMS,
)
