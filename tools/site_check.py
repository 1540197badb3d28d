"""Looks at the built site: does every link lead somewhere, is every page found, is nothing fetched?

python tools/site_check.py site     the folder; prints what is wrong, and exits with 1 where it is
"""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urldefrag, urlsplit

_FETCHED: Final = {
    "audio": "src",
    "iframe": "src",
    "img": "src",
    "link": "href",
    "script": "src",
    "source": "src",
    "video": "src",
}
_FETCHED_BY_STYLE: Final = re.compile(r"""(?:url\(|@import)\s*["']?((?:https?:)?//[^"')\s]+)""")
_MADE_BY_SPHINX: Final = frozenset({"genindex.html", "search.html", "py-modindex.html"})


class Page(HTMLParser):
    """One page: its anchors, where it leads, and what a browser fetches to show it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what a tag names and where it leads."""
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if given.get(name)}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if given.get(_FETCHED.get(tag, "")):
            self.fetched.append(given[_FETCHED[tag]])


def faults(site: Path) -> list[str]:
    """Return one line for each thing that is wrong with a built site, sorted."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    found = [
        f"{path.relative_to(site)}: fetches {url} from elsewhere"
        for path, page in pages.items()
        for url in page.fetched
        if urlsplit(url).netloc
    ]
    found += [
        f"{path.relative_to(site)}: fetches {url} from elsewhere"
        for path in site.rglob("*.css")
        for url in _FETCHED_BY_STYLE.findall(path.read_text(encoding="utf-8"))
    ]
    return sorted(found + _lost(pages, site))


def _lost(pages: dict[Path, Page], site: Path) -> list[str]:
    """Follow every link from the first page on; tell links to nothing, and pages without one."""
    found: list[str] = []
    reached: set[Path] = set()
    waiting = [site / "index.html"]
    while waiting:
        path = waiting.pop()
        if path not in pages or path in reached:
            continue
        reached.add(path)
        for url in pages[path].links + pages[path].fetched:
            target, fault = _target(url, path, pages)
            if fault:
                found.append(f"{path.relative_to(site)}: {url} {fault}")
            if target is not None:
                waiting.append(target)
    return found + [
        f"{path.relative_to(site)}: no page that index.html leads to leads here"
        for path in set(pages) - reached
        if path.name not in _MADE_BY_SPHINX
    ]


def _target(url: str, page: Path, pages: dict[Path, Page]) -> tuple[Path | None, str]:
    """Return the file that a link leads to, if it is one of the site, and what is wrong with it."""
    place, anchor = urldefrag(url)
    parts = urlsplit(place)
    if parts.scheme or parts.netloc:
        return None, ""
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if not target.is_file():
        return None, "leads nowhere"
    if anchor and target in pages and unquote(anchor) not in pages[target].anchors:
        return target, "names an anchor that is not there"
    return target, ""


def main(folder: str) -> int:
    """Print what is wrong with the site in a folder; 1 where something is."""
    found = faults(Path(folder).resolve())
    print(*found, sep="\n", end="\n" if found else "")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
