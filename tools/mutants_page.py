"""Writes docs/mutants.md: the faults as the code tells them, and what was measured of each.

``python tools/mutants_page.py`` writes the list and keeps the measured tables; named scenarios, as in
``python tools/mutants_page.py arm drone``, are measured anew, which takes minutes. A test compares
the list.
"""

from __future__ import annotations

import datetime as dt
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_metaspace import pipeline
from pytest_metaspace.agents.faults import FAULTS
from pytest_metaspace.detection import Study
from pytest_metaspace.domain import Settings
from pytest_metaspace.reports.detection import table

if TYPE_CHECKING:
    from collections.abc import Collection

    from pytest_metaspace.detection import Row

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "mutants.md"
SAMPLES = {"household": 0.1, "arm": 0.05, "drone": 0.05}
"""By scenario the share of cases that is measured."""
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
Most faults are of what a robot sees, and nobody with one can be asked about items of [suites](suites.md): a run of items alone is refused. `random` and `first-option` answer those too; `yes-sayer` and `no-sayer` answer them as the agent that they wrap, as no item is a claim.
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
Others they see only by the angles of triangles, so only where distances are told along the ground (`distance_metric: planar`, most of the household); in space MR4 knows no angles, and drone and arm show these to anchors alone:

| mutant | why distances in space do not give it away |
|---|---|
| `nearsighted`, `saturated` | The root of a distance, and a distance that is capped, keep every triangle inequality. |
| `four-way` | What lies between two directions still does when all are rounded alike. |
| `picture-plane` | Places on a picture compose as places on the ground do. |

The rest goes unseen for want of cases and not for a symmetry: `map-as-seen` and `frame-locked` need maps whose pictures were taken in different headings (a camera that stays has one), `last-frame` and `late` walks of several headings or things seen from near and far, `collapsed` a thing whose depth changes by more than the tolerance of MR5, `confused` two things of one label, `upside-down` and `flat` a trajectory with `vertical`.

## The faults

Written out of the code by `python tools/mutants_page.py`; `metaspace mutants --list` prints the same.
"""
_GROUPS = {
    "mirrored": "Faults of direction",
    "nearsighted": "Faults of magnitude",
    "last-frame": "Faults of looking",
    "constant": "Faults of answering",
}


def page(told: str | None = None) -> str:
    """Return the page, with what stands there as measured unless it is given."""
    if told is None:
        told = measured(())
    blind = "".join(
        f"| `{fault.name}` | {fault.symmetry} |\n" for fault in FAULTS.values() if fault.symmetry
    )
    parts = [_HEAD, _BEGIN, told, _END, _TAIL, blind, _LIST]
    for fault in FAULTS.values():
        if fault.name in _GROUPS:
            parts.append(f"\n### {_GROUPS[fault.name]}\n\n")
        parts.append(f"- **`{fault.name}`** {fault.does}. {fault.who}\n")
    return "".join(parts)


def measured_anew(scenario: str) -> str:
    """Return the measured part of a scenario that ships."""
    registries = pipeline.Registries.built_in()
    study = Study(
        [ROOT / "fixtures" / scenario],
        Settings(sample=SAMPLES[scenario], anchors=frozenset({"all"})),
        registries,
        registries.agent("truth", ROOT),
        progress=lambda what: print(what, file=sys.stderr),
    )
    rows: list[Row] = list(study.rows(list(FAULTS.values())))
    names = [one.name for one in registries.relations if not one.anchored]
    anchors = [one.name for one in registries.relations if one.anchored]
    today = dt.datetime.now(tz=dt.timezone.utc).date()
    return (
        f"{_beginning(scenario)} --sample {SAMPLES[scenario]:g}`, {len(study.cases):,} cases, "
        f"{today}. Percent of decided cases that are violated; a dot for none.\n\n"
        f"{table(rows, 'truth', names, anchors, 'github')}\n\n"
    )


def _beginning(scenario: str) -> str:
    return f"`metaspace mutants fixtures/{scenario}"


def measured(anew: Collection[str]) -> str:
    """Return what stands in the page as measured, some scenarios of it measured anew."""
    page_now = PAGE.read_text(encoding="utf-8")
    now = page_now.split(_BEGIN)[1].split(_END)[0]
    blocks = [
        block for block in re.split(r"(?=^`metaspace mutants )", now, flags=re.MULTILINE) if block
    ]
    kept = {name: block for name in SAMPLES for block in blocks if _beginning(name) + " " in block}
    for name in anew:
        kept[name] = measured_anew(name)
    return "".join(kept[name] for name in SAMPLES if name in kept)


if __name__ == "__main__":
    PAGE.write_text(page(measured(sys.argv[1:])), encoding="utf-8")
