"""Writes docs/derivations.md: three derivations of each relation, as a run prints them in full."""

from __future__ import annotations

from pathlib import Path

from pytest_metaspace import pipeline
from pytest_metaspace.domain import Outcome, Settings, Verdict
from pytest_metaspace.reports.derivation import lines

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "derivations.md"
AGENTS = ("mutant:off-by-one:truth", "mutant:yes-sayer:truth")
MIRRORED = "mutant:mirrored:truth"
ANCHORED = frozenset({"A1", "A2", "A3"})
_HEAD = """# Derivations, read aloud

Three of each relation, as `--metaspace-explain` prints them.
The agent is `mutant:off-by-one:truth`, which misses by one sector, one step or a tenth, and for
MR3 `mutant:yes-sayer:truth`, which confirms everything, and for the anchored relations
`mutant:mirrored:truth`, which no other relation sees; the trajectory is `study-01`.

How to read one: the headline names the case. The next line is the whole story, and says that the
answers *cannot all be true*; which of them is wrong, logic does not tell. An anchored relation
holds one answer against what was measured, executed or is known, and so knows. Below it stands the
proof. Each line rests on the lines that are indented under it, and ends in the line of the law
that it is an instance of, or in the answer that it is. Then come the questions, with the raw
answers and the pictures.

This page is written by `python tools/derivations_page.py`.
"""


def page() -> str:
    """Return the page."""
    study = [ROOT / "fixtures" / "household" / "study-01"]
    runs = [pipeline.run(study, agent, Settings()) for agent in AGENTS]
    runs.append(pipeline.run(study, MIRRORED, Settings(relations=ANCHORED)))
    found: dict[str, list[Verdict]] = {}
    for verdict in (verdict for run in runs for verdict in run.verdicts):
        if verdict.outcome is Outcome.VIOLATED:
            found.setdefault(verdict.case.relation, []).append(verdict)
    told = (*runs[0].by_relation, *runs[-1].by_anchor)
    titles = {score.name.split()[-1]: score.title for score in told}
    parts = [_HEAD]
    for relation in sorted(found, key=lambda name: (name in ANCHORED, name)):
        parts.append(f"\n## {relation} {titles[relation]}\n")
        parts += (
            "\n```text\n" + "\n".join(lines(verdict)) + "\n```\n"
            for verdict in _different(found[relation])[:3]
        )
    return "".join(parts)


def _different(verdicts: list[Verdict]) -> list[Verdict]:
    """Order verdicts so that those of different capabilities come first."""
    seen: dict[str, int] = {}
    ranked = []
    for verdict in verdicts:
        capability = verdict.case.capability.value
        seen[capability] = seen.get(capability, 0) + 1
        ranked.append((seen[capability], capability, verdict.case.id, verdict))
    return [entry[-1] for entry in sorted(ranked, key=lambda entry: entry[:3])]


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
