"""Estimates of tokens hold what the vendors' own examples count."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from pytest_metaspace import prices, tokens

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("size", "counted"),
    [
        ((1024, 1024), 765),  # OpenAI, tiles: 85 + 4 * 170
        ((2048, 4096), 1105),  # OpenAI, tiles: 85 + 6 * 170
        ((1024, 1024), 1024),  # OpenAI, patches
        ((1024, 1024), 1659),  # OpenAI, patches of gpt-4.1-mini: 1.62 each
        ((640, 480), 410),  # Anthropic: 640 * 480 / 750
        ((300, 200), 258),  # Google: small pictures
        ((64, 48), 255),  # OpenAI, one tile
    ],
)
def test_a_picture_takes_what_vendors_say(size: tuple[int, int], counted: int) -> None:
    low, high = tokens.of_picture(*size)
    assert low <= counted <= high


def test_a_larger_picture_never_takes_less() -> None:
    ranges = [tokens.of_picture(side, side * 3 // 4) for side in range(32, 2000, 16)]
    assert all(a[0] <= b[0] for a, b in pairwise(ranges))
    assert all(0 < low <= high < 8000 for low, high in ranges)


def test_a_text_takes_a_token_for_three_to_five_characters() -> None:
    assert tokens.of_text("a" * 60) == (12, 20)
    assert tokens.of_text("") == (0, 0)


def test_a_question_takes_its_text_and_its_pictures(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    Image.new("RGB", (640, 480)).save(path)
    picture = tokens.of_picture(640, 480)
    low, high = tokens.of_question("a" * 60, [path, path])
    assert low == 12 + 2 * picture[0]
    assert 20 + 2 * picture[1] < high < 20 + 2 * picture[1] + 50
    dear = tokens.of_question("a" * 60, [path, path], 10.0)
    assert dear[0] == 12 + 20 * picture[0]


def test_a_picture_that_cannot_be_read_is_taken_for_a_megapixel(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_text("no picture")
    assert tokens.of_question("", [path])[0] == tokens.of_picture(1024, 1024)[0]


def test_what_is_known_of_models_goes_by_their_name() -> None:
    assert prices.of("openai:GPT-4o") == prices.of("gpt-4o") == (2.50, 10.00)
    assert prices.of("openai:mine") is None
    assert prices.picture_scale("gpt-4o-mini") > 30 > prices.picture_scale("gpt-4o")
    assert prices.thinks("openai:o3")
    assert not prices.thinks("gpt-4o")
