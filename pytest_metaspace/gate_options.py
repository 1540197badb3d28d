"""Options of gates: what is good enough, and what they may pass over."""

from __future__ import annotations

from typing import get_args

from pytest_metaspace.domain import Policy
from pytest_metaspace.option import Option

GATE_OPTIONS = (
    Option(
        name="fail-under",
        metavar="[NAME=]SCORE",
        help="Gate: fail the run below this total, or below this score of a capability, a "
        "relation, a scenario or what they have in common, as in 0.5, SC2-a=0.4, MR1=0.5, "
        "drone=0.6 or drone/SC1-a=0.5; or of a suite: EMB-ACC=0.5 is accuracy on all its tasks, "
        "EMB-far=0.5 on one of them, EMB-ORDER=0.9 one of its relations, EMB-far/EMB-ORDER=0.9 "
        "that on one task. Can be given several times.",
        many=True,
    ),
    Option(
        name="gate",
        metavar="POLICY",
        help="What gates go by: point, the score itself; or its 95 % interval over trajectories: "
        "confident-fail fails a run only where all of it lies below the threshold, confident-pass "
        "passes one only where none of it does (default: point)",
        default="point",
        choices=get_args(Policy),
    ),
    Option(
        name="max-invalid",
        metavar="[KIND=]SHARE",
        help="Gate: fail the run when more than this share of the distinct questions has an "
        "invalid answer, or fails in one way, as in 2% or refused=1%. Can be given several "
        "times.",
        many=True,
    ),
    Option(
        name="allow",
        metavar="WHAT",
        help="Let gates pass in spite of what a run lacks: errors, deselected cases, a sampled "
        "run, or capabilities with less than half of their cases decided (undecided)",
        many=True,
    ),
)
