"""The site of the docs: `./dev docs` builds it, and every warning is an error.

The pages are written for GitHub first. What a site can do better is done to them here, on the way.
"""

from __future__ import annotations

import inspect
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from sphinx.application import Sphinx

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # the pages that are generated from code: this code

from pytest_metaspace import __version__ as release  # noqa: E402  after the path to it
from pytest_metaspace import fixtures  # noqa: E402  likewise

project = "pytest-metaspace"
author = "The pytest-metaspace developers"
copyright = author  # noqa: A001  Sphinx calls it so
version = release
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_argparse_cli",
]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4  # as on GitHub
nitpicky = True
# Types in signatures that are not told here: other people's, and those that authors only hand on.
nitpick_ignore = [
    ("py:class", name)
    for name in (
        "Asks",
        "Lossless",
        "Mapping[str",  # a union within it is not read right
        "ModelOptions",
        "Path",
        "Picture",
        "Place",
        "date",
        "os.PathLike",
        "pathlib.Path",
        "spot.Reply",
    )
]
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
napoleon_use_ivar = True
python_use_unqualified_type_names = True

html_theme = "furo"
html_title = project
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False

_EXAMPLE: Final = "example_project"
# What stands outside of this folder, and the page of the site that shows it.
_SHOWN: Final = {
    "README.md": "index.md",
    "CHANGELOG.md": "reference/changelog.md",
    "CONTRIBUTING.md": "reference/contributing.md",
    "SECURITY.md": "reference/security.md",
    _EXAMPLE: "reference/example-project.md",
    "fixtures/README.md": "reference/fixtures.md",
    "fixtures/detector/README.md": "reference/detector.md",
}
_LINK: Final = re.compile(r"(?<=\]\()(?P<path>(?!\w+:)[^)#\s]+)(?P<anchor>#[^)\s]*)?(?=\))")
_NAMED_BLOCK: Final = re.compile(
    r"^<!-- file: (?P<name>[\w./-]+) -->\n+```(?P<kind>\w+)$", re.MULTILINE
)


def _followed(match: re.Match[str], page: Path, shown_from: Path) -> str:
    """Return where a link of a file leads on the site, told from the page that shows the file."""
    target = (page.parent / match["path"]).resolve()
    if not target.is_relative_to(ROOT):
        return match[0]
    name = target.relative_to(ROOT).as_posix()
    anchor = match["anchor"] or ""
    if name.startswith(f"{_EXAMPLE}/"):  # one page shows all files, under their names
        name, file = name.split("/", 1)
        anchor = "#" + re.sub(r"[^\w-]", "", file.lower())
    if name in _SHOWN:
        target = ROOT / "docs" / _SHOWN[name]
    return Path(os.path.relpath(target, shown_from.parent)).as_posix() + anchor


def _for_the_site(text: str, page: Path, shown_from: Path) -> str:
    """Have links lead to pages, and files that a page writes stand under their names."""
    text = _LINK.sub(lambda match: _followed(match, page, shown_from), text)
    return _NAMED_BLOCK.sub(r"```{code-block} \g<kind>\n:caption: \g<name>\n", text)


def _read(app: Sphinx, docname: str, source: list[str]) -> None:
    page = Path(app.env.doc2path(docname))
    source[0] = _for_the_site(source[0], page, page)


def _include(app: Sphinx, path: Path, _parent: str, source: list[str]) -> None:
    shown_from = Path(app.env.doc2path(app.env.docname))  # MyST tells the parent without its folder
    source[0] = _for_the_site(source[0], (ROOT / "docs" / path).resolve(), shown_from)


def _read_property(
    _app: Sphinx, what: str, _name: str, _object: object, _options: object, lines: list[str]
) -> None:
    if what in ("attribute", "data", "property"):
        lines[:0] = ["..", ""]  # else napoleon takes a first line "What it is: ..." for "TYPE: ..."


def setup(app: Sphinx) -> None:
    """Have pages, what they include and docstrings made ready for the site."""
    for name, fixture in vars(fixtures).items():
        if name.startswith("metaspace_"):
            setattr(fixtures, name, inspect.unwrap(fixture))  # the function, for autodoc
    app.connect("autodoc-process-docstring", _read_property, priority=400)
    app.connect("source-read", _read)
    app.connect("include-read", _include)
