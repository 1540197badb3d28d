"""Pictures out of videos: the right ones, once, whole, and never out of anything but a video."""

from __future__ import annotations

import sys
from io import BytesIO
from typing import TYPE_CHECKING, Any

import av
import numpy as np
import pytest
from PIL import Image

from pytest_metaspace.canonical import file_digest
from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.trajectories import _stills
from pytest_metaspace.trajectories._stills import film, kept, stills
from tests.trajectories.writers.videos import HEIGHT, WIDTH, grey, greys, number_of, write_video

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_video(tmp_path_factory.mktemp("video") / "ten-a-second.mp4", greys(40))


def numbers(video: Path, times: list[float], folder: Path) -> list[int | None]:
    return [None if path is None else number_of(path) for path in stills(video, times, folder)]


def test_the_head_of_a_video_tells_size_length_and_rate(video: Path) -> None:
    assert film(video) == (WIDTH, HEIGHT, 4.0, 10.0)


def test_each_time_gets_the_picture_shown_then_in_any_order(video: Path, tmp_path: Path) -> None:
    times = [3.9, 0.0, 0.1, 1.0499, 1.06, 2.4000001, 0.2999, 3.94]
    assert numbers(video, times, tmp_path) == [39, 0, 1, 10, 11, 24, 3, 39]


@pytest.mark.parametrize(("turn", "top", "size"), [(-90, 200, (48, 64)), (90, 0, (48, 64))])
def test_a_video_of_a_telephone_held_upright_is_shown_upright(
    turn: int, top: int, size: tuple[int, int], tmp_path: Path
) -> None:
    lying = np.zeros((HEIGHT, WIDTH, 3), dtype=np.uint8)
    lying[:, : WIDTH // 2] = 200
    video = write_video(tmp_path / "held.mp4", [lying] * 5, turn=turn)
    assert film(video)[:2] == size
    (path,) = stills(video, [0.2], tmp_path)
    assert path is not None
    with Image.open(path) as picture:
        assert picture.size == size
        pixels = np.asarray(picture.convert("L"))
    assert abs(float(pixels[:20].mean()) - top) < 3


def test_a_title_that_is_no_utf_8_harms_no_picture(tmp_path: Path) -> None:
    titled = tmp_path / "titled.mp4"
    with av.open(str(titled), "w") as container:
        container.metadata["title"] = "kitchen"
        stream = container.add_stream("libx264", rate=10)
        stream.pix_fmt, stream.width, stream.height = "yuv420p", WIDTH, HEIGHT
        container.mux(stream.encode(av.VideoFrame.from_ndarray(grey(7), format="rgb24")))
        container.mux(stream.encode())
    written = titled.read_bytes()
    assert written.count(b"kitchen") == 1
    titled.write_bytes(written.replace(b"kitchen", b"k\xfcche\xff\xfe"))
    assert numbers(titled, [0.0], tmp_path) == [7]


def test_a_time_behind_the_end_has_no_picture(video: Path, tmp_path: Path) -> None:
    assert numbers(video, [3.9, 3.98, 4.0, 4.2, 99.0], tmp_path) == [39, 39, None, None, None]


def test_one_keyframe_for_the_whole_video_is_enough(tmp_path: Path) -> None:
    video = write_video(tmp_path / "one.mp4", greys(40), gop=1000)
    assert numbers(video, [3.0, 0.5, 2.0], tmp_path) == [30, 5, 20]


def test_a_video_without_near_keyframes_is_not_decoded_for_minutes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    video = write_video(tmp_path / "one.mp4", greys(40), gop=1000)
    monkeypatch.setattr(_stills, "_MOST_DECODED", 10 * WIDTH * HEIGHT)
    with pytest.raises(TrajectoryError, match=r"one\.mp4: its keyframes are so far apart .*-g 30"):
        stills(video, [3.0], tmp_path)


def test_a_picture_is_made_once(video: Path, tmp_path: Path) -> None:
    (first,) = stills(video, [1.0], tmp_path)
    assert first is not None
    first.write_bytes(b"seen")
    assert stills(video, [1.0, 2.0], tmp_path)[0] == first
    assert first.read_bytes() == b"seen"


def test_answers_about_a_picture_outlive_the_library_that_wrote_it(
    video: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save = Image.Image.save

    def packed(picture: Image.Image, *words: Any, **named: Any) -> None:
        save(picture, *words, **{**named, "compress_level": 9})

    before = stills(video, [1.0, 2.0], tmp_path / "before")
    monkeypatch.setattr(Image.Image, "save", packed)
    after = stills(video, [1.0, 2.0], tmp_path / "after")
    one, other, again, _ = (path for path in (*before, *after) if path is not None)
    assert one.read_bytes() != again.read_bytes()
    assert file_digest(one) == file_digest(again) != file_digest(other)


def test_another_video_of_the_same_name_has_other_pictures(tmp_path: Path) -> None:
    video = write_video(tmp_path / "a.mp4", greys(10))
    before = stills(video, [0.3], tmp_path)
    write_video(video, greys(10)[::-1])
    after = stills(video, [0.3], tmp_path)
    assert before != after
    assert after[0] is not None
    assert number_of(after[0]) == 6


def test_a_large_video_is_known_by_blocks_and_age(
    video: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_stills, "_WHOLE", 100)
    monkeypatch.setattr(_stills, "_BLOCK", 16)
    assert numbers(video, [0.5], tmp_path) == [5]
    other = tmp_path / "other.mp4"
    other.write_bytes(video.read_bytes())
    assert stills(other, [0.5], tmp_path) != stills(video, [0.5], tmp_path)


def test_nothing_half_written_is_left_and_git_passes_over_the_folder(
    video: Path, tmp_path: Path
) -> None:
    stills(video, [0.0, 1.0], tmp_path / "frames")
    files = sorted(path.name for path in (tmp_path / "frames").rglob("*") if path.is_file())
    assert files == [".gitignore", "000000000000.png", "000001000000.png"]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"not a video at all" * 100, "cannot be read as a video"),
        (b"#EXTM3U\n#EXTINF:10,\n/etc/hostname\n#EXT-X-ENDLIST\n", "cannot be read as a video"),
        (b"ffconcat version 1.0\nfile real.mp4\n", "cannot be read as a video"),
    ],
)
def test_what_is_no_video_is_refused(
    content: bytes, expected: str, video: Path, tmp_path: Path
) -> None:
    (tmp_path / "real.mp4").write_bytes(video.read_bytes())
    path = tmp_path / "odd.mp4"
    path.write_bytes(content)
    with pytest.raises(TrajectoryError, match=rf"odd\.mp4: {expected}.*fetch it again"):
        stills(path, [0.0], tmp_path)
    with pytest.raises(TrajectoryError, match=r"odd\.mp4: cannot be read as a video"):
        film(path)


def test_an_empty_video_says_so(tmp_path: Path) -> None:
    path = tmp_path / "odd.mp4"
    path.touch()
    with pytest.raises(TrajectoryError, match=r"odd\.mp4: is empty\. Fetch"):
        film(path)


def test_a_video_cut_off_is_refused(video: Path, tmp_path: Path) -> None:
    path = tmp_path / "half.mp4"
    path.write_bytes(video.read_bytes()[:-200])
    with pytest.raises(TrajectoryError, match=r"half\.mp4: .*fetch it again"):
        stills(path, [0.0], tmp_path)


def test_a_missing_video_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(TrajectoryError, match=r"gone\.mp4: there is no such file.*unpack"):
        film(tmp_path / "gone.mp4")


def test_absurd_pictures_are_refused_before_they_are_decoded(
    video: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_stills, "_LARGEST", WIDTH * HEIGHT - 1)
    with pytest.raises(TrajectoryError, match="64 x 48 pixels"):
        stills(video, [0.0], tmp_path)


def test_without_the_decoder_the_extra_is_named(
    video: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(TrajectoryError, match=r'pip install "pytest-metaspace\[video\]"'):
        film(video)


def test_a_folder_that_cannot_be_written_is_told(video: Path, tmp_path: Path) -> None:
    (tmp_path / "frames").write_text("a file")
    with pytest.raises(TrajectoryError, match=r"frames.*cannot be written there"):
        stills(video, [0.0], tmp_path / "frames")


def test_a_picture_inside_a_log_is_kept_as_it_is(tmp_path: Path) -> None:
    made = BytesIO()
    Image.new("RGB", (4, 3)).save(made, format="WEBP")
    path = kept(made.getvalue(), tmp_path)
    assert path == kept(made.getvalue(), tmp_path)
    assert path.read_bytes() == made.getvalue()
    assert path.suffix == ".webp"
    with pytest.raises(TrajectoryError, match="3 bytes are no picture"):
        kept(b"abc", tmp_path)


def test_pictures_lie_below_the_nearest_folder_of_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "deep").mkdir()
    monkeypatch.chdir(tmp_path / "deep")
    assert _stills.default_folder() == tmp_path / "deep" / ".metaspace_cache" / "frames"
    (tmp_path / ".metaspace_cache").mkdir()
    assert _stills.default_folder() == tmp_path / ".metaspace_cache" / "frames"
