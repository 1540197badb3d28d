"""``metaspace sensitivity``: what tolerances and confidence change, from stored answers alone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pytest_metaspace import pipeline
from pytest_metaspace.asking.store import AnswerStore
from pytest_metaspace.cli import main
from pytest_metaspace.domain import Settings
from pytest_metaspace.pipeline import Registries
from pytest_metaspace.sensitivity import CHANGES, CONFIDENCES, Study
from tests.unit_support import HOUSEHOLD

if TYPE_CHECKING:
    from pathlib import Path

STUDY = HOUSEHOLD / "study-01"
KNOWN = Registries.built_in()
FEW = Settings(sample=0.3)


@pytest.fixture(scope="module")
def random() -> Study:
    return Study([STUDY], KNOWN, KNOWN.agent("random", STUDY), None)


def test_a_wider_tolerance_never_violates_more(random: Study) -> None:
    gained = 0
    for relation in ("MR5", "MR6"):
        found = random.tolerance(relation, FEW)
        base = {"MR5": 0.1, "MR6": 0.05}[relation]
        assert [one.value for one in found] == pytest.approx([base * (1 + by) for by in CHANGES])
        scores = [one.scores[relation] for one in found]
        assert len({score.cases for score in scores}) == 1
        violated = [score.violated for score in scores]
        assert violated == sorted(violated, reverse=True)
        gained += violated[0] - violated[-1]
        assert {one.unanswered for one in found} == {0}
    assert gained > 0


def test_the_middle_row_is_what_a_run_scores(random: Study) -> None:
    run = pipeline.run([STUDY], "random", replace(FEW, relations=frozenset({"MR5"})))
    middle = random.tolerance("MR5", FEW)[CHANGES.index(0.0)]
    assert middle.scores["MR5"].value == run.total


def test_boxes_that_are_less_sure_make_more_cases(random: Study) -> None:
    found = random.confidence(replace(FEW, sample=1.0, relations=frozenset({"MR5"})))
    cases = [one.scores["MR5"].cases for one in found if "MR5" in one.scores]
    assert cases == sorted(cases, reverse=True)
    assert [one.value for one in found] == list(CONFIDENCES)


def test_what_has_no_answer_is_counted_and_in_no_score(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Half of the cases were recorded; an agent that is asked would say so."""
    (tmp_path / "brain_of_sizes.py").write_text(
        "from pathlib import Path\n\n\ndef answer(prompt, images):\n"
        "    with Path('asked').open('a') as file:\n        file.write('x')\n    return '1.5'\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    some = Settings(relations=frozenset({"MR6"}), sample=0.02)
    with AnswerStore(tmp_path / ".metaspace_cache") as store:
        made = pipeline.run([STUDY], "python:brain_of_sizes:answer", some, store=store)
    recorded = (tmp_path / "asked").read_text()
    words = ["--agent=python:brain_of_sizes:answer", "--sample=0.04", "--semantics=paper"]
    assert main(["sensitivity", str(STUDY), *words]) == 0
    assert (tmp_path / "asked").read_text() == recorded
    out = capsys.readouterr().out
    assert out.startswith(
        "answers of python:brain_of_sizes:answer in 1 trajectory, semantics paper; no mo"
    )
    rows = [line.split() for line in out.splitlines() if line.startswith("0.05  ")]
    (cases, violated, score, unanswered) = rows[0][1:]
    assert int(cases) >= made.scores[0].cases
    assert int(violated) == 0
    assert score == "1.000"  # equal sizes keep every ratio; what is missing is no violation
    assert int(unanswered) > 0


def test_the_tables_say_what_moves(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sensitivity", str(STUDY), "--agent=random", "--sample=0.1", "--mr=MR6"]) == 0
    out = capsys.readouterr().out
    assert "MR6, delta around 0.05:" in out
    assert "0.025 (-50%)" in out
    assert "0.075 (+50%)" in out
    assert "the score moves by 0." in out
    assert "boxes are used from this confidence on (in runs from 0.6):" in out
    assert "MR5" not in out


def test_without_stored_answers_it_says_how_to_record_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mind.py").write_text("def answer(prompt, images):\n    return '1'\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    words = ["--agent=python:mind:answer", f"--cache-dir={tmp_path}"]
    assert main(["sensitivity", str(STUDY), *words]) == 4
    told = capsys.readouterr().err
    assert "there are no stored answers in" in told
    assert "pytest --metaspace-agent=python:mind:answer" in told


def test_answers_of_somebody_else_are_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mind.py").write_text("def answer(prompt, images):\n    return '1'\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    AnswerStore(tmp_path / "cache").close()
    words = ["--agent=python:mind:answer", f"--cache-dir={tmp_path / 'cache'}", "--sample=0.02"]
    assert main(["sensitivity", str(STUDY), *words]) == 4
    out, told = capsys.readouterr()
    assert out == ""
    assert "questions has an answer of this agent" in told
    assert "pytest --metaspace-agent=NAME" in told


def test_nothing_to_judge_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sensitivity", str(STUDY), "--agent=random", "--sc=SC1-a"]) == 4
    out, told = capsys.readouterr()
    assert out == ""
    assert told.startswith("metaspace: MR5 and MR6: no cases in SC1-a, so no tolerance")
