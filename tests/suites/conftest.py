"""Items of ours, made once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_metaspace.suites import Order
from pytest_metaspace.suites.embspatial import EMBSPATIAL, MAIN_FILE
from tests.suites.rem_walks import ASKED, asked_about

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.suites.rem._questions import Questions
    from pytest_metaspace.suites.rem._seen import Walk

SEED, ITEMS = 3, 24


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of items, four of each relation."""
    folder = tmp_path_factory.mktemp("embspatial")
    assert EMBSPATIAL.build is not None
    EMBSPATIAL.build(Order(seed=SEED, items=ITEMS, folder=folder))
    return folder / MAIN_FILE


@pytest.fixture(scope="session")
def asked() -> list[tuple[Walk, Questions]]:
    """Walks, turns on the spot and single frames, each with what is asked about it."""
    return asked_about(*ASKED)
