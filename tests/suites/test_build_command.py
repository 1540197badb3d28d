"""``metaspace build``: what it takes, refuses, and says while it works and when it is stopped."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pytest_metaspace import build_command, cli
from pytest_metaspace.suites.building import ORDER_FILE
from pytest_metaspace.suites.embspatial import EMBSPATIAL
from pytest_metaspace.suites.stare import STARE, _build

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.suites import Order

PUZZLES = ["build", "stare", "--family", "temporal", "--items"]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (["--frames", "foo"], "--frames: foo: expected 2 to 64, or varied"),
        (["--frames", "65"], "--frames: 65: expected 2 to 64, or varied"),
        (["--objects", "1"], "--objects: 1: expected 2 to 55, or varied"),
        (["--items", "0"], "--items: 0: expected 1 to 100,000"),
        (["--items", "100001"], "--items: 100001: expected 1 to 100,000"),
    ],
)
def test_what_is_out_of_bounds_is_told_with_the_bounds(
    typed: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="4"):
        cli.main(["build", "rem", "out", *typed])
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    ("kind", "option"), [("frame", "frames"), ("rotation", "objects"), ("rotation", "duplicates")]
)
def test_an_option_that_goes_nowhere_is_refused(
    kind: str, option: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["build", "rem", "out", "--items=1", "--kind", kind, f"--{option}", "5"]) == 4
    assert f"--{option} is of no use with --kind {kind}: each has" in capsys.readouterr().err
    assert not (here / "out").exists()


@pytest.mark.parametrize("out", ["afile", "afile/below"])
def test_a_file_is_no_folder(out: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "afile").touch()
    assert cli.main([*PUZZLES, "1", out]) == 4
    assert capsys.readouterr().err == "metaspace: afile is a file; name a folder.\n"


def test_a_folder_that_may_not_be_written_is_told_as_one(
    monkeypatch: pytest.MonkeyPatch, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "shut").mkdir()
    monkeypatch.setattr("os.access", lambda path, _: path.name != "shut")  # root may everywhere
    for out in ("shut", "shut/below"):
        assert cli.main([*PUZZLES, "1", out]) == 4
        told = capsys.readouterr().err
        assert "the folder shut may not be written. Name one in which you may write." in told


def test_what_to_type_next_can_be_pasted(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["build", "embspatial", "--items", "1", "two words; true"]) == 0
    assert capsys.readouterr().out.endswith("--metaspace-episodes=all 'two words; true'\n")


def test_items_of_another_suite_are_left_alone(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([*PUZZLES, "1", "puzzles"]) == 0
    before = {path.name for path in (here / "puzzles").iterdir()}
    for suite in ("embspatial", "rem"):
        assert cli.main(["build", suite, "puzzles"]) == 4
        assert f"suite stare there, {suite} now. Name another" in capsys.readouterr().err
    (here / "puzzles" / ORDER_FILE).write_text('{"suite": ')
    assert cli.main([*PUZZLES, "1", "puzzles"]) == 4
    assert "build.json does not say what was built there" in capsys.readouterr().err
    assert {path.name for path in (here / "puzzles").iterdir()} == before


def test_a_build_that_is_stopped_says_how_far_it_came_and_goes_on(
    monkeypatch: pytest.MonkeyPatch, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    draw, calls = _build._draw, itertools.count()

    def stopped(*given: object) -> None:
        if next(calls) == 1:
            raise KeyboardInterrupt
        draw(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(_build, "_draw", stopped)
    assert cli.main([*PUZZLES, "2", "out"]) == cli.INTERRUPTED
    told = "metaspace: stopped after 1 of 2; type the same command to go on\n"
    assert capsys.readouterr().err == told
    assert cli.main([*PUZZLES, "2", "out"]) == 0
    assert (here / "out" / "items.json").exists()


def test_a_build_that_writes_at_the_end_says_that_nothing_was_written(
    monkeypatch: pytest.MonkeyPatch, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(order: Order) -> list[str]:
        order.tell(3, 6)
        raise KeyboardInterrupt

    suite = replace(EMBSPATIAL, build=stopped)
    monkeypatch.setattr(build_command, "BUILT_IN", (suite,))
    assert cli.main(["build", "embspatial", "--items", "6", "out"]) == cli.INTERRUPTED
    told = "stopped after 3 of 6; nothing was written; type the same command to begin again"
    assert told in capsys.readouterr().err
    assert not (here / "out").exists()


@pytest.mark.parametrize("live", [True, False])
def test_a_long_build_says_how_far_it_is(
    live: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    clock = itertools.count(step=3)
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    monkeypatch.setattr("sys.stderr.isatty", lambda: live)

    def slow(order: Order) -> list[str]:
        for done in range(1, 7):
            order.tell(done, 6)
        return []

    monkeypatch.setattr(build_command, "BUILT_IN", (replace(STARE, build=slow),))
    assert cli.main([*PUZZLES, "6", "out"]) == 0
    told = capsys.readouterr().err
    if live:
        assert told.startswith("\r\x1b[Kmetaspace build: 1 of 6\r")
        assert told.endswith("\r\x1b[K")
    else:
        assert told == "metaspace build: 4 of 6\n"
