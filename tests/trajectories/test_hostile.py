"""Logs that mean harm end in our own error or a named defect, within bounds of memory and time.

The bounds stand in docs/logs.md. ``python -m benchmarks.hostile`` prints what each log takes.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest

from tests.trajectories import bounded, hostile
from tests.trajectories.hostile_values import ODD_FILES

if TYPE_CHECKING:
    from pathlib import Path

_ALL = int(os.environ.get("METASPACE_FUZZ_EXAMPLES", "0")) > 0
_LONGEST_TEXT = 6000
_FINE = {
    "native-loop-objects.json", "native-picture-large", "items-picture-large", "film-longer",
    "film-larger-pictures", "film-slow", "lerobot-video-larger-pictures", "navigation-deep",
    "dataset-blanks", "items-objects-huge-number", "film-wide",
}  # fmt: skip
"""Of which nothing is lost: what is odd about them is not looked at, or does not matter."""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads its peak in /proc")
def test_no_log_breaks_its_reader_or_takes_more_than_its_bounds(tmp_path: Path) -> None:
    jobs = hostile.written(tmp_path, dear=_ALL)
    done = bounded.read_all(jobs, tmp_path)
    assert len(done) == len(jobs) > 150
    assert {name: one.crash for name, one in done.items() if one.crash} == {}
    slow = {name: one.cpu_s for name, one in done.items() if one.cpu_s > bounded.CPU_S}
    large = {name: one.peak_mb for name, one in done.items() if one.peak_mb > bounded.MEMORY_MB}
    assert (slow, large) == ({}, {})
    told = {name: one.told for name, one in done.items()}
    assert {name for name, text in told.items() if not text} <= _FINE
    assert {name: text for name, text in told.items() if len(text) > _LONGEST_TEXT} == {}
    odd = {name for name, text in told.items() for line in text.split("\n")
           if not line.isprintable()}  # fmt: skip
    assert odd == set()


@pytest.mark.parametrize("kind", sorted(ODD_FILES))
def test_a_main_file_that_is_no_file_is_passed_by_in_a_folder_and_refused_by_name(
    kind: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    from pytest_metaspace import cli

    ODD_FILES[kind](tmp_path / "trajectory.json")
    assert cli.main(["check", str(tmp_path / "trajectory.json")]) != 0
    told = capfd.readouterr()
    assert "no file" in told.out + told.err
    assert cli.main(["check", str(tmp_path)]) != 0
