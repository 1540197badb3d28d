"""Reports take the place of reports, and of nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.plugin.report_support import FEW, TRUTH, ours

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plugin.conftest import Project

pytestmark = pytest.mark.usefixtures("same_time")


@pytest.mark.parametrize("name", ["json", "html", "junit", "markdown", "github", "ours"])
@pytest.mark.parametrize("way", ["code", "trajectory", "link"])
def test_a_file_that_is_no_report_is_never_written_over(
    project: Project, moody: str, name: str, way: str
) -> None:
    ours(project, "path.write_text('ours'); return []")
    project.write("robot.py", "def go(): pass\n")
    (project.path / "linked.txt").symlink_to("robot.py")
    file = {
        "code": "robot.py",
        "trajectory": "runs/walk/trajectory.json",
        "link": "linked.txt",
    }[way]
    before = (project.path / file).read_bytes()
    result = project.run(moody, *FEW, f"--metaspace-report={name}:{file}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    told = f"ERROR: metaspace: --metaspace-report {name}:{file}: is there and is no report {name}, "
    result.stderr.fnmatch_lines([f"{told}so it is not overwritten. Name another file, or remove *"])
    assert (project.path / file).read_bytes() == before


def test_what_a_run_has_written_the_next_one_replaces(project: Project, moody: str) -> None:
    ours(project, "path.write_text('ours'); return []")
    names = ("json", "html", "junit", "markdown", "github", "ours")
    options = [f"--metaspace-report={name}:out.{name}" for name in names[:-1]]
    options.append("--metaspace-report=ours")
    files = [project.path / f"out.{name}" for name in names[:-1]]
    files[0].touch()
    assert project.run(moody, *FEW, *options).ret == pytest.ExitCode.TESTS_FAILED
    first = [file.read_bytes() for file in files]
    assert all(first)
    for file in files:
        file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes().replace(b"\n", b"\r\n"))
    assert project.run(moody, *FEW, *options).ret == pytest.ExitCode.TESTS_FAILED
    assert [file.read_bytes() for file in files] == first
    assert project.run(TRUTH, *FEW, *options).ret == 0
    assert project.run(TRUTH, *FEW, *options).ret == 0


def test_the_summary_of_a_step_may_hold_whatever_it_does(
    project: Project, walk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.write("summary.md", "# Before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(project.path / "summary.md"))
    assert project.run(TRUTH, *FEW, "--metaspace-report=markdown:summary.md").ret == 0
    assert (project.path / "summary.md").read_text("utf-8").startswith("# Before\n\n## ")
