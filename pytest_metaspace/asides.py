"""What hand-written tests need of the run around them: scores, and who answers questions."""

from __future__ import annotations

from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace import pipeline
from pytest_metaspace.desk import Caller, Desk
from pytest_metaspace.domain import Outcome
from pytest_metaspace.handles import MetaspaceScores
from pytest_metaspace.handwritten import cases_of
from pytest_metaspace.ledger import ledger_of
from pytest_metaspace.spot import Spot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_metaspace.domain import Query
    from pytest_metaspace.ledger import Ledger

DESK: pytest.StashKey[Desk] = pytest.StashKey()
"""On the config of a run with workers: where their questions are answered."""
_DESK = "metaspace_desk"


def scores(session: pytest.Session, ledger: Ledger) -> MetaspaceScores:
    """Return the scores of all selected cases; what is not settled yet, is now."""
    selected = [case for _, case in cases_of(session)]
    known = _outcomes(ledger)
    todo = [case for case in selected if case.address not in known]
    if todo and not session.config.getoption("setuponly", False):
        ledger.settle_rest()
        known = _outcomes(ledger)
    unsettled = Outcome.ERROR  # as its own report says of such a case
    run = pipeline.summarise_outcomes(
        agent=ledger.options.agent or "",
        settings=ledger.options.settings,
        registries=ledger.registries,
        trajectories=(),
        outcomes=(
            known.get(case.address, (case.capability.value, case.relation, unsettled))
            for case in {case.address: case for case in selected}.values()
        ),
        drops={},
        questions=0,
        thresholds={},
    )
    found = (*run.scores, *run.by_relation, *run.anchors, *run.by_anchor)
    return MetaspaceScores(found, run.total)


def _outcomes(ledger: Ledger) -> dict[str, tuple[str, str, Outcome]]:
    """Return what is known of cases by address, reported or only settled."""
    settled = {
        found.address: (found.capability, found.relation, Outcome(found.outcome))
        for found in ledger.findings.values()
    }
    return {**settled, **ledger.reported}


def asking(config: pytest.Config, ledger: Ledger) -> Spot | Caller:
    """Return what has questions answered: in a worker, the way to the process that asks."""
    worker = getattr(config, "workerinput", None)
    if worker is not None:
        address, key = worker[_DESK]
        return Caller(address, bytes.fromhex(key))
    return _spot(ledger)


def open_desk(node: Any) -> None:
    """Tell a worker where its questions are answered, by this process."""
    config: pytest.Config = node.config
    ledger = ledger_of(config)
    if ledger is None:
        return
    if DESK not in config.stash:
        spot = _spot(ledger)
        desk = Desk(lambda requests: _quietly(spot, requests), spot.close)
        config.stash[DESK] = desk
        config.add_cleanup(desk.close)
    desk = config.stash[DESK]
    node.workerinput[_DESK] = [desk.address, desk.key.hex()]


def _quietly(spot: Spot, requests: list[Any]) -> list[Any]:
    """Ask; what the agent prints goes to a test that asked, not between the dots."""
    with StringIO() as said, redirect_stdout(said), redirect_stderr(said):
        heard = spot.ask(requests)
        return [{**heard[0], "printed": said.getvalue()}, *heard[1:]]


def _spot(ledger: Ledger) -> Spot:
    def planned() -> Iterator[Query]:
        for case in ledger.selected.values():
            yield from case.queries

    return Spot(
        ledger.registries,
        ledger.agent,
        open_store=ledger.store,
        caps=ledger.caps,
        mode=ledger.options.answers,
        planned=planned,
        record=ledger.options.record,
        tell=ledger.enter_asked,
        prompting=ledger.options.settings.prompting,
    )
