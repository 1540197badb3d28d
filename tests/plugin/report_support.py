"""What tests of reports share: a short run, and how its report is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_metaspace.reports.run_json import read

if TYPE_CHECKING:
    from pytest_metaspace.domain import Report
    from tests.plugin.conftest import Project

FEW = ("runs", "--metaspace-sc=SC1-a,SC1-b", "--metaspace-mr=MR1,MR2")
JSON = "--metaspace-report=json:out/run.json"
TRUTH = "--metaspace-agent=truth"
EPOCH = 1_800_000_000


def written(project: Project, name: str = "out/run.json") -> Report:
    return read(project.path / name)


OURS = """
from pytest_metaspace.reports.formats import ReportFormat

def write(report, path):
    BODY

def pytest_metaspace_register_reports(register):
    register(ReportFormat(name="NAME", summary="ours", default="ours.txt", write=write, MORE))
"""


def ours(project: Project, body: str, name: str = "ours", more: str = "") -> None:
    text = OURS.replace("BODY", body).replace("NAME", name).replace("MORE", more)
    project.write("conftest.py", text)
