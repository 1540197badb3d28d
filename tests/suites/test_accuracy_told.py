"""Accuracy on suites in a run: the table, in parts and put together, in each report."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

import pytest_metaspace.oracle
import pytest_metaspace.session
from pytest_metaspace import cli, records
from pytest_metaspace.domain import Capability, Item, Key, Outcome, Posing, Run, Sliced
from pytest_metaspace.reports import accuracy as told
from pytest_metaspace.scoring import accuracy
from pytest_metaspace.suites.writing import write_items

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_metaspace.scoring.accuracy import Marked

pytest_plugins = ("pytester",)
#  Imported before an inner run in this process: what that imports first is dropped after it.
_IMPORTED = (cli, pytest_metaspace.oracle, pytest_metaspace.session)
CONFTEST = """
from pytest_metaspace.suites import Suite

def pytest_metaspace_register_suites(register):
    register(Suite(name="tst", code="TST", title="Test", tasks=("fold", "count"), relations={}))
"""
AGENT = """
def answer(prompt, images):
    if "foldable" in prompt:
        return "yes"
    return "2" if "shown" in prompt else "three"
"""


def items() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield four questions with a yes or no, and four with a number, with pictures and without."""
    for place in range(8):
        is_count = place >= 4
        context = "It is shown." if place % 2 else ""
        yield (
            f"item-{place}",
            {
                "task": Capability.of_suite("TST", "count" if is_count else "fold"),
                "text": "How many?" if is_count else "Is it foldable?",
                "form": "count" if is_count else "word",
                "options": () if is_count else ("yes", "no"),
                "answer": 2 + place % 2 if is_count else ("yes", "yes", "no", "yes")[place],
                "context": context,
                "slices": {"simulation": "with" if context else "without", "steps": str(place)},
                "twin": f"pair-{place // 2}" if is_count else "",
                "own": {"difference": str(place % 2)},
            },
        )


@pytest.fixture
def folder(pytester: pytest.Pytester) -> Path:
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(yes_man=AGENT)
    pytester.syspathinsert()
    place = pytester.mkdir("items")
    Image.new("RGB", (8, 6), (200, 10, 10)).save(place / "a.png")
    made = []
    for name, one in items():
        of_item = {key: one.pop(key) for key in ("task", "slices", "twin")}
        own = one.pop("own")
        posing = Posing(images=(place / "a.png",), written=True, slices=own, **one)
        made.append((name, Item(posings={"unchanged": posing}, **of_item)))
    write_items(place, made)
    return place


OURS = ("-p", "metaspace", "-p", "no:asyncio", "--metaspace-agent=python:yes_man:answer")
ALL = ("--metaspace-episodes=all", "--metaspace-violations=report", "items")
TABLE = [
    "accuracy on suites, beside guessing:",
    "task * asked * accuracy * balanced * F1 * chance * constant * normalised",
    "TST-count * 4 * 0.000 (0.00-*)* 0.500 2*",
    "TST-fold * 4 * 0.750 (0.*)* 0.500 * 0.857 * 0.500 * 0.750 yes * 0.500",
    "TST mean of tasks * 8 * 0.375*",
    "constant: the one answer that is right most often, given to everything",
    "normalised: *",
    "no better than one answer to everything: TST-count, TST-fold",
    'TST: F1 is of "yes"; who always says yes has 0.857 on TST-fold',
    "TST: with F1 for tasks of yes or no the mean of tasks is 0.429",
    "TST-count: 0.000 with intermediate pictures, 0.000 without: +0.000 * over 2 pairs",
]


@pytest.mark.usefixtures("folder")
def test_a_run_tells_accuracy_beside_guessing_and_every_report_has_it(
    pytester: pytest.Pytester,
) -> None:
    formats = [f"--metaspace-report={name}" for name in ("json", "html", "junit", "markdown")]
    found = pytester.runpytest_inprocess(*OURS, *ALL, *formats, "-v")
    found.stdout.fnmatch_lines([*TABLE, "accuracy by what tells items apart:"])
    found.stdout.fnmatch_lines(["TST-fold * difference 1 * 2 * 1.000*", "*steps 3 * 1 * 1.000"])
    lines = found.outlines
    table = lines[lines.index(TABLE[0]) : lines.index("accuracy by what tells items apart:")]
    assert max(map(len, table)) <= 100
    text = {name: pytester.path / f"metaspace-report.{name}" for name in ("json", "html", "md")}
    run = json.loads(text["json"].read_text())["run"]
    fold = next(one for one in run["accuracy"] if one["task"] == "TST-fold")
    assert (fold["accuracy"], fold["constant"], fold["normalised"]) == (0.75, "yes", 0.5)
    assert "| TST-fold | 4 | 0.750 |" in text["md"].read_text()
    properties = next(pytester.path.glob("*.xml")).read_text()
    assert 'name="TST-fold.F1" value="0.857"' in properties
    assert 'name="TST-fold.difference 1" value="1.000 of 2 (' in properties
    assert "| TST-fold | difference 1 | 2 | 1.000 |" in text["md"].read_text()
    assert {"key": "difference", "value": "1", "right": 2}.items() <= fold["slices"][1].items()
    assert "with intermediate pictures" in text["html"].read_text()


@pytest.mark.usefixtures("folder")
def test_accuracy_of_shards_put_together_is_that_of_the_whole(
    pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str]
) -> None:
    for shard in (1, 2):
        pytester.runpytest_inprocess(
            *OURS, *ALL, f"--metaspace-shard={shard}/2", f"--metaspace-save-run={shard}.jsonl"
        )
    capsys.readouterr()
    assert cli.main(["merge", "1.jsonl", "2.jsonl", "-o", "whole.jsonl"]) == 0
    pytest.LineMatcher(capsys.readouterr().out.splitlines()).fnmatch_lines(TABLE)
    whole = records.read_run(pytester.path / "whole.jsonl")
    assert len(whole.keys) == 8
    _write_as_before(pytester.path / "2.jsonl")
    assert cli.main(["merge", "1.jsonl", "2.jsonl", "-o", "old.jsonl"]) == 0
    out = capsys.readouterr().out
    assert "beside guessing" not in out  # that of a part would be taken for that of the whole
    assert (
        "metaspace: accuracy on suites is left out, as 2.jsonl lacks the true answers to 4 "
        "questions. Run shard 2/2 again."
    ) in out.splitlines()
    assert out.count("is left out") == 1
    assert cli.main(["merge", "old.jsonl"]) == 0
    assert "as old.jsonl lacks the true answers to 4 questions" in capsys.readouterr().out
    lines = (pytester.path / "whole.jsonl").read_text().splitlines()
    place = next(n for n, line in enumerate(lines) if '"key":' in line)
    lines[place] = lines[place].replace('"options":', '"optional":')
    (pytester.path / "broken.jsonl").write_text("\n".join(lines))
    assert cli.main(["merge", "broken.jsonl"]) == 4
    assert f"broken.jsonl:{place + 1}: field key.options: " in capsys.readouterr().err


def _write_as_before(path: Path) -> None:
    """Take from a run file what it did not have before accuracy was told."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    told = [{key: value for key, value in line.items() if key != "key"} for line in lines]
    path.write_text("".join(f"{json.dumps(one, separators=(',', ':'))}\n" for one in told))


def marked() -> list[Marked]:
    known = Key(answer="|`\n::x", options=2, slices={"\x1b[31m": "<b>"})
    return [(f"t{n}::TST-fold::TST-ACC::{n}", known, Outcome.VIOLATED) for n in range(2)]


def test_text_of_items_is_shown_as_data() -> None:
    tasks = accuracy.by_task(marked())
    other = replace(tasks[0], slices=(Sliced(key="\x1b[31m", value="a\nb", questions=1, right=0),))
    run = Run(
        agent="a", settings=None, trajectories=(), scores=(), by_relation=(), overall=None,  # type: ignore[arg-type]
        gates=(), verdicts=(), drops={}, questions=0, accuracy=(other,),
    )  # fmt: skip
    for cells in (*told.rows(run), *told.slices(run)):
        assert not any(bad in cell for cell in cells for bad in ("\n", "\x1b"))
