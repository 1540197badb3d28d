"""From the answers of several samples to the one that a question comes to.

What counts is what was read, not how it was worded. Where that leaves no doubt the most frequent
answer is taken. A tie is no answer: whichever side was picked could accuse an agent that gave the
other as often, and only an answer can.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_metaspace import failures
from pytest_metaspace.answers import read, troubled
from pytest_metaspace.domain import Answer, Missing, Reading, Unreadable, Value
from pytest_metaspace.prompts.words import one_line
from pytest_metaspace.questions import answer_format

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_metaspace.domain import Prompting, Query, Trajectory

_LONGEST = 40
_MOST = 4
_LENGTH = "a length in metres"

_Vote = "Value | str"


def reading_of(
    answer: Answer | None, query: Query, trajectory: Trajectory, prompting: Prompting = "direct"
) -> Reading:
    """Return what an answer to a query says, or why it says nothing."""
    if answer is None:
        return Missing("this question was not asked")
    if answer.kind == failures.TIED:
        return Unreadable(answer.error or "the samples are tied")
    if answer.raw is None:
        return Missing(answer.error or "there is no answer")
    if answer.trouble is not None:
        return troubled(answer.trouble)
    return read(answer.raw, answer_format(query, trajectory, prompting))


def elect(samples: Sequence[Answer], readings: Sequence[Reading]) -> Answer:
    """Return the answer that samples of one question come to, with the samples in it.

    Votes are what was read; each kind of failure among received answers is a vote too. Lengths in
    metres are many and hardly ever equal, so they vote as one, and the median of them is taken
    (of an even number the lesser of the two in the middle), which is the length that more than
    half of the samples name where there is one. Samples that got no answer do not vote: where
    they could still change the result there is none, so that the same samples asked later never
    turn a verdict round.

    Args:
        samples: in order of their index, at least one.
        readings: what each of them says.

    Returns:
        One of the samples; or, of kind ``tied``, none of them and the reason.
    """
    kept = tuple(samples)
    missing = [one for one, said in zip(samples, readings) if isinstance(said, Missing)]
    voted = [
        (one, said, _vote(one, said))
        for one, said in zip(samples, readings)
        if not isinstance(said, Missing)
    ]
    counted = Counter(_class(vote) for _, _, vote in voted).most_common()
    lead = counted[0][1] - (counted[1][1] if len(counted) > 1 else 0) if counted else 0
    if missing and (lead <= len(missing) or not _is_sure(voted, counted[0][0], len(samples))):
        return replace(missing[0], samples=kept)
    if not lead:
        return Answer(raw=None, error=_tie(voted), kind=failures.TIED, samples=kept)
    ahead = [(one, said) for one, said, vote in voted if _class(vote) == counted[0][0]]
    return replace(_middle(ahead), samples=kept)


def agree(samples: Sequence[Answer], readings: Sequence[Reading]) -> bool | None:
    """Return whether the samples that were received are all equal; None for fewer than two."""
    votes = [_vote(a, r) for a, r in zip(samples, readings) if not isinstance(r, Missing)]
    return len(set(votes)) == 1 if len(votes) > 1 else None


def elected(
    drawn: Mapping[Query, Sequence[Answer]],
    trajectories: Mapping[str, Trajectory],
    prompting: Prompting = "direct",
    alike: dict[Query, bool] | None = None,
) -> tuple[dict[Query, Answer], dict[str, tuple[int, int]]]:
    """Return what each question comes to, and how often the agent disagrees with itself.

    Args:
        drawn: the samples of each question.
        trajectories: by id.
        prompting: how the questions were put.
        alike: takes whether the samples of a question are all equal, where there are two or more.

    Returns:
        Answers by query; and by capability how many questions have samples that are not all
        equal, of how many with two answers or more.
    """
    answers: dict[Query, Answer] = {}
    differing: Counter[str] = Counter()
    compared: Counter[str] = Counter()
    for query, samples in drawn.items():
        trajectory = trajectories[query.trajectory]
        readings = [reading_of(one, query, trajectory, prompting) for one in samples]
        answers[query] = elect(samples, readings)
        equal = agree(samples, readings)
        if equal is not None:
            compared[query.capability.value] += 1
            differing[query.capability.value] += not equal
            if alike is not None:
                alike[query] = equal
    return answers, {code: (differing[code], count) for code, count in compared.items()}


def nth(answers: Mapping[Query, Answer], sample: int) -> dict[Query, Answer]:
    """Return the answers of one sample alone, as if it were a run of its own."""
    return {
        query: answer.samples[sample] if answer.samples else answer
        for query, answer in answers.items()
    }


def _vote(answer: Answer, reading: Reading) -> Value | str:
    """Return what an answer votes for: the value that it says, or the kind of its failure."""
    kind = failures.kind_of(answer, reading)
    if kind is not None:
        return kind
    assert isinstance(reading, Value)
    return reading


def _class(vote: Value | str) -> Value | str:
    """Return with which votes a vote is counted."""
    return _LENGTH if isinstance(vote, Value) and vote.metres is not None else vote


def _middle(ahead: Sequence[tuple[Answer, Reading]]) -> Answer:
    """Return the answer with the median length; the first of answers that are equal."""

    def size(one: tuple[Answer, Reading]) -> float:
        return one[1].metres or 0.0 if isinstance(one[1], Value) else 0.0

    ordered = sorted(ahead, key=size)
    length = size(ordered[(len(ordered) - 1) // 2])
    return next(answer for answer, said in ahead if size((answer, said)) == length)


def _is_sure(
    voted: Sequence[tuple[Answer, Reading, Value | str]], ahead: Value | str, samples: int
) -> bool:
    """Whether the median is certain although samples are missing: one length has over half."""
    if ahead != _LENGTH:
        return True
    (_, most), *_ = Counter(vote for _, _, vote in voted if _class(vote) == _LENGTH).most_common()
    return 2 * most > samples


def _tie(voted: Sequence[tuple[Answer, Reading, Value | str]]) -> str:
    """Return the reason of a tie: what the samples say, and how many say it."""
    counted = Counter(_class(vote) for _, _, vote in voted).most_common()
    first = {_class(vote): one for one, _, vote in reversed(voted)}
    told = [f"{_said(vote, first[vote])} ({count})" for vote, count in counted[:_MOST]]
    more = f" and {len(counted) - _MOST} more" if len(counted) > _MOST else ""
    return f"the {len(voted)} samples of this question are tied: {', '.join(told)}{more}"


def _said(vote: Value | str, answer: Answer) -> str:
    return vote if isinstance(vote, str) else ascii(one_line(answer.raw or "", _LONGEST))
