"""What guessing and evading score on the cases of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_metaspace import pipeline, scoring
from pytest_metaspace.judgement import Judgement
from pytest_metaspace.summary import entry

if TYPE_CHECKING:
    from pytest_metaspace.ledger import Ledger

_AGENTS: Final = ("random", "collapsed")


def reference_scores(ledger: Ledger) -> dict[str, dict[str, float | None]]:
    """Return what guessing and evading score on the same cases, by agent and capability."""
    cases = list(ledger.selected.values())
    rows = {}
    with pipeline.oracle_for(ledger.registries, ledger.options.settings) as oracle:
        for name in _AGENTS:
            agent = ledger.registries.agent(name, ledger.options.root)
            asked = pipeline.ask(cases, ledger.trajectories, agent, None)
            judged = Judgement(asked.answers, ledger.trajectories, oracle).verdicts(cases)
            related = (verdict for verdict in judged if verdict.case.relation not in ledger.anchors)
            counts = scoring.count(map(entry, related))
            scores = scoring.by_capability(counts, ledger.options.settings.semantics)
            rows[name] = {score.name: score.value for score in scores}
            rows[name]["total"] = scoring.total(scores)
    return rows
