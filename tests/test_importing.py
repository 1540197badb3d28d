"""``metaspace import``: any log as native folders, whole or not at all, and on where it stopped."""

from __future__ import annotations

import errno
import json
import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_metaspace import cli, pipeline
from pytest_metaspace.domain import Settings
from pytest_metaspace.importing import Import
from pytest_metaspace.pipeline import Registries
from pytest_metaspace.trajectories import aerialvln, native
from tests.trajectories.aerial_support import FLIGHT, NAME, OTHER, episode, split

if TYPE_CHECKING:
    from pytest_metaspace.domain import Trajectory

FIXTURES = Path(__file__).parents[1] / "fixtures"
SHIPPED = sorted(FIXTURES.glob("*/*/trajectory.json"))


def said(*arguments: str | Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[str]]:
    """Run ``metaspace import``; return its status and what it printed."""
    status = cli.main(["import", *map(str, arguments)])
    return status, capsys.readouterr().out.splitlines()


def bare(trajectory: Trajectory) -> Trajectory:
    """Return a trajectory without the places of its files."""
    states = tuple(
        replace(state, frame=Path(str(state.frame.read_bytes()[:64])))
        for state in trajectory.states
    )
    return replace(trajectory, source=Path(), states=states)


def test_every_shipped_trajectory_comes_back_the_same(tmp_path: Path) -> None:
    work = Import("any", FIXTURES, tmp_path, Registries.built_in(), overwrite=False)
    lines = list(work.lines())
    walks = sorted((FIXTURES / "rem").glob("*/*/trajectory.json"))
    assert lines[-1] == f"{len(SHIPPED) + len(walks)} written in {tmp_path}"
    for path in SHIPPED:
        before, after = native.load(path), native.load(tmp_path / path.parent.name / path.name)
        assert bare(after) == bare(before)
        frames = zip(after.states, before.states)
        assert all(a.frame.read_bytes() == b.frame.read_bytes() for a, b in frames)


def test_the_same_cases_come_of_it(tmp_path: Path) -> None:
    source, registries = SHIPPED[0], Registries.built_in()
    list(Import("any", source.parent, tmp_path, registries, overwrite=False).lines())
    plans = [
        pipeline.plan(native.load(path), registries, Settings())
        for path in (source, tmp_path / source.parent.name / source.name)
    ]
    assert [case.address for case in plans[0].cases] == [case.address for case in plans[1].cases]


def test_episodes_are_written_one_folder_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main = split(tmp_path / "data")
    status, lines = said("aerialvln", main, tmp_path / "out", capsys=capsys)
    assert status == 0
    assert lines == [
        f"{tmp_path}/out/val_seen-{NAME}: 9 states",
        f"{tmp_path}/out/val_seen-{OTHER}: 9 states",
        f"2 written in {tmp_path}/out",
    ]
    before = aerialvln.load(main / NAME)
    after = native.load(tmp_path / "out" / f"val_seen-{NAME}" / "trajectory.json")
    assert bare(after) == bare(before)


def test_some_episodes_can_be_chosen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main = split(tmp_path / "data")
    _, lines = said("any", main, tmp_path / "out", "--episodes", OTHER, capsys=capsys)
    assert lines[1] == f"1 of 2 episodes of {main}, chosen by name (--metaspace-episodes)"
    assert [path.name for path in (tmp_path / "out").iterdir()] == [f"val_seen-{OTHER}"]


def test_what_is_lost_is_said_and_kept_beside(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main = split(tmp_path / "data", episode(actions=[1, 9, *FLIGHT[2:]]))
    status, lines = said("any", main, tmp_path / "out", capsys=capsys)
    assert status == 1
    assert "  defect: " in lines[1]
    assert "field episodes.0.actions.1: is 9, expected 0 to 7" in lines[1]
    made = json.loads((tmp_path / "out" / f"val_seen-{NAME}" / "trajectory.json").read_text())
    origin = made["imported_from"]
    assert (origin["format"], origin["file"], origin["episode"]) == (
        "aerialvln", "data/val_seen.json", NAME,
    )  # fmt: skip
    assert origin["defects"][0].startswith("val_seen.json: field episodes.0.actions.1: is 9")


def test_it_goes_on_where_it_stopped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    main = split(tmp_path / "data")
    copies = 0
    copy = shutil.copyfile

    def interrupted(one: Path, other: Path) -> object:
        nonlocal copies
        copies += 1
        if copies == len(FLIGHT) + 3:
            raise KeyboardInterrupt
        return copy(one, other)

    with monkeypatch.context() as patch:
        patch.setattr(shutil, "copyfile", interrupted)
        status, lines = said("any", main, tmp_path / "out", capsys=capsys)
    assert status == 130
    assert lines[-1] == "1 written; interrupted. The same command goes on where it stopped."
    assert [path.name for path in (tmp_path / "out").iterdir()] == [f"val_seen-{NAME}"]
    status, lines = said("any", main, tmp_path / "out", capsys=capsys)
    assert lines[-1] == f"1 written, 1 were there already in {tmp_path}/out"


def test_another_trajectory_there_is_not_replaced_without_a_word(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main = split(tmp_path / "data", episode())
    folder = tmp_path / "out" / f"val_seen-{NAME}"
    folder.mkdir(parents=True)
    (folder / "mine.txt").write_text("precious")
    status, lines = said("any", main, tmp_path / "out", capsys=capsys)
    assert status == 1
    assert "is there, and is not of this log. Name another folder, or add --overwrite" in lines[0]
    assert (folder / "mine.txt").read_text() == "precious"
    status, _ = said("any", main, tmp_path / "out", "--overwrite", capsys=capsys)
    assert status == 0
    assert sorted(path.name for path in folder.iterdir()) == [
        "frames", "trajectory.json", "truth.json",
    ]  # fmt: skip


def test_a_broken_episode_is_told_and_the_rest_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main = split(tmp_path / "data", episode(actions=[]), episode(OTHER))
    status, lines = said("aerialvln", main, tmp_path / "out", capsys=capsys)
    assert status == 1
    assert lines[0].startswith(f"PROBLEM {main}: field episodes.0.actions: is []")
    assert lines[-1] == f"1 written, 1 could not be in {tmp_path}/out"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["arialvln", "data", "out"], "'arialvln' is not known. Did you mean 'aerialvln'?"),
        (["aerialvln", "nowhere", "out"], "there is no file or folder 'nowhere'."),
        (["metaspace-trajectory", "data", "out"], "holds no trajectory of the format metaspace-"),
        (["aerialvln", "data", "data"], "holds of the format aerialvln lies in "),
        (["any", "data", "data/val_seen.json"], "data/val_seen.json is a file; name a folder"),
    ],
)
def test_wrong_use_says_what_to_type(
    tmp_path: Path,
    arguments: list[str],
    expected: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    split(tmp_path / "data")
    assert cli.main(["import", *arguments]) == 4
    assert expected in capsys.readouterr().err


def test_a_disk_that_is_full_leaves_nothing_half_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    main = split(tmp_path / "data", episode())

    def full(one: Path, other: Path) -> None:
        other.write_bytes(one.read_bytes()[:9])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(shutil, "copyfile", full)
    status, lines = said("any", main, tmp_path / "out", capsys=capsys)
    assert status == 1
    assert "cannot be written (No space left on device)" in lines[0]
    assert list((tmp_path / "out").iterdir()) == []


def test_what_lies_in_the_target_is_not_read_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    split(tmp_path / "data", episode())
    said("any", tmp_path, tmp_path / "out", capsys=capsys)
    status, lines = said("any", tmp_path, tmp_path / "out", capsys=capsys)
    assert (status, lines) == (0, [f"0 written, 1 were there already in {tmp_path}/out"])


def test_a_trajectory_of_another_log_with_the_same_id_is_not_taken_for_this_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said("any", split(tmp_path / "data", episode()), tmp_path / "out", capsys=capsys)
    other = split(tmp_path / "more" / "data", episode(scene_id=8))
    status, lines = said("any", other, tmp_path / "out", capsys=capsys)
    assert status == 1
    assert "is there, and is not of this log." in lines[0]


def test_what_was_made_with_other_options_stays_and_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main = split(tmp_path / "data", episode())
    said("any", main, tmp_path / "out", capsys=capsys)
    shutil.move(tmp_path / "data" / "val_seen_rgb", tmp_path / "others")
    images = f"--images={tmp_path}/others"
    _, lines = said("any", main, tmp_path / "out", images, capsys=capsys)
    assert lines[0].startswith(
        "1 of what was there already was made with other options (--images: none then, 'others' "
        "now) and stays as it is. Add --overwrite"
    )
    assert lines[1:] == [f"0 written, 1 were there already in {tmp_path}/out"]
    _, lines = said("any", main, tmp_path / "out", images, "--overwrite", capsys=capsys)
    assert lines[-1] == f"1 written in {tmp_path}/out"
    _, lines = said("any", main, tmp_path / "out", images, capsys=capsys)
    assert lines == [f"0 written, 1 were there already in {tmp_path}/out"]
