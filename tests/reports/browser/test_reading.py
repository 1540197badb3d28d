"""What a person does with the page of cases: filter, open, read, follow links."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import unquote

from tests.reports.browser.driving import PHONE

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_metaspace.domain import Report
    from tests.reports.browser.driving import Page

VIOLATED = "study-01::SC2-a::MR1::f000-chair1-desk1-00000000"
DOWN = "\ue015"  # WebDriver's code
OPENED = f"#cases?case={VIOLATED}"


def test_a_chip_keeps_the_cases_of_a_verdict(page: Page) -> None:
    page.open("#cases")
    assert page.text("#found") == "30 cases"
    page.click(".chip.violated")
    assert page.text("#found") == "7 of 30 cases"
    assert {one.text for one in page.all(".row-case .badge")} == {"✗\nviolated"}
    assert page.fragment == "#cases?verdict=violated"


def test_each_field_narrows_what_is_listed(page: Page) -> None:
    page.open("#cases")
    page.choose("#by-capability", "SC2-a")
    assert page.text("#found") == "13 of 30 cases"
    page.choose("#by-relation", "MR1")
    assert page.text("#found") == "5 of 30 cases"
    page.choose("#by-trajectory", "harbour-02")
    assert page.text("#found") == "0 of 30 cases"
    assert page.text("#detail") == "No case fits these filters."
    page.choose("#by-trajectory", "")
    page.choose("#by-object", "chair-1")
    page.choose("#by-news", "new")
    assert page.text("#found") == "2 of 30 cases"
    page.click("#clear")
    assert page.text("#found") == "30 cases"
    assert page.fragment == "#cases"


def test_words_are_searched_in_ids_and_reasons(page: Page) -> None:
    page.open("#cases")
    page.one("#text").type("TIMED out harbour")
    assert page.text("#found") == "1 of 30 cases"
    assert page.fragment == "#cases?text=TIMED+out+harbour"


def test_an_address_that_is_passed_on_opens_the_same(page: Page) -> None:
    page.open(f"#cases?capability=SC2-a&verdict=violated&text=study&case={VIOLATED}")
    assert page.text("#found") == "3 of 30 cases"
    assert VIOLATED in page.text("#detail")
    assert page.one("#by-capability").property("value") == "SC2-a"
    assert page.one("#text").property("value") == "study"
    assert page.all("[aria-selected=true]")


def test_a_violation_is_told_with_frames_answers_and_derivation(page: Page) -> None:
    page.open("#cases?verdict=violated&capability=SC2-a&relation=MR1")
    page.click(".row-case")
    assert unquote(page.fragment).endswith(VIOLATED)
    assert "null" not in page.text("#detail")
    steps = [one.text for one in page.all(".tree .goal")]
    assert steps == [
        "right there and right back are not opposite",
        "right is the direction there",
        "the way back from right is another one",
        "right is the way back",
    ]
    assert page.text(".tree > li > .step .source") == "violated/1 · laws/symmetry.pl:40"
    assert len(page.all("#detail figure img")) == 2
    assert [one.text for one in page.all(".question")] == [
        "1\nIn which direction does desk-1 lie from chair-1 in frame 0?",
        "2\nIn which direction does desk-1 lie from chair-1 in frame 1?",
    ]
    assert [one.text for one in page.all(".reply")] == [
        "read as forward-left\n✗ wrong, the truth is right",
        "read as right\n✓ as in truth",
    ]


def test_a_length_is_so_much_off_and_neither_right_nor_wrong(
    show: Callable[[Report], Page], told: Report
) -> None:
    questions = tuple(
        replace(one, said=replace(one.said, value="1.100 m"), truth="1.000 m")
        for one in told.questions
    )
    page = show(replace(told, questions=questions)).open(OPENED)
    assert [one.text for one in page.all(".reply")] == [
        "read as 1.100 m\n10 % off, the truth is 1.000 m"
    ] * 2


def test_frames_show_the_boxes_of_the_objects_that_a_case_is_about(page: Page) -> None:
    page.open(OPENED)
    names = [one.text for one in page.all("#frame-0 svg text")]
    assert names == ["chair-1", "desk-1"]  # and not lamp-1
    assert page.one("#frame-0 img").attribute("alt") == ("Frame 0, with boxes of chair-1, desk-1")


def test_a_step_leads_to_its_answer_and_its_frame(page: Page) -> None:
    page.open(OPENED)
    answer, frame, *_ = page.all(".tree .jump")
    assert (answer.text, frame.text) == ("answer 1", "frame 0")
    answer.click()
    assert page.browser.focused.attribute("id") == "answer-1"
    frame.click()
    assert page.browser.focused.attribute("id") == "frame-0"
    assert page.fragment == OPENED


def test_the_question_can_be_read_as_it_was_put(page: Page) -> None:
    page.open(OPENED)
    page.click("#answer-1 summary")
    assert page.text("#answer-1 details pre") == "You see frame 0.\nAnswer with one word."


def test_the_list_is_walked_with_the_keyboard(page: Page) -> None:
    page.open("#cases?verdict=violated")
    page.run("document.getElementById('rows').focus()")
    page.press(DOWN)
    page.press(DOWN)
    first = page.fragment
    page.press(DOWN)
    assert page.fragment != first
    assert unquote(page.fragment).endswith("study-01::SC1-a::A2::f001-chair1-desk1-00000001")
    active = page.one("#rows").attribute("aria-activedescendant")
    assert page.one("[aria-selected=true]").attribute("id") == active


def test_going_back_returns_to_the_list(page: Page) -> None:
    page.open("#cases?verdict=violated", size=PHONE)
    page.click(".row-case")
    assert not page.all("#list")
    page.browser.back()
    assert page.all("#list")
    assert page.fragment == "#cases?verdict=violated"
    page.click(".row-case")
    page.click(".back a")
    assert page.all("#list")


def test_a_score_leads_to_the_cases_that_cost_it(page: Page) -> None:
    page.open()
    page.click("tbody tr:first-child a")
    assert page.fragment == "#cases?capability=SC1-a&relation=in-scores&verdict=violated"
    assert page.text("#found") == "2 of 30 cases"
    page.choose("#by-relation", "")
    assert page.text("#found") == "3 of 30 cases"  # one is of an anchored relation


def test_scores_are_told_by_relation_when_asked_for(page: Page) -> None:
    page.open()
    assert not page.all("tr.part")
    page.click("#parts")
    assert page.all("tr.part")[0].text.startswith("MR1 transitivity 0.727")


def test_a_case_without_derivation_says_why(page: Page) -> None:
    page.open("#cases?verdict=satisfied")
    page.click(".row-case")
    assert "The answers fit together" in page.text("#detail")
