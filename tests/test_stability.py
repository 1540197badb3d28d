"""The Friedman test over repeats: a published example, ties, and what cannot matter."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_metaspace import pipeline, stability
from pytest_metaspace.asking.store import AnswerStore
from pytest_metaspace.cli import main
from pytest_metaspace.domain import Outcome, Settings
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.judgement import Judgement
from pytest_metaspace.pipeline import Registries
from pytest_metaspace.stability import BLOCKS, Friedman, Repeats, friedman, lines
from tests.unit_support import HOUSEHOLD

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_metaspace.domain import Question

pytest.importorskip("scipy")
#  Three ways of rounding first base, 22 players: Hollander and Wolfe, Nonparametric Statistical
#  Methods (1973), table 7.1; as the example of R's friedman.test gives it, with ties.
BASEBALL = [
    [5.40, 5.50, 5.55],
    [5.85, 5.70, 5.75],
    [5.20, 5.60, 5.50],
    [5.55, 5.50, 5.40],
    [5.90, 5.85, 5.70],
    [5.45, 5.55, 5.60],
    [5.40, 5.40, 5.35],
    [5.45, 5.50, 5.35],
    [5.25, 5.15, 5.00],
    [5.85, 5.80, 5.70],
    [5.25, 5.20, 5.10],
    [5.65, 5.55, 5.45],
    [5.60, 5.35, 5.45],
    [5.05, 5.00, 4.95],
    [5.50, 5.50, 5.40],
    [5.45, 5.55, 5.50],
    [5.55, 5.55, 5.35],
    [5.45, 5.50, 5.55],
    [5.50, 5.45, 5.25],
    [5.65, 5.60, 5.40],
    [5.70, 5.65, 5.55],
    [6.30, 6.30, 6.25],
]
TABLES = st.integers(3, 6).flatmap(
    lambda width: st.lists(
        st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=width, max_size=width),
        min_size=2,
        max_size=12,
    )
)


def test_a_published_example_comes_out_as_published() -> None:
    found = friedman(BASEBALL)
    assert (found.degrees, found.blocks, found.repeats) == (2, 22, 3)
    assert found.statistic == pytest.approx(11.143, abs=5e-4)
    assert found.p == pytest.approx(0.003805, abs=5e-7)
    assert found.differ


def same(one: Friedman, other: Friedman) -> bool:
    return (one.statistic, one.p) == pytest.approx((other.statistic, other.p), abs=1e-9)


@settings(deadline=None)  # the first call imports scipy
@given(TABLES, st.randoms(use_true_random=False))
def test_the_order_of_blocks_and_of_repeats_changes_nothing(
    table: list[list[float]], random: object
) -> None:
    blocks = list(table)
    random.shuffle(blocks)  # type: ignore[attr-defined]
    assert same(friedman(table), friedman(blocks))
    columns = list(zip(*table))
    random.shuffle(columns)  # type: ignore[attr-defined]
    assert same(friedman(table), friedman(list(zip(*columns))))


@settings(deadline=None)  # the first call imports scipy
@given(TABLES)
def test_only_ranks_within_a_block_matter(table: list[list[float]]) -> None:
    stretched = [[3 * score + place for score in row] for place, row in enumerate(table)]
    found = friedman(table)
    assert same(found, friedman(stretched))
    assert 0 <= found.p <= 1
    assert found.statistic >= -1e-9


@settings(deadline=None)  # the first call imports scipy
@given(TABLES, st.integers(0, 5))
def test_repeats_that_are_equal_do_not_differ(table: list[list[float]], column: int) -> None:
    equal = [[row[column % len(row)]] * len(row) for row in table]
    found = friedman(equal)
    assert (found.statistic, found.p, found.differ) == (0.0, 1.0, False)


def test_a_repeat_that_is_always_better_is_found() -> None:
    assert friedman([[0.1, 0.2, 0.9]] * 12).differ


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ([], "there are 0 blocks and 0 repeats"),
        ([[0.1, 0.2, 0.3]], "there are 1 blocks and 3 repeats"),
        ([[0.1, 0.2]] * 9, "there are 9 blocks and 2 repeats"),
    ],
)
def test_too_little_is_refused_with_what_to_do(table: list[list[float]], told: str) -> None:
    with pytest.raises(UsageProblem, match=told) as caught:
        friedman(table)
    assert "--metaspace-samples=5" in str(caught.value)


def test_without_scipy_the_command_that_installs_it_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "scipy.stats", None)
    with pytest.raises(UsageProblem, match=r"pip install 'pytest-metaspace\[stats\]'"):
        friedman(BASEBALL)


def test_the_result_is_told_in_numbers_and_in_words() -> None:
    told = "\n".join(lines(friedman(BASEBALL), "case", "gpt-4o"))
    assert "over 3 repeats of gpt-4o, a block for each case that is decided in every repeat" in told
    assert "chi-square = 11.14, 2 degrees of freedom, p = 0.003805, 22 blocks" in told
    assert "differ by more than chance (p < 0.05)" in told
    assert "rough figure" not in told
    few = "\n".join(lines(friedman([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]]), "score", "me"))
    assert "No difference between the repeats was found (p >= 0.05)" in few
    assert "p is a rough figure" in few


# ------------------------------------------------------------------------ from stored answers


STUDY = HOUSEHOLD / "study-01"
SAMPLES = 4
SETTINGS = Settings(
    capabilities=frozenset({"SC1-a", "SC1-b"}), relations=frozenset({"MR2"}), samples=SAMPLES
)
KNOWN = Registries.built_in()


class Drifting:
    """Answers right in its first sample, and declines more in each further one.

    Args:
        only: the sample that it answers as, whichever it is asked for.
    """

    def __init__(self, only: int | None = None) -> None:
        self.identity: str | None = "drifting@1"
        self.heard = 0
        self._only = only
        self._inner = KNOWN.agent("truth", HOUSEHOLD)

    def ask(self, question: Question) -> str:
        self.heard += 1
        sample = question.sample if self._only is None else self._only
        if int(question.query.a) % (2 * SAMPLES) < sample:
            return "no idea"
        return cast("str", self._inner.ask(question))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AnswerStore]:
    """Every sample of every question, asked once."""
    (made,) = pipeline.load([STUDY], KNOWN)
    cases = pipeline.plan(made, KNOWN, SETTINGS).cases
    with AnswerStore(tmp_path_factory.mktemp("stored") / "cache") as opened:
        pipeline.ask(cases, {made.id: made}, Drifting(), opened, samples=SAMPLES)
        yield opened


def test_each_sample_is_judged_as_a_run_of_its_own(store: AnswerStore) -> None:
    agent = Drifting()
    found = Repeats([STUDY], SETTINGS, KNOWN, agent, store).outcomes()
    assert agent.heard == 0
    (made,) = pipeline.load([STUDY], KNOWN)
    cases = pipeline.plan(made, KNOWN, SETTINGS).cases
    with pipeline.oracle_for(KNOWN, SETTINGS) as oracle:
        for sample in range(SAMPLES):
            asked = pipeline.ask(cases, {made.id: made}, Drifting(only=sample), None)
            alone = Judgement(asked.answers, {made.id: made}, oracle).verdicts(cases)
            assert [row[sample] for row in found] == [verdict.outcome for verdict in alone]
    assert {row[0] for row in found} == {Outcome.SATISFIED}
    assert {row[SAMPLES - 1] for row in found} == {Outcome.SATISFIED, Outcome.INVALID}


@pytest.mark.parametrize("blocks", BLOCKS)
def test_the_table_has_a_row_for_each_block_and_a_score_for_each_sample(
    store: AnswerStore, blocks: stability.Blocks
) -> None:
    table = Repeats([STUDY], SETTINGS, KNOWN, Drifting(), store).table(blocks)
    names = {
        "score": {"study-01 SC1-a", "study-01 SC1-b"},
        "capability": {"SC1-a", "SC1-b"},
        "trajectory": {"study-01"},
    }
    if blocks == "case":
        assert len(table) == 20
        assert all("::MR2::" in name for name in table)
    else:
        assert table.keys() == names[blocks]
    for row in table.values():
        assert len(row) == SAMPLES
        assert row == sorted(row, reverse=True)
        assert row[0] == 1.0


@pytest.mark.parametrize("blocks", BLOCKS)
def test_a_block_that_is_not_scored_in_each_repeat_is_left_out(
    store: AnswerStore, blocks: stability.Blocks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a missing score was taken for, the test would be about that."""
    made = Repeats([STUDY], SETTINGS, KNOWN, Drifting(), store)
    whole, rows = made.table(blocks), made.outcomes()
    where = [name.split("::")[1] for name in made.table("case")]
    assert len(where) == len(rows)
    for number, code in enumerate(where):
        if code == "SC1-a":
            rows[number][2] = Outcome.INCONCLUSIVE
    monkeypatch.setattr(Repeats, "outcomes", lambda _: rows)
    left = made.table(blocks)
    if blocks == "trajectory":
        assert left.keys() == whole.keys()  # its score is the mean over what is left
    else:
        assert left == {name: row for name, row in whole.items() if "SC1-a" not in name}
        assert 0 < len(left) < len(whole)


def test_what_drifts_is_found(store: AnswerStore) -> None:
    table = Repeats([STUDY], SETTINGS, KNOWN, Drifting(), store).table("case")
    assert friedman(list(table.values())).differ


def test_answers_that_are_missing_are_counted_and_not_asked(store: AnswerStore) -> None:
    agent = Drifting()
    more = replace(SETTINGS, samples=SAMPLES + 1)
    with pytest.raises(UsageProblem, match=r"of \d+ answers are not there, and this command asks"):
        Repeats([STUDY], more, KNOWN, agent, store)
    assert agent.heard == 0


def test_a_free_agent_needs_no_store_and_does_not_differ_from_itself(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["friedman", str(STUDY), "--agent=truth", "--sc=SC1-a,SC1-b", "--mr=MR2"]
    assert main(words) == 0
    assert "chi-square = 0, 4 degrees of freedom, p = 1, 2 blocks" in capsys.readouterr().out


def test_a_folder_without_answers_is_named_and_not_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "nowhere"
    words = ["friedman", str(STUDY), "--agent=gpt-4o", f"--cache-dir={folder}", "--top-p=none"]
    assert main(words) == 4
    assert f"there are no stored answers in {folder}" in capsys.readouterr().err
    assert not folder.exists()


@pytest.mark.parametrize("wrong", ["--samples=0", "--samples=x", "--blocks=day"])
def test_wrong_words_are_named(wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="4"):
        main(["friedman", str(STUDY), "--agent=truth", wrong])
    assert wrong.split("=", maxsplit=1)[0] in capsys.readouterr().err


def test_a_wrong_word_about_models_is_named_as_in_a_run(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["friedman", str(STUDY), "--agent=truth", "--top-p=2"]) == 4
    told = "metaspace: --metaspace-top-p 2: expected a number between 0 and 1.\n"
    assert capsys.readouterr().err == told
