"""A page in a real browser: what is on it, what it asks for, what it complains of."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from tests.reports.browser.webdriver import Browser, Element

DESKTOP = (1280, 800)
PHONE = (360, 740)


class Page:
    """A page that is open; CSS selectors name what is meant."""

    def __init__(self, browser: Browser, path: Path) -> None:
        self.browser = browser
        self.address = path.as_uri()
        self.complaints: list[str] = []

    def open(
        self, fragment: str = "", *, size: tuple[int, int] = DESKTOP, theme: str = "light"
    ) -> Page:
        """Load it afresh, of a size, for a person who likes light or dark."""
        width, height = size
        self.browser.cdp(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 500,
        )
        wishes = {"prefers-color-scheme": theme, "prefers-reduced-motion": "reduce"}
        features = [{"name": name, "value": value} for name, value in wishes.items()]
        self.browser.cdp("Emulation.setEmulatedMedia", features=features)
        self.browser.get("about:blank")
        self.browser.log("browser")  # of the page before
        self.browser.log("performance")
        self.browser.get(self.address + fragment)
        return self

    def run(self, script: str, *values: object) -> Any:
        return self.browser.run(script, *values)

    def all(self, css: str) -> list[Element]:
        """Return what is shown of this kind."""
        return [one for one in self.browser.find(css) if one.shown]

    def one(self, css: str) -> Element:
        (found,) = self.all(css)
        return found

    def text(self, css: str) -> str:
        return self.one(css).text

    def click(self, css: str) -> None:
        self.all(css)[0].click()

    def press(self, keys: str) -> None:
        """Type at whatever has the focus."""
        self.browser.focused.type(keys)

    def choose(self, css: str, value: str) -> None:
        """Pick an option as a person does, so that listeners hear of it."""
        self.run(
            "const box = document.querySelector(arguments[0]); box.value = arguments[1];"
            "box.dispatchEvent(new Event('input', {bubbles: true}));"
            "box.dispatchEvent(new Event('change', {bubbles: true}));",
            css,
            value,
        )

    @property
    def fragment(self) -> str:
        """What follows the file in the address."""
        return str(self.run("return location.hash"))

    def errors(self) -> list[str]:
        """Return what the console holds since the page was opened, warnings included."""
        return [entry["message"] for entry in self.browser.log("browser")]

    def requests(self) -> list[str]:
        """Return the addresses that were asked for since it was opened, its own data aside."""
        found = []
        for entry in self.browser.log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                found.append(message["params"]["request"]["url"])
        return [one.split("#")[0] for one in found if not one.startswith(("data:image/", "about:"))]

    def faults(self, axe: str, *rules: str) -> list[str]:
        """Return what axe-core calls serious or critical, with the elements that are meant."""
        self.run(axe)
        script = "axe.run(document, arguments[0]).then((all) => arguments[1](all.violations));"
        options = {"runOnly": rules} if rules else {}
        violations = self.browser.run_until_called(script, options)
        return [
            f"{one['id']}: {node['html'][:120]} {node['failureSummary'][:200]}"
            for one in violations
            if one["impact"] in ("serious", "critical")
            for node in one["nodes"]
        ]

    def width(self) -> int:
        """Return how wide the page is; a phone's window grows with it, so that tells nothing."""
        return int(self.run("return document.documentElement.scrollWidth"))
