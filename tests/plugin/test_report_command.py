"""``metaspace report``: what a run has written, written again from its report json."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from pytest_metaspace import cli
from pytest_metaspace.reports.built_in import BUILT_IN
from pytest_metaspace.reports.run_json import read
from tests.plugin.made import MOODY

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_metaspace.reports.formats import ReportFormat
    from tests.plugin.conftest import Project

    Said = tuple[int, str, str]

FEW = ("runs", "--metaspace-sc=SC1-a,SC1-b", "--metaspace-mr=MR1,MR2,A3")
TRUTH = "--metaspace-agent=truth"
KNOWN = """
[[quarantine]]
case = "walk::SC1-a::MR2::*"
reason = "counts badly"
owner = "ada"
expires = 2999-01-31
"""


@pytest.fixture
def metaspace(capsys: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    """Type ``metaspace ...``; return status, output and complaints."""

    def typed(*words: str) -> Said:
        capsys.readouterr()
        status = cli.main(words)
        said = capsys.readouterr()
        return status, said.out, said.err

    return typed


@pytest.fixture
def gated(project: Project, walk: Path) -> Project:
    """A project with a baseline and known violations."""
    project.brain(MOODY)
    project.write("known.toml", KNOWN)
    project.run(TRUTH, *FEW, "--metaspace-save-baseline=before.txt")
    return project


def run(project: Project, *more: str) -> pytest.RunResult:
    return project.run(
        "--metaspace-agent=python:brain:answer",
        *FEW,
        "--metaspace-baseline=before.txt",
        "--metaspace-baseline-across=agent",
        "--metaspace-quarantine=known.toml",
        "--metaspace-fail-under=SC1-a=0.5",
        "--metaspace-max-invalid=50%",
        *more,
    )


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("form", BUILT_IN, ids=[form.name for form in BUILT_IN])
def test_a_report_that_is_rebuilt_is_the_one_that_the_run_wrote(
    gated: Project, metaspace: Callable[..., Said], form: ReportFormat
) -> None:
    """Byte for byte, and neither baseline nor quarantine nor agent are needed any more."""
    gated.path.joinpath("kept").mkdir()
    wanted = f"--metaspace-report={form.name}:by_run/{form.default}"
    run(gated, "--metaspace-report=json:kept/run.json", wanted, "-v")
    for name in ("before.txt", "known.toml", "brain.py"):
        gated.path.joinpath(name).unlink()
    report = read(gated.path / "kept/run.json")
    assert report.run.comparison is not None
    assert report.run.known
    assert len(report.run.gates) == 3
    assert report.run.anchors
    assert report.run.references
    status, told, _ = metaspace(
        "report", "kept/run.json", "--to", f"{form.name}:again/{form.default}"
    )
    assert (status, told.splitlines()[0]) == (
        0,
        f"metaspace: wrote the report {form.name} to again/{form.default}",
    )
    assert content(gated.path / "again") == content(gated.path / "by_run") != {}


def test_each_format_has_an_option_of_its_own(
    gated: Project, metaspace: Callable[..., Said]
) -> None:
    run(gated, "--metaspace-report=json:run.json")
    words = [word for form in BUILT_IN for word in (f"--{form.name}", f"out/{form.default}")]
    status, told, _ = metaspace("report", "run.json", *words)
    assert status == 0
    assert sorted(path.name for path in (gated.path / "out").iterdir()) == sorted(
        form.default for form in BUILT_IN
    )
    assert told.count("metaspace: wrote the report") == len(BUILT_IN)


def test_a_file_that_is_no_report_is_not_written_over(
    gated: Project, metaspace: Callable[..., Said]
) -> None:
    gated.run(TRUTH, *FEW, "--metaspace-report=json:run.json")
    for words in (("--markdown", "brain.py"), ("--to", "markdown:brain.py")):
        before = (gated.path / "brain.py").read_bytes()
        status, _, told = metaspace("report", "run.json", *words)
        assert status == 4
        assert "markdown:brain.py: is there and is no report markdown, so it is not " in told
        assert (gated.path / "brain.py").read_bytes() == before


def test_other_runs_are_shown_beside_the_first(
    gated: Project, metaspace: Callable[..., Said]
) -> None:
    """Reports of theirs, or run files; those that a report shows already stay."""
    run(gated, "--metaspace-report=json:a.json")
    gated.run(TRUTH, *FEW, "--metaspace-report=json:b.json", "--metaspace-save-run=c.jsonl")
    assert metaspace("report", "a.json", "b.json", "c.jsonl", "--json", "all.json")[0] == 0
    whole = read(gated.path / "all.json")
    assert whole.run == read(gated.path / "a.json").run
    beside, of_run_file = whole.others
    assert beside == read(gated.path / "b.json").run
    assert of_run_file.agent == "truth"
    assert (of_run_file.scores, of_run_file.counts) == (beside.scores, beside.counts)
    assert metaspace("report", "all.json", "b.json", "--json", "more.json")[0] == 0
    assert len(read(gated.path / "more.json").others) == 3


def test_artefacts_that_were_moved_together_are_rebuilt_with_their_pictures(
    gated: Project, metaspace: Callable[..., Said]
) -> None:
    run(gated, "--metaspace-report=json:run.json", "--metaspace-report=html:page.html")
    before = (gated.path / "page.html").read_bytes()
    moved = gated.path / "artefacts"
    moved.mkdir()
    for name in ("runs", "run.json"):
        shutil.move(gated.path / name, moved / name)
    assert metaspace("report", "artefacts/run.json", "--html", "again.html")[0] == 0
    again = (gated.path / "again.html").read_bytes()
    assert again.replace(b"artefacts/", b"") == before


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("run.json",), "metaspace: report has nothing to write. Add --html FILE, --junit FILE, --markdown FILE, or --to FORMAT; there are: json, html, junit, markdown, github."),
        (("missing.json", "--to", "html"), "metaspace: there is no file missing.json. Write one first: pytest --metaspace-agent=NAME --metaspace-report=json:missing.json"),
        (("run.json", "--to", "pdf"), "metaspace: report format 'pdf' is not known. Known: github, html, json, junit, markdown. Formats of your own are written by runs, with --metaspace-report."),
        (("run.json", "--html", "run.json"), "metaspace: the report html and a run that is read, run.json, name the same file, 'run.json', and one would be lost. Name another file for one of them, as in --to=html:PATH."),
        (("run.json", "--html", "a", "--to", "json:./a"), "metaspace: the report json and the report html name the same file, 'a', and one would be lost. Name another file for one of them, as in --to=json:PATH."),
        (("kept.jsonl", "--to", "html"), "kept.jsonl:2: this is no JSON (Extra data, character 1)."),
        (("run.json", "before.txt", "--to", "html"), "before.txt:1: this is no run file: found 'metaspace-baseline 1'. Name a file that --metaspace-save-run has written."),
        (("run.json", "--to", "html:before.txt/a"), "metaspace: "),
    ],
)  # fmt: skip
def test_wrong_use_has_one_clear_error(
    gated: Project, metaspace: Callable[..., Said], words: tuple[str, ...], told: str
) -> None:
    run(gated, "--metaspace-report=json:run.json", "--metaspace-save-run=kept.jsonl")
    status, printed, complaint = metaspace("report", *words)
    assert (status, printed) == (cli.USAGE_ERROR, "")
    assert complaint.startswith(told)
    assert complaint.count("\n") == 1


def test_merge_and_compare_take_a_report_for_a_run_file(
    gated: Project, metaspace: Callable[..., Said]
) -> None:
    run(gated, "--metaspace-report=json:run.json", "--metaspace-save-run=kept.jsonl")
    assert metaspace("merge", "run.json") == metaspace("merge", "kept.jsonl")
    status, told, _ = metaspace("compare", "before.txt", "run.json")
    expected = metaspace("compare", "before.txt", "kept.jsonl")
    assert (status, told.replace("run.json", "kept.jsonl")) == expected[:2]
    metaspace("merge", "run.json", "-o", "again.jsonl")
    again = gated.path / "again.jsonl"
    assert again.read_bytes() == (gated.path / "kept.jsonl").read_bytes()


def test_shards_are_merged_from_their_reports(
    gated: Project, metaspace: Callable[..., Said]
) -> None:
    for part in ("1/2", "2/2"):
        shard = f"--metaspace-shard={part}"
        run(gated, shard, f"--metaspace-report=json:{part[0]}.json")
        run(gated, shard, f"--metaspace-save-run={part[0]}.jsonl")
    assert metaspace("merge", "1.json", "2.json") == metaspace("merge", "1.jsonl", "2.jsonl")
