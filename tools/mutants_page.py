"""Writes docs/mutants.md: the faults as the code tells them, and what was measured of each.

``python tools/mutants_page.py`` writes the list and keeps the measured table; with ``--measure`` it
measures it anew on all shipped trajectories, which takes minutes. A test compares the list.
"""

from __future__ import annotations

import datetime as dt
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_metaspace import pipeline
from pytest_metaspace.agents.faults import FAULTS
from pytest_metaspace.detection import Study
from pytest_metaspace.domain import Settings
from pytest_metaspace.reports.detection import table

if TYPE_CHECKING:
    from pytest_metaspace.detection import Row

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "mutants.md"
SAMPLE = 0.1
_SCENARIOS = [name for name in ("household", "arm", "drone") if (ROOT / "fixtures" / name).is_dir()]
_BEGIN, _END = "<!-- measured -->\n", "<!-- end of measured -->\n"
_HEAD = f"""# What the relations catch

A test suite is worth what it catches. So we break an agent on purpose, {len(FAULTS)} times, each time in one way in which somebody really fails, and count who notices.

```text
metaspace mutants runs/                          # every mutant of the agent truth
metaspace mutants runs/ --agent gpt-4o           # of a model, from its stored answers; nothing is asked
metaspace mutants runs/ --faults noisy=0.05,mirrored --sample 0.2 --json
pytest --metaspace-agent=mutant:mirrored:truth runs/     # one of them as the agent under test
```

A mutant changes the world that is seen: what it claims agrees with what it answers, as with anybody who stands by an error. Only the last group, faults of answering, contradicts itself.
The **detection rate** of a relation is violated / decided. A mutant is **caught** when some case is violated that is not for the agent that it wraps. Cases are planned once, the agent is asked once, one engine judges; a trajectory takes seconds to a minute.

## Measured

"""
_TAIL = """
## What relations between answers cannot see

Mirror the world, turn it, scale it: whatever was consistent still is. **Relations between answers cannot see a symmetry of the world**, however many cases they have. Anchors can, since boxes, executed actions and ground truth do not turn along: run with `--metaspace-anchors=all`.

| mutant | why MR1 to MR6 cannot see it |
|---|---|
"""
_LIST = """
A fault that shows in few answers may go unseen for want of cases and not for a symmetry: `map-as-seen` and `frame-locked` need maps whose pictures were taken in different headings, `nearsighted` needs distances that differ widely, `confused` two things of one label, `upside-down` and `flat` a trajectory with `vertical`.

## The faults

Written out of the code by `python tools/mutants_page.py`; `metaspace mutants --list` prints the same.
"""
_GROUPS = {
    "mirrored": "Faults of direction",
    "nearsighted": "Faults of magnitude",
    "last-frame": "Faults of looking",
    "constant": "Faults of answering",
}


def page(measured: str | None = None) -> str:
    """Return the page, with what stands there as measured unless it is given."""
    if measured is None:
        measured = PAGE.read_text(encoding="utf-8").split(_BEGIN)[1].split(_END)[0]
    blind = "".join(
        f"| `{fault.name}` | {fault.symmetry} |\n" for fault in FAULTS.values() if fault.symmetry
    )
    parts = [_HEAD, _BEGIN, measured, _END, _TAIL, blind, _LIST]
    for fault in FAULTS.values():
        if fault.name in _GROUPS:
            parts.append(f"\n### {_GROUPS[fault.name]}\n\n")
        parts.append(f"- **`{fault.name}`** {fault.does}. {fault.who}\n")
    return "".join(parts)


def measure() -> str:
    """Return the measured part: a table for each scenario that ships."""
    registries = pipeline.Registries.built_in()
    parts = []
    for scenario in _SCENARIOS:
        study = Study(
            [ROOT / "fixtures" / scenario],
            Settings(sample=SAMPLE, anchors=frozenset({"all"})),
            registries,
            registries.agent("truth", ROOT),
            progress=lambda what: print(what, file=sys.stderr),
        )
        rows: list[Row] = list(study.rows(list(FAULTS.values())))
        names = [one.name for one in registries.relations if not one.anchored]
        anchors = [one.name for one in registries.relations if one.anchored]
        today = dt.datetime.now(tz=dt.timezone.utc).date()
        parts.append(
            f"`metaspace mutants fixtures/{scenario} --sample {SAMPLE:g}`, {len(study.cases):,} "
            f"cases, {today}. Percent of decided cases that are violated; a dot for none.\n\n"
            f"{table(rows, 'truth', names, anchors, 'github')}\n\n"
        )
    return "".join(parts)


if __name__ == "__main__":
    anew = measure() if "--measure" in sys.argv[1:] else None
    PAGE.write_text(page(anew), encoding="utf-8")
