"""Whatever labels, answers and file names hold, the page shows it as text and runs none of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.reports.hostile import HOSTILE, hostile

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_metaspace.domain import Report
    from tests.reports.browser.driving import Page

WATCH = (
    "window.ran = []; for (const name of ['alert', 'confirm', 'prompt', 'open'])"
    "window[name] = (...all) => { window.ran.push([name, ...all]); };"
)
READ = "return document.querySelector(arguments[0]).textContent.toWellFormed()"
MARKUP = [text for text in HOSTILE if "alert(" in text or "CDATA" in text or "\ud800" in text]


@pytest.mark.parametrize("text", MARKUP, ids=range(len(MARKUP)))
def test_hostile_texts_are_shown_and_nothing_runs(
    show: Callable[[Report], Page], text: str
) -> None:
    page = show(hostile(text))
    page.browser.cdp("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
    shown = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").split()
    page.open("#cases?verdict=violated")
    own = page.run("return document.scripts.length")
    page.click(".row-case")
    for view in ("#detail", "#view-overview", "#view-walk"):
        if view != "#detail":
            page.run("location.hash = arguments[0]", view.replace("view-", ""))
        content = page.run(READ, view)
        assert all(word in content for word in shown[:3]), view
    assert page.run("return window.ran") == []
    assert page.run("return document.scripts.length") == own
    assert page.run("return document.querySelectorAll('a[href^=javascript], iframe').length") == 0
    assert page.errors() == []
    assert set(page.requests()) <= {page.address}


def test_the_policy_stops_what_would_run_or_leave(
    show: Callable[[Report], Page], told: Report
) -> None:
    page = show(told).open()
    page.run(
        "const script = document.createElement('script');"
        "window.stopped = []; addEventListener('securitypolicyviolation',"
        "  (event) => stopped.push(event.effectiveDirective));"
        "try { script.text = 'window.leaked = true'; document.head.append(script); }"
        "catch (problem) { stopped.push(problem.name); }"
        "const picture = new Image(); picture.src = 'http://127.0.0.1:9/x.png';"
    )
    page.browser.run_until_called(
        "const done = arguments[0]; setTimeout(() => fetch('http://127.0.0.1:9/').catch(done), 0)"
    )
    stopped = page.run("return window.stopped")
    assert {"img-src", "connect-src", "TypeError"} <= set(stopped)
    assert page.run("return window.leaked") is None
    assert len(page.errors()) >= 3  # the browser says what it stopped
