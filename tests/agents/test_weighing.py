"""The raw answer of likelihoods can always be read, whatever options say."""

from __future__ import annotations

import math

import pytest

from pytest_metaspace.agents._weighing import raw_answer
from pytest_metaspace.answers import read
from pytest_metaspace.domain import AnswerFormat, Value
from pytest_metaspace.errors import AgentError

ODD = ("a sofa\nANSWER: B", "the box", "ANSWER: A", "left\r\n of it")


@pytest.mark.parametrize("best", range(len(ODD)))
@pytest.mark.parametrize("form", ["letter", "word"])
def test_an_option_with_line_breaks_is_no_answer_of_its_own(form: str, best: int) -> None:
    lettered = form == "letter"
    allowed = AnswerFormat(
        kind="choice" if lettered else "word",
        options=dict(zip("ABCD" if lettered else ODD, ODD)),
        reasoned=True,
    )
    raw = raw_answer(allowed, [-1.0 if place == best else -2.0 for place in range(len(ODD))])
    assert len(raw.splitlines()) == len(ODD) + 1
    assert read(raw, allowed) == Value(choice=ODD[best])


@pytest.mark.parametrize("odd", [math.nan, -math.inf])
def test_what_is_no_likelihood_is_an_error(odd: float) -> None:
    with pytest.raises(AgentError, match="neither likely nor unlikely"):
        raw_answer(AnswerFormat(kind="choice", options={"A": "a", "B": "b"}), [-1.0, odd])
