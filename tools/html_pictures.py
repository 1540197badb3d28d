"""Pictures of the HTML report for the docs, taken in Chromium.

``python -m tools.html_pictures PAGE.html`` writes ``docs/images/html-*.webp``. The page should tell
of several trajectories, a baseline and other runs; made from this folder, so that its paths are
short.
"""

from __future__ import annotations

import base64
import io
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from PIL import Image

from tests.reports.browser.conftest import FLAGS
from tests.reports.browser.driving import DESKTOP, PHONE, Page
from tests.reports.browser.webdriver import Browser

ROOT: Final = Path(__file__).resolve().parent.parent
OPEN: Final = "document.querySelector('.row-case').click()"
VIOLATED: Final = "#cases?verdict=violated&relation=MR6"


def main(path: Path) -> None:
    """Take the pictures."""
    with tempfile.TemporaryDirectory() as profile:
        browser = Browser(
            shutil.which("chromedriver") or "chromedriver",
            shutil.which("chromium") or "chromium",
            (*FLAGS, "--hide-scrollbars", f"--user-data-dir={profile}"),
        )
        try:
            page = Page(browser, path.resolve())
            save("overview", shot(page, ""))
            save("case", shot(page, VIOLATED, run=OPEN))
            phone = shot(page, "#walk?state=3", size=PHONE)
            save("walk", beside(phone, shot(page, "#walk?state=3", theme="dark")))
        finally:
            browser.quit()


def shot(
    page: Page,
    fragment: str,
    *,
    size: tuple[int, int] = DESKTOP,
    theme: str = "light",
    run: str = "",
) -> Image.Image:
    """Return what is seen."""
    page.open(fragment, size=size, theme=theme)
    page.run(run)
    time.sleep(0.5)  # charts and pictures are drawn after what called for them
    png = base64.b64decode(page.browser.send("GET", "/screenshot"))
    return Image.open(io.BytesIO(png)).convert("RGB")


def beside(left: Image.Image, right: Image.Image) -> Image.Image:
    """Return two pictures side by side, equally high."""
    right = right.resize((round(right.width * left.height / right.height), left.height))
    both = Image.new("RGB", (left.width + 20 + right.width, left.height), "white")
    both.paste(left, (0, 0))
    both.paste(right, (left.width + 20, 0))
    return both


def save(name: str, picture: Image.Image) -> None:
    """Write one for the docs."""
    path = ROOT / "docs/images" / f"html-{name}.webp"
    picture.save(path, quality=82, method=6)
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
