"""The check of what tests leave behind notices it."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from tests.left_behind import nothing_left


def test_who_cleans_up_is_not_told_of(tmp_path: Path) -> None:
    with nothing_left(tmp_path), tempfile.TemporaryDirectory() as folder:
        assert Path(folder).parent == tmp_path / "t"


def test_a_file_for_a_moment_that_stays_is_named(tmp_path: Path) -> None:
    told = r"left behind .*/t/metaspace-.*TMPDIR=tmp_path"
    with pytest.raises(AssertionError, match=told), nothing_left(tmp_path):
        tempfile.mkdtemp(prefix="metaspace-")


def test_answers_beside_the_folders_of_tests_are_named(tmp_path: Path) -> None:
    told = r"left behind .*/\.metaspace_cache\."
    with pytest.raises(AssertionError, match=told), nothing_left(tmp_path):
        (tmp_path / ".metaspace_cache").mkdir()
