"""The little of WebDriver that tests need, spoken to chromedriver: W3C's protocol, JSON over HTTP.

The usual client brings trio, which every run of Hypothesis then imports: half a second, and
modules that our tests of what strangers pay find.
"""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

_ELEMENT: Final = "element-6066-11e4-a52e-4f735466cecf"  # the name that W3C gave it
_SECONDS: Final = 60


class WebDriverError(Exception):
    """The browser did not do what it was told."""


class Browser:
    """A browser of its own, that is closed in the end.

    Args:
        driver: the program chromedriver.
        chromium: the browser.
        flags: what it is started with.
    """

    def __init__(self, driver: str, chromium: str, flags: Iterable[str]) -> None:
        self._process = subprocess.Popen(
            [driver, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self._connection = HTTPConnection("127.0.0.1", self._port(), timeout=_SECONDS)
        self._session = ""
        wanted = {
            "browserName": "chrome",
            "unhandledPromptBehavior": "ignore",
            "goog:chromeOptions": {"binary": chromium, "args": list(flags)},
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        }
        started = self.send("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self._session = f"/session/{started['sessionId']}"

    def _port(self) -> int:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            found = re.search(r"started successfully on port (\d+)", line)
            if found:
                return int(found.group(1))
        raise WebDriverError("chromedriver did not start")

    def send(self, method: str, path: str, values: object = None) -> Any:
        """Send a command of the session; return its value."""
        body = json.dumps(values if values is not None else {}) if method == "POST" else None
        self._connection.request(method, self._session + path, body)
        value = json.loads(self._connection.getresponse().read())["value"]
        if isinstance(value, dict) and "error" in value:
            raise WebDriverError(f"{path}: {value['error']}: {value['message'].splitlines()[0]}")
        return value

    def get(self, address: str) -> None:
        self.send("POST", "/url", {"url": address})

    def back(self) -> None:
        self.send("POST", "/back")

    def run(self, script: str, *values: object) -> Any:
        return self.send("POST", "/execute/sync", {"script": script, "args": values})

    def run_until_called(self, script: str, *values: object) -> Any:
        """Run it; return what it calls its last argument with."""
        return self.send("POST", "/execute/async", {"script": script, "args": values})

    def find(self, css: str) -> list[Element]:
        found = self.send("POST", "/elements", {"using": "css selector", "value": css})
        return [Element(self, one[_ELEMENT]) for one in found]

    @property
    def focused(self) -> Element:
        return Element(self, self.send("GET", "/element/active")[_ELEMENT])

    def log(self, kind: str) -> list[dict[str, Any]]:
        """Return what was logged since it was last read: ``browser`` or ``performance``."""
        return list(self.send("POST", "/se/log", {"type": kind}))

    def cdp(self, command: str, **values: Any) -> None:
        """Send a command of Chromium's own protocol."""
        self.send("POST", "/goog/cdp/execute", {"cmd": command, "params": values})

    def quit(self) -> None:
        """Close the browser and end chromedriver."""
        self.send("DELETE", "")
        self._connection.close()
        self._process.terminate()
        self._process.communicate()


@dataclass(frozen=True)
class Element:
    """An element of the page."""

    browser: Browser
    id: str

    def _get(self, what: str) -> Any:
        return self.browser.send("GET", f"/element/{self.id}/{what}")

    @property
    def text(self) -> str:
        """As it is seen."""
        return str(self._get("text"))

    @property
    def shown(self) -> bool:
        return bool(self._get("displayed"))

    @property
    def rect(self) -> dict[str, float]:
        return dict(self._get("rect"))

    def attribute(self, name: str) -> str:
        return str(self._get(f"attribute/{name}"))

    def property(self, name: str) -> Any:
        return self._get(f"property/{name}")

    def click(self) -> None:
        self.browser.send("POST", f"/element/{self.id}/click")

    def type(self, text: str) -> None:
        self.browser.send("POST", f"/element/{self.id}/value", {"text": text})
