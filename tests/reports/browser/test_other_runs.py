"""Runs that have less to tell, or more: each page looks right."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_metaspace.domain import Outcome
from tests.reports.browser.driving import PHONE
from tests.reports.samples import case, large, of_cases, sample, trajectory_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pytest_metaspace.domain import Report, ToldCase
    from tests.reports.browser.driving import Page

    Show = Callable[[Report], Page]


def of(outcomes: Iterable[Outcome]) -> Report:
    cases: list[ToldCase] = [
        case("study-01", "SC2-a", "MR1", f"f{number}", outcome, in_full=True)
        for number, outcome in enumerate(outcomes)
    ]
    return of_cases(cases, [trajectory_of("study-01", "household")])


def test_a_run_without_cases_says_so(show: Show) -> None:
    page = show(replace(of_cases([], []), questions=())).open(size=PHONE)
    assert "No case ran." in page.text("#view-overview")
    assert "No gate was set." in page.text("#view-overview")
    page.run("location.hash = '#cases'")
    assert page.text("#found") == "0 cases"
    page.run("location.hash = '#walk'")
    assert page.text("#walk-body") == "No trajectory was looked at."
    assert page.errors() == []


def test_what_could_not_be_collected_is_told_first(show: Show) -> None:
    report = replace(of([Outcome.SATISFIED]), problems=("runs/a.json: is <b>no</b> JSON",) * 21)
    page = show(report).open(size=PHONE)
    told = page.text("#view-overview")
    assert "Not collected" in told
    assert "runs/a.json: is <b>no</b> JSON" in told
    assert "and 1 more" in told
    assert page.errors() == []


def test_a_run_without_violations_has_nothing_to_derive(show: Show) -> None:
    page = show(of([Outcome.SATISFIED] * 3)).open("#cases?verdict=violated")
    assert page.text("#found") == "0 of 3 cases"
    page.run("location.hash = '#overview'")
    assert page.text(".big") == "1.000"
    assert page.all("canvas") == []  # one capability makes no profile, one relation no map
    assert page.errors() == []


def test_a_frame_that_is_missing_is_said_to_be(show: Show) -> None:
    report = of([Outcome.VIOLATED])
    gone = replace(report.trajectories[0], frames=("gone.png", __file__, *["gone-2.png"] * 2))
    page = show(replace(report, trajectories=(gone,))).open("#cases?case=study-01::SC2-a::MR1::f0")
    first, second = (one.text for one in page.all(".placeholder p"))
    assert first == "Frame 0: no picture\nthe file of this frame was not found"
    assert "no picture that could be read" in second
    page.run("location.hash = '#overview'")
    assert "3 of 3 frames were not found or could not be read" in page.text(".left-out")
    assert page.errors() == []


def test_several_runs_stand_side_by_side(show: Show) -> None:
    report = sample()
    page = show(replace(report, others=(report.run, report.run))).open()
    assert page.errors() == []
    labels = page.run("return [...document.querySelectorAll('canvas')].map((one) => one.ariaLabel)")
    assert len(page.run("return document.querySelectorAll('details tbody tr th')")) > 4
    assert labels[0].startswith("Radar of scores by capability: openai:gpt-4o, baseline.jsonl")
    assert labels[1].startswith("Heat map of scores: agents over capabilities")


def test_a_long_list_holds_only_the_rows_in_sight(show: Show) -> None:
    page = show(large(3_000, trajectories=4, told_in_full=2)).open("#cases")
    assert page.text("#found") == "3,000 cases"
    assert len(page.all(".row-case")) < 40
    page.run("document.getElementById('list').scrollTop = 1e9")
    page.browser.run_until_called("requestAnimationFrame(() => setTimeout(arguments[0], 0))")
    last = [one.attribute("aria-posinset") for one in page.all(".row-case")]
    assert "3000" in last
    assert page.errors() == []
