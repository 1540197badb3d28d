"""What several samples come to: the majority, no side of a tie, and nothing that time can turn."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_metaspace.domain import Answer, Missing, Reading, Unreadable, Value
from pytest_metaspace.failures import DECLINED, kind_of
from pytest_metaspace.repeats import agree, elect

Said = tuple[Answer, Reading]


def says(word: str) -> Said:
    return Answer(raw=f"The answer is {word}."), Value(planar=word)


def tall(metres: float) -> Said:
    return Answer(raw=f"{metres} m"), Value(metres=metres)


def odd(text: str = "hm") -> Said:
    return Answer(raw=text), Unreadable(f"no direction in {text}")


def gone(kind: str = "timed out") -> Said:
    return Answer(raw=None, error=f"it {kind}", kind=kind), Missing(f"it {kind}")


REFUSED: Said = Answer(raw="no", trouble="refused"), Unreadable("the agent refused to answer")
DECLINES: Said = Answer(raw="Sorry, no."), Unreadable(DECLINED)
LEFT, RIGHT, NONE = says("left"), says("right"), says("none")


def elected(*said: Said) -> Answer:
    return elect([answer for answer, _ in said], [reading for _, reading in said])


def meaning(answer: Answer, said: tuple[Said, ...] | list[Said]) -> object:
    """Return what an elected answer means: the kind of its failure, or its value."""
    reading = next((r for a, r in said if a.raw == answer.raw), None)
    if answer.kind == "tied" or answer.raw is None:
        return answer.kind
    assert reading is not None
    return kind_of(answer, reading) or reading


@pytest.mark.parametrize(
    ("said", "comes_to"),
    [
        ([LEFT], LEFT[1]),
        ([LEFT, LEFT, RIGHT], LEFT[1]),
        ([RIGHT, LEFT, LEFT], LEFT[1]),
        ([LEFT, RIGHT, NONE, RIGHT, odd()], RIGHT[1]),  # two of five: ahead of every other
        ([LEFT, RIGHT], "tied"),
        ([LEFT, RIGHT, NONE], "tied"),
        ([LEFT, odd()], "tied"),
        ([LEFT, LEFT, RIGHT, RIGHT, NONE], "tied"),
        ([odd("a"), odd("b"), LEFT], "unreadable"),  # whatever the words were
        ([REFUSED, REFUSED, LEFT], "refused"),
        ([REFUSED, DECLINES, LEFT], "refused"),  # by the endpoint's flag or in words: one kind
        ([REFUSED, odd(), LEFT], "tied"),  # but refusing is not saying what cannot be read
        ([tall(1.0), tall(9.0), tall(2.0)], Value(metres=2.0)),
        ([tall(1.0), tall(2.0), tall(3.0), tall(4.0)], Value(metres=2.0)),
        ([tall(5.0), tall(5.0), tall(1.0)], Value(metres=5.0)),
        ([tall(1.0), tall(2.0), odd()], Value(metres=1.0)),
        ([tall(1.0), odd(), odd()], "unreadable"),
        ([tall(1.0), odd()], "tied"),
    ],
)
def test_what_samples_come_to(said: list[Said], comes_to: object) -> None:
    assert meaning(elected(*said), said) == comes_to


@pytest.mark.parametrize(
    ("said", "comes_to"),
    [
        ([gone()], "timed out"),
        ([gone(), gone("server error")], "timed out"),
        ([LEFT, gone()], "timed out"),  # the other might have said right
        ([LEFT, LEFT, gone()], LEFT[1]),  # two of three, whatever the third is
        ([gone(), LEFT, LEFT, RIGHT], "timed out"),
        ([LEFT, LEFT, LEFT, RIGHT, gone()], LEFT[1]),
        ([LEFT, LEFT, LEFT, RIGHT, gone(), gone("server error")], "timed out"),
        ([tall(1.0), tall(2.0), tall(3.0), gone()], "timed out"),  # the median could move
        ([tall(2.0), tall(2.0), tall(2.0), gone(), tall(1.0)], Value(metres=2.0)),
        ([odd(), odd(), gone()], "unreadable"),
    ],
)
def test_samples_without_an_answer_do_not_vote_and_are_not_guessed(
    said: list[Said], comes_to: object
) -> None:
    found = elected(*said)
    assert meaning(found, said) == comes_to
    if found.raw is None:
        assert found.error == f"it {comes_to}"


def test_a_tie_says_what_was_said_and_how_often() -> None:
    found = elected(RIGHT, LEFT, LEFT, REFUSED, RIGHT)
    assert found.error == (
        "the 5 samples of this question are tied: 'The answer is right.' (2), "
        "'The answer is left.' (2), refused (1)"
    )
    many = [says(word) for word in "abcdef"]
    assert (elected(*many).error or "").endswith("'The answer is d.' (1) and 2 more")


def test_the_samples_are_kept_in_order() -> None:
    said = [RIGHT, LEFT, odd(), LEFT]
    assert elected(*said).samples == tuple(answer for answer, _ in said)
    assert elected(LEFT, RIGHT).samples == (LEFT[0], RIGHT[0])


def test_the_elected_answer_is_the_first_that_said_so() -> None:
    first, second = (Answer(raw="LEFT"), LEFT[1]), (Answer(raw="left"), LEFT[1])
    assert elected(RIGHT, first, second).raw == "LEFT"
    assert elected(RIGHT, second, first).raw == "left"


VOTES = st.sampled_from([LEFT, RIGHT, NONE, odd("a"), odd("b"), REFUSED, DECLINES])
LENGTHS = st.one_of(
    st.sampled_from([0.5, 1.0, 1.5, 2.0]).map(tall), st.sampled_from([odd("a"), REFUSED])
)
SAMPLES = st.one_of(
    st.lists(VOTES, min_size=1, max_size=7), st.lists(LENGTHS, min_size=1, max_size=7)
)


@given(SAMPLES, st.randoms(use_true_random=False))
def test_the_order_of_the_samples_decides_nothing(said: list[Said], random: object) -> None:
    shuffled = list(said)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert meaning(elected(*said), said) == meaning(elected(*shuffled), shuffled)


@given(st.lists(VOTES, min_size=1, max_size=7))
def test_what_is_elected_has_more_votes_than_anything_else(said: list[Said]) -> None:
    votes = Counter(kind_of(*one) or one[1] for one in said)
    (top, most), *others = votes.most_common()
    lone = not others or others[0][1] < most
    assert meaning(elected(*said), said) == (top if lone else "tied")


@given(SAMPLES, st.integers(1, 3))
def test_a_decision_with_samples_missing_stands_when_they_come(
    said: list[Said], missing: int
) -> None:
    """A flaky endpoint may cost an answer, and never changes one."""
    seen, late = said[:-missing], said[-missing:]
    found = elected(*seen, *(gone() for _ in late))
    if found.kind != "timed out":
        assert meaning(found, said) == meaning(elected(*said), said)


@given(st.integers(1, 5), st.integers(0, 3))
def test_enough_equal_samples_are_a_decision_although_some_are_missing(
    equal: int, missing: int
) -> None:
    found = elected(*[LEFT] * equal, *[gone()] * missing)
    assert (found.raw is not None) == (equal > missing)


@given(SAMPLES)
def test_an_agent_agrees_with_itself_when_all_that_was_read_is_equal(said: list[Said]) -> None:
    votes = {kind_of(*one) or one[1] for one in said}
    found = agree([answer for answer, _ in said], [reading for _, reading in said])
    assert found == (None if len(said) == 1 else len(votes) == 1)
    if found:
        assert meaning(elected(*said), said) in votes


def test_words_do_not_make_a_difference_and_missing_samples_do_not_either() -> None:
    other = Answer(raw="left!"), LEFT[1]
    for said in permutations([LEFT, other, gone()]):
        assert agree([answer for answer, _ in said], [reading for _, reading in said]) is True
    assert agree([LEFT[0], gone()[0]], [LEFT[1], gone()[1]]) is None
    assert agree([tall(1.0)[0], tall(1.1)[0]], [tall(1.0)[1], tall(1.1)[1]]) is False
