"""Main files of which nothing is left: an error where a log lay, and nothing elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_metaspace import cli
from pytest_metaspace.pipeline import Registries
from pytest_metaspace.trajectories._defects import Unusable, decoded_size

if TYPE_CHECKING:
    from pathlib import Path

POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
LOGS = [
    "meta/info.json",
    "val_seen.json",
    "aerialvln/train.json",
    "eb-nav_dataset_multi_step.json",
    "episode_1_step_3.json",
    "episode_1_res.json",
    "MCQ.parquet",
    "trajectory.json",
    "film.actions.csv",
]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which what lies around logs lies."""
    monkeypatch.chdir(tmp_path)
    for folder in ("data", "meta", "frames", "aerialvln"):
        (tmp_path / folder).mkdir()
    (tmp_path / "film.mp4").touch()
    return tmp_path


def check(*paths: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Return what the command prints, which must find something wrong."""
    assert cli.main(["check", *paths]) == 1
    return capsys.readouterr().out


@pytest.mark.parametrize("name", LOGS)
@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", "is empty"),
        (POINTER, "is a pointer of Git LFS, not the file itself. Fetch it with git"),
    ],
    ids=["empty", "pointer"],
)
def test_a_log_of_which_nothing_is_here_is_a_problem(
    name: str, content: str, expected: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / name).write_text(content)
    out = check(".", capsys=capsys)
    assert f"PROBLEM {name}: {expected}" in out
    assert "1 problem" in out


@pytest.mark.parametrize("name", ["meta/info.json", "eb-nav_dataset_multi_step.json"])
def test_a_log_that_is_no_json_is_a_problem(
    name: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / name).write_text('{"fps": 30, "feat')
    assert f"PROBLEM {name}: " in check(".", capsys=capsys)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("meta/info.json", ""),
        ("meta/info.json", "{"),
        ("meta/info.json", '{"name": "a theme"}'),
        ("train.json", ""),
        ("test.json", ""),
        ("eb_manager.json", ""),
        ("episode_3.json", ""),
        ("package.json", POINTER),
        ("film.actions.csv", ""),
    ],
)
def test_files_of_strangers_are_left_alone(name: str, content: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(content)
    assert Registries.built_in().format_of(path) is None


def test_a_whole_file_of_another_tool_beside_data_is_left_alone(home: Path) -> None:
    (home / "meta" / "info.json").write_text('{"title": "a page"}')
    assert Registries.built_in().format_of(home / "meta" / "info.json") is None


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", "is empty"),
        (POINTER, "is a pointer of Git LFS"),
        ('{"episodes": [{', "is no JSON, or cut off"),
        ('{"episodes": []}', "holds no episode: its list is empty"),
        ("[]", "holds no episode: its list is empty"),
    ],
)
@pytest.mark.parametrize("command", ["check", "import"])
def test_a_file_that_is_named_says_what_is_wrong_with_it(
    content: str, expected: str, command: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "mine.json").write_text(content)
    arguments = (
        ["check", "mine.json"] if command == "check" else ["import", "any", "mine.json", "o"]
    )
    assert cli.main(arguments) != 0
    told = capsys.readouterr()
    assert f"mine.json: {expected}" in told.out + told.err


def test_a_picture_that_is_a_pointer_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_text(POINTER)
    with pytest.raises(Unusable, match="is a pointer of Git LFS"):
        decoded_size(tmp_path / "a.png")
