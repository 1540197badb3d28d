"""Reports of a run: what they hold, when they are written, and where."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from pytest_metaspace import __version__
from pytest_metaspace.domain import Outcome
from pytest_metaspace.reports.run_json import START
from tests.plugin.report_support import FEW, JSON, TRUTH, written

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plugin.conftest import Project

pytestmark = pytest.mark.usefixtures("same_time")


def test_a_report_holds_what_was_seen_asked_said_and_derived(project: Project, moody: str) -> None:
    result = project.run(moody, *FEW, JSON)
    report = written(project)
    outcomes = {case.address: case.outcome for case in report.cases}
    assert result.ret == report.status == 1
    assert (report.made_by, report.finished) == (__version__, "2027-01-15T08:00:00Z")
    assert outcomes == report.kept.record.outcomes
    assert list(outcomes) == sorted(outcomes)
    assert report.run.agent == "python:brain:answer"
    assert sum(score.cases for score in report.run.scores) == len(outcomes)
    assert len(report.questions) == len(report.kept.questions) == report.run.questions
    (violated, *_) = [case for case in report.cases if case.outcome is Outcome.VIOLATED]
    assert violated.derivation is not None
    asked = [report.questions[place] for place in violated.questions]
    assert all(one.text and one.said.raw and one.said.value and one.truth for one in asked)
    (walked,) = report.trajectories
    assert walked.source == "runs/walk/trajectory.json"
    assert all(frame.endswith(f"{place:03d}.png") for place, frame in enumerate(walked.frames))
    assert walked.actions[0] == "move_forward: 0.5 m forward"
    assert walked.actions[-1] == ""
    assert [thing.id for thing in walked.objects] == ["chair-1", "lamp-1", "table-1"]


def test_a_question_has_its_text_only_where_a_case_that_is_told_rests_on_it(
    project: Project, moody: str
) -> None:
    project.run(moody, *FEW, JSON)
    report = written(project)
    told = {place for case in report.cases if case.derivation for place in case.questions}
    spoken = {place for place, one in enumerate(report.questions) if one.text}
    assert told <= spoken < set(range(len(report.questions)))


def test_what_a_right_agent_says_is_what_is_true(project: Project, walk: Path) -> None:
    assert project.run(TRUTH, "runs", JSON).ret == 0
    report = written(project)
    codes = {one.capability for one in report.questions}
    assert len(codes) == 8
    assert all(one.said.value == one.truth for one in report.questions)
    assert all(case.derivation is None and not case.reason for case in report.cases)
    assert (report.status, report.untold) == (0, 0)


def test_workers_write_the_same_report(project: Project, moody: str) -> None:
    project.run(moody, *FEW, JSON)
    alone = (project.path / "out/run.json").read_bytes()
    project.run_workers(moody, *FEW, JSON)
    assert (project.path / "out/run.json").read_bytes() == alone


def test_a_crashed_worker_is_told_as_the_reason_of_its_case(project: Project, moody: str) -> None:
    project.write(
        "conftest.py",
        "import os\n"
        "def pytest_runtest_logstart(nodeid):\n"
        "    if 's001-s002' in nodeid and 'PYTEST_XDIST_WORKER' in os.environ:\n"
        "        os._exit(9)\n",
    )
    project.run_workers(moody, "runs", "--metaspace-sc=SC1-b", "--metaspace-mr=MR2", JSON)
    report = written(project)
    (crashed,) = [case for case in report.cases if case.outcome is Outcome.ERROR]
    assert "s001-s002" in crashed.address
    assert crashed.reason == "the process that ran this case died before it could report"
    assert crashed.derivation is None


def test_a_run_that_stops_early_tells_what_there_is(project: Project, moody: str) -> None:
    result = project.run(moody, *FEW, JSON, "-x", "--metaspace-lookahead=4")
    report = written(project)
    assert result.ret == report.status == 1
    assert report.kept.stopped
    missing = report.kept.deselected | report.kept.unrun
    assert missing
    assert {case.address for case in report.cases}.isdisjoint(missing)
    assert [case.outcome for case in report.cases].count(Outcome.SATISFIED) == len(report.cases) - 1


def test_an_interrupted_run_tells_what_there_is(project: Project, walk: Path) -> None:
    project.write(
        "conftest.py",
        "import time\n"
        "def pytest_runtest_logstart(nodeid):\n"
        "    if 'SC1-b' in nodeid:\n"
        "        open('here', 'w').close()\n"
        "        time.sleep(30)\n",
    )
    here = project.path / "here"
    status, output = project.interrupt(here.exists, TRUTH, *FEW, JSON)
    report = written(project)
    assert status == 2, output
    assert report.kept.stopped
    assert report.status == 1
    assert {case.parts[1] for case in report.cases} == {"SC1-a"}
    assert report.kept.deselected | report.kept.unrun
    assert "metaspace: wrote the report json to out/run.json" in output


@pytest.mark.parametrize("workers", [(), ("-pxdist", "-n2")], ids=["serial", "workers"])
def test_a_run_that_is_interrupted_while_it_asks_names_what_did_not_run(
    project: Project, walk: Path, workers: tuple[str, ...]
) -> None:
    agent = project.brain("import time\nopen('asked', 'w').close()\ntime.sleep(5)\nreturn '1'")
    gate = "--metaspace-fail-under=0.5"
    asked = project.path / "asked"
    status, output = project.interrupt(asked.exists, agent, *FEW, JSON, gate, *workers)
    report = written(project)
    assert status == 2, output
    assert (report.kept.stopped, report.status) == (True, 1)
    assert not report.cases
    assert not report.kept.deselected
    assert {address.split("::")[1] for address in report.kept.unrun} >= {"SC1-a", "SC1-b"}
    assert "metaspace: wrote the report json to out/run.json" in output
    (told,) = report.run.gates
    assert "the run was stopped before" in told.sentence
    assert "--metaspace-allow" not in told.sentence


@pytest.mark.parametrize("workers", [False, True], ids=["serial", "workers"])
@pytest.mark.parametrize("others", [False, True], ids=["alone", "among others"])
def test_what_cannot_be_collected_is_an_error_in_the_reports(
    project: Project, workers: bool, others: bool
) -> None:
    if others:
        project.walk()
    (project.walk("runs/torn").parent / "frames/000.png").unlink()
    run = project.run_workers if workers else project.run
    junit, markdown = "--metaspace-report=junit:out.xml", "--metaspace-report=markdown:out.md"
    status = run(TRUTH, *FEW, JSON, junit, markdown).ret
    assert status == (pytest.ExitCode.TESTS_FAILED if workers else pytest.ExitCode.INTERRUPTED)
    (told,) = written(project).problems
    assert told.startswith("runs/torn/trajectory.json: field states.0.frame: there is no file")
    root = ET.parse(project.path / "out.xml").getroot()
    assert int(root.get("errors", 0)) >= 1
    (case,) = root.iterfind("testsuite[@name='collection']/testcase")
    assert [error.get("message", "")[:30] for error in case.iter("error")] == [told[:30]]
    assert "### Not collected\n\n- runs/torn/trajectory" in (project.path / "out.md").read_text()


def test_the_closing_lines_say_what_lies_where(project: Project, walk: Path) -> None:
    result = project.run(
        TRUTH, *FEW, "--metaspace-report=json", "--metaspace-report=markdown:a,b/c:d.md", "-q"
    )
    result.stdout.fnmatch_lines(
        [
            "metaspace: wrote the report json to metaspace-report.json",
            "metaspace: wrote the report markdown to a,b/c:d.md",
        ]
    )
    assert (project.path / "metaspace-report.json").exists()
    assert (project.path / "a,b/c:d.md").exists()


def test_a_typed_path_is_told_from_here_and_one_of_the_ini_file_from_there(
    project: Project, walk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.write("pytest.ini", "[pytest]\nmetaspace_report =\n    json:a/run.json\n    markdown\n")
    (project.path / "sub").mkdir()
    monkeypatch.chdir(project.path / "sub")
    project.run(TRUTH, "../runs", *FEW[1:])
    assert sorted(path.name for path in project.path.glob("**/*run.json")) == ["run.json"]
    assert (project.path / "a/run.json").exists()
    assert (project.path / "metaspace-report.md").exists()
    project.run(TRUTH, "../runs", *FEW[1:], "--metaspace-report=json:b/run.json")
    assert (project.path / "sub/b/run.json").exists()
    before = set(project.path.rglob("*"))
    quiet = ("--metaspace-report=off", "-p", "no:cacheprovider")
    assert project.run(TRUTH, "../runs", *FEW[1:], *quiet).ret == 0
    assert set(project.path.rglob("*")) == before


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (["jsn"], "metaspace: report format 'jsn' is not known. Did you mean 'json' or 'junit'? Known: * To add one, implement pytest_metaspace_register_reports."),
        (["json,html"], "metaspace: report format 'json,html' is not known.*"),
        ([""], "metaspace: --metaspace-report is empty; is a variable not set? Write --metaspace-report=FORMAT[[]:PATH[]], or leave the option out."),
        (["json:"], "metaspace: --metaspace-report json:: expected FORMAT or FORMAT:PATH, as in json:out/run.json."),
        ([":run.json"], "metaspace: --metaspace-report :run.json: expected FORMAT or FORMAT:PATH, *"),
        (["json:runs"], "metaspace: --metaspace-report json:runs: is a folder. Name a file in it."),
        (["json:/dev/null"], "metaspace: --metaspace-report /dev/null: is no plain file, *"),
        (["json:a", "markdown:./a"], "metaspace: the report markdown and the report json name the same file, 'a', and one would be lost. Name another file for one of them, as in --metaspace-report=markdown:PATH."),
        (["json", "json"], "metaspace: the report json and the report json name the same file, *"),
        (["json:kept.jsonl"], "metaspace: the report json and --metaspace-save-run name the same file, *"),
    ],
)  # fmt: skip
def test_a_wrong_report_is_refused_before_anybody_is_asked(
    project: Project, walk: Path, typed: list[str], told: str
) -> None:
    agent = project.brain("open('asked', 'w').close()\nreturn '1'")
    options = [f"--metaspace-report={text}" for text in typed]
    result = project.run(agent, *FEW, *options, "--metaspace-save-run=kept.jsonl")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: {told}"])
    assert not (project.path / "asked").exists()


def test_a_report_without_an_agent_has_nothing_to_tell(project: Project) -> None:
    result = project.run("--metaspace-report=json")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["ERROR: metaspace: --metaspace-report has nothing to go by without an agent. Add *"]
    )
    project.write("pytest.ini", "[pytest]\nmetaspace_report = json\n")
    project.write("test_it.py", "def test_it(): pass\n")
    assert project.run().ret == 0


def test_what_cannot_be_written_fails_the_run_and_nothing_else_is_lost(
    project: Project, walk: Path
) -> None:
    project.write("file", "no folder")
    result = project.run(
        TRUTH, *FEW, "--metaspace-report=json:file/run.json", "--metaspace-report=markdown"
    )
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        [
            "total *1.000",
            "metaspace: wrote the report markdown to metaspace-report.md",
            "metaspace: the report json is missing: file/run.json cannot be written (*). Name a *",
        ]
    )
    assert (project.path / "file").read_text() == "no folder"


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ("--metaspace-mr=MR9", 4),
        ("--collect-only --metaspace-shard=1/2", 0),
        ("-knothing", 5),
        ("--setup-plan", 0),
    ],
)
def test_a_run_without_a_case_leaves_an_older_report_as_it_was(
    project: Project, walk: Path, more: str, status: int
) -> None:
    older = f"{START},older"
    project.write("out/run.json", older)
    assert project.run(TRUTH, "runs", "--metaspace-sc=SC1-b", *more.split(), JSON).ret == status
    assert (project.path / "out/run.json").read_text() == older


def test_a_shard_without_a_case_has_its_report(project: Project, walk: Path) -> None:
    select = (TRUTH, "runs", "--metaspace-sc=SC1-b", "--metaspace-mr=MR2", JSON)
    for part in range(1, 40):
        assert project.run(*select, f"--metaspace-shard={part}/40").ret == 0
        report = written(project)
        if not report.cases:
            break
    assert (report.kept.shard, report.status) == ((part, 40), 0)


def test_news_and_excuses_are_told(project: Project, moody: str) -> None:
    project.run(TRUTH, *FEW, "--metaspace-save-baseline=before.txt")
    project.write(
        "known.toml",
        '[[quarantine]]\ncase = "*::SC1-a::*"\nreason = "counts badly"\nowner = "ada"\n'
        "expires = 2999-01-31\n",
    )
    project.run(
        moody,
        *FEW,
        JSON,
        "--metaspace-baseline=before.txt",
        "--metaspace-baseline-across=agent",
        "--metaspace-quarantine=known.toml",
    )
    report = written(project)
    assert report.run.comparison is not None
    new = {case.address for case in report.cases if case.news == "new"}
    assert new == set(report.run.comparison.moves.newly_violated) != set()
    excused = {case.excuse for case in report.cases} - {""}
    assert excused == {"known: counts badly (ada, until 2999-01-31)"}


def test_samples_of_an_answer_are_told(project: Project, walk: Path) -> None:
    agent = project.brain("import random\nreturn random.choice('12')")
    project.run(agent, *FEW, JSON, "--metaspace-samples=3", "--metaspace-violations=report")
    questions = written(project).questions
    assert {len(one.samples) for one in questions} == {3}
    assert {one.value for two in questions for one in two.samples} <= {"1 step", "2 steps", ""}


# ---------------------------------------------------------------- formats of other people
