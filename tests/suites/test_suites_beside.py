"""What a run says of capabilities is the same with suites and without, byte for byte."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest_metaspace.oracle
import pytest_metaspace.session
from pytest_metaspace.domain import Capability
from tests.unit_support import HOUSEHOLD

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pytest

pytest_plugins = ("pytester",)
#  Imported before an inner run in this process: what that imports first is dropped after it.
_IMPORTED = (pytest_metaspace.oracle, pytest_metaspace.session)
WALK = HOUSEHOLD.parent / "rem" / "walks" / "rem-17-0000"
CODES = tuple(one.value for one in Capability)
PARTS = ("scores", "by_relation", "overall", "references")


class Told:
    """What one run tells of capabilities, in each report."""

    def __init__(self, folder: Path, found: pytest.RunResult) -> None:
        lines = found.outlines
        start = next(place for place, line in enumerate(lines) if line.startswith("capability"))
        end = next(place for place, line in enumerate(lines) if line.startswith("total "))
        self.terminal = lines[start : end + 1]
        self.text = "\n".join(lines)
        run: dict[str, Any] = json.loads((folder / "run.json").read_text())["run"]
        self.json = {name: json.dumps(run[name]) for name in PARTS}
        self.has_suites = bool(run.get("accuracy"))
        self.junit = list(_capabilities(ET.parse(folder / "run.xml").getroot()))
        self.markdown = [
            line
            for line in (folder / "run.md").read_text().splitlines()
            if line.startswith(tuple(f"| {name} " for name in (*CODES, "total")))
        ]


def _capabilities(root: ET.Element) -> Iterator[bytes]:
    """Yield the total and the suites of capabilities; the first suite of all tells of the run.

    Which derivations a report has is drawn from all violations, those of suites too.
    """
    for one in root.iter("property"):
        if one.get("name", "").startswith("total."):
            yield ET.tostring(one)
    for suite in root:
        if suite.get("name", "").startswith("SC"):
            for told in suite.findall("properties"):
                for part in list(told):
                    if not part.get("name", "").startswith("SC"):
                        told.remove(part)
            for case in suite.iter("testcase"):
                for told in case:
                    told.text = ""
            yield ET.tostring(suite)


def run(pytester: pytest.Pytester, *, suites: Path | None) -> Told:
    folder = pytester.mkdir("place")
    for walk in (WALK, HOUSEHOLD / "study-01", HOUSEHOLD / "bathroom-01"):
        shutil.copytree(walk, folder / "runs" / walk.name)
    if suites is None:
        (folder / "runs" / WALK.name / "questions.json").unlink()
    else:
        shutil.copytree(suites.parent, folder / "runs" / "items")
    found = pytester.runpytest_inprocess(
        "-p", "metaspace", "-p", "no:asyncio", "-p", "no:randomly", "--metaspace-agent=random", "--metaspace-episodes=all",
        "--metaspace-mr=MR2,MR6,REM-ACC,REM-MIRROR,EMB-ACC,EMB-ORDER",
        "--metaspace-violations=report", "-v", "--metaspace-sample=0.2",
        "--metaspace-report=json:place/run.json", "--metaspace-report=junit:place/run.xml",
        "--metaspace-report=markdown:place/run.md", "place/runs",
    )  # fmt: skip
    told = Told(folder, found)
    shutil.rmtree(folder)
    return told


def test_what_is_said_of_capabilities_is_the_same_with_suites_in_every_report(
    pytester: pytest.Pytester, built: Path
) -> None:
    without = run(pytester, suites=None)
    beside = run(pytester, suites=built)
    assert beside.has_suites
    assert not without.has_suites
    assert without.terminal == beside.terminal
    assert len(without.terminal) > len(CODES)
    assert "95 % interval" in without.terminal[0]
    assert without.json == beside.json
    assert len(without.junit) >= 4 + 7
    assert without.junit == beside.junit
    assert len(without.markdown) >= 7
    assert without.markdown == beside.markdown
