"""Hand-written tests: a function that asks for ``metaspace_case`` runs once for each case."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace.errors import MetaspaceError
from pytest_metaspace.ledger import ledger_of

if TYPE_CHECKING:
    from pytest_metaspace.domain import Case

_ALLOWED = ("sc", "mr", "trajectories")
_FIXTURE = "metaspace_case"


def parametrize(metafunc: pytest.Metafunc) -> None:
    """Give a function one parameter for each case that its mark selects.

    Raises:
        pytest.Collector.CollectError: the mark has a word that it does not know, or selects what
            is not there; shown without a traceback.
    """
    chosen = _mark(metafunc)
    ledger = ledger_of(metafunc.config)
    if ledger is None:
        _skip(metafunc, "metaspace: no agent to ask; add --metaspace-agent=NAME", "no-agent")
        return
    try:
        cases = _cases(metafunc, chosen)
    except MetaspaceError as problem:
        text = f"{metafunc.definition.nodeid}: {problem}"
        raise pytest.Collector.CollectError(text) from problem
    if not cases:
        _skip(metafunc, "metaspace: the mark and the options select no case", "no-case")
        return
    marks = {name: getattr(pytest.mark, name) for name in ledger.marks}
    metafunc.parametrize(
        _FIXTURE,
        [
            pytest.param(
                case,
                id=f"{case.capability}-{case.relation}-{case.id}",
                marks=[marks[n] for n in (case.capability.value, case.relation) if n in marks],
            )
            for case in cases
        ],
        indirect=True,
    )


def _skip(metafunc: pytest.Metafunc, reason: str, name: str) -> None:
    """Let a function be one skip that says why."""
    skipped = pytest.param(None, marks=pytest.mark.skip(reason=reason), id=name)
    metafunc.parametrize(_FIXTURE, [skipped], indirect=True)


def is_idle(item: pytest.Item) -> bool:
    """Whether an item has our mark and never gets a case."""
    fixtures = getattr(item, "fixturenames", None)
    return (
        fixtures is not None
        and item.get_closest_marker("metaspace") is not None
        and _FIXTURE not in fixtures
    )


def _mark(metafunc: pytest.Metafunc) -> dict[str, Any]:
    mark = metafunc.definition.get_closest_marker("metaspace")
    if mark is None:
        return {}
    unknown = sorted(set(mark.kwargs) - set(_ALLOWED))
    if mark.args or unknown:
        wrong = unknown[0] if unknown else repr(mark.args[0])
        raise pytest.Collector.CollectError(
            f"{metafunc.definition.nodeid}: the mark metaspace does not know {wrong}; allowed "
            f"are the keywords {', '.join(_ALLOWED)}."
        )
    return dict(mark.kwargs)


def _cases(metafunc: pytest.Metafunc, chosen: dict[str, Any]) -> list[Case]:
    from pytest_metaspace import pipeline

    ledger = ledger_of(metafunc.config)
    assert ledger is not None
    root = metafunc.config.rootpath
    places = chosen.get("trajectories")
    folders = [places] if isinstance(places, (str, Path)) else places
    paths = (
        [root / folder for folder in folders]
        if folders
        else list(ledger.options.extra_trajectories)
    )
    if not paths:
        raise MetaspaceError(
            "names no trajectories. Write @pytest.mark.metaspace(trajectories='runs/'), or set "
            "metaspace_trajectories in the ini file."
        )
    codes, names = _words(chosen.get("sc")), _words(chosen.get("mr"))
    marked = replace(ledger.options.settings, capabilities=codes, relations=names)
    pipeline.chosen(ledger.registries, marked)
    found = []
    for path in pipeline.find(paths, ledger.registries):
        found += [
            case
            for case in ledger.plan_of(path).cases
            if (not codes or case.capability.value in codes)
            and (not names or case.relation in names)
        ]
    return found


def _words(given: Any) -> frozenset[str]:
    if given is None:
        return frozenset()
    return frozenset([given]) if isinstance(given, str) else frozenset(given)


def case_of(item: pytest.Item) -> Case | None:
    """Return the case that a hand-written test was parametrized with, or None."""
    from pytest_metaspace.domain import Case as CaseClass

    callspec = getattr(item, "callspec", None)
    found = None if callspec is None else callspec.params.get(_FIXTURE)
    return found if isinstance(found, CaseClass) else None
