"""One browser for all tests here, and the pages that they look at."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from pytest_metaspace.reports.html import HTML
from tests.reports.browser.driving import Page
from tests.reports.browser.webdriver import Browser
from tests.reports.samples import sample
from tests.surroundings import IN_CI

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytest_metaspace.domain import Report

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Start Chromium with nothing in it."""
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or driver is None:
        needed = "needs Debian's packages chromium and chromium-driver"
        assert not IN_CI, needed
        pytest.skip(needed)
    profile = tmp_path_factory.mktemp("profile")
    started = Browser(driver, chromium, (*FLAGS, f"--user-data-dir={profile}"))
    yield started
    started.quit()


@pytest.fixture(scope="session")
def show(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Callable[[Report], Page]:
    """Return what writes a report, or knows that it has, and opens its page."""
    written: dict[int, tuple[Report, Path]] = {}

    def shown(report: Report) -> Page:
        if id(report) not in written:
            path = tmp_path_factory.mktemp("page") / "report.html"
            HTML.write(report, path)
            written[id(report)] = (report, path)
        return Page(browser, written[id(report)][1])

    return shown


@pytest.fixture(scope="session")
def told() -> Report:
    """Return a run with whatever there is to tell."""
    return sample()


@pytest.fixture
def page(show: Callable[[Report], Page], told: Report) -> Iterator[Page]:
    """Return the page of that run; after the test, nothing was complained of or asked for."""
    page = show(told)
    yield page
    assert page.errors() == []
    assert set(page.requests()) <= {page.address}
