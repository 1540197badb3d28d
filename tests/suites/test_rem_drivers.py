"""Who draws walks: the same bytes with EGL and OSMesa, the same questions whoever draws."""

from __future__ import annotations

import os
import subprocess
import sys
from ctypes.util import find_library
from typing import TYPE_CHECKING

import pytest

from tests.fixtures.shipped_support import skip_without_opengl
from tests.suites.test_rem_world import contents
from tests.surroundings import IN_CI

if TYPE_CHECKING:
    from pathlib import Path

EGL = {"MUJOCO_GL": "egl"}
OTHER_PROCESSOR = {**EGL, "LP_NATIVE_VECTOR_WIDTH": "128"}
"""Mesa draws as on a processor that computes with fewer numbers at a time."""
OTHER_DRIVER = {**EGL, "GALLIUM_DRIVER": "softpipe"}
"""Mesa's other driver, which has nothing in common with the one it takes by itself."""
ITEMS = ["--kind", "all", "--items", "1", "--frames", "3", "--seed", "5"]

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="EGL and OSMesa are Linux's")


@pytest.fixture(scope="module")
def by_egl(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """A walk, a full rotation and a single frame."""
    skip_without_opengl()
    return built(tmp_path_factory.mktemp("egl"), EGL)


def test_egl_and_osmesa_write_the_same_bytes(by_egl: dict[str, bytes], tmp_path: Path) -> None:
    if find_library("OSMesa") is None and not IN_CI:  # there it is on the list of packages
        pytest.skip("OSMesa is not installed: apt-get install libosmesa6")
    assert built(tmp_path, {"MUJOCO_GL": "osmesa"}) == by_egl


def test_another_processor_writes_the_same_bytes(by_egl: dict[str, bytes], tmp_path: Path) -> None:
    assert built(tmp_path, OTHER_PROCESSOR) == by_egl


def test_another_driver_moves_edges_and_no_question(
    by_egl: dict[str, bytes], tmp_path: Path
) -> None:
    other = built(tmp_path, OTHER_DRIVER, [*ITEMS, "--kind", "walk"])
    other.pop("build.json")
    assert {name for name in by_egl if name.startswith("rem-5-0000/")} == set(other)
    told = [f"rem-5-0000/{name}.json" for name in ("questions", "truth", "trajectory")]
    assert [other[name] for name in told] == [by_egl[name] for name in told]


def test_no_choice_of_what_draws_is_the_same_as_an_empty_one(tmp_path: Path) -> None:
    skip_without_opengl()
    frame = ["--kind", "frame", "--items", "1"]
    assert built(tmp_path / "no", {"MUJOCO_GL": ""}, frame) == built(tmp_path / "egl", EGL, frame)


@pytest.mark.parametrize(
    ("chosen", "why"),
    [
        ({**EGL, "__EGL_VENDOR_LIBRARY_DIRS": "nowhere"}, "EGL"),
        ({"MUJOCO_GL": "opengl"}, "invalid value for environment variable MUJOCO_GL: opengl"),
        ({"MUJOCO_GL": "off"}, "has no attribute 'GLContext'"),
    ],
)
def test_where_nothing_draws_it_is_said_what_to_do(
    chosen: dict[str, str], why: str, tmp_path: Path
) -> None:
    pytest.importorskip("mujoco", reason="it draws")
    done = run(tmp_path, chosen, ITEMS)
    assert done.returncode == 4
    assert done.stderr.startswith("metaspace: pictures cannot be drawn here (")
    assert why in done.stderr
    assert f"; MUJOCO_GL is {chosen['MUJOCO_GL']}. Install libegl1, " in done.stderr
    assert not list(tmp_path.iterdir())


def built(folder: Path, surroundings: dict[str, str], items: list[str] = ITEMS) -> dict[str, bytes]:
    """Build in a process of its own, as MuJoCo asks once what draws; return all files."""
    folder.mkdir(exist_ok=True)
    done = run(folder, surroundings, items)
    assert done.returncode == 0, done.stderr
    return contents(folder / "out")


def run(
    folder: Path, surroundings: dict[str, str], items: list[str]
) -> subprocess.CompletedProcess[str]:
    around = {name: value for name, value in os.environ.items() if name != "PYOPENGL_PLATFORM"}
    return subprocess.run(  # without what MuJoCo sets for itself, once it is imported here
        [sys.executable, "-m", "pytest_metaspace", "build", "rem", *items, "out"],
        cwd=folder,
        env={**around, **surroundings},
        capture_output=True,
        text=True,
        check=False,
    )
