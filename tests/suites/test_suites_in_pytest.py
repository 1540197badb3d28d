"""Items of a suite as tests of pytest: node ids, marks, a gate, the tables and the reports."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest
from PIL import Image

import pytest_metaspace.oracle
import pytest_metaspace.session
from pytest_metaspace import cli
from pytest_metaspace.options import OPTIONS
from pytest_metaspace.registries import Registries

if TYPE_CHECKING:
    from pathlib import Path

pytest_plugins = ("pytester",)
#  Imported before an inner run in this process: what that imports first is dropped after it.
_IMPORTED = (cli, pytest_metaspace.oracle, pytest_metaspace.session)
OURS = ("-p", "metaspace", "-p", "no:asyncio")
ALL = "--metaspace-episodes=all"


def place(pytester: pytest.Pytester, built: Path) -> None:
    shutil.copytree(built.parent, pytester.path / "items")


def test_items_run_like_trajectories(pytester: pytest.Pytester, built: Path) -> None:
    place(pytester, built)
    gate = "--metaspace-fail-under=EMB-ACC=0.9"
    found = pytester.runpytest_inprocess(
        *OURS, "--metaspace-agent=truth", ALL, gate, "items", "--metaspace-sc=EMB-far"
    )
    found.stdout.fnmatch_lines(
        [
            "suite *violated*",
            "EMB-ACC *accuracy * 0 of 4 *1.000*",
            "  EMB-far * 0 of 4 *1.000*",
            "EMB-ENDS *nearest is not farthest *1.000*",
        ]
    )
    found.stdout.no_fnmatch_line("total *")
    assert found.ret == 0


def test_what_is_violated_is_told_and_reported(pytester: pytest.Pytester, built: Path) -> None:
    place(pytester, built)
    found = pytester.runpytest_inprocess(
        *OURS, "--metaspace-agent=mutant:first-option:truth", ALL, "items",
        "-m", "EMB-ORDER", "--metaspace-report=json", "--metaspace-report=html",
        "--metaspace-report=junit", "--metaspace-report=markdown",
    )  # fmt: skip
    found.stdout.fnmatch_lines(
        [
            "*These answers cannot all be true: when reordered, the answer had to be *",
            "*(laws/mapped.pl:*)*",
        ]
    )
    told = json.loads((pytester.path / "metaspace-report.json").read_text())
    assert "EMB-ORDER" in json.dumps(told)
    assert (pytester.path / "metaspace-report.html").is_file()


def test_a_plan_tells_how_many_questions_relations_add(
    built: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["plan", str(built), "--episodes=all", "--mr=EMB-ACC,EMB-ORDER"]) == 0
    told = capsys.readouterr().out
    assert "items of suites: 24 questions as written, 24 more for relations" in told


def test_a_run_of_a_suite_passes_against_itself_and_not_with_an_agent_that_errs(
    pytester: pytest.Pytester, built: Path
) -> None:
    place(pytester, built)
    held = (*OURS, ALL, "items", "--metaspace-mr=EMB-ACC")
    truth = "--metaspace-agent=truth"
    assert pytester.runpytest_inprocess(*held, truth, "--metaspace-save-baseline=b.txt").ret == 0
    same = pytester.runpytest_inprocess(*held, truth, "--metaspace-baseline=b.txt")
    same.stdout.fnmatch_lines(
        [
            "suite *cases*trajectories*",
            "EMB-ACC * 24 * 24 * 1.000 * no change",
            "gate passed: baseline: no relation of a suite fell by 0.01 or more",
        ]
    )
    assert same.ret == 0
    assert cli.main(["compare", "b.txt", "b.txt"]) == 0
    worse = pytester.runpytest_inprocess(
        *held, "--metaspace-agent=mutant:first-option:truth", "--metaspace-baseline=b.txt",
        "--metaspace-baseline-across=agent",
    )  # fmt: skip
    assert worse.ret == 1
    worse.stdout.fnmatch_lines(["GATE FAILED: baseline: EMB-ACC fell from 1.000 to *"])


def test_an_agent_that_cannot_be_read_passes_no_baseline_of_a_suite(
    pytester: pytest.Pytester, built: Path
) -> None:
    place(pytester, built)
    pytester.makepyfile(mute='def answer(prompt, images): return "who knows"')
    held = (*OURS, ALL, "items", "--metaspace-sc=EMB-far", "--metaspace-mr=EMB-ACC")
    agent = "--metaspace-agent=python:mute:answer"
    pytester.runpytest_inprocess(*held, agent, "--metaspace-save-baseline=b.txt")
    same = pytester.runpytest_inprocess(*held, agent, "--metaspace-baseline=b.txt")
    assert same.ret == 1
    told = "cannot pass with less than half of EMB-ACC decided (--metaspace-allow undecided)"
    same.stdout.fnmatch_lines(["EMB-ACC * 0.000*", f"GATE FAILED: baseline: {told}"])


def test_a_task_is_a_gate_and_a_total_without_cases_names_what_is(
    pytester: pytest.Pytester, built: Path
) -> None:
    place(pytester, built)
    found = pytester.runpytest_inprocess(
        *OURS, ALL, "items", "--metaspace-agent=truth", "--metaspace-mr=EMB-ACC",
        "--metaspace-fail-under=EMB-far=0.9", "--metaspace-fail-under=0.5",
    )  # fmt: skip
    found.stdout.fnmatch_lines(
        [
            "  EMB-far * 1.000 * 0.9",
            "gate passed: EMB-far/EMB-ACC is 1.000, at least 0.9 *",
            "GATE FAILED: total has no score: all cases are of suites, *=EMB-ACC=0.5*",
        ]
    )
    assert found.ret == 1


def test_every_name_that_the_help_gives_for_suites_is_a_gate(
    pytester: pytest.Pytester, built: Path
) -> None:
    place(pytester, built)
    (told,) = (one.help for one in OPTIONS if one.name == "fail-under")
    words = [word.strip(";,.") for word in told.split() if word.startswith("EMB-")]
    assert [word.split("=")[0] for word in words] == [
        "EMB-ACC",
        "EMB-far",
        "EMB-ORDER",
        "EMB-far/EMB-ORDER",
    ]
    found = pytester.runpytest_inprocess(
        *OURS, ALL, "items", "--metaspace-agent=truth", "--metaspace-sc=EMB-far",
        *(f"--metaspace-fail-under={word}" for word in words),
    )  # fmt: skip
    names = [word.split("=")[0] for word in words]
    names[1] = "EMB-far/EMB-ACC"
    found.stdout.fnmatch_lines([f"gate passed: {name} is 1.000, *" for name in names])
    assert found.ret == 0


def test_a_relation_without_a_case_says_so_and_which_relations_have_some(
    pytester: pytest.Pytester, built: Path
) -> None:
    place(pytester, built)
    found = pytester.runpytest_inprocess(
        *OURS, ALL, "items", "--metaspace-agent=truth", "--metaspace-mr=REM-ACC"
    )
    found.stdout.fnmatch_lines(
        [
            "metaspace: no case of REM-ACC was found in 24 trajectories.",
            "Relations that have cases there: EMB-ACC, *EMB-ORDER, *",
        ]
    )
    assert found.ret == pytest.ExitCode.NO_TESTS_COLLECTED


@pytest.mark.usefixtures("built")  # numpy cannot be loaded first inside of pytester
@pytest.mark.parametrize(("form", "chance"), [("letter", "0.125"), ("count", "")])
def test_what_guessing_scores_is_told_of_the_items_that_were_asked(
    pytester: pytest.Pytester, form: str, chance: str
) -> None:
    Image.new("RGB", (8, 6)).save(pytester.path / "a.png")
    options = [] if form == "count" else [*"12345678"]
    posing = {
        "text": "How many?", "images": ["a.png"], "form": form, "options": options,
        "answer": "3" if options else 3, "written": True,
    }  # fmt: skip
    made = {"id": "one", "task": "REM-count", "posings": {"written": posing}}
    (pytester.path / "items.json").write_text(json.dumps([made]))
    found = pytester.runpytest_inprocess(*OURS, "--metaspace-agent=truth", ALL, "items.json")
    told = [line.split() for line in found.outlines]
    assert ["REM-ACC", "accuracy", "0", "of", "1"] in [line[:5] for line in told]
    (row,) = (line for line in told if line[:2] == ["REM-count", "1"])
    assert (chance in row) == bool(options)
    assert "guessing:" in found.stdout.str()
    assert "by guessing" not in found.stdout.str()


def test_no_suite_says_in_its_label_what_guessing_scores() -> None:
    for suite in Registries.built_in().suites:
        (title,) = (one.title for one in suite.judged() if one.name == f"{suite.code}-ACC")
        assert title == "accuracy"
