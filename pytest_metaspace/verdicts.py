"""From the oracle's answer to a verdict with its derivation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_metaspace.domain import Derivation, Outcome, Step, Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_metaspace.domain import Case, Evidence


def verdict(case: Case, found: Mapping[str, Any], evidence: tuple[Evidence, ...] = ()) -> Verdict:
    """Return what the oracle said of a case, as a verdict.

    Args:
        case: the case that was judged.
        found: the oracle's record: ``verdict``, and ``derivation`` or ``reason``.
        evidence: questions and raw answers in the order of the case's queries.
    """
    tree = found.get("derivation")
    derivation = None
    if tree is not None:
        derivation = Derivation(summary=tree.get("summary", ""), root=step(tree))
    reason = found.get("reason") or (derivation.summary if derivation else "")
    return Verdict(
        case=case,
        outcome=Outcome(found["verdict"]),
        reason=reason,
        derivation=derivation,
        evidence=evidence,
    )


def step(tree: Mapping[str, Any]) -> Step:
    """Return a node of a derivation with everything below it."""
    return Step(
        goal=tree["goal"],
        because=tree["because"],
        source=tree["source"],
        children=tuple(step(child) for child in tree["children"]),
        observation=tree.get("observation"),
    )
