"""What a person does with the page of trajectories: walk, look, compare with the truth."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.reports.samples import sample

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_metaspace.domain import Report
    from tests.reports.browser.driving import Page

RIGHT, LEFT, HOME, END = "\ue014", "\ue012", "\ue011", "\ue010"  # WebDriver's codes


@pytest.fixture
def body(page: Page) -> Page:
    return page.open("#walk?trajectory=study-01")


def test_buttons_and_slider_walk_through_the_frames(body: Page) -> None:
    assert body.text(".where") == "State 0 of 3"
    assert body.text(".action") == "then: move_forward 0.5 m"
    body.click("[aria-label='Next frame']")
    assert body.text(".where") == "State 1 of 3"
    assert body.fragment == "#walk?trajectory=study-01&state=1"
    body.choose("#state", "3")
    assert body.text(".where") == "State 3 of 3"
    assert body.text(".action") == ""
    body.click("[aria-label='Previous frame']")
    assert body.text(".where") == "State 2 of 3"


def test_arrow_keys_walk_and_stop_at_the_ends(body: Page) -> None:
    body.click(".where")
    for keys, where in ((RIGHT, 1), (LEFT, 0), (LEFT, 0), (END, 3), (RIGHT, 3), (HOME, 0)):
        body.press(keys)
        assert body.text(".where") == f"State {where} of 3"


def test_playing_goes_on_by_itself_until_it_is_paused(body: Page) -> None:
    body.run("const every = setInterval; window.setInterval = (act) => every(act, 20)")
    body.click("[aria-label='Play']")
    wait(body, "document.querySelector('.where').textContent === 'State 3 of 3'")
    wait(body, "document.querySelector('[aria-label=Play]') !== null")


def wait(page: Page, condition: str) -> None:
    script = (
        "const done = arguments[0]; const look = () => "
        f"(({condition}) ? done(true) : setTimeout(look, 10)); look();"
    )
    page.browser.run_until_called(script)


def test_boxes_lie_over_the_frame_and_can_be_shown_alone(body: Page) -> None:
    assert [one.text for one in body.all(".stage svg text")] == ["chair-1", "desk-1", "lamp-1"]
    picture, box = body.one(".stage img").rect, body.all(".stage rect")[0].rect
    assert box["x"] - picture["x"] == pytest.approx(picture["width"] * 40 / 640, abs=3)
    assert box["y"] - picture["y"] == pytest.approx(picture["height"] * 60 / 480, abs=3)
    body.click("[data-object=desk-1]")
    assert [one.text for one in body.all(".stage svg text")] == ["desk-1"]
    body.click("[data-object=desk-1]")
    assert len(body.all(".stage svg text")) == 3


def test_answers_stand_beside_the_truth_and_wrong_ones_are_marked(body: Page) -> None:
    assert body.text(".asked li") == (
        "SC1-a In which direction does desk-1 lie from chair-1 in frame 0?\n"
        "answer forward-left\ntruth right\n✗ wrong"
    )
    assert body.all(".asked li.wrong")
    body.choose("#state", "1")
    assert body.text(".asked .mark") == "✓ as in truth"
    body.click("#only-wrong")
    assert body.all(".asked li") == []


def test_another_trajectory_can_be_chosen(body: Page) -> None:
    body.choose("#trajectory", "1")
    assert body.fragment == "#walk?trajectory=harbour-02&state=0"
    assert "No question shows this frame." in body.text(".answers")


def test_without_truth_nothing_is_called_wrong(show: Callable[[Report], Page]) -> None:
    report = sample()
    blind = tuple(replace(one, truth=None) for one in report.questions)
    page = show(replace(report, questions=blind)).open("#walk?trajectory=study-01")
    assert "no truth is known for them" in page.text(".answers")
    assert page.all(".mark") == []
    assert page.errors() == []
