"""Items of ours, built once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_metaspace.suites import Order
from pytest_metaspace.suites.embspatial import EMBSPATIAL
from pytest_metaspace.suites.embspatial._build import MAIN_FILE

if TYPE_CHECKING:
    from pathlib import Path

SEED, ITEMS = 3, 24


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of items, four of each relation."""
    folder = tmp_path_factory.mktemp("embspatial")
    assert EMBSPATIAL.build is not None
    EMBSPATIAL.build(Order(seed=SEED, items=ITEMS, folder=folder))
    return folder / MAIN_FILE
