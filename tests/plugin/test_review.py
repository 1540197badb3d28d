"""``metaspace review``: which violations are drawn, how they are labelled, what they come to."""

from __future__ import annotations

import json
import sys
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_metaspace import cli, reviewing
from pytest_metaspace.reviewing import MOST, Review, asked, drawn, result

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.plugin.conftest import Project

SELECTION = ("--metaspace-sc=SC1-a,SC2-a,SC4-a",)
ADDRESSES = [f"t::SC1-a::MR1::{number}" for number in range(2 * MOST)]


@pytest.fixture
def reviewed(project: Project, walk: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project whose last run was violated often."""
    run = project.run(project.brain("return 'right'"), "runs", *SELECTION)
    assert run.parseoutcomes()["violated"] > 10
    monkeypatch.chdir(project.path)
    return project


class Terminal(StringIO):
    """What a person types."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def review(
    reviewed: Project, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[int, str, str]]:
    def typed(*words: str, said: str | None = None) -> tuple[int, str, str]:
        capsys.readouterr()
        monkeypatch.setattr(sys, "stdin", StringIO() if said is None else Terminal(said))
        status = cli.main(["review", *words])
        told = capsys.readouterr()
        return status, told.out, told.err

    return typed


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()[1:]]


@given(st.permutations(ADDRESSES[:20]), st.integers(0, 5))
def test_what_is_drawn_hangs_on_the_violations_and_the_seed_alone(
    mixed: list[str], seed: int
) -> None:
    assert drawn(mixed, seed) == drawn(ADDRESSES[:20], seed)
    assert set(drawn(mixed, seed)) == set(mixed)


def test_every_violation_has_the_same_chance() -> None:
    """Of 600 the first half is as likely as the second: 4,500 of 9,000 draws, within five sigma."""
    first = set(ADDRESSES[:MOST])
    many = sum(len(first.intersection(drawn(ADDRESSES, seed))) for seed in range(30))
    assert abs(many - 15 * MOST) < 5 * (30 * MOST / 4) ** 0.5
    assert drawn(ADDRESSES, 0) != drawn(ADDRESSES, 1)


def test_labels_at_a_terminal_are_kept_and_come_to_a_precision(
    reviewed: Project, review: Callable[..., tuple[int, str, str]]
) -> None:
    status, out, _ = review("--number=4", said="t\nf the chair was moved\nwhat?\ns\nt\n")
    assert status == 0
    assert out.startswith("4 of ")
    assert out.count("violated: walk::") == 4
    assert "answer 1: " in out
    assert (
        "precision 0.667 (95 % interval 0.094-0.992): 2 of 3 labelled violations are right" in out
    )
    assert "the paper found 9 false alarms among 1000 of its violations: 0.991" in out
    assert "1 of 4 are not labelled yet" in out
    kept = lines(reviewed.path / "metaspace-review.jsonl")
    assert [one["label"] for one in kept] == ["true", "false alarm", "", "true"]
    assert kept[1]["note"] == "the chair was moved"


def test_what_was_labelled_is_not_asked_again_and_a_larger_sample_has_it(
    reviewed: Project, review: Callable[..., tuple[int, str, str]]
) -> None:
    review("--number=3", said="t\nt\nq\n")
    before = lines(reviewed.path / "metaspace-review.jsonl")
    _, out, _ = review("--number=5", said="f\nq\n")
    assert "--- 1 of 3 to label" in out
    after = lines(reviewed.path / "metaspace-review.jsonl")
    assert [one["case"] for one in after[:3]] == [one["case"] for one in before]
    assert [one["label"] for one in after] == ["true", "true", "false alarm", "", ""]


def test_ctrl_c_keeps_what_was_labelled(
    reviewed: Project,
    review: Callable[..., tuple[int, str, str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said = iter(["t"])

    def press(_: str) -> str:
        for word in said:
            return word
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", press)
    status, out, _ = review(said="")
    assert status == 0
    assert "stopped; what was labelled is kept" in out
    assert "precision 1.000" in out
    assert lines(reviewed.path / "metaspace-review.jsonl")[0]["label"] == "true"


def test_without_a_terminal_the_file_is_there_to_be_edited(
    reviewed: Project, review: Callable[..., tuple[int, str, str]]
) -> None:
    file = reviewed.path / "labels.jsonl"
    _, out, _ = review("--number=2", "--file=labels.jsonl")
    assert "precision" not in out
    assert 'write "true" or "false alarm" as label into labels.jsonl' in out
    text = file.read_text()
    assert text.count('"label": ""') == 2
    assert "These answers cannot all be true" in lines(file)[0]["claim"]
    file.write_text(text.replace('"label": ""', '"label": "false alarm"', 1))
    assert "precision 0.000 (95 % interval 0.000-0.975): 0 of 1" in review("--file=labels.jsonl")[1]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"label": ""', '"label": "wrong"', "line 2: label is 'wrong'; expected case, claim, note"),
        ('"note": ""', '"remark": ""', "line 2: *; expected case, claim, note"),
        ("metaspace-review", "other", "is no file of labels (it is another one)"),
        (
            "python:brain",
            "python:mind",
            "has labels of the agent 'python:mind:answer', and the last",
        ),
    ],
)
def test_a_file_that_is_not_as_it_should_be_is_named_and_left_as_it_is(
    reviewed: Project, review: Callable[..., tuple[int, str, str]], old: str, new: str, told: str
) -> None:
    file = reviewed.path / "metaspace-review.jsonl"
    review("--number=2")
    text = file.read_text().replace(old, new, 1)
    file.write_text(text)
    status, _, complaint = review("--number=2")
    assert status == 4
    assert "metaspace-review.jsonl" in complaint
    assert all(part in complaint for part in told.split("*"))
    assert file.read_text() == text


def test_labels_of_another_run_stay_and_are_not_counted(
    reviewed: Project, review: Callable[..., tuple[int, str, str]]
) -> None:
    review("--number=300", said="t\nt\nt\nq\n")
    reviewed.brain("return 'left'")
    reviewed.run(
        "--metaspace-agent=python:brain:answer", "runs", "--metaspace-answers=refresh", *SELECTION
    )
    _, out, _ = review("--number=300")
    assert out.startswith("a run keeps 200 violations to be reviewed, so 300 are not there\n")
    assert "precision" not in out
    assert "3 labels are of violations that the last run does not have or did not draw" in out
    kept = lines(reviewed.path / "metaspace-review.jsonl")
    assert sum(one["label"] == "true" for one in kept) == 3


def test_every_violation_that_is_drawn_is_derived_and_kept_whatever_the_run_leaves_out(
    project: Project, walk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pytest_metaspace import last_run, settle

    monkeypatch.setattr(settle, "SHOWN_PER_GROUP", 0)
    monkeypatch.setattr(settle, "TOLD_PER_GROUP", 0)
    monkeypatch.setattr(last_run, "_MOST_BYTES", 1)
    monkeypatch.setattr(reviewing, "MOST", 7)
    project.run(project.brain("return 'right'"), "runs", *SELECTION)
    made = Review(project.path / "labels.jsonl", project.path / ".metaspace_cache", 100)
    assert len(made.labels) == 7
    for case in made.labels:
        assert any("<- answer 1" in line for line in made.show(case))


def test_where_labels_cannot_be_written_the_file_is_named(
    review: Callable[..., tuple[int, str, str]],
) -> None:
    status, _, err = review("--file", "missing/labels.jsonl")
    assert status == 4
    assert err.startswith("metaspace: labels cannot be written to missing/labels.jsonl (No such")
    assert "--file" in err


def test_a_run_in_waves_is_drawn_from_as_one_that_settles_at_once(
    project: Project, walk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = []
    monkeypatch.setattr(reviewing, "MOST", 5)
    for more in ([], ["--maxfail=1000", "--metaspace-lookahead=4"]):
        project.run(project.brain("return 'right'"), "runs", *SELECTION, *more)
        made = Review(project.path / "labels.jsonl", project.path / ".metaspace_cache", 5)
        drawn.append((made.violations, list(made.labels)))
    assert drawn[0] == drawn[1]


def test_a_run_without_violations_has_nothing_to_review(
    project: Project,
    walk: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    project.path.joinpath(".metaspace_cache").mkdir()
    project.run("--metaspace-agent=truth", "runs", "--metaspace-sc=SC1-a")
    monkeypatch.chdir(project.path)
    assert cli.main(["review"]) == 4
    assert "has no violations to review" in capsys.readouterr().err
    assert not (project.path / "metaspace-review.jsonl").exists()


def test_no_label_is_no_precision(reviewed: Project) -> None:
    made = Review(reviewed.path / "labels.jsonl", None, 2)
    list(asked(made, lambda _: "q"))
    assert list(result(made)) == ["2 of 2 are not labelled yet"]
