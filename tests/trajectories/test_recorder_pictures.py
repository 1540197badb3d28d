"""Pixels come back as they were, and nothing is converted in silence."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from PIL import Image

from pytest_metaspace.domain import Camera
from pytest_metaspace.errors import UsageProblem
from tests.trajectories.recorder_support import image, loaded, recorder

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray


def pixels(path: Path) -> NDArray[np.uint8]:
    with Image.open(path) as picture:
        return np.asarray(picture)


@pytest.mark.parametrize("form", ["webp", "png"])
@pytest.mark.parametrize("grey", [False, True])
@pytest.mark.parametrize("pillow", [False, True])
def test_pixels_come_back_as_they_were(
    tmp_path: Path, form: str, *, grey: bool, pillow: bool
) -> None:
    given = [image(n)[..., 0].copy() + np.uint8(n) if grey else image(n) for n in range(2)]
    with recorder(tmp_path, images=form) as rec:
        for array in given:
            rec.step(Image.fromarray(array) if pillow else array)
    for state, array in zip(loaded(tmp_path).states, given):
        assert state.frame.suffix == f".{form}"
        with Image.open(state.frame) as picture:
            assert np.array_equal(np.asarray(picture.convert("L" if grey else "RGB")), array)


def test_a_view_into_a_larger_array_is_written_as_it_looks(tmp_path: Path) -> None:
    flipped = image(3)[:, ::-1]
    with recorder(tmp_path) as rec:
        rec.step(flipped)
        rec.step(image(4))
    assert np.array_equal(pixels(loaded(tmp_path).states[0].frame), flipped)


@pytest.mark.parametrize("as_text", [False, True])
def test_files_are_copied_byte_by_byte(tmp_path: Path, *, as_text: bool) -> None:
    files = [tmp_path / name for name in ("latest.JPG", "picture")]
    for number, (file, form) in enumerate(zip(files, ("JPEG", "PNG"))):
        Image.fromarray(image(number)).save(file, format=form)
    with recorder(tmp_path / "run") as rec:
        for file in files:
            rec.step(str(file) if as_text else file)
    frames = [state.frame for state in loaded(tmp_path / "run").states]
    assert [frame.name for frame in frames] == ["000000.jpeg", "000001.png"]
    assert [frame.read_bytes() for frame in frames] == [file.read_bytes() for file in files]


def broken_file(folder: Path) -> Path:
    path = folder / "note.txt"
    path.write_text("no picture")
    return path


def deep_file(folder: Path) -> Path:
    path = folder / "deep.png"
    Image.fromarray(np.full((4, 4), 40_000, np.uint16)).save(path)
    return path


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (image(0) / 255, r"type float64; .*\(image \* 255\)"),
        (image(0).astype(np.int32), "type int32; .*Convert it to uint8"),
        (image(0).transpose(2, 0, 1), r"image.transpose\(1, 2, 0\)"),
        (np.zeros((4, 4, 4), np.uint8), "Drop the alpha channel"),
        (np.zeros((4, 4, 1), np.uint8), r"Give image\[..., 0\]"),
        (np.zeros((4, 4, 2), np.uint8), "Give three colours"),
        (np.zeros((0, 4, 3), np.uint8), "Give one picture with pixels"),
        (np.zeros((1, 4, 4, 3), np.uint8), "Give one picture with pixels"),
        (Image.new("RGBA", (4, 4)), "mode 'RGBA'; .*convert"),
        (Image.new("P", (4, 4)), "mode 'P'"),
        ([[1, 2], [3, 4]], "is of type list; expected a numpy array"),
        (b"abc", "is of type bytes"),
        (None, "is of type NoneType"),
        ("/nowhere/picture.png", "'/nowhere/picture.png' cannot be used: No such file"),
        ("a\0b", "cannot be used: embedded null"),
        (broken_file, "note.txt' cannot be used: it is no picture"),
        (deep_file, "deep.png' cannot be used: its pixels are of mode 'I;16'.*eight bits"),
        (lambda folder: folder, "cannot be used: Is a directory"),
    ],
)
def test_what_is_no_picture_is_refused_with_what_to_give(
    tmp_path: Path, given: Any, told: str
) -> None:
    with recorder(tmp_path / "run") as rec:
        with pytest.raises(UsageProblem, match=rf"(?s)^metaspace: image .*{told}"):
            rec.step(given(tmp_path) if callable(given) else given)
        rec.step(image(0))
        rec.step(image(1))
    assert len(loaded(tmp_path / "run").states) == 2


def test_pictures_have_one_size(tmp_path: Path) -> None:
    with recorder(tmp_path) as rec:
        rec.step(image(0))
        with pytest.raises(UsageProblem, match="image has 16 x 6 pixels, but the camera has 16 x"):
            rec.step(image(1)[:6])
        rec.step(image(1))
    other = recorder(tmp_path / "other", camera=Camera(width=640, height=480))
    with pytest.raises(UsageProblem, match="the camera has 640 x 480"):
        other.step(image(0))
    with pytest.warns(UserWarning, match="no step was recorded"):
        other.close()


def test_a_truncated_pillow_image_is_refused(tmp_path: Path) -> None:
    file = io.BytesIO()
    Image.effect_noise((64, 64), 50).save(file, format="PNG")
    picture = Image.open(io.BytesIO(file.getvalue()[:600]))
    rec = recorder(tmp_path)
    with pytest.raises(UsageProblem, match="image cannot be written as webp"):
        rec.step(picture)
    with pytest.warns(UserWarning, match="no step"):
        rec.close()
