"""What `./dev docs` finds wrong with a built site."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

TOOL = Path(__file__).resolve().parent.parent / "tools" / "site_check.py"
SOUND = {
    "index.html": '<a href="a.html#here">a</a><link href="look.css"><a href="http://x.org/">x</a>',
    "a.html": '<h1 id="here">a</h1><a href="#here">up</a><a href="index.html">home</a>',
    "look.css": "body { background: url(paper.png) }",
    "search.html": "",
}


def faults(folder: Path, **changed: str) -> list[str]:
    for name, text in {
        **SOUND,
        **{key.replace("_", "."): text for key, text in changed.items()},
    }.items():
        (folder / name).write_text(text, encoding="utf-8")
    found: list[str] = runpy.run_path(str(TOOL))["faults"](folder.resolve())
    return found


def test_a_site_whose_links_all_lead_somewhere_has_no_fault(tmp_path: Path) -> None:
    assert faults(tmp_path) == []


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"a_html": '<a id="here" href="b.html">b</a>'}, "a.html: b.html leads nowhere"),
        (
            {"a_html": "<h1 id='there'>a</h1>"},
            "index.html: a.html#here names an anchor that is not there",
        ),
        ({"b_html": ""}, "b.html: no page that index.html leads to leads here"),
        (
            {"a_html": '<a id="here"></a><script src="//cdn.example/a.js"></script>'},
            "a.html: fetches //cdn.example/a.js from elsewhere",
        ),
        (
            {"look_css": "@import 'https://fonts.example/f.css';"},
            "look.css: fetches https://fonts.example/f.css from elsewhere",
        ),
    ],
)
def test_a_fault_is_told_with_its_page(changed: dict[str, str], told: str, tmp_path: Path) -> None:
    assert faults(tmp_path, **changed) == [told]
