"""Readers of data sets: cheap to pass by, and no dearer for a larger data set."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from pytest_metaspace.registries import Registries
from pytest_metaspace.trajectories import _parquet
from pytest_metaspace.trajectories.lerobot import LEROBOT
from pytest_metaspace.trajectories.urbanvideo import URBANVIDEO
from pytest_metaspace.trajectories.video import VIDEO
from tests.trajectories.writers.lerobot import rows, square, table

if TYPE_CHECKING:
    import pytest


def test_files_of_a_data_set_are_passed_by_unopened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ["file-000.parquet", "file-000.mp4", "stats.json", "tasks.jsonl", "log.csv", "a.png"]
    for name in names:
        (tmp_path / name).write_bytes(b"x" * 100)
    opened: list[Path] = []

    def spied(self: Path, *_: Any, **__: Any) -> Any:
        opened.append(self)
        raise OSError

    monkeypatch.setattr(Path, "open", spied)
    for form in (LEROBOT, URBANVIDEO, VIDEO):
        assert not any(form.matches(tmp_path / name) for name in names)
    assert opened == []


def peak(path: Path, episodes: int) -> int:
    """Return the bytes that Arrow held at once to find the rows of an episode among so many."""
    with pq.ParquetWriter(path, table(rows(0, square(50))).schema) as writer:
        for number in range(episodes):
            writer.write_table(table(rows(number, square(50))))
    usual = pa.default_memory_pool()
    pool = pa.proxy_memory_pool(usual)
    pa.set_memory_pool(pool)
    try:
        found = list(_parquet.matching(path, ["timestamp"], "episode_index", episodes // 2))
    finally:
        pa.set_memory_pool(usual)
    assert len(found) == 50
    held = pool.max_memory()
    assert held is not None
    return int(held)


def test_an_episode_takes_as_much_memory_in_a_larger_data_set(tmp_path: Path) -> None:
    few, many = (peak(tmp_path / f"{count}.parquet", count) for count in (4, 400))
    assert few > 0
    assert many <= 1.1 * few


def test_they_are_built_in() -> None:
    names = Registries.built_in().formats.names
    assert {"lerobot", "urbanvideo", "video"} <= set(names)
