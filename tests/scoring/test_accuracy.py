"""Accuracy on suites equals a count of our own, and is told beside what guessing brings."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_metaspace.domain import Gain, Interval, Key, Outcome, mean_of_tasks
from pytest_metaspace.scoring import Intervals, _gains, accuracy
from pytest_metaspace.scoring._intervals import linearised

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_metaspace.scoring.accuracy import Marked

    Said = tuple[str, str | None]  # true answer, and what was said


def marked(said: Sequence[Said], task: str = "TST-fold", **known: Any) -> list[Marked]:
    found = []
    for place, (true, answer) in enumerate(said):
        outcome = Outcome.INVALID
        if answer is not None:
            outcome = Outcome.SATISFIED if answer == true else Outcome.VIOLATED
        key = Key(answer=true, **{"options": 2, **known})
        found.append((f"t{place // 3}::{task}::TST-ACC::q{place}", key, outcome))
    return found


YES_NO = st.lists(
    st.tuples(st.sampled_from(["yes", "no"]), st.sampled_from(["yes", "no", None])),
    min_size=1,
    max_size=30,
)


@given(YES_NO)
def test_accuracy_equals_an_independent_count(said: list[Said]) -> None:
    (found,) = accuracy.by_task(marked(said))
    right = [true == answer for true, answer in said]
    hits = sum(true == answer == "yes" for true, answer in said)
    false = sum(true == "no" and answer == "yes" for true, answer in said)
    yes = sum(true == "yes" for true, _ in said)
    kinds = {true for true, _ in said}
    each = [[a == t for t, a in said if t == kind] for kind in kinds]
    most = max(yes, len(said) - yes)
    assert (found.questions, found.right) == (len(said), sum(right))
    assert found.balanced == pytest.approx(sum(sum(one) / len(one) for one in each) / len(each))
    if yes:
        assert found.f1 == pytest.approx(2 * hits / (hits + false + yes) if hits else 0)
        assert found.yes_f1 == pytest.approx(2 * yes / (len(said) + yes))
    else:  # precision and recall are of nothing
        assert (found.f1, found.yes_f1) == (None, None)
    assert found.constant_accuracy == pytest.approx(most / len(said))
    assert found.normalised == pytest.approx((found.accuracy - 0.5) / 0.5)
    assert found.interval is None


def test_who_says_yes_to_everything_has_a_good_f1_and_no_balanced_accuracy() -> None:
    (found,) = accuracy.by_task(marked([("yes", "yes"), ("no", "yes")] * 10))
    assert found.f1 == found.yes_f1 == pytest.approx(2 / 3)
    assert found.balanced == found.constant_accuracy == found.chance == 0.5
    assert found.normalised == 0


def test_probes_are_in_no_mean_over_tasks() -> None:
    own = accuracy.by_task(marked([("A", "A")], options=4, lettered=True))
    probe = accuracy.by_task(marked([("A", "B")], options=4, lettered=True, probe=True))
    assert [one.probe for one in (*own, *probe)] == [False, True]
    assert mean_of_tasks([*own, *probe]) == 1.0
    assert mean_of_tasks(probe) is None


def test_numbers_have_no_chance_and_letters_no_f1() -> None:
    (counted,) = accuracy.by_task(marked([("3", "3"), ("3", "2"), ("0", "0")], options=0))
    told = (counted.chance, counted.balanced, counted.f1, counted.normalised)
    assert told == (None, None, None, None)
    assert (counted.constant, counted.constant_accuracy) == ("3", 2 / 3)
    (lettered,) = accuracy.by_task(marked([("A", "A"), ("B", "C")], options=4, lettered=True))
    assert (lettered.f1, lettered.yes_f1, lettered.chance) == (None, None, 0.25)
    mixed = marked([("A", "A")], options=4) + marked([("B", "B")], options=2)
    assert accuracy.by_task(mixed)[0].chance == 0.375


def test_of_equal_constants_the_first_by_name_is_told() -> None:
    (found,) = accuracy.by_task(marked([("after", None), ("before", None)], options=3))
    assert found.constant == "after"


def test_what_has_no_answer_counts_for_nothing() -> None:
    one, other = marked([("yes", "yes"), ("no", "no")])
    assert accuracy.by_task([(other[0], other[1], Outcome.ERROR)]) == ()
    (found,) = accuracy.by_task([one, (other[0], other[1], Outcome.ERROR)])
    assert (found.questions, found.right) == (1, 1)


def test_the_mean_of_tasks_weighs_each_the_same() -> None:
    many = marked([("yes", "yes")] * 9 + [("no", "yes")])
    few = marked([("3", "2")], task="TST-count", options=0)
    tasks = accuracy.by_task(many + few)
    assert [one.task for one in tasks] == ["TST-count", "TST-fold"]
    assert mean_of_tasks(tasks) == pytest.approx(0.45)
    assert mean_of_tasks(tasks, of_f1=True) == pytest.approx((0 + 18 / 19) / 2)
    assert mean_of_tasks(()) is None


def test_slices_are_counted_in_the_order_of_their_numbers() -> None:
    some = [
        one
        for frames, answers in (("16", "yn"), ("8", "yyn"), ("all", "y"))
        for one in marked(
            [("yes", {"y": "yes", "n": "no"}[answer]) for answer in answers],
            slices={"frames": frames, "same": "everywhere"},
        )
    ]
    (found,) = accuracy.by_task(some, {})
    told = [(one.key, one.value, one.questions, one.right) for one in found.slices]
    assert told == [("frames", "8", 3, 2), ("frames", "16", 2, 1), ("frames", "all", 1, 1)]


def pairs(kinds: Sequence[tuple[bool, bool]]) -> list[Marked]:
    found = []
    for place, both in enumerate(kinds):
        for side, right in zip(("with", "without"), both):
            known: dict[str, Any] = {"slices": {"simulation": side}, "twin": f"pair {place}"}
            (one,) = marked([("yes", "yes" if right else "no")], **known)
            found.append((f"t{place} {side}{one[0][2:]}", *one[1:]))
    return found


@settings(max_examples=60)
@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40))
def test_a_gain_is_the_difference_of_the_same_questions(kinds: list[tuple[bool, bool]]) -> None:
    (alone,) = marked([("yes", "no")], slices={"simulation": "with"}, twin="nobody's")
    (found,) = accuracy.by_task([*pairs(kinds), ("alone::TST-fold::TST-ACC::q", *alone[1:])])
    gain = found.gain
    assert gain is not None
    assert gain.pairs == len(kinds)
    assert gain.difference == pytest.approx(sum(a - b for a, b in kinds) / len(kinds))
    assert -1 <= gain.low <= gain.difference <= gain.high <= 1
    assert gain.low < gain.high
    (turned,) = accuracy.by_task(pairs([(b, a) for a, b in kinds]))
    assert turned.gain is not None
    assert turned.gain.low == pytest.approx(-gain.high)


def test_the_interval_of_a_gain_covers_what_is_true() -> None:
    rng = random.Random(5)
    covered = 0
    for _ in range(500):
        shared = [rng.random() for _ in range(40)]  # hard and easy questions: the two ways go along
        both = [(one < 0.75, (one + rng.random() * 0.3) % 1 < 0.55) for one in shared]
        counts = [both.count(kind) for kind in ((True, True), (True, False), (False, True))]
        a, b, c = counts
        low, high = _gains.paired(a, b, c, 40 - sum(counts))
        covered += low <= 0.2 <= high
    assert 0.93 <= covered / 500 <= 1


def of_items(items: Sequence[Sequence[tuple[bool, bool]]]) -> Gain:
    """Return the gain over items with several questions each, of which each is put both ways."""
    found = []
    for place, kinds in enumerate(items):
        for number, both in enumerate(kinds):
            for side, right in zip(("with", "without"), both):
                key = Key(
                    answer="yes",
                    options=2,
                    slices={"simulation": side},
                    twin=f"puzzle {place} question {number}",
                )
                address = f"p{place}-{side}::TST-fold::TST-ACC::q{number}"
                found.append((address, key, Outcome.SATISFIED if right else Outcome.VIOLATED))
    (told,) = accuracy.by_task(found)
    assert told.gain is not None
    return told.gain


def test_the_interval_of_a_gain_covers_what_is_true_where_items_have_several_questions() -> None:
    rng = random.Random(8)
    covered, asked = 0, 400
    for _ in range(asked):
        items = []
        for _ in range(20):
            gains = rng.random() < 0.3  # an item is eased by pictures, with all its questions
            shared = [(rng.random() < 0.6) for _ in range(6)]
            items.append([(one or gains, one) for one in shared])
        gain = of_items(items)
        covered += gain.low <= 0.3 * 0.4 <= gain.high
    assert 0.92 <= covered / asked <= 1  # 0.76 if each question were a pair of its own


def test_questions_of_one_item_tell_as_much_as_one_where_they_go_along() -> None:
    once = of_items([[(place % 2 == 0, place % 4 == 1)] for place in range(40)])
    often = of_items([[(place % 2 == 0, place % 4 == 1)] * 6 for place in range(40)])
    assert often.pairs == 6 * once.pairs
    assert often.difference == pytest.approx(once.difference)
    assert (often.low, often.high) == pytest.approx((once.low, once.high), abs=0.02)
    alone = of_items([[(True, False)] * 50])
    single = of_items([[(True, False)]])
    assert (alone.low, alone.high) == (single.low, single.high)


def test_where_no_pair_differs_the_questions_of_items_are_not_taken_for_independent() -> None:
    apart = of_items([[(True, True)]] * 60)
    together = of_items([[(True, True)] * 6] * 10)
    assert together.low < apart.low - 0.02
    assert together.high > apart.high + 0.02


def test_an_interval_by_linearisation_is_that_by_resampling() -> None:
    rng = random.Random(3)
    counts, clusters = {}, []
    for place in range(40):
        skill, asked = rng.random(), rng.randrange(1, 12)
        right = sum(rng.random() < skill for _ in range(asked))
        clusters.append((right, asked))
        counts[f"t{place}", "TST-a", "TST-ACC", Outcome.SATISFIED] = right
        counts[f"t{place}", "TST-a", "TST-ACC", Outcome.VIOLATED] = asked - right
    drawn = Intervals(counts, "sound").of(lambda *_: True)
    found = linearised(clusters)
    assert isinstance(drawn, Interval)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((drawn.low, drawn.high), abs=0.02)
    assert linearised([(1, 2)]) is None
