"""Folders of REM that are links: read where the link is, by pytest and by every command."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pytest_metaspace import cli
from pytest_metaspace.files import settled
from pytest_metaspace.suites import rem
from tests.suites import rem_own
from tests.suites.rem_own import straight

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

pytest_plugins = ("pytester",)
OURS = ("-p", "metaspace", "-p", "no:asyncio")


def moved(folder: Path, to: Path) -> None:
    """Move a folder, and leave a link."""
    to.parent.mkdir(parents=True, exist_ok=True)
    folder.rename(to)
    folder.symlink_to(os.path.relpath(to, folder.parent))


def linked(top: Path) -> None:
    """Write three runs: pictures elsewhere, pictures beside, all of it elsewhere."""
    for number in (1, 2, 3):
        rem_own.write(top / f"t/000{number}-run", straight())
    moved(top / "t/0001-run/images", top / "elsewhere/many")
    moved(top / "t/0002-run/images", top / "t/0002-run/pictures")
    moved(top / "t/0003-run", top / "elsewhere/0003-run")


def test_pictures_elsewhere_belong_to_the_walk_that_links_to_them(tmp_path: Path) -> None:
    linked(tmp_path)
    rem_own.write(tmp_path / "plain/0001-run", straight())
    plain = rem.load(settled(tmp_path / "plain/0001-run/images/annotations.csv"))
    found = rem.load(settled(tmp_path / "t/0001-run/images/annotations.csv"))
    assert (found.id, found.defects) == (plain.id, plain.defects)
    assert found.items["REM-left-right"].ties
    assert found.items.keys() == plain.items.keys()
    for task, item in plain.items.items():
        assert found.items[task].ties == item.ties
        assert found.items[task].dropped == item.dropped
    (tmp_path / "t/0001-run/scene_config.json").unlink()
    other = rem.load(settled(tmp_path / "t/0001-run/images/annotations.csv"))
    assert not other.items["REM-left-right"].ties  # it was read, behind the link


def test_commands_follow_links_as_pytest_does(
    pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str]
) -> None:
    linked(pytester.path)
    assert cli.main(["plan", "t"]) == 0
    assert "in 4 trajectories" in capsys.readouterr().out
    cli.main(["check", "t"])
    told = capsys.readouterr().out
    for number in (1, 2, 3):
        assert f"rem-000{number}-run" in told
    assert "0002-run/pictures/annotations.csv: lies in a folder 'pictures', expected images" in told
    found = pytester.runpytest_inprocess(
        *OURS, "--metaspace-agent=truth", "t", "--collect-only", "-q"
    )
    for number in (1, 2, 3):
        found.stdout.fnmatch_lines([f"t/000{number}-run/images/annotations.csv::*"])


def test_a_link_that_leads_back_is_not_followed(
    pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in (1, 2):
        rem_own.write(pytester.path / f"t/000{number}-run", straight())
    for back, to in (("t/0001-run/back", ".."), ("t/0001-run/two", "../0002-run"),
                     ("t/0002-run/one", "../0001-run"), ("t/self", "self")):  # fmt: skip
        (pytester.path / back).symlink_to(to)
    assert cli.main(["check", "t"]) == 0
    assert "2 trajectories loaded; 0 problems" in capsys.readouterr().out
