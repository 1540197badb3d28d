"""The formats of reports that come with the package."""

from __future__ import annotations

from typing import Final

from pytest_metaspace.reports.github import GITHUB
from pytest_metaspace.reports.html import HTML
from pytest_metaspace.reports.junit import JUNIT
from pytest_metaspace.reports.markdown import MARKDOWN
from pytest_metaspace.reports.run_json import JSON

BUILT_IN: Final = (JSON, HTML, JUNIT, MARKDOWN, GITHUB)
