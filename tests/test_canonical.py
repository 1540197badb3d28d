"""Equal content, equal keys, for good."""

from __future__ import annotations

import hashlib
import os
from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from pytest_metaspace import canonical
from pytest_metaspace.canonical import (
    answer_key,
    canonical_json,
    file_digest,
    question_key,
    sha256,
    stamped,
)
from pytest_metaspace.domain import AnswerFormat, Capability, Query, Question
from tests.unit_support import trajectory

if TYPE_CHECKING:
    from pathlib import Path

SIMPLE = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec=None)),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@given(SIMPLE)
def test_canonical_json_is_ascii_without_spaces_and_goes_back(value: Any) -> None:
    import json

    text = canonical_json(value)
    assert text.isascii()
    assert json.loads(text) == value
    assert canonical_json(json.loads(text)) == text


def test_the_order_of_keys_does_not_count_and_that_of_lists_does() -> None:
    assert sha256({"a": 1, "b": [1, 2]}) == sha256({"b": [1, 2], "a": 1})
    assert sha256([1, 2]) != sha256([2, 1])
    assert canonical_json({"b": "é", "a": None}) == '{"a":null,"b":"\\u00e9"}'


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_what_is_no_number_in_json_is_refused(number: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical_json([number])


def asked(
    folder: Path, *, text: str = "Where?", pictures: tuple[bytes, ...] = (b"one", b"two")
) -> Question:
    images = []
    for number, content in enumerate(pictures):
        path = folder / f"{number}-{content.decode()}.png"
        path.write_bytes(content)
        images.append(path)
    return Question(
        query=Query(trajectory="made-up", capability=Capability.MAP_DIRECTION, a="a", b="b"),
        trajectory=trajectory(),
        text=text,
        images=tuple(images),
        format=AnswerFormat(kind="steps"),
    )


def test_the_key_of_an_answer_never_changes(tmp_path: Path) -> None:
    """When this fails, every stored answer of every user is asked again: raise SCHEMA, say so."""
    one = asked(tmp_path)
    assert question_key(one) == "80fd70373ba651b818f4aec06f5a04690f6e63023d821b47dd9750c1e9f88024"
    assert (
        answer_key(one, "agent@1")
        == "3da44ece77653e081d204d9aa8c516a36f223843504756a5da4edd07537e93ac"
    )


def drawn_with(level: int, colour: tuple[int, int, int] = (9, 8, 7)) -> bytes:
    file = BytesIO()
    Image.new("RGB", (40, 30), colour).save(file, "PNG", compress_level=level)
    return file.getvalue()


def keyed(folder: Path, content: bytes) -> str:
    path = folder / f"{len(list(folder.iterdir()))}.png"
    path.write_bytes(content)
    return file_digest(path)


def test_a_stamped_picture_keeps_its_key_whatever_packed_it(tmp_path: Path) -> None:
    digest = sha256("what it was made of")
    assert drawn_with(1) != drawn_with(9)
    assert keyed(tmp_path, stamped(drawn_with(1), digest)) == digest
    assert keyed(tmp_path, stamped(drawn_with(9), digest)) == digest
    with Image.open(tmp_path / "1.png") as picture:
        picture.load()
        assert picture.getpixel((3, 3)) == (9, 8, 7)


def test_a_stamp_that_was_put_on_another_picture_counts_for_nothing(tmp_path: Path) -> None:
    whole = stamped(drawn_with(1), sha256("what it was made of"))
    bare = drawn_with(1, (200, 0, 0))
    forged = whole[: len(whole) - len(drawn_with(1)) + 33] + bare[33:]
    for content in (forged, whole[:-1], whole + b"!", drawn_with(1)):
        assert keyed(tmp_path, content) == hashlib.sha256(content).hexdigest()


def test_every_part_of_what_an_agent_sees_changes_the_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = asked(tmp_path)
    keys = {
        "as it is": answer_key(one, "agent@1"),
        "text": answer_key(asked(tmp_path, text="Where"), "agent@1"),
        "pixels": answer_key(asked(tmp_path, pictures=(b"one", b"twO")), "agent@1"),
        "order": answer_key(asked(tmp_path, pictures=(b"two", b"one")), "agent@1"),
        "one picture less": answer_key(asked(tmp_path, pictures=(b"one",)), "agent@1"),
        "agent": answer_key(one, "agent@2"),
        "sample": answer_key(one, "agent@1", 1),
    }
    # A text that two strategies happened to share would be read in two ways.
    for strategy in ("cot", "map", "likelihood"):
        keys[strategy] = answer_key(replace(one, prompting=strategy), "agent@1")
    monkeypatch.setattr(canonical, "SCHEMA", 2)
    keys["schema"] = answer_key(one, "agent@1")
    assert len(set(keys.values())) == len(keys), keys


def test_what_an_agent_does_not_see_leaves_the_key_alone(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    one, moved = asked(tmp_path), asked(tmp_path / "elsewhere")
    other = replace(
        moved,
        trajectory=trajectory(name="another"),
        query=replace(moved.query, trajectory="another", capability=Capability.MAP_DISTANCE),
        format=AnswerFormat(kind="metres"),
    )
    assert answer_key(other, "agent@1") == answer_key(one, "agent@1")


def test_a_picture_that_changes_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "0.png"
    path.write_bytes(b"one")
    before = file_digest(path)
    assert file_digest(path) == before
    path.write_bytes(b"two")
    os.utime(path, ns=(1, 1))
    assert file_digest(path) != before
