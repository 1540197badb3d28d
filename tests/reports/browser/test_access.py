"""The page for everybody: no serious fault by axe-core, in each view, size and theme."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.reports.browser.driving import DESKTOP, PHONE

if TYPE_CHECKING:
    from tests.reports.browser.driving import Page

AXE = Path(__file__).with_name("axe.min.js").read_text("utf-8")
CASE = "study-01::SC2-a::MR1::f001-chair1-desk1-00000001"
VIEWS = {"overview": "", "case": f"#cases?verdict=violated&case={CASE}", "walk": "#walk"}
TAB = "\ue004"  # WebDriver's code


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_no_serious_fault_in_light_and_dark(
    page: Page, view: str, size: tuple[int, int]
) -> None:
    page.open(VIEWS[view], size=size)
    assert page.faults(AXE) == []
    assert page.width() <= size[0]
    page.open(VIEWS[view], size=size, theme="dark")
    assert page.faults(AXE, "color-contrast") == []  # nothing else differs


def test_the_first_key_offers_to_skip_to_the_content(page: Page) -> None:
    page.open()
    page.press(TAB)
    assert page.text(".skip") == "Skip to content"
    page.press("\n")
    assert page.browser.focused.attribute("id") == "main"


def test_what_has_the_focus_is_seen(page: Page) -> None:
    page.open("#walk")
    seen = []
    for _ in range(9):
        page.press(TAB)
        seen.append(
            page.run("return getComputedStyle(document.activeElement).outlineStyle !== 'none'")
        )
    assert all(seen)


def test_colours_follow_the_system_until_they_are_chosen(page: Page) -> None:
    page.open(theme="dark")
    dark = page.run("return getComputedStyle(document.body).backgroundColor")
    page.click("#theme")
    light = page.run("return getComputedStyle(document.body).backgroundColor")
    assert dark != light
    page.open(theme="dark")
    assert page.run("return getComputedStyle(document.body).backgroundColor") == light
    page.run("localStorage.clear()")
