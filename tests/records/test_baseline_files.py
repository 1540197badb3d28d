"""Baselines are read as they were written, and what is damaged is one error with file and line."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_metaspace import records
from pytest_metaspace.domain import Outcome, Record, Settings
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.records import _baseline

if TYPE_CHECKING:
    from pathlib import Path

KEPT = [one for one in Outcome if one is not Outcome.ERROR]
TEXTS = st.text(min_size=1, max_size=12).map(lambda text: text.encode("utf-8", "replace").decode())
ADDRESSES = st.builds(
    "::".join,
    st.tuples(
        TEXTS,
        st.sampled_from(["SC1-a", "SC2-b"]),
        st.just("MR1"),
        TEXTS.filter(lambda t: ":" not in t),
    ),
)
HOSTILE = "x\" \n# ;$(rm -rf .)\x1b[2J\u202e'::SC1-a::MR1::halt. 🤖"


def record(outcomes: dict[str, Outcome], **more: object) -> Record:
    made = Record(
        agent="scout",
        identity="scout-1",
        made_by="0.1.0",
        wording={"household agent flat spatial": "abc"},
        settings=Settings(capabilities=frozenset({"SC1-a"}), epsilon=0.2, samples=3),
        anchored=frozenset({"A1"}),
        trajectories={"walk": "0123"},
        outcomes=outcomes,
    )
    return replace(made, **more)  # type: ignore[arg-type]


def text_of(made: Record) -> str:
    return "".join(f"{line}\n" for line in _baseline.lines(made))


@given(st.dictionaries(ADDRESSES, st.sampled_from(KEPT), max_size=8), TEXTS)
def test_a_baseline_is_read_as_it_was_written(outcomes: dict[str, Outcome], agent: str) -> None:
    from pathlib import Path

    made = record(outcomes, agent=agent, trajectories={agent: "f"})
    text = text_of(made)
    assert text.isascii()
    read = records.read_baseline(Path("base.txt"), text)
    assert read == replace(made, source="base.txt")
    assert text_of(read) == text


def test_a_baseline_has_one_case_a_line_in_order_whatever_order_they_came_in() -> None:
    outcomes = {f"walk::SC1-a::MR1::{name}": Outcome.SATISFIED for name in "cab"}
    lines = [line for line in text_of(record(outcomes)).splitlines() if line.startswith("S ")]
    assert lines == [f"S walk::SC1-a::MR1::{name}" for name in "abc"]


def test_hostile_names_stay_on_their_line_and_are_data(tmp_path: Path) -> None:
    path = tmp_path / "base.txt"
    records.write_baseline(path, record({HOSTILE: Outcome.VIOLATED}))
    assert records.read_baseline(path).outcomes == {HOSTILE: Outcome.VIOLATED}
    assert sum(line.startswith("V ") for line in path.read_text().split("\n")) == 1


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("S walk::SC1-a", "expected the address of a case"),
        ("X walk::SC1-a::MR1::a", "expected S, V, I or N and the address of a case"),
        ("E walk::SC1-a::MR1::a", "expected S, V, I or N and the address of a case"),
        ("S walk::SC1-a::MR1::first", "this case has a line already"),
        ("<<<<<<< HEAD", "a merge conflict that was not resolved"),
        ("||||||| base", "a merge conflict that was not resolved"),
        ('agent "another"', "agent has a line already"),
        ('trajectory "walk" "0123"', "this trajectory has a line already"),
        ('semantics "loud"', "semantics has to be one of sound, paper"),
        ("epsilon true", "epsilon has to be a number"),
        ("agent [", "this is no line of a baseline"),
        ('trajectory "walk" 3', "expected the id of a trajectory"),
        ('S "\\ud800', "this is no line of a baseline"),
        ("wording " + "[" * 100_000, "this is no line of a baseline"),
    ],
)
def test_a_damaged_line_is_told_with_file_and_line(tmp_path: Path, line: str, told: str) -> None:
    good = text_of(record({"walk::SC1-a::MR1::first": Outcome.SATISFIED}))
    path = tmp_path / "base.txt"
    path.write_text(good + line + "\n")
    number = good.count("\n") + 1
    with pytest.raises(UsageProblem) as caught:
        records.read_baseline(path)
    assert str(caught.value).startswith(f"{path}:{number}: {told}")
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", ":1: this is no baseline"),
        (b"hello\n", ":1: this is no baseline: expected 'metaspace-baseline 1'"),
        (b"metaspace-baseline 2\n", ":1: this baseline has version '2'"),
        (b"metaspace-baseline 1\n", ": the header lacks agent, semantics, prompting"),
        (b"\xff\xfe\x00", " is no text"),
    ],
)
def test_what_is_no_baseline_is_told(tmp_path: Path, content: bytes, told: str) -> None:
    path = tmp_path / "base.txt"
    path.write_bytes(content)
    with pytest.raises(UsageProblem, match=r"base\.txt") as caught:
        records.read_baseline(path)
    assert told in str(caught.value)


def test_a_baseline_that_an_editor_of_windows_has_saved_is_one(tmp_path: Path) -> None:
    """With a byte order mark and carriage returns; saving it again takes them away."""
    path = tmp_path / "base.txt"
    made = record({"walk::SC1-a::MR1::first": Outcome.SATISFIED})
    path.write_bytes(b"\xef\xbb\xbf" + text_of(made).replace("\n", "\r\n").encode())
    assert records.read_baseline(path).outcomes == made.outcomes
    records.write_baseline(path, made)
    assert path.read_bytes() == text_of(made).encode()


def test_a_setting_beyond_all_bounds_is_told_and_breaks_nothing() -> None:
    huge = record({}, settings=replace(record({}).settings, seed=10**400))
    (note,) = records.notes(huge, record({}))
    assert note.startswith("seed was 1000")
    assert len(note) < 200


def test_how_boxes_are_shown_and_what_found_them_tell_runs_apart() -> None:
    here = record({})
    drawn = replace(here, settings=replace(here.settings, boxes="draw"))
    assert list(records.differences(here, drawn)) == [("prompting", "boxes text, now draw")]
    tracked = replace(here, settings=replace(here.settings, tracker="yolo:a.pt"))
    assert list(records.differences(here, tracked)) == []
    assert list(records.notes(here, tracked)) == ["tracker was none and is yolo:a.pt"]


def test_what_is_no_baseline_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("mine")
    with pytest.raises(UsageProblem, match="is no file that --metaspace-save-baseline wrote"):
        records.write_baseline(path, record({}))
    with pytest.raises(UsageProblem, match="cannot be read"):
        records.write_baseline(tmp_path, record({}))
    assert path.read_text() == "mine"


def test_a_baseline_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageProblem, match="cannot be written"):
        records.write_baseline(tmp_path / "file" / "base.txt", record({}))
    assert [one.name for one in tmp_path.iterdir()] == ["file"]


def test_a_link_to_a_baseline_stays_a_link(tmp_path: Path) -> None:
    records.write_baseline(tmp_path / "deep" / "base.txt", record({}))
    (tmp_path / "link").symlink_to(tmp_path / "deep" / "base.txt")
    records.write_baseline(tmp_path / "link", record({"walk::SC1-a::MR1::a": Outcome.VIOLATED}))
    assert (tmp_path / "link").is_symlink()
    assert records.read_baseline(tmp_path / "deep" / "base.txt").outcomes


# ------------------------------------------------------------------------- bringing up to date


OLD = record(dict.fromkeys([f"walk::SC1-a::MR1::{name}" for name in "abc"], Outcome.SATISFIED))


def test_rows_stay_that_a_run_says_nothing_about() -> None:
    now = record({"walk::SC1-a::MR1::a": Outcome.VIOLATED, "walk::SC1-a::MR1::b": Outcome.ERROR})
    update = records.updated(OLD, now, gone=())
    assert [one.value[0] for one in update.record.outcomes.values()] == ["s", "s", "v"]
    assert (update.fresh, update.kept, update.dropped, update.unanswered) == (1, 2, 0, 1)


def test_rows_go_whose_cases_are_none_any_more() -> None:
    now = record({"walk::SC1-a::MR1::a": Outcome.SATISFIED})
    update = records.updated(OLD, now, gone={"walk::SC1-a::MR1::b"})
    assert sorted(update.record.outcomes) == ["walk::SC1-a::MR1::a", "walk::SC1-a::MR1::c"]
    assert (update.kept, update.dropped) == (1, 1)


@pytest.mark.parametrize(
    "other",
    [
        {"agent": "other"},
        {"settings": Settings(semantics="paper")},
        {"settings": Settings(prompting="cot")},
        {"wording": {"household agent flat spatial": "else"}},
    ],
)
def test_rows_never_stay_beside_those_of_another_kind(other: dict[str, object]) -> None:
    now = record({"walk::SC1-a::MR1::a": Outcome.SATISFIED}, **other)
    with pytest.raises(
        UsageProblem, match="was not changed: it holds 2 cases that this run has not"
    ):
        records.updated(OLD, now, gone=())
    whole = record(dict(OLD.outcomes), **other)
    assert records.updated(OLD, whole, gone=()).record == whole
