"""Items are made again from what their ids say, and nobody is asked for anything meanwhile."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace.suites import Order
from pytest_metaspace.suites.embspatial import _asking as embspatial
from pytest_metaspace.suites.rem import REM, _making
from pytest_metaspace.suites.rem._choice import chosen
from pytest_metaspace.suites.rem._questions import questions
from pytest_metaspace.suites.rem._render import Studio
from pytest_metaspace.suites.stare import FAMILIES, STARE
from pytest_metaspace.suites.stare._build import family
from pytest_metaspace.suites.stare._family import PICTURES
from pytest_metaspace.suites.writing import write_items, write_questions
from pytest_metaspace.trajectories.items import MAIN_FILE, QUESTIONS
from tests.fixtures.shipped_support import skip_without_opengl
from tests.suites.conftest import ITEMS
from tests.suites.test_rem_world import contents

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from pytest_metaspace.suites import Suite

VARIED: Mapping[str, int | str] = {"steps": "varied", "difficulty": "varied"}
WITHOUT_SOCKETS = """
import os, sys
def refuse(event, given):
    if event.startswith("socket."):
        print("refused:", event, given, file=sys.stderr, flush=True)
        os._exit(97)  # nobody catches that
sys.addaudithook(refuse)
"""


@pytest.fixture
def studio() -> Iterator[Studio]:
    skip_without_opengl()
    with Studio() as opened:
        yield opened


@pytest.mark.parametrize("name", FAMILIES)
def test_a_puzzle_is_made_again_from_its_id(name: str, tmp_path: Path) -> None:
    out, again = tmp_path / "out", tmp_path / "again"
    ordered(STARE, out, seed=9, items=3, options={"family": name, **VARIED})
    which, seed, number = list(told(out))[-1].split("-")[:3]
    assert number == "0002"
    made = family(which)(int(seed), int(number), VARIED, again / PICTURES)
    write_items(again, made.items)
    for given, one in told(again).items():
        assert told(out)[given].items() >= one.items()
    assert made.pictures
    for picture, draw in made.pictures.items():
        assert draw() == (out / PICTURES / picture).read_bytes()


def test_a_single_frame_is_made_again_from_its_id(studio: Studio, tmp_path: Path) -> None:
    out, again = tmp_path / "out", tmp_path / "again"
    ordered(REM, out, seed=9, items=3, options={"kind": "frame"})
    given = list(told(out))[-1]
    seed, number = map(int, given.removeprefix("rem-frame-").split("-"))
    assert number == 2
    walk = _making.make(studio, again, "frame", seed, number, chosen("frame", number, {})).walk
    drawn = contents(again)
    write_items(again, [(given, one) for one in questions(walk).items])
    assert told(again) == {given: told(out)[given]}
    assert drawn
    assert drawn.items() <= contents(out).items()


def test_a_walk_is_made_again_from_its_id_and_order(studio: Studio, tmp_path: Path) -> None:
    out, again = tmp_path / "out", tmp_path / "again"
    options: dict[str, int | str] = {"kind": "walk", "frames": 2, "objects": 16}
    ordered(REM, out, seed=9, items=2, options=options)
    given = max(path.name for path in out.iterdir() if path.is_dir())
    seed, number = map(int, given.removeprefix("rem-").split("-"))
    assert number == 1
    chose = chosen("walk", number, options)
    walk = _making.make(studio, again / given, "walk", seed, number, chose).walk
    write_questions(again / given, questions(walk).items)
    made = contents(again)
    assert {f"{given}/{name}" for name in (QUESTIONS, "frames/001.webp")} <= set(made)
    assert made.items() <= contents(out).items()


def test_an_item_of_embspatial_is_made_again_from_its_id(built: Path) -> None:
    one = json.loads(built.read_text())[-1]
    seed, number = map(int, one["question_id"].removeprefix("ours_").split("_"))
    assert number == ITEMS - 1
    assert embspatial.item(seed, number) == one


@pytest.mark.parametrize(
    "options", [["embspatial"], ["stare"], ["rem", "--kind=all", "--frames=2"]]
)
def test_building_needs_no_network(options: list[str], tmp_path: Path) -> None:
    if "rem" in options:
        skip_without_opengl()
    items = "6" if "rem" not in options else "1"
    done = without_sockets(
        "from pytest_metaspace import cli; sys.exit(cli.main(sys.argv[1:]))",
        ["build", *options, "--items", items, "out"],
        tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert contents(tmp_path / "out")


@pytest.mark.parametrize(
    "code", ["import socket; socket.getaddrinfo('a', 1)", "import socket; socket.socket()"]
)
def test_whoever_opened_a_socket_would_be_found(code: str, tmp_path: Path) -> None:
    done = without_sockets(f"try:\n {code}\nexcept BaseException:\n pass", [], tmp_path)
    assert done.returncode == 97
    assert "refused: socket." in done.stderr


def without_sockets(code: str, given: list[str], here: Path) -> subprocess.CompletedProcess[str]:
    """Run code in a process that ends as soon as anything asks for a socket or an address."""
    return subprocess.run(
        [sys.executable, "-c", f"{WITHOUT_SOCKETS}\n{code}", *given],
        cwd=here,
        env={**os.environ, "TMPDIR": str(here)},
        capture_output=True,
        text=True,
        check=False,
    )


def told(folder: Path) -> dict[str, dict[str, Any]]:
    """Return the items of a file by their ids."""
    return {one["id"]: one for one in json.loads((folder / MAIN_FILE).read_bytes())}


def ordered(suite: Suite, folder: Path, **given: Any) -> None:
    assert suite.build is not None
    suite.build(Order(folder=folder, **given))
