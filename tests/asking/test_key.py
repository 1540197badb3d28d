"""The key of a stored answer: all that a model is sent is in it, and nothing else."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from pytest_metaspace import canonical
from pytest_metaspace.agents import ModelOptions, openai_compatible
from pytest_metaspace.agents.openai_compatible import OpenAIAgent, messages
from pytest_metaspace.asking import ask
from pytest_metaspace.asking.rows import Asked, Entry, key_of, pack, unpack
from pytest_metaspace.canonical import answer_key, question_key
from pytest_metaspace.domain import AnswerFormat, Capability, Query, Question
from pytest_metaspace.domain import Reply as Stored
from tests.agents.endpoint import Reply, serving
from tests.unit_support import trajectory

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

URL = "https://models.example/v1"
WHOLE = ModelOptions(
    base_url=URL, temperature=0.5, top_p=0.8, seed=7, max_output_tokens=50, timeout_s=9.0
)
#  What each option is set to to see whether it changes the key.
CHANGED: dict[str, Any] = {
    "base_url": "https://other.example/v1",
    "temperature": 0.25,
    "top_p": 0.5,
    "seed": 8,
    "max_output_tokens": 51,
    "structured": "on",
}
#  Options that change when an answer comes, never which one.
PATIENCE: dict[str, Any] = {"timeout_s": 1.0, "tries": 1, "concurrency": 1, "rate": 1.0}

#  Options of models in this process: nothing of them is sent to an endpoint. Whether options are
#  weighed stands in the key of each question that has some.
LOCAL = {"device", "dtype", "batch_size", "trust_remote_code", "offline", "weighs"}


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-one-0123456789abcdef")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


def asked(folder: Path, *, text: str = "Where?", colours: str = "red blue") -> Question:
    folder.mkdir(parents=True, exist_ok=True)
    images = []
    for number, colour in enumerate(colours.split()):
        path = folder / f"{number}.bmp"
        path.write_bytes(b"picture " + colour.encode())
        images.append(path)
    return Question(
        query=Query(trajectory="made-up", capability=Capability.MAP_DIRECTION, a="a", b="b"),
        trajectory=trajectory(),
        text=text,
        images=tuple(images),
        format=AnswerFormat(kind="steps"),
    )


def key(question: Question, model: str = "gpt-4o", options: ModelOptions = WHOLE) -> str:
    identity = OpenAIAgent(model, options).identity
    assert identity is not None
    return answer_key(question, identity)


def test_the_key_of_a_models_answer_never_changes(tmp_path: Path) -> None:
    """When this fails, every answer that anybody has paid for is asked again: do not let it."""
    one = asked(tmp_path)
    assert key(one) == "58bfa391c6684dd6dda23781ef7417536bb38ab8ad839b275313875332bc0b83"
    assert (
        key(one, options=ModelOptions())
        == "5462540d85d6faed76cb7040759139e8527a3ff21c70eda1e60e32a053a8bf3d"
    )


@pytest.mark.parametrize("name", CHANGED)
def test_each_option_that_changes_answers_changes_the_key(tmp_path: Path, name: str) -> None:
    one = asked(tmp_path)
    assert key(one, options=replace(WHOLE, **{name: CHANGED[name]})) != key(one)
    if name not in ("base_url", "structured"):
        left: dict[str, Any] = {name: None}
        assert key(one, options=replace(WHOLE, **left)) != key(one), "left to the model"


def test_every_option_is_in_the_key_or_known_to_leave_answers_alone() -> None:
    """A new option of models has to be placed here, and tested above or below."""
    names = {field.name for field in fields(ModelOptions)}
    assert names - set(PATIENCE) - LOCAL == set(CHANGED)


@pytest.mark.parametrize(
    ("what", "changed"),
    [
        ("text", {"text": "Where"}),
        ("a space", {"text": "Where? "}),
        ("pixels", {"colours": "red green"}),
        ("order", {"colours": "blue red"}),
        ("one picture less", {"colours": "red"}),
        ("one twice", {"colours": "red red blue"}),
        ("none", {"colours": ""}),
    ],
)
def test_all_that_the_model_is_shown_changes_the_key(
    tmp_path: Path, what: str, changed: dict[str, str]
) -> None:
    before, other = asked(tmp_path / "a"), asked(tmp_path / "b", **changed)
    assert key(other) != key(before), what
    assert question_key(other) != question_key(before)


def test_the_model_and_how_it_is_put_change_the_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = asked(tmp_path)
    keys = [key(one), key(one, model="gpt-4o-mini"), key(one, model="gpt-4o-2024-08-06")]
    monkeypatch.setattr(openai_compatible, "_LAYOUT", 2)
    keys.append(key(one))
    monkeypatch.setattr(canonical, "SCHEMA", 2)
    keys.append(key(one))
    assert len(set(keys)) == len(keys)


def test_another_kind_of_agent_never_has_the_answers_of_a_model(tmp_path: Path) -> None:
    one = asked(tmp_path)
    identity = OpenAIAgent("gpt-4o", WHOLE).identity
    assert identity is not None
    others = [f"python:{identity}", identity.removeprefix("openai:"), identity + " "]
    assert key(one) not in {answer_key(one, other) for other in others}


# ------------------------------------------------------------------- what leaves the key alone


@pytest.mark.parametrize("name", [name for name in PATIENCE if hasattr(WHOLE, name)])
def test_patience_leaves_the_key_alone(tmp_path: Path, name: str) -> None:
    one = asked(tmp_path)
    assert key(one, options=replace(WHOLE, **{name: PATIENCE[name]})) == key(one)


def test_who_pays_and_how_the_endpoint_is_written_leave_the_key_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = asked(tmp_path)
    expected = key(one)
    for url in (
        f"{URL}/",
        "https://me:sk-planted-0123456789@models.example/v1",
        f"{URL}?key=sk-planted-0123456789",
    ):
        assert key(one, options=replace(WHOLE, base_url=url)) == expected
    monkeypatch.setenv("OPENAI_API_KEY", "sk-two-0123456789abcdef")
    assert key(one) == expected
    monkeypatch.setenv("OPENAI_BASE_URL", URL)
    assert key(one, options=replace(WHOLE, base_url=None)) == expected


def test_where_pictures_lie_and_what_a_question_is_for_leave_the_key_alone(tmp_path: Path) -> None:
    one, moved = asked(tmp_path), asked(tmp_path / "elsewhere" / "deep")
    other = replace(
        moved,
        trajectory=trajectory(name="another"),
        query=replace(moved.query, trajectory="another", capability=Capability.MAP_DISTANCE),
        format=AnswerFormat(kind="metres"),
    )
    assert key(other) == key(one)


# --------------------------------------------------------------- the key and the request agree


def test_the_key_holds_what_the_request_holds(
    questions: Callable[[int], list[Question]],
) -> None:
    """What is sent besides the messages is, name by name, what the key was made of."""
    pytest.importorskip("openai")
    with serving(lambda *_: Reply.saying("2")) as endpoint:
        agent = OpenAIAgent("some-model", replace(WHOLE, base_url=endpoint.url))
        ask(questions(1), agent, None)
    (request,) = endpoint.requests
    assert agent.identity is not None
    held = json.loads(agent.identity.removeprefix("openai:"))
    assert {name: request[name] for name in request if name != "messages"} == {
        "model": held["model"],
        **held["generation"],
    }
    assert held["endpoint"] == endpoint.url
    roles = [message["role"] for message in request["messages"]]
    assert roles == ["user"], "a system text would have to be in the key"


@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "WEBP"])
def test_two_files_with_the_same_bytes_are_sent_alike(tmp_path: Path, form: str) -> None:
    """The key holds the bytes and not the name, so nothing sent may depend on the name."""
    paths = (tmp_path / "a.png", tmp_path / "b.jpg", tmp_path / "c")
    for path in paths:
        Image.new("RGB", (8, 6), (9, 9, 9)).save(path, format=form)
    one = asked(tmp_path)
    sent = [messages(replace(one, images=(path,))) for path in paths]
    assert sent[0] == sent[1] == sent[2]
    url = sent[0][0]["content"][1]["image_url"]["url"]
    assert url.startswith(f"data:image/{form.lower()};base64,")


def test_a_kept_question_gives_its_key_back(tmp_path: Path) -> None:
    """With it, an import can tell whether a line belongs together."""
    one = asked(tmp_path)
    kept = Asked.of(one)
    assert key_of(kept.question, "me@1", kept.sample) == answer_key(one, "me@1")
    assert (kept.text, kept.images) == ("Where?", ("0.bmp", "1.bmp"))
    long = Asked.of(replace(one, text="begin " + "x" * 9000 + " end"))
    assert len(long.text) < 4100
    assert long.text.startswith("begin x")
    assert long.text.endswith("x end")


@pytest.mark.parametrize("raw", ["left", f'", "sum": "{"0" * 64}"', "\ud800 \x00 \u2028"])
def test_a_row_is_read_by_its_bytes_and_else_by_what_they_say(raw: str) -> None:
    entry = Entry(key="a" * 64, agent="me@1", reply=Stored(text=raw, tokens_in=3))
    row = pack(entry)
    said_otherwise = json.dumps(json.loads(row), indent=1).encode()
    assert unpack(row, entry.key) == unpack(said_otherwise, entry.key) == entry
    for damaged in (row.replace(b"me@1", b"me@2"), said_otherwise.replace(b"me@1", b"me@2")):
        with pytest.raises(ValueError, match="checksum"):
            unpack(damaged, entry.key)
