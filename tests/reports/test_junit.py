from __future__ import annotations

import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings

from pytest_metaspace.domain import Outcome
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.reports.junit import JUNIT, write
from pytest_metaspace.reports.suites import Limits
from tests.reports.hostile import HOSTILE, hostile, hostile_names, reports
from tests.reports.reading import read
from tests.reports.samples import case, large, of_cases, sample, trajectory_of

if TYPE_CHECKING:
    from pathlib import Path
    from xml.etree import ElementTree as ET

    from pytest_metaspace.domain import Report


def written(report: Report, path: Path, **limits: int) -> list[Path]:
    """Write a report and return its files, in their order."""
    write(report, path, Limits(**limits))
    found = [path]
    while (further := path.with_name(f"junit-{len(found) + 1}.xml")).exists():
        found.append(further)
    return found


def results(root: ET.Element, classname: str) -> dict[str, str]:
    """Return what became of the test cases of a class, by the first word of their names."""
    found = root.findall(f"testsuite/testcase[@classname='{classname}']")
    return {
        one.attrib["name"].split()[0]: next((part.tag for part in one), "passed") for one in found
    }


def the(root: ET.Element, path: str) -> ET.Element:
    found = root.find(path)
    assert found is not None, path
    return found


@pytest.fixture
def xml(tmp_path: Path) -> Path:
    return tmp_path / "junit.xml"


def test_there_is_a_test_case_for_each_capability_relation_and_trajectory(xml: Path) -> None:
    assert JUNIT.write(sample(), xml) == []

    root = read(xml)
    assert results(root, "SC1-a.MR1") == {"study-01": "failure", "harbour-02": "failure"}
    assert results(root, "SC2-a.MR2") == {"study-01": "passed", "harbour-02": "failure"}
    assert results(root, "SC4-b.MR3") == {"study-01": "error"}
    assert [suite.attrib["name"] for suite in root] == [
        "gates",
        "SC1-a movement direction",
        "SC2-a object direction",
        "SC4-b allocentric distance",
    ]


def test_a_failure_begins_with_counts_and_then_derives_the_worst(xml: Path) -> None:
    write(sample(), xml)

    failure = the(read(xml), "testsuite/testcase[@classname='SC2-a.MR1']/failure")
    assert failure.attrib["message"] == (
        "3 violated and 1 inconclusive of 5 cases: These answers cannot all be true: right there "
        "and right back."
    )
    lines = str(failure.text).splitlines()
    assert lines[:2] == [
        "3 violated and 1 inconclusive of 5 cases",
        "2 of 3 new since baseline.jsonl",
    ]
    headlines = [line for line in lines if line.startswith("MR1 violated: ")]
    assert [line.split("::")[-1] for line in headlines] == [
        "f000-chair1-desk1-00000000",  # new
        "f002-chair1-desk1-00000002",
        "f001-chair1-desk1-00000001",  # known and expected
    ]
    assert "      the way back from right is another one   (laws/symmetry.pl:70)" in lines


def test_violations_that_are_not_told_are_counted_with_the_command_that_shows_the_next(
    xml: Path,
) -> None:
    bad = [
        case("study-01", "SC2-a", "MR1", f"f{number}", Outcome.VIOLATED, in_full=True)
        for number in range(5)
    ]
    write(of_cases(bad, [trajectory_of("study-01", "household")]), xml)

    failure = the(read(xml), "testsuite/testcase/failure")
    assert str(failure.text).endswith("\n\nand 2 more: metaspace explain f3")


def test_a_violation_without_derivation_names_the_command_that_makes_one(xml: Path) -> None:
    bad = replace(case("study-01", "SC2-a", "MR1", "f0", Outcome.VIOLATED), reason="")
    write(of_cases([bad], [trajectory_of("study-01", "household")]), xml)

    failure = the(read(xml), "testsuite/testcase/failure")
    assert failure.attrib["message"] == "1 violated of 1 case: not told here: metaspace explain f0"


@pytest.mark.parametrize(
    ("outcomes", "excuse", "result"),
    [
        ((Outcome.SATISFIED, Outcome.INCONCLUSIVE), "", "passed"),
        ((Outcome.INCONCLUSIVE,), "", "skipped"),
        ((Outcome.INCONCLUSIVE, Outcome.ERROR), "", "error"),
        ((Outcome.INVALID, Outcome.ERROR), "", "failure"),
        ((Outcome.VIOLATED, Outcome.SATISFIED), "", "failure"),
        ((Outcome.VIOLATED, Outcome.SATISFIED), "known: mirrors (ada, until 2027)", "skipped"),
        ((Outcome.VIOLATED, Outcome.ERROR), "known: mirrors (ada, until 2027)", "error"),
    ],
)
def test_the_worst_that_is_not_expected_decides_what_a_test_case_is(
    outcomes: tuple[Outcome, ...], excuse: str, result: str, xml: Path
) -> None:
    cases = [
        replace(case("study-01", "SC2-a", "MR1", f"f{number}", outcome), excuse=excuse)
        for number, outcome in enumerate(outcomes)
    ]
    write(of_cases(cases, [trajectory_of("study-01", "household")]), xml)

    assert results(read(xml), "SC2-a.MR1") == {"study-01": result}


def test_gates_are_test_cases_of_a_suite_of_their_own(xml: Path) -> None:
    write(sample(), xml)

    root = read(xml)
    assert results(root, "metaspace.gates") == {
        "total": "passed",
        "SC2-a/MR1": "failure",
        "drone": "skipped",  # undecided, and passes
        "baseline": "failure",
        "quarantine": "passed",
    }
    failure = the(root, "testsuite/testcase[@name='baseline']/failure")
    assert failure.text == (
        "GATE FAILED: baseline: SC2-a fell by 0.200, more than chance would bring about"
    )


def test_suites_tell_scores_and_intervals_as_properties(xml: Path) -> None:
    write(sample(), xml)

    told = {one.attrib["name"]: one.attrib["value"] for one in read(xml).iterfind(".//property")}
    assert told["agent"] == "openai:gpt-4o"
    assert (told["total.score"], told["total.low"], told["total.high"]) == (
        "0.697",
        "0.597",
        "0.797",
    )
    assert told["SC2-a.MR1.score"] == "0.250"
    assert told["SC1-a.A2.cases"] == "2"
    assert told["SC2-a/MR1.threshold"] == "0.5"


def test_a_file_is_told_from_the_root_of_its_repository(
    xml: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = tmp_path / "robot" / "runs"
    (tmp_path / "robot" / ".git").mkdir(parents=True)
    runs.mkdir()
    episodes = runs / "episodes.jsonl"
    episodes.touch()
    monkeypatch.chdir(runs)
    sources = {
        "here": "trajectory.json",
        "whole": str(runs / "b" / "trajectory.json"),
        "episode": str(episodes / "7"),  # is a path below a file
        "elsewhere": str(tmp_path.parent / "trajectory.json"),
    }
    report = of_cases(
        [case(name, "SC2-a", "MR1", "f0", Outcome.SATISFIED) for name in sources],
        [replace(trajectory_of(name, "arm"), source=told) for name, told in sources.items()],
    )
    write(report, xml)

    files = {one.attrib["name"].split()[0]: one.get("file") for one in read(xml).iter("testcase")}
    assert files == {
        "here": "runs/trajectory.json",
        "whole": "runs/b/trajectory.json",
        "episode": "runs/episodes.jsonl",
        "elsewhere": None,
    }


def test_the_first_frame_of_the_worst_case_is_attached_for_gitlab(
    xml: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    told = replace(trajectory_of("study-01", "household"), frames=("frames/0.png", "frames/1.png"))
    bad = case("study-01", "SC2-a", "MR1", "f0", Outcome.VIOLATED, in_full=True)
    write(of_cases([bad], [told]), xml)

    assert the(read(xml), ".//system-out").text == "[[ATTACHMENT|frames/0.png]]"


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:20]))
def test_hostile_texts_are_text(text: str, xml: Path) -> None:
    write(hostile(text), xml)

    root = read(xml)
    for element in root.iter():
        for told in (*element.attrib.values(), element.text or ""):
            odd = {c for c in told if unicodedata.category(c)[0] == "C"} - {"\n"}
            assert not odd
    assert "[[ATTACHMENT|/etc" not in "".join(str(one.text) for one in root.iter("system-out"))


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:20]))
def test_hostile_names_are_names(text: str, xml: Path) -> None:
    write(hostile_names(text), xml)

    assert len(list(read(xml).iter("testcase"))) == 1


def test_names_that_are_shown_alike_are_told_apart(xml: Path) -> None:
    names = ["study\x1b", "study\x07", "study?", "x" * 500, "x" * 501]
    cases = [case(name, "SC2-a", "MR1", "f0", Outcome.SATISFIED) for name in names]
    write(of_cases(cases, [trajectory_of(name, "arm") for name in names]), xml)

    read(xml)  # the schema asks for it


@given(report=reports())
@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow])
def test_any_report_is_valid_and_always_the_same(
    report: Report, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("any")
    write(report, folder / "a.xml")
    write(report, folder / "b.xml")

    assert (folder / "a.xml").read_bytes() == (folder / "b.xml").read_bytes()
    cells = {one.address.rsplit("::", 1)[0] for one in report.cases}
    root = read(folder / "a.xml")
    assert len(root.findall("testsuite/testcase")) == len(cells) + len(report.run.gates)


def many() -> Report:
    """Return a report that is a file of about 100,000 bytes with 100 test cases."""
    return large(480, 4)


def names_of(paths: list[Path]) -> list[str]:
    return [
        f"{one.attrib['classname']} {one.attrib['name']}"
        for path in paths
        for one in read(path).iter("testcase")
    ]


def test_a_file_that_would_be_too_large_is_split(tmp_path: Path) -> None:
    report = many()
    (tmp_path / "whole").mkdir()
    (tmp_path / "split").mkdir()
    whole = written(report, tmp_path / "whole" / "junit.xml")
    size = whole[0].stat().st_size

    for limit in (size + 1_000, size, size // 3, 20_000):
        parts = written(report, tmp_path / "split" / "junit.xml", size=limit)
        assert all(part.stat().st_size < limit for part in parts)
        assert len(parts) == 1 if limit > size else len(parts) > 1
        assert names_of(parts) == names_of(whole)


def test_a_file_with_too_many_elements_is_split(xml: Path) -> None:
    report = many()
    all_names = names_of(written(report, xml))
    nodes = sum(1 + len(one.attrib) for one in read(xml).iter())

    for limit in (nodes + 20, nodes, 500):
        parts = written(report, xml, nodes=limit)
        for part in parts:
            assert sum(1 + len(one.attrib) for one in read(part).iter()) < limit
        assert len(parts) == 1 if limit > nodes else len(parts) > 1
        assert names_of(parts) == all_names


def test_the_files_of_a_split_report_are_named(xml: Path) -> None:
    [note] = write(many(), xml, Limits(nodes=500))

    assert note == (
        "junit: 3 files, each below 30,000,000 bytes and 500 nodes: junit.xml, junit-2.xml, "
        "junit-3.xml"
    )


def test_parts_that_a_larger_run_left_are_removed_and_other_files_stay(xml: Path) -> None:
    other = xml.with_name("junit-9.xml")
    before = written(many(), xml, nodes=500)
    other.write_text('<?xml version="1.0"?><testsuites/>', encoding="utf-8")
    assert len(before) == 3

    write(sample(), xml)

    assert sorted(path.name for path in xml.parent.iterdir()) == ["junit-9.xml", "junit.xml"]


def test_a_report_that_was_named_like_a_part_is_not_removed(xml: Path) -> None:
    other = xml.with_name("junit-2.xml")
    write(sample(), other)  # of another run, whose user named it so
    before = other.read_bytes()

    write(sample(), xml)

    assert other.read_bytes() == before


def test_above_the_limit_of_all_files_derivations_give_way_to_counts(xml: Path) -> None:
    [note] = write(sample(), xml, Limits(total=5_000))

    assert note == (
        "junit: derivations are left out, as all files together may have 5,000 bytes; the json "
        "and html reports have them"
    )
    failure = the(read(xml), "testsuite/testcase[@classname='SC2-a.MR1']/failure")
    assert failure.text == "3 violated and 1 inconclusive of 5 cases"


def test_a_run_without_cases_and_gates_is_a_valid_file(xml: Path) -> None:
    write(of_cases([], []), xml)

    assert len(read(xml)) == 0


def test_a_place_where_nothing_may_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(UsageProblem, match=r"junit\.xml cannot be written \(File exists\)"):
        write(sample(), tmp_path / "file" / "junit.xml")
