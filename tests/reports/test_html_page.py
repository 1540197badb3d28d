"""The HTML report as a file: one that holds all it needs, the same bytes for the same run."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

import pytest_metaspace.reports.html as package
from pytest_metaspace.domain import Derivation, Outcome, Step
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.reports.html import HTML, _columns, _page, _words
from pytest_metaspace.reports.html._pictures import LEFT_OUT, MISSING, UNREADABLE, Album
from tests.reports.hostile import HOSTILE, TEXTS, hostile, reports
from tests.reports.samples import case, large, of_cases, sample, trajectory_of

if TYPE_CHECKING:
    from pytest_metaspace.domain import Report

HERE: Final = Path(__file__).parent
FOLDER: Final = Path(package.__file__).parent
#  Of the files as npm has them (vendor/README.md).
VENDORED: Final = {
    "chart.umd.min.js": "87364cc2b2a76a6684929e7d6b80b18a897794db38400caff1fcf1791c6925d2",
    "chartjs-chart-matrix.min.js": (
        "7e0cafdcfed5636319fb779f209230d38b6a3703b4b5f462ecb501fc6008f661"
    ),
}


class Scripts(HTMLParser):
    """The scripts of a page: data by name, and how many there are to run."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.data: dict[str, Any] = {}
        self.code: list[str] = []
        self._name: str | None = None
        self._text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "script":
            self._name, self._text = dict(attrs).get("id"), ""

    def handle_data(self, data: str) -> None:
        self._text += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "script" and self._name:
            self.data[self._name.removeprefix("data-")] = json.loads(self._text)
        elif tag == "script":
            self.code.append(self._text)


def written(report: Report, folder: Path = HERE) -> Scripts:
    return Scripts(_page.page(report, folder)[0])


def without_frames(report: Report) -> Report:
    bare = (replace(one, frames=()) for one in report.trajectories)
    return replace(report, trajectories=tuple(bare))


def test_the_same_run_gives_the_same_bytes(tmp_path: Path) -> None:
    report = sample()
    HTML.write(report, tmp_path / "one.html")
    HTML.write(report, tmp_path / "deep" / "two.html")
    assert (tmp_path / "one.html").read_bytes() == (tmp_path / "deep/two.html").read_bytes()


def test_the_page_asks_for_nothing_from_elsewhere() -> None:
    text = _page.page(sample(), HERE)[0]
    assert re.findall(r"(?:src|href)=\"(?!#)", text) == []
    assert "sourceMappingURL" not in text
    assert "default-src 'none'" in text


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_no_text_breaks_out_of_the_data(text: str) -> None:
    scripts = written(without_frames(hostile(text)))
    assert len(scripts.code) == len(_page.SCRIPTS)
    assert scripts.data["summary"]["agent"] == text
    assert text[:400] in scripts.data["words"]


@settings(max_examples=30)
@given(reports())
def test_any_run_gives_a_page_whose_data_can_be_read(report: Report) -> None:
    scripts = written(without_frames(report))
    cases = scripts.data["cases"]
    addresses = [
        "::".join(
            (
                cases["trajectories"][cases["t"][at]],
                cases["capabilities"][cases["c"][at]][0],
                cases["relations"][cases["r"][at]][0],
                own,
            )
        )
        for at, own in enumerate(cases["i"])
    ]
    assert [one[:100] for one in addresses] == [one.address[:100] for one in report.cases]
    assert [cases["outcomes"][place] for place in cases["o"]] == [
        one.outcome.value for one in report.cases
    ]


@given(TEXTS)
def test_text_is_escaped_and_comes_back(text: str) -> None:
    told = _words.as_json(text)
    assert json.loads(told) == text
    assert told.isascii()
    assert "<" not in told


@settings(max_examples=50)
@given(st.lists(st.text(max_size=30)), st.integers(0, 300))
def test_words_keep_to_their_budget(texts: list[str], budget: int) -> None:
    words = _words.Words(budget)
    places = words.each(texts, 20)
    table = json.loads(words.table())
    assert len(words.table()) <= budget + len("[null]")
    for text, place in zip(texts, places):
        assert place == _words.LEFT_OUT or table[place] == text[:20]
    assert (words.left_out > 0) == (_words.LEFT_OUT in places)


def test_a_derivation_is_told_step_by_step() -> None:
    leaf = Step(goal="leaf", because="said", source="answer", observation=0)
    middle = Step(goal="middle", because="rule", source="a.pl:2", children=(leaf,))
    root = Step(goal="root", because="rule", source="a.pl:1", children=(middle, leaf))
    one = replace(
        case("study-01", "SC2-a", "MR1", "f0", Outcome.VIOLATED),
        derivation=Derivation(summary="cannot be", root=root),
        givens=("executed: 0.5 m",),
    )
    data = written(of_cases([one], [trajectory_of("study-01", "household")])).data
    ((steps, questions, givens),) = data["told-0"]
    words = data["words"]
    told = [(steps[at], words[steps[at + 1]], steps[at + 4]) for at in range(0, len(steps), 5)]
    assert told == [(0, "root", -1), (1, "middle", -1), (2, "leaf", 0), (1, "leaf", 0)]
    assert questions == [0, 1]
    assert [words[place] for place in givens] == ["executed: 0.5 m"]


def test_new_violations_are_told_first_where_not_all_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_page, "WORDS_BYTES", 270)
    cases = [
        replace(
            case("study-01", "SC2-a", "MR1", f"f{number}", Outcome.VIOLATED, in_full=True),
            news="new" if number == 3 else "known",
        )
        for number in range(4)
    ]
    report = of_cases(cases, [trajectory_of("study-01", "household")])
    text, left_out = _page.page(without_frames(report), HERE)
    assert Scripts(text).data["cases"]["x"] == [1, -1, -1, 0]
    assert "2 derivations are left out to keep this page small" in left_out


def test_frames_are_small_and_each_is_there_once() -> None:
    data = written(sample()).data
    pictures = [text for name, text in data.items() if name.startswith("picture-")]
    assert len(pictures) == len(set(pictures)) == 4  # both trajectories have the same files
    assert all(one.startswith("data:image/webp;base64,") for one in pictures)
    assert data["trajectory-0"]["pictures"] == data["trajectory-1"]["pictures"] == [0, 1, 2, 3]


def test_an_album_says_why_a_frame_is_not_in_it(tmp_path: Path) -> None:
    Image.new("RGB", (1600, 1200), "teal").save(tmp_path / "large.png")
    Image.new("RGB", (9, 9)).save(tmp_path / "last.png")
    (tmp_path / "text.png").write_text("no picture")
    album = Album(tmp_path, budget=300)
    found = [album.place(name) for name in ("gone.png", "text.png", "nul\0.png", ".", "large.png")]
    assert found == [MISSING, UNREADABLE, MISSING, MISSING, LEFT_OUT]
    assert album.place("last.png") == LEFT_OUT
    assert (album.asked_for, album.missing, album.left_out) == (6, 4, 2)


def test_what_is_left_out_is_told_to_whoever_writes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_page, "PICTURES_BYTES", 10)
    lines = HTML.write(sample(), tmp_path / "page.html")
    assert "html: 4 of 4 frames are left out: pictures may take 0 MB" in lines
    assert any("2 cases that are not satisfied" in line for line in lines)
    assert str(tmp_path) not in "".join(lines)


def test_a_page_that_cannot_be_written_is_one_clear_problem(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageProblem, match=r"file/page\.html"):
        HTML.write(sample(), tmp_path / "file" / "page.html")


def test_a_large_run_stays_small() -> None:
    report = large(3_000, trajectories=6, told_in_full=500)
    text, _ = _page.page(without_frames(report), HERE)
    assert len(text) < 2_000_000
    columns = Scripts(text).data["cases"]
    assert len(columns["i"]) == 3_000
    assert sum(place >= 0 for place in columns["x"]) == sum(
        one.derivation is not None for one in report.cases
    )
    assert columns["chunk"] == _columns.CHUNK


@pytest.mark.parametrize("name", VENDORED)
def test_the_library_of_charts_is_what_npm_has(name: str) -> None:
    content = (FOLDER / "vendor" / name).read_bytes()
    assert hashlib.sha256(content).hexdigest() == VENDORED[name]


def test_all_scripts_and_styles_are_used_and_short_enough_to_read() -> None:
    own = {f"js/{path.name}" for path in (FOLDER / "js").iterdir()}
    styles = {f"css/{path.name}" for path in (FOLDER / "css").iterdir()}
    assert own == {name for name in _page.SCRIPTS if name.startswith("js/")}
    assert styles == set(_page.STYLES)
    assert all(len((FOLDER / name).read_text("utf-8").splitlines()) <= 400 for name in own | styles)


@pytest.mark.parametrize("name", [name for name in _page.SCRIPTS if name.startswith("js/")])
def test_scripts_put_text_in_as_text(name: str) -> None:
    text = (FOLDER / name).read_text("utf-8")
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b", text)
    assert "</script" not in text


def test_a_path_from_the_root_is_shown_by_its_end(tmp_path: Path) -> None:
    report = sample()
    far = replace(report.trajectories[0], source="/home/jo/secret/runs/walk/trajectory.json")
    told = without_frames(replace(report, trajectories=(far, *report.trajectories[1:])))
    page = _page.page(told, tmp_path)[0]
    assert "/home/jo" not in page
    shown = json.dumps([*Scripts(page).data.values()], ensure_ascii=False)
    assert '"source": "\u2026/runs/walk/trajectory.json"' in shown
    near = _page.page(report, HERE)[0]
    assert report.trajectories[0].source in near


def test_what_was_not_collected_is_told() -> None:
    told = written(replace(sample(), problems=tuple(f"runs/{n}: no JSON" for n in range(25))))
    summary = told.data["summary"]
    assert summary["problems"] == [f"runs/{n}: no JSON" for n in range(20)]
    assert summary["moreProblems"] == 5
