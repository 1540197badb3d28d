"""The faults that a mutant can have, by what goes wrong; each says who really fails so."""

from __future__ import annotations

from pytest_metaspace.agents.faults import answering, directions, looking, magnitudes
from pytest_metaspace.agents.faults._fault import Fault
from pytest_metaspace.errors import UsageProblem, unknown

FAULTS = {
    fault.name: fault
    for fault in (*directions.FAULTS, *magnitudes.FAULTS, *looking.FAULTS, *answering.FAULTS)
}
"""Every fault by its name, in the order in which they are listed."""
_USE = "Write mutant:FAULT:AGENT; metaspace mutants --list says what each is."


def fault_of(spelled: str) -> Fault:
    """Return the fault of a name, as in ``mirrored``, or with a rate, as in ``noisy=0.1``.

    Raises:
        UsageProblem: there is none, or its rate is none.
    """
    name, equals, rate = spelled.partition("=")
    if name not in FAULTS:
        raise unknown("fault", name, FAULTS, hint=_USE)
    fault = FAULTS[name]
    if not equals:
        return fault
    if fault.at is None:
        rated = " or ".join(f"{one.name}=0.1" for one in FAULTS.values() if one.at is not None)
        raise UsageProblem(
            f"metaspace: fault {name!r} has no rate, so {spelled!a} is none; write {name}, or "
            f"{rated}."
        )
    try:
        value = float(rate)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise UsageProblem(
            f"metaspace: fault {name!r}: {rate!a} is no rate; write a number from 0 to 1, as in "
            f"{name}=0.1."
        )
    return fault.at(value)


__all__ = ["FAULTS", "Fault", "fault_of"]
