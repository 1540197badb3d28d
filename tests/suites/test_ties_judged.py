"""Ties of each law in a run: who knows the answers breaks none, and who does not is caught."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pytest_metaspace import pipeline
from pytest_metaspace.domain import Capability, Outcome, Settings, Verdict
from pytest_metaspace.registries import Registries
from pytest_metaspace.suites import Suite
from pytest_metaspace.suites.writing import write_items
from pytest_metaspace.trajectories import Reading
from pytest_metaspace.trajectories._episodes import Choice
from tests.suites.test_items import ALL_TIES, sample

if TYPE_CHECKING:
    from pathlib import Path

NAMES = [tie.relation.partition("-")[2] for tie in ALL_TIES]
LIAR = """
def answer(prompt, images):
    if "boxes" in prompt:
        return "BOXES"
    if "cones" in prompt:
        return "2" if str(images[0]).endswith("a.png") else "one"
    return "before"
"""
"""Sees fewer cones in a mirror, and says before to everything."""


def judged(folder: Path, agent: str) -> dict[str, Verdict]:
    """Ask an item with a tie of each law; return the verdict on each relation."""
    tied = [replace(tie, relation=tie.relation.replace("REM", "TST")) for tie in ALL_TIES]
    made = sample(folder, tuple(tied))
    second = replace(made.posings["second"], answer="after")
    boxes = replace(made.posings["boxes"], written=False)
    posings = {**made.posings, "second": second, "boxes": boxes}
    task = Capability.of_suite("TST", "count")
    item = replace(made, task=task, posings=posings, unposed={})
    path = write_items(folder, [("one", item)])
    known = Registries.built_in()
    known.choice = Choice(["all"])
    known.reading = Reading(frames=folder)
    suite = Suite(
        name="tst",
        code="TST",
        title="Test",
        tasks=("count",),
        relations=dict.fromkeys(NAMES, "a relation"),
    )
    known.add_suite(suite, "a test")
    found = pipeline.run([path], agent, Settings(), registries=known)
    return {verdict.case.relation: verdict for verdict in found.verdicts}


def test_who_knows_the_answers_breaks_no_law(tmp_path: Path) -> None:
    found = judged(tmp_path, "truth")
    assert set(found) == {"TST-ACC", *(f"TST-{name}" for name in NAMES)}
    assert {one.outcome for one in found.values()} == {Outcome.SATISFIED}


LIES = {
    "ACC": "it is 3 and not 2",
    "MIRROR": "when cones mirrored, the answer had to be 2, and it was 1",
    "ORDER": 'when second, the answer had to be "after", and it was "before"',
    "APART": '"before" cannot be the answer both when first and when second',
    "SIGN": '"before" is the answer when first, and 2 when cones is more than 0 when boxes, '
    'so when second the answer had to be "after", and it was "before"',
    "SUM 0": "2 (when cones) is not 0 (when boxes) + 1 (when cones mirrored) = 1",
    "SUM 4": "2 (when cones) is not 4 (when boxes) + 1 (when cones mirrored) = 5",
    "PART": "4 (when boxes) is more than 2 (when cones)",
    "BACK": '"before" is the answer about "after", but "before" and not "after" is the answer '
    'about "before"',
}


@pytest.mark.parametrize(("boxes", "kept"), [("0", "PART"), ("4", "SIGN")])
def test_lies_break_each_law_and_are_told_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, boxes: str, kept: str
) -> None:
    (tmp_path / f"liar_{boxes}.py").write_text(LIAR.replace("BOXES", boxes))
    monkeypatch.syspath_prepend(tmp_path)
    found = judged(tmp_path, f"python:liar_{boxes}:answer")
    assert found.pop(f"TST-{kept}").outcome is not Outcome.VIOLATED
    assert {one.outcome for one in found.values()} == {Outcome.VIOLATED}
    for relation, verdict in found.items():
        name = relation.partition("-")[2]
        told = LIES.get(f"{name} {boxes}") or LIES[name]
        assert told in str(verdict.derivation)


MUMBLER = """
from pytest_metaspace.errors import AgentError

def answer(prompt, images):
    if ANSWER is None:
        raise AgentError("the line was dead")
    return ANSWER
"""


@pytest.mark.parametrize(
    ("said", "outcome", "counted", "chosen"),
    [
        (
            "blah",
            Outcome.INVALID,
            "observation 1 could not be read: no number",
            "observation 1 could not be read: no option out of before, after",
        ),
        (None, Outcome.ERROR, *["observation 1 has no answer: the line was dead"] * 2),
    ],
    ids=["unreadable", "missing"],
)
def test_who_cannot_be_read_is_invalid_and_who_is_silent_an_error(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    said: str | None,
    outcome: Outcome,
    counted: str,
    chosen: str,
) -> None:
    name = f"mumbler_{said}"
    (tmp_path / f"{name}.py").write_text(f"ANSWER = {said!r}\n{MUMBLER}")
    monkeypatch.syspath_prepend(tmp_path)
    found = judged(tmp_path, f"python:{name}:answer")
    assert set(found) == {"TST-ACC", *(f"TST-{name}" for name in NAMES)}
    for relation, verdict in found.items():
        assert verdict.outcome is outcome, relation
        of_words = relation in ("TST-ORDER", "TST-APART", "TST-BACK")
        assert verdict.reason.startswith(chosen if of_words else counted)
