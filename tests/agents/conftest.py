"""Tiny local models, and questions with pictures to put to them."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from pytest_metaspace.questions import own_words

if TYPE_CHECKING:
    from pytest_metaspace.domain import Question


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep digests of weights out of the cache of whoever runs the tests."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One model of each family, never to be changed."""
    from tests.agents import tiny_models

    folder = tmp_path_factory.mktemp("models")
    return {name: build(folder / name) for name, build in tiny_models.FAMILIES.items()}


@pytest.fixture
def llava(built: dict[str, Path], tmp_path: Path) -> Path:
    """A model to change."""
    return Path(shutil.copytree(built["llava"], tmp_path / "llava"))


@pytest.fixture
def pictures(tmp_path: Path) -> list[Path]:
    """Four pictures in colours far apart."""
    colours = ((250, 20, 20), (20, 250, 20), (20, 20, 250), (240, 240, 20))
    paths = [tmp_path / f"{number}.png" for number in range(4)]
    for path, colour in zip(paths, colours):
        Image.new("RGB", (40, 30), colour).save(path)
    return paths


@pytest.fixture
def mixed(pictures: list[Path]) -> list[Question]:
    """Twelve questions of all lengths, with none to three pictures."""
    return [
        own_words(f"question {n}: " + "which way " * (n % 5), (pictures * 2)[n % 4 :][: n % 4])
        for n in range(12)
    ]
