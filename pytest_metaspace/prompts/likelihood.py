"""Likelihoods: nothing is written; a model's likeliest option is its answer.

Only questions of suites with options in words are put like this. All others are put directly: who
is to write a number has no options to be weighed.
"""

from __future__ import annotations

from pytest_metaspace.prompts import direct
from pytest_metaspace.prompts._strategy import Strategy

STRATEGY = Strategy(
    name="likelihood",
    summary="nothing; the likeliest option is the answer (questions of suites with options)",
    write=direct.write,
    weighed=True,
)
