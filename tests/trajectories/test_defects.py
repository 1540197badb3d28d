"""What readers of logs share: paths that stay inside, pictures that can be shown, stale frames."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from pytest_metaspace.domain import Defect
from pytest_metaspace.errors import MetaspaceError, TrajectoryError
from pytest_metaspace.pipeline import Registries
from pytest_metaspace.trajectories import _companions, _defects, _episodes, aerialvln, native
from tests.trajectories.aerial_support import NAME, SIZE, episode, split
from tests.unit_support import written

if TYPE_CHECKING:
    from pytest_metaspace.domain import Trajectory


def test_a_defect_names_file_line_and_field() -> None:
    text = "runs/log.json:7: field steps.3: is twice there; the second is left out. Delete it."
    assert str(
        Defect(Path("runs/log.json"), "steps.3", 7, "is twice there; the second is left out.", "Delete it.")
    ) == text  # fmt: skip
    assert str(Defect(Path("a.json"), "", None, "is empty.", "Fetch it.")) == (
        "a.json: is empty. Fetch it."
    )
    assert str(_defects.fatal(Defect(Path("a"), "b", None, "c.", "d."))) == "a: field b: c. d."


@pytest.mark.parametrize(
    "given_path", ["../out.png", "/etc/hostname", "a/../../out.png", "link.png", "folder/x.png"]
)
def test_a_path_that_leaves_its_folder_is_refused(tmp_path: Path, given_path: str) -> None:
    inner, outer = tmp_path / "inner", tmp_path / "outer"
    inner.mkdir()
    outer.mkdir()
    (outer / "x.png").touch()
    (tmp_path / "out.png").touch()
    (inner / "link.png").symlink_to(tmp_path / "out.png")
    (inner / "folder").symlink_to(outer)
    with pytest.raises(_defects.Unusable, match="leaves the folder"):
        _defects.file_in(inner, given_path)


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=40) | st.sampled_from(["\x00", "a" * 5000, "..", ".", "~", "a//b"]))
def test_no_text_leads_out_of_a_folder_or_crashes(tmp_path: Path, text: str) -> None:
    try:
        found = _defects.inside(tmp_path, text)
    except _defects.Unusable:
        return
    assert found.is_relative_to(tmp_path.resolve())


def test_a_picture_is_measured_without_being_decoded(tmp_path: Path) -> None:
    path = tmp_path / "cut.png"
    Image.effect_noise((60, 40), 90).save(path)
    path.write_bytes(path.read_bytes()[:900])
    assert _defects.size_of(path) == (60, 40)
    with pytest.raises(_defects.Unusable, match="cannot be read as a picture"):
        _defects.decoded_size(path)


def test_a_picture_that_would_fill_the_memory_is_not_decoded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_defects, "MOST_PIXELS", 100)
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 100)
    Image.new("L", (21, 10)).save(tmp_path / "larger.png")
    with pytest.raises(_defects.Unusable, match="has more than the 100 pixels that are decoded"):
        _defects.size_of(tmp_path / "larger.png")
    Image.new("L", (11, 10)).save(tmp_path / "large.png")
    with pytest.raises(_defects.Unusable, match="has 11 x 10 pixels, more than the 100"):
        _defects.decoded_size(tmp_path / "large.png")
    assert _defects.picture_problem(tmp_path / "large.png", (11, 10)) is not None


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    content=st.binary(max_size=200),
    kind=st.sampled_from([b"", b"\x89PNG\r\n\x1a\n", b"RIFF", b"GIF89a"]),
)
def test_whatever_lies_there_is_measured_or_unusable(
    tmp_path: Path, content: bytes, kind: bytes
) -> None:
    path = tmp_path / "odd.png"
    path.write_bytes(kind + content)
    assert _defects.picture_problem(path, (4, 4)) is not None


def test_pictures_are_the_same_by_bytes_or_by_what_they_show(tmp_path: Path) -> None:
    one, other, third = (tmp_path / name for name in ("a.png", "b.webp", "c.png"))
    noise = Image.effect_noise((80, 60), 40)
    noise.save(one)
    noise.convert("RGB").save(other, quality=80)
    Image.effect_noise((80, 60), 40).rotate(90).resize((80, 60)).point(lambda p: 255 - p).save(
        third
    )
    assert not _defects.same_picture(one, other)
    assert _defects.same_picture(one, other, within=3.0)
    assert not _defects.same_picture(one, third, within=3.0)


def test_a_stale_frame_takes_away_what_rests_on_it(tmp_path: Path) -> None:
    found = aerialvln.load(split(tmp_path, episode()) / NAME)
    assert found.truth is not None
    stale = replace(found.states[3], frame=found.states[2].frame)
    told = _defects.without_stale_frames(
        replace(found, states=(*found.states[:3], stale, *found.states[4:]))
    )
    assert told.truth is None
    assert [state.succeeded for state in told.states] == [True, True, None, *[True] * 5, None]
    assert "Poses are left out, too. Record the frame after the action." in str(told.defects[0])
    watched = replace(found, mover="gripper")
    assert _defects.without_stale_frames(watched) is watched


# ----------------------------------------------------------------------- companions


def box(**fields: Any) -> dict[str, Any]:
    boxes = [{"frame": 0, "xyxy": [1, 2, 9, 12], "confidence": 0.9}]
    thing = {"id": "car-1", "label": "car", "boxes": boxes, **fields}
    return {"format": "metaspace-objects", "version": 1, "objects": [thing]}


def loaded(main: Path) -> Trajectory:
    return Registries.built_in().load(main / NAME)


def test_objects_and_truth_can_lie_beside_an_episode_of_any_log(tmp_path: Path) -> None:
    main = split(tmp_path, episode())
    assert loaded(main).objects == ()
    folder = tmp_path / "val_seen.metaspace" / NAME
    folder.mkdir(parents=True)
    (folder / "objects.json").write_text(json.dumps(box()))
    poses = [{"position": [i, 0, 30], "yaw_deg": 0} for i in range(9)]
    (folder / "truth.json").write_text(
        json.dumps({"format": "metaspace-truth", "version": 1, "poses": poses})
    )
    found = loaded(main)
    assert [thing.label for thing in found.objects] == ["car"]
    assert found.truth is not None
    assert found.truth.poses[4].position == (4, 0, 30)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"boxes": [{"frame": 9, "xyxy": [1, 2, 9, 12]}]}, "frame: is 9, but there are 9 states"),
        (
            {"boxes": [{"frame": 0, "xyxy": [1, 2, SIZE[0] + 5, 12]}]},
            "is no box in an image of 40 x 30 pixels",
        ),
        ({"boxes": "none"}, "objects.0.boxes: Input should be a valid"),
    ],
)
def test_companions_that_do_not_fit_are_refused(
    tmp_path: Path, fields: dict[str, Any], expected: str
) -> None:
    main = split(tmp_path, episode())
    folder = tmp_path / "val_seen.metaspace" / NAME
    folder.mkdir(parents=True)
    (folder / "objects.json").write_text(json.dumps(box(**fields)))
    with pytest.raises(TrajectoryError, match=expected):
        loaded(main)


def test_companions_of_a_file_lie_in_a_folder_of_its_own_or_beside_it(tmp_path: Path) -> None:
    path = written(tmp_path / "run")
    assert _companions.folders_of(path) == (path.with_name("trajectory.metaspace"), path.parent)
    plain = replace(native.load(path), objects=())
    assert _companions.completed(plain) == plain
    (path.parent / "objects.json").write_text(json.dumps(box()))
    assert [thing.id for thing in _companions.completed(plain).objects] == ["car-1"]


# ------------------------------------------------------------------------- episodes


@given(
    count=st.integers(1, 10**9), few=st.integers(1, 50), more=st.integers(0, 50), seed=st.integers()
)
def test_with_the_same_seed_fewer_episodes_are_a_part_of_more(
    count: int, few: int, more: int, seed: int
) -> None:
    found = _episodes.drawn(count, few + more, seed)
    assert len(set(found)) == len(found) == min(count, few + more)
    assert all(0 <= place < count for place in found)
    assert set(_episodes.drawn(count, few, seed)) <= set(found)


def test_every_episode_is_drawn_as_often() -> None:
    times = Counter(place for seed in range(600) for place in _episodes.drawn(10, 3, seed))
    assert len(times) == 10
    assert all(130 < count < 230 for count in times.values())


@given(
    words=st.lists(
        st.text(st.characters(exclude_characters=","), min_size=1, max_size=12), max_size=4
    )
)
def test_no_words_crash_a_choice(words: list[str]) -> None:
    try:
        choice = _episodes.Choice(words)
        choice.of(Path("a.json"), ["episode-1", "episode-22"])
        choice.require()
    except MetaspaceError as problem:
        assert "--metaspace-episodes" in str(problem)  # noqa: PT017 - it need not be raised


def test_a_name_that_cannot_stand_in_a_node_id_is_refused() -> None:
    for name in ("a b", "a::b", "a/b", "a[1]", "..", "", "\u00e4", "a,b", "a\nb"):
        with pytest.raises(TrajectoryError, match=r"a\.json: has an episode named"):
            _episodes.Choice().of(Path("a.json"), [name])
