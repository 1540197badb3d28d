"""The report as JSON: whole, the same again, and one clear error for whatever is wrong with it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings

from pytest_metaspace.domain import Report, Step
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.reports.run_json import is_report, read, write
from tests.reports.any_report import any_report
from tests.reports.hostile import HOSTILE, hostile
from tests.reports.samples import sample

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def written(tmp_path: Path) -> Path:
    path = tmp_path / "run.json"
    assert write(sample(), path) == []
    return path


@settings(max_examples=6, suppress_health_check=list(HealthCheck))
@given(report=any_report())
def test_what_is_read_is_what_was_written(tmp_path: Path, report: Report) -> None:
    path = tmp_path / "run.json"
    write(report, path)
    first = path.read_bytes()
    found = read(path)
    assert found == report
    write(found, path)
    assert path.read_bytes() == first


def test_a_report_is_ascii_with_a_line_for_each_case_and_question(written: Path) -> None:
    lines = written.read_text("ascii").splitlines()
    report = sample()
    assert lines[:3] == ["{", '"format":"metaspace-report",', '"version":1,']
    for told in report.cases:
        assert sum(f'{{"address":"{told.address}"' in line for line in lines) == 1
    assert sum(line.startswith('{"trajectory":') for line in lines) == len(report.questions)


@pytest.mark.parametrize("text", HOSTILE[:-1], ids=range(len(HOSTILE) - 1))
def test_hostile_texts_come_back_as_they_are(tmp_path: Path, text: str) -> None:
    report = hostile(text)
    write(report, tmp_path / "run.json")
    assert read(tmp_path / "run.json") == report


def test_two_halves_of_a_character_come_back_as_that_character(tmp_path: Path) -> None:
    report = replace(sample(), made_by="\ud83d" + "\ude00")
    write(report, tmp_path / "run.json")
    assert read(tmp_path / "run.json").made_by == "\U0001f600"


def test_frames_are_told_from_the_folder_of_the_file_so_that_both_can_move(tmp_path: Path) -> None:
    report = sample()
    frames = tuple(str(tmp_path / "job/frames" / f"{number}.webp") for number in (0, 1))
    told = replace(report.trajectories[0], frames=frames)
    path = tmp_path / "job/out/run.json"
    write(replace(report, trajectories=(told,)), path)
    assert json.loads(path.read_text("ascii"))["trajectories"][0]["frames"] == [
        "../frames/0.webp",
        "../frames/1.webp",
    ]
    moved = (tmp_path / "job").rename(tmp_path / "artefacts")
    assert read(moved / "out/run.json").trajectories[0].frames == tuple(
        str(moved / "frames" / f"{number}.webp") for number in (0, 1)
    )


def test_frames_are_found_through_a_link_to_the_folder_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "deep/out").mkdir(parents=True)
    (tmp_path / "out").symlink_to(tmp_path / "deep/out")
    told = replace(sample().trajectories[0], frames=(str(tmp_path / "deep/0.webp"),))
    write(replace(sample(), trajectories=(told,)), tmp_path / "out/run.json")
    assert read(tmp_path / "out/run.json").trajectories[0].frames == told.frames
    assert '"../0.webp"' in (tmp_path / "deep/out/run.json").read_text("ascii")


def test_a_report_is_there_whole_or_as_it_was(
    written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = written.read_bytes()
    monkeypatch.setattr("pathlib.Path.replace", _full_disk)
    with pytest.raises(UsageProblem, match=r"run\.json cannot be written \(No space left"):
        write(replace(sample(), made_by="2"), written)
    assert written.read_bytes() == before
    assert [path.name for path in written.parent.iterdir()] == ["run.json"]


def _full_disk(*_: object) -> None:
    raise OSError(28, "No space left on device")


def test_an_indented_copy_is_known_for_a_report(written: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.json"
    copy.write_text(json.dumps(json.loads(written.read_text("ascii")), indent=2))
    assert is_report(copy)
    assert read(copy) == read(written)
    assert not is_report(tmp_path / "missing.json")
    copy.write_text('{"format":"metaspace-run","version":1}')
    assert not is_report(copy)


# -------------------------------------------------------------------------------- defects


def _set(*places: Any, to: Any) -> Callable[[dict[str, Any]], None]:
    def change(whole: dict[str, Any]) -> None:
        inner: Any = whole
        for place in places[:-1]:
            inner = inner[place]
        inner[places[-1]] = to

    return change


AGAIN = "Take the file whole from where it was written, or run again with --metaspace-report=json."
WROTE = "Name a file that --metaspace-report=json has written."


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (_set("format", to="metaspace-run"), f"field format: expected \"metaspace-report\", found 'metaspace-run'. {WROTE}"),
        (_set("version", to=2), "field version: expected 1, found 2. Read it with the pytest-metaspace that wrote it, or run again."),
        (_set("version", to=True), "field version: expected 1, found True. Read it with the pytest-metaspace that wrote it, or run again."),
        (lambda whole: whole.pop("kept"), f"lacks the field kept. {AGAIN}"),
        (_set("colour", to=1), f"has the field 'colour', which is not known. {AGAIN}"),
        (_set("cases", 3, "outcome", to="fine"), f"field cases[3].outcome: expected one of satisfied, violated, inconclusive, invalid, error, found 'fine'. {AGAIN}"),
        (_set("cases", 0, "address", to="SC1-a"), f"field cases[0].address: expected TRAJECTORY::CAPABILITY::RELATION::ID. {AGAIN}"),
        (_set("cases", 1, "questions", to=[0, 7]), f"field cases[1].questions[1]: there are 2 questions, from 0. {AGAIN}"),
        (_set("run", "scores", 0, "interval", to=[0, 1]), f"field run.scores[0].interval: expected an object, found [0, 1]. {AGAIN}"),
        (_set("trajectories", 0, "size", to="big"), f"field trajectories[0].size: expected a list of 2, found 'big'. {AGAIN}"),
        (_set("questions", 1, "said", to={"raw": "\u202e\n"}), None),
    ],
)  # fmt: skip
def test_each_defect_has_one_error_with_file_field_and_next_step(
    written: Path, change: Callable[[dict[str, Any]], None], told: str | None
) -> None:
    whole = json.loads(written.read_text("ascii"))
    change(whole)
    written.write_text(json.dumps(whole))
    if told is None:
        assert read(written).questions[1].said.raw == "\u202e\n"
        return
    with pytest.raises(UsageProblem) as caught:
        read(written)
    assert str(caught.value).removeprefix(str(written)) == f": {told}"


def test_a_step_rests_on_something_that_is_there(written: Path) -> None:
    derived = next(place for place, case in enumerate(sample().cases) if case.derivation)
    whole = json.loads(written.read_text("ascii"))
    root = whole["cases"][derived]["derivation"]["root"]
    root["children"][0]["observation"] = 9
    written.write_text(json.dumps(whole))
    with pytest.raises(UsageProblem, match=r"a step rests on more than the 2 questions and givens"):
        read(written)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"[1, 2]", "expected an object."),
        (b"{", ":1: this is no JSON (Expecting property name enclosed in double quotes, character 2)."),
        (b'{"a": 1,\n"b": }', ":2: this is no JSON (Expecting value, character 6)."),
        (b"[" * 200_000, "this is no JSON that can be read (maximum recursion depth exceeded"),
        (b"\xff\xfe{", "is no text"),
    ],
)  # fmt: skip
def test_what_is_no_report_is_refused_in_one_sentence(
    tmp_path: Path, content: bytes, told: str
) -> None:
    path = tmp_path / "run.json"
    path.write_bytes(content)
    with pytest.raises(UsageProblem) as caught:
        read(path)
    assert told in str(caught.value)
    assert "run.json" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_was_cut_is_refused_wherever_it_was(written: Path) -> None:
    whole = written.read_bytes()
    for length in range(0, len(whole) - 2, len(whole) // 15):
        written.write_bytes(whole[:length])
        with pytest.raises(UsageProblem, match="this is no JSON"):
            read(written)


def test_a_derivation_that_is_nested_too_deeply_is_refused(written: Path) -> None:
    whole = json.loads(written.read_text("ascii"))
    step = '{"goal":"","because":"","source":"","children":['
    depth = 50_000
    deep = step * depth + "]}" * depth
    whole["cases"][0]["derivation"] = {"summary": "", "root": "HERE"}
    written.write_text(json.dumps(whole).replace('"HERE"', deep))
    with pytest.raises(UsageProblem, match=r"maximum recursion|nested too deeply"):
        read(written)


def test_a_missing_file_is_told_with_what_writes_one(tmp_path: Path) -> None:
    with pytest.raises(
        UsageProblem, match=r"there is no file .*run\.json\. Write one first: pytest"
    ):
        read(tmp_path / "run.json")
    with pytest.raises(UsageProblem, match="cannot be read"):
        read(tmp_path)


def test_a_deep_derivation_is_written_and_read(tmp_path: Path) -> None:
    step = Step(goal="end", because="", source="", observation=0)
    for depth in range(100):
        step = Step(goal=str(depth), because="", source="", children=(step,))
    report = sample()
    place = next(place for place, case in enumerate(report.cases) if case.derivation)
    case = report.cases[place]
    assert case.derivation is not None
    deep = replace(case, derivation=replace(case.derivation, root=step))
    report = replace(report, cases=(deep,))
    write(report, tmp_path / "run.json")
    assert read(tmp_path / "run.json") == report
