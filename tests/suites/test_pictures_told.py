"""Pictures of a suite's question are told as they were shown: each, or the first and how many."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

# Imported before any inner run in this process: what an inner run imports first is dropped after it.
import pytest_metaspace.session
from pytest_metaspace import cli, pipeline
from pytest_metaspace.suites import ties
from pytest_metaspace.suites.writing import write_items
from pytest_metaspace.trajectories._altered import shown
from tests.suites.test_items import sample

if TYPE_CHECKING:
    from pathlib import Path

pytest_plugins = ("pytester",)
OURS = ("-p", "metaspace", "-p", "no:asyncio", "--metaspace-agent=python:brain:answer", "items")
REPORTS = [f"--metaspace-report={name}" for name in ("markdown", "junit", "json")]
KEPT = (pytest_metaspace.session, pipeline)
MIRROR = ties.mapped("REM-MIRROR", "cones", "cones mirrored")


def ask(pytester: pytest.Pytester, said: str) -> pytest.RunResult:
    """Ask a brain that says one thing to two pictures and another to eight."""
    folder: Path = pytester.mkdir("items")
    made = sample(folder, (MIRROR,))
    cones = made.posings["cones"]
    first, second = cones.images
    eight = shown(
        [(first, "mirrored"), *[(first, None), (second, None)] * 3, (first, None)], folder
    )
    mirrored = replace(made.posings["cones mirrored"], images=eight)
    posings = {"cones": cones, "cones mirrored": mirrored}
    write_items(folder, [("one", replace(made, posings=posings, unposed={}))])
    pytester.makepyfile(brain=f"def answer(prompt, images):\n    return {said}")
    return pytester.runpytest_inprocess(*OURS, "-m", "REM-MIRROR", *REPORTS)


def test_a_violation_tells_how_many_pictures_were_shown(pytester: pytest.Pytester) -> None:
    told = ["[a.png, b.png]", "[mirrored a.png and 7 more]"]
    found = ask(pytester, "str(len(images))")
    questions = [line for line in found.outlines if line.lstrip().startswith("answer ")]
    assert [line[line.rindex("[") :] for line in questions] == told
    for name in ("metaspace-report.md", "metaspace-junit.xml"):
        text = (pytester.path / name).read_text()
        assert all(one in text for one in told), name
    report = json.loads((pytester.path / "metaspace-report.json").read_text())
    assert [one["frames"] for one in report["questions"]] == [[0, 1], [0, 1]]


def test_an_answer_that_is_no_number_is_explained(
    pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str]
) -> None:
    ask(pytester, "'blah'").stdout.fnmatch_lines(["invalid: 1 case: no number"])
    report = json.loads((pytester.path / "metaspace-report.json").read_text())
    capsys.readouterr()
    assert cli.main(["explain", report["cases"][0]["address"]]) == 0
    pytest.LineMatcher(capsys.readouterr().out.splitlines()).fnmatch_lines(
        [
            "REM-MIRROR invalid: *",
            "  observation 1 could not be read: no number.",
            "      observation 2 could not be read: no number   <- answer 2",
            "  answer 1: 'blah' (unreadable)",
        ]
    )
