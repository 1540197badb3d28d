"""The gate on a quarantine: under strict nothing in it may have outlived its reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_metaspace.domain import GateResult

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_metaspace.domain import KnownState


def decide_quarantine(states: Sequence[KnownState], source: str) -> GateResult:
    """Decide the gate: it fails on entries that have expired or healed.

    Args:
        states: of each entry.
        source: the file.
    """
    expired = sum(state.expired for state in states)
    healed = sum(state.healed and not state.expired for state in states)
    counts = [(expired, "expired"), (healed, "healed")]
    stale = [f"{count} of {len(states)} {word}" for count, word in counts if count]
    told = (
        f"{', '.join(stale)}: remove or renew in {source}"
        if stale
        else f"none of {len(states)} entries has expired or healed"
    )
    return GateResult(
        name="quarantine",
        value=float(expired + healed),
        threshold=0.0,
        passed=not stale,
        sentence=f"quarantine: {told}",
    )
