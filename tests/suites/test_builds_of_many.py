"""Builds keep no item in memory, and a file of items is whole or is made again."""

from __future__ import annotations

import gc
import resource
import weakref
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from pytest_metaspace import files
from pytest_metaspace.domain import Capability, Item, Posing
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.suites.building import whole
from pytest_metaspace.suites.writing import write_items, write_questions
from tests.suites.test_items import sample

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def test_no_item_is_kept_while_others_are_made(tmp_path: Path) -> None:
    Image.new("RGB", (8, 6)).save(tmp_path / "a.png")
    made: list[weakref.ref[Item]] = []
    alive = []

    def some() -> Iterator[tuple[str, Item]]:
        for place in range(20):
            posing = Posing(
                text="?", options=("a", "b"), images=(tmp_path / "a.png",), answer="a", written=True
            )
            item = Item(task=Capability.of_suite("STARE", "analogy"), posings={"plain": posing})
            made.append(weakref.ref(item))
            yield f"item-{place}", item
            del item
            gc.collect()
            alive.append(sum(one() is not None for one in made))

    path = write_items(tmp_path, some())
    assert path.read_text(encoding="ascii").count('"id"') == 20
    assert max(alive) <= 1


def test_what_is_written_before_an_error_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "made" / "items.json"

    def parts() -> Iterator[str]:
        yield "[\n"
        assert list(path.parent.iterdir()) == []  # also while it lasts: who kills it leaves nothing
        raise UsageProblem("a picture cannot be drawn")

    with pytest.raises(UsageProblem, match="a picture cannot be drawn"):
        files.put_parts(path, parts())
    assert list(path.parent.iterdir()) == []


def test_parts_that_cannot_be_written_are_refused_with_the_name_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageProblem, match=r"file/items\.json cannot be written \(File exists"):
        files.put_parts(tmp_path / "file" / "items.json", iter(["a"]))


@pytest.mark.parametrize("parts", [20, 7])  # the last part does not fit, or what is kept of it
def test_parts_for_which_there_is_no_room_leave_the_file_as_it_was(
    tmp_path: Path, parts: int
) -> None:
    path = tmp_path / "items.json"
    path.write_text("as it was")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, before[1]))
    try:
        with pytest.raises(UsageProblem, match=r"items\.json cannot be written \(File too large"):
            files.put_parts(path, iter(["x" * 3_000] * parts))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert path.read_text() == "as it was"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("form", ["one item", "two items", "questions"])
def test_a_file_of_questions_is_whole_or_not(form: str, tmp_path: Path) -> None:
    made = sample(tmp_path)
    many = [("one", made), ("two", made)][: 2 if form == "two items" else 1]
    path = write_questions(tmp_path, [made]) if form == "questions" else write_items(tmp_path, many)
    good = path.read_bytes()
    lines = good.splitlines(keepends=True)
    assert whole(path, tmp_path)
    for damaged in (
        b"",
        b"[]",
        b"[\n\n]\n",
        good[:-2],
        good[: len(good) // 2],
        good.replace(b'"posings"', b'"posing"'),
        good.replace(b'"b.png"', b'"c.png"', 1),
        lines[0] + lines[-1],
        b"".join(lines[:-1]),
        b"".join(lines[1:]),
        b"\xff" + good,
    ):
        path.write_bytes(damaged)
        assert not whole(path, tmp_path), damaged[:60]
    assert not whole(tmp_path / "missing.json", tmp_path)
