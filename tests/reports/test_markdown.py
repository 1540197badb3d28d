from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import cmarkgfm
import pytest
from cmarkgfm.cmark import Options
from hypothesis import HealthCheck, given, settings

from pytest_metaspace.domain import Outcome
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.reports import markdown
from pytest_metaspace.reports.markdown import LIMIT, MARKDOWN, SUMMARY_LIMIT, write
from pytest_metaspace.reports.markup import code, prose
from tests.reports.hostile import HOSTILE, TEXTS, hostile, hostile_names, reports
from tests.reports.samples import case, large, of_cases, sample, trajectory_of

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.domain import Report

MENTION = re.compile(r"(?i)(?<!\w)@\w|#\d|!\d|\$\w|~\w|%\w|&\d|GH-\d|https?://\w|www\.\w|:\w+:")
TAGS = frozenset(
    [
        "h2",
        "h3",
        "p",
        "em",
        "strong",
        "b",
        "ul",
        "li",
        "code",
        "pre",
        "details",
        "summary",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
    ]
)


class Page(HTMLParser):
    """What a page is made of, as GitHub's own reader of Markdown makes it.

    Attributes:
        tags: names of its elements.
        attributes: those that are no alignment of a cell.
        rows: text of the cells of its tables.
        prose: text that is no code, where mentions and links are looked for.
        blocks: text of its blocks of code.
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []
        self.rows: list[list[str]] = []
        self.prose = ""
        self.blocks: list[str] = []
        self._open: list[str] = []
        self.feed(cmarkgfm.github_flavored_markdown_to_html(text, Options.CMARK_OPT_UNSAFE))
        self.close()
        assert self._open == [], "an element is not closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += (one for one in attrs if one[0] != "align")
        self._open.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
        elif tag == "pre":
            self.blocks.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "pre" in self._open:
            self.blocks[-1] += data
        elif "code" not in self._open:
            self.prose += data + "\n"
        if self.rows and self.rows[-1] and ("td" in self._open or "th" in self._open):
            self.rows[-1][-1] += data


def page(report: Report, limit: int = LIMIT) -> Page:
    told, _ = markdown.text(report, limit)
    assert len(told.encode("utf-8")) <= limit
    odd = {sign for sign in told if unicodedata.category(sign)[0] == "C"}
    assert odd <= {"\n", "\u200b"}  # the latter parts the sign of a mention from its word
    assert not re.search(r"(?m)^\s*/", told)  # GitLab takes such a line for a command
    return Page(told)


def test_the_head_tells_total_gates_and_counts() -> None:
    told, left_out = markdown.text(sample())

    assert told.startswith(
        "## ❌ metaspace: total 0.697 (0.60-0.80), 2 of 5 gates failed\n\n"
        "Agent <code>openai&#58;gpt-4o</code>: 7 violated, 1 invalid, 3 inconclusive and 2 in error "
        "of 30 cases in 2 trajectories, 40 distinct questions, semantics sound.\n"
    )
    assert left_out == []


def test_tables_hold_gates_scores_changes_and_failures() -> None:
    rows = page(sample()).rows

    assert [
        "❌ FAILED",
        "SC2-a/MR1",
        "SC2-a/MR1 is 0.250, below 0.5 (5 cases in 1 trajectory)",
    ] in rows
    assert [
        "⚠️ undecided, passes",
        "drone",
        "drone is 0.775, which may be on either side of 0.8",
    ] in rows
    assert [
        "SC1-a",
        "movement direction",
        *["12", "2", "1", "0", "1"],
        "83 %",
        "0.727",
        "0.63-0.83",
    ] in rows
    assert [
        "total",
        "mean over capabilities",
        *["28", "6", "1", "3", "2"],
        "79 %",
        "0.697",
        "0.60-0.80",
    ] in rows
    assert any(row[0] == "A2, in no score above" for row in rows)
    assert ["SC2-a", "9", "2", "0.800", "0.600", "-0.200", "0.010", "3", "1", "WORSE"] in rows
    assert [row[:4] for row in rows if row[0] == "error"] == [["error", "timed out", "1", "2.5 %"]]


def test_other_runs_stand_beside_this_one() -> None:
    report = sample()
    other = replace(report.run, agent="other | `one`", scores=report.run.scores[1:])
    rows = page(replace(report, others=(other,))).rows

    assert ["agent", "total", "SC1-a", "SC2-a", "SC4-b"] in rows
    assert [
        "other | `one`",
        "0.697 (0.60-0.80)",
        "",
        "0.667 (0.57-0.77)",
        "n/a",
    ] in rows


def test_violations_are_folded_with_their_derivations_the_worst_first() -> None:
    told, _ = markdown.text(sample())

    groups = re.findall(r"<summary><b>(.*?)</b>", told)
    assert groups == ["SC2-a MR1", "SC1-a MR1", "SC2-a MR2", "SC1-a A2"]  # the last is expected
    assert (
        page(sample())
        .blocks[1]
        .startswith(
            "\nMR1 violated: study-01::SC2-a::MR1::f000-chair1-desk1-00000000\n"
            "  These answers cannot all be true: right there and right back.\n"
            "    right there and right back are not opposite   (laws/symmetry.pl:40)\n"
            "      right is the direction there   <- answer 1\n"
        )
    )


def test_of_many_violations_the_next_is_named_with_its_command() -> None:
    bad = [
        case("study-01", "SC2-a", "MR1", f"f{number}", Outcome.VIOLATED, in_full=True)
        for number in range(5)
    ]
    told, _ = markdown.text(of_cases(bad, [trajectory_of("study-01", "household")]))

    assert "\nand 2 more: <code>metaspace explain f3</code>\n" in told


def test_a_run_that_passes_says_so() -> None:
    told, _ = markdown.text(replace(sample(), status=0))

    assert told.startswith("## ✅ metaspace: ")


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:20]))
def test_hostile_texts_are_text(text: str) -> None:
    found = page(hostile(text))

    assert found.tags <= TAGS
    assert found.attributes == []
    assert not MENTION.search(found.prose)
    assert all(len(row) in (3, 10, 5) for row in found.rows)


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:20]))
def test_hostile_names_are_names(text: str) -> None:
    found = page(hostile_names(text))

    assert found.tags <= TAGS
    assert found.attributes == []
    assert not MENTION.search(found.prose)


@given(report=reports())
@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow])
def test_any_report_is_a_page_without_foreign_elements(report: Report) -> None:
    found = page(report)

    assert found.tags <= TAGS
    assert not MENTION.search(found.prose)
    assert markdown.text(report) == markdown.text(report)


@given(text=TEXTS)
@settings(max_examples=100)
def test_words_stay_one_cell_and_one_text(text: str) -> None:
    found = Page(f"| a | b |\n| - | - |\n| {code(text)} | x {prose(text)} x |\n")

    assert found.tags == {"table", "thead", "tbody", "tr", "th", "td", "code"}
    assert [len(row) for row in found.rows] == [2, 2]
    assert not MENTION.search(found.prose)


@pytest.mark.parametrize("limit", [2_000, 2_500, 4_000, 10_000, LIMIT])
def test_what_does_not_fit_is_counted(limit: int) -> None:
    report = large(3_000, 40)
    told, left_out = markdown.text(report, limit)

    assert "## ✅ metaspace: total 0.496" in told
    assert "1512 violated of 3000 cases" in told
    if limit == LIMIT:
        assert left_out == []
        return
    [note] = left_out
    assert note.startswith(f"markdown: left out, to stay below {limit:,} bytes: ")
    assert re.search(r"\d+ groups of violations with derivations; the json and html", note)
    assert page(report, limit).tags <= TAGS


def test_the_longest_texts_stay_within_the_limit() -> None:
    told, _ = markdown.text(hostile("漢" * 100_000))

    assert len(told.encode("utf-8")) <= LIMIT


def test_of_very_many_gates_the_first_are_shown_and_the_others_counted() -> None:
    report = sample()
    run = replace(report.run, gates=report.run.gates * 200)
    found = page(replace(report, run=run))

    assert "2 of 5 gates failed" not in found.prose
    assert "400 of 1000 gates failed" in found.prose
    assert re.search(r"left out, to stay below 65,536 bytes: \d+ gates", found.prose)


def test_a_file_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "new" / "report.md"
    MARKDOWN.write(sample(), path)
    first = path.read_bytes()
    MARKDOWN.write(sample(), path)

    assert path.read_bytes() == first


def test_the_summary_of_a_step_keeps_what_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = tmp_path / "step_summary"
    summary.write_text("# From a command before\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))

    assert write(sample(), tmp_path / "." / "step_summary") == []

    told = summary.read_text(encoding="utf-8")
    assert told.startswith("# From a command before\n\n## ❌ metaspace: total 0.697")
    assert told.endswith(markdown.text(sample())[0])


@pytest.mark.parametrize("room", [2_000, 2_500, 10_000])
def test_the_summary_of_a_step_never_grows_beyond_what_github_takes(
    room: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = tmp_path / "step_summary"
    summary.write_bytes(b"x" * (SUMMARY_LIMIT - room))
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))

    write(large(1_000, 4), summary)

    assert summary.stat().st_size <= SUMMARY_LIMIT
    assert b"## \xe2\x9c\x85 metaspace: total 0.496" in summary.read_bytes()[-room:]


def test_a_summary_without_room_is_left_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = tmp_path / "step_summary"
    summary.write_bytes(b"x" * (SUMMARY_LIMIT - 1_999))
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))

    [note] = write(sample(), summary)

    assert summary.stat().st_size == SUMMARY_LIMIT - 1_999
    assert note == (
        "markdown: left out, as GitHub drops the summary of a step above 1,048,576 bytes and this "
        "step has written nearly as many; run pytest in a step of its own"
    )


def test_a_summary_that_cannot_be_written_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path))

    with pytest.raises(UsageProblem, match=r"cannot be written \(Is a directory\)"):
        write(sample(), tmp_path)
