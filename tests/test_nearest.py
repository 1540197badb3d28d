"""The folder of answers that a command means: near, and nobody else's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_metaspace.nearest import FOLDER, here_or_above, nearest, passed_by

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def top(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with answers; those of us who search stand two below."""
    (tmp_path / FOLDER).mkdir()
    below = tmp_path / "project" / "runs"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    return tmp_path


def any_folder(folder: Path) -> bool:
    return folder.is_dir()


def test_the_nearest_folder_here_or_above_is_taken(top: Path) -> None:
    assert nearest() == top / FOLDER
    assert not passed_by(lambda folder: folder == top / "nowhere")
    for folder in (top / "project", top / "project" / "runs"):
        (folder / FOLDER).mkdir()
        assert nearest() == here_or_above() == folder / FOLDER


def test_one_that_will_not_do_is_passed_by(top: Path) -> None:
    (top / "project" / FOLDER).mkdir()
    (top / FOLDER / "answers").touch()
    assert nearest(lambda folder: (folder / "answers").exists()) == top / FOLDER


@pytest.mark.parametrize("root", ["project", "project/runs"])
def test_a_repository_takes_nothing_of_what_lies_above_it_and_says_so(top: Path, root: str) -> None:
    (top / root / ".git").mkdir()
    assert nearest() is None
    assert here_or_above() == top / "project" / "runs" / FOLDER
    assert passed_by(any_folder) == (
        f" {top / FOLDER} lies outside of this repository; name it if it is yours."
    )
    (top / root / FOLDER).mkdir()
    assert nearest() == top / root / FOLDER


def test_above_a_repository_a_folder_beside_an_ini_file_is_that_of_runs(top: Path) -> None:
    (top / "project" / ".git").mkdir()
    (top / "pytest.ini").touch()
    assert nearest() == top / FOLDER


def test_what_anybody_may_have_made_is_passed_by_unless_one_is_there(
    top: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (top / "project" / FOLDER).mkdir()
    (top / "project").chmod(0o1777)
    assert nearest() == top / FOLDER
    (top / FOLDER).rmdir()
    (top / ".git").mkdir()
    assert nearest() is None
    assert " lies where anybody may write; name it if it is yours." in passed_by(any_folder)
    monkeypatch.chdir(top / "project")
    assert nearest() == top / "project" / FOLDER
