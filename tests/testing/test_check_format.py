"""The check of formats: passes the native one, and is seen to fail on broken ones."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from pytest_metaspace import samples, testing
from pytest_metaspace.domain import Box, TrackedObject, Trajectory
from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.trajectories import NATIVE, Reading, TrajectoryFormat, aerialvln
from pytest_metaspace.trajectories.eb_manipulation import EB_MANIPULATION
from pytest_metaspace.trajectories.lerobot import configured
from tests.plugin.episodic import WALKS, walks
from tests.plugin.made import HEIGHT, WIDTH, Walk
from tests.trajectories.aerial_support import split
from tests.trajectories.writers import eb_manipulation, lerobot

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture(scope="session")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny trajectory whose pictures are as large as its camera says."""
    path = Walk().write(tmp_path_factory.mktemp("runs") / "walk")
    for number, frame in enumerate(sorted(path.with_name("frames").iterdir())):
        Image.new("RGB", (WIDTH, HEIGHT), (40 * number, 90, 160)).save(frame)
    return path


def test_the_native_format_passes() -> None:
    testing.check_trajectory_format(NATIVE, samples.folder() / "trajectory.json")


def ours(change: Callable[[Trajectory], Any] = lambda found: found, **fields: Any) -> Any:
    """Return the native format, with what it loads or some of its fields changed."""
    wanted: dict[str, Any] = {
        "name": "ours",
        "matches": NATIVE.matches,
        "load": lambda path: change(NATIVE.load(path)),
        **fields,
    }
    return TrajectoryFormat(**wanted)


def loaded(**fields: Any) -> Any:
    return ours(lambda found: replace(found, **fields))


def crashes_on_lists(path: Path) -> Any:
    return path.name == "trajectory.json" or json.loads(path.read_text())["format"] == "ours"


def crashes_on_damage(path: Path) -> bool:
    return path.name == "trajectory.json" and "format" in json.loads(path.read_bytes())


def reads_all(path: Path) -> bool:
    return path.name == "trajectory.json" or b"ours" in (
        path.read_bytes() if path.is_file() else b""
    )


def careless(path: Path) -> Trajectory:
    """Crash on everything that is odd."""
    json.loads(path.read_text())["states"][0]["frame"]
    return NATIVE.load(path)


def tolerant(path: Path) -> Trajectory:
    """Load something, whatever is there."""
    try:
        return NATIVE.load(path)
    except TrajectoryError:
        return NATIVE.load(samples.folder() / "trajectory.json")


def vague(path: Path) -> Trajectory:
    try:
        return NATIVE.load(path)
    except TrajectoryError as problem:
        raise TrajectoryError("something is wrong") from problem


def fieldless(path: Path) -> Trajectory:
    try:
        return NATIVE.load(path)
    except TrajectoryError as problem:
        raise TrajectoryError(f"{path}: a field is wrong") from problem


def forgetful(path: Path) -> Trajectory:
    """Not notice that a picture is lost."""
    try:
        return NATIVE.load(path)
    except TrajectoryError as problem:
        if "there is no file" in str(problem):
            return NATIVE.load(samples.folder() / "trajectory.json")
        raise


_COUNT = itertools.count()


def boxed(box: Box, frame: int = 0) -> TrackedObject:
    return TrackedObject(id="a", label="a", boxes={frame: box}, confidences={frame: 0.9})


@pytest.mark.parametrize(
    ("broken", "expected"),
    [
        ("ours", "'ours' is no pytest_metaspace.trajectories.TrajectoryFormat"),
        (ours(name=""), "field name: expected what messages are to call it"),
        (ours(matches=lambda _: False), r"matches\(trajectory.json\) is False, so pytest would"),
        (ours(matches=lambda _: True), "matches takes empty.json, which is none of its files"),
        (ours(matches=lambda _: 1), r"matches\(trajectory.json\) returns 1, expected a bool"),
        (ours(matches=crashes_on_lists), r"matches\(empty.json\) raised JSONDecodeError"),
        (ours(matches=crashes_on_damage), r"matches\(trajectory.json\) raised JSONDecodeError"),
        (ours(matches=reads_all), "matches reads the whole of large.json"),
        (ours(lambda found: found.id), "load returns str, expected a Trajectory"),
        (ours(load=lambda _: 1 / 0), r"load raised ZeroDivisionError \(test_check_format"),
        (loaded(id=" "), "id: expected a name, unique in a run"),
        (loaded(source=Path("elsewhere.json")), "source: is elsewhere.json, expected the path"),
        (loaded(scenario="kitchen"), "scenario: is 'kitchen', expected one of household"),
        (loaded(step_length_m=0.0), "step_length_m: is 0.0, expected metres above 0"),
        (loaded(distance_metric="straight"), "distance_metric: is 'straight'"),
        (ours(lambda found: replace(found, states=found.states[1:])), r"are numbered \[1, 2, 3\]"),
        (
            ours(lambda found: replace(found, states=tuple(
                replace(state, frame=Path("lost.png")) for state in found.states))),
            "states.0.frame: there is no file lost.png",
        ),
        (
            ours(lambda found: replace(found, states=tuple(
                replace(state, frame=found.source) for state in found.states))),
            "opening it with Pillow raised UnidentifiedImageError",
        ),
        (
            ours(lambda found: replace(found, camera=replace(found.camera, width=320))),
            "states.0.frame: is 640 x 480 pixels, and the camera 320 x 480",
        ),
        (ours(lambda found: replace(found, objects=found.objects * 2)), "an id occurs twice"),
        (loaded(objects=(boxed(Box(9, 9, 5, 20)),)), "object a: Box.* in frame 0 is no box"),
        (loaded(objects=(boxed(Box(1, 1, 5, 999)),)), "object a: Box.* in frame 0 is no box"),
        (loaded(objects=(boxed(Box(1, 1, 5, 20), frame=4),)), "object a: Box.* in frame 4"),
        (
            loaded(objects=(replace(boxed(Box(1, 1, 5, 20)), confidences={}),)),
            "object a: expected a confidence for each box",
        ),
        (
            ours(lambda found: replace(found, truth=replace(found.truth, poses=()))),  # type: ignore[type-var]
            "truth.poses: are 0, expected one for each of 4 states",
        ),
        (
            ours(lambda found: replace(found, truth=replace(found.truth, mover=((0, 0, 0),)))),  # type: ignore[type-var]
            "truth.mover: are 1, expected one for each of 4 states",
        ),
        (
            ours(lambda found: replace(found, truth=replace(found.truth, objects={
                name: replace(thing, centers=()) for name, thing in found.truth.objects.items()}))),  # type: ignore[type-var,union-attr]
            r"truth.objects\['.*'\].centers: are 0, expected one for each of 4 states",
        ),
        (
            ours(lambda found: replace(found, id=f"{next(_COUNT)}")),
            "load returns another trajectory when it is called again",
        ),
        (ours(load=careless), r"load of a trajectory.json that is empty raised JSONDecodeError"),
        (ours(load=tolerant), "load takes a trajectory.json that is empty. Raise .*TrajectoryError"),
        (ours(load=vague), "that is empty does not name 'trajectory.json', so nobody knows where"),
        (ours(load=fieldless), r"that has None as format does not name 'format', so nobody knows"),
        (ours(load=forgetful), "load takes a trajectory.json that has lost the frame 003.png"),
    ],
)  # fmt: skip
def test_a_broken_format_is_told_what_is_wrong(broken: Any, expected: str, walk: Path) -> None:
    with pytest.raises(AssertionError, match=expected):
        testing.check_trajectory_format(broken, walk)


def test_a_path_that_is_not_there_is_named() -> None:
    with pytest.raises(AssertionError, match=r"there is no file .*nowhere\.json to try it on"):
        testing.check_trajectory_format(NATIVE, "nowhere.json")


def test_frames_outside_of_the_folder_cannot_be_moved(walk: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.png"
    Image.new("RGB", (WIDTH, HEIGHT)).save(outside)
    broken = ours(
        lambda found: replace(
            found, states=(*found.states[:-1], replace(found.states[-1], frame=outside))
        )
    )
    with pytest.raises(AssertionError, match=r"outside\.png lies outside of"):
        testing.check_trajectory_format(broken, walk)


# ----------------------------------------------------------------------- several episodes


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log with several episodes whose pictures are as large as its camera says."""
    main = walks(tmp_path / "runs")
    for number, frame in enumerate(sorted(main.with_name("frames").iterdir())):
        Image.new("RGB", (WIDTH, HEIGHT), (40 * number, 90, 160)).save(frame)
    return main


def test_formats_with_episodes_pass(log: Path, tmp_path: Path) -> None:
    testing.check_trajectory_format(WALKS, log)
    testing.check_trajectory_format(aerialvln.AERIALVLN, split(tmp_path / "data"))


def test_formats_whose_pictures_lie_elsewhere_in_their_folder_pass(tmp_path: Path) -> None:
    arm = eb_manipulation.write(tmp_path / "arm", eb_manipulation.sample())
    testing.check_trajectory_format(EB_MANIPULATION, arm, folder=tmp_path / "arm")
    with pytest.raises(AssertionError, match=r"lies outside of .*results\. .* as `folder`"):
        testing.check_trajectory_format(EB_MANIPULATION, arm)
    with pytest.raises(AssertionError, match=r"episode_1_res\.json lies outside of"):
        testing.check_trajectory_format(EB_MANIPULATION, arm, folder=arm.parent.parent / "images")


def test_formats_whose_pictures_are_in_videos_pass(tmp_path: Path) -> None:
    drives = [lerobot.rows(0, lerobot.square(4)), lerobot.rows(1, lerobot.square(5), 4)]
    main = lerobot.write_v3(tmp_path / "drives", drives)
    here = tmp_path / "drives"
    testing.check_trajectory_format(configured(Reading(frames=here / "frames")), main, folder=here)


def test_a_picture_that_is_lost_in_such_a_folder_has_to_be_noticed(tmp_path: Path) -> None:
    def careless(path: Path) -> Trajectory:
        found = EB_MANIPULATION.load(path)
        return replace(found, defects=())

    arm = eb_manipulation.write(tmp_path / "arm", eb_manipulation.sample())
    with pytest.raises(AssertionError, match="has lost the frame"):
        testing.check_trajectory_format(
            replace(EB_MANIPULATION, load=careless), arm, folder=tmp_path / "arm"
        )


def renamed(path: Path) -> Trajectory:
    return replace(WALKS.load(path), id="walk")


def takes_any(path: Path) -> Trajectory:
    return WALKS.load(path.with_name("episode-1"))


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"episodes": lambda _: 1 / 0}, r"episodes\(walks.json\) raised ZeroDivisionError"),
        ({"episodes": lambda _: ["episode-1"]}, "expected the names of two episodes or more"),
        ({"episodes": lambda _: ["episode-1"] * 2}, "returns a name twice"),
        ({"episodes": lambda _: ["a::b", "episode-1"]}, "has an episode named 'a::b'; expected"),
        (
            {"episodes": lambda _: [f"episode-{next(_COUNT)}", "episode-1"]},
            "returns other names when it is called again",
        ),
        ({"load": renamed}, "the episodes episode-0 and episode-1 both have the id 'walk'"),
        (
            {"load": lambda path: replace(takes_any(path), id=path.name, source=path)},
            "load takes walks.json/no-such-episode-0",
        ),
    ],
)
def test_a_broken_format_with_episodes_is_told_what_is_wrong(
    fields: dict[str, Any], expected: str, log: Path
) -> None:
    with pytest.raises(AssertionError, match=expected):
        testing.check_trajectory_format(replace(WALKS, **fields), log)
