"""Hand-written tests: a function that asks for ``metaspace_case`` runs once for each case."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace import items, protocols
from pytest_metaspace.errors import MetaspaceError
from pytest_metaspace.ledger import ledger_of
from pytest_metaspace.options import NO_AGENT
from pytest_metaspace.registering import registered

if TYPE_CHECKING:
    from pytest_metaspace.domain import Case, Trajectory

ParameterSet = Any
"""What ``pytest.param`` returns; pytest has no public name for it."""

_ALLOWED = ("sc", "mr", "trajectories")
_CASE = "metaspace_case"
_TRAJECTORY = "metaspace_trajectory"
_ASKING = frozenset({"metaspace_agent", "metaspace_scores"})
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST_ID = 80
_LOADED: pytest.StashKey[dict[Path, Trajectory]] = pytest.StashKey()
"""On the config: trajectories of functions that ask for no case, each loaded once."""


def parametrize(metafunc: pytest.Metafunc) -> None:
    """Give a function one parameter for each case, or each trajectory, that its mark selects.

    Raises:
        pytest.Collector.CollectError: the mark has a word that it does not know, or selects what
            is not there; shown without a traceback.
    """
    chosen = _mark(metafunc)
    of_cases = _CASE in metafunc.fixturenames
    fixture = _CASE if of_cases else _TRAJECTORY
    needs_agent = of_cases or not _ASKING.isdisjoint(metafunc.fixturenames)
    if needs_agent and ledger_of(metafunc.config) is None:
        _skip(metafunc, fixture, NO_AGENT, "no-agent")
        return
    try:
        found = _cases(metafunc, chosen) if of_cases else _trajectories(metafunc, chosen)
    except MetaspaceError as problem:
        text = f"{metafunc.definition.nodeid}: {problem}"
        raise pytest.Collector.CollectError(text) from problem
    if not found:
        _skip(metafunc, fixture, "metaspace: the mark and the options select no case", "no-case")
        return
    metafunc.parametrize(fixture, found, indirect=True)


def _parameter(case: Case, known: frozenset[str]) -> ParameterSet:
    """Return a case as a parameter with the marks and the id of its capability and relation."""
    names = {case.capability.value, case.relation} & known
    marks = [getattr(pytest.mark, name) for name in sorted(names)]
    return pytest.param(case, id=f"{case.capability}-{case.relation}-{case.id}", marks=marks)


def _skip(metafunc: pytest.Metafunc, fixture: str, reason: str, name: str) -> None:
    """Let a function be one skip that says why."""
    skipped = pytest.param(None, marks=pytest.mark.skip(reason=reason), id=name)
    metafunc.parametrize(fixture, [skipped], indirect=True)


def is_idle(item: pytest.Item) -> bool:
    """Whether an item has our mark and never gets a case or a trajectory."""
    fixtures = getattr(item, "fixturenames", None)
    return (
        fixtures is not None
        and item.get_closest_marker("metaspace") is not None
        and {_CASE, _TRAJECTORY}.isdisjoint(fixtures)
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


def _cases(metafunc: pytest.Metafunc, chosen: dict[str, Any]) -> list[ParameterSet]:
    from pytest_metaspace import pipeline

    ledger = ledger_of(metafunc.config)
    assert ledger is not None
    codes, names = _words(chosen, "sc"), _words(chosen, "mr")
    paths = _paths(metafunc, chosen)
    marked = replace(ledger.options.settings, capabilities=codes, relations=names)
    pipeline.chosen(ledger.registries, marked)
    return [
        _parameter(case, ledger.marks)
        for path in pipeline.find(paths, ledger.registries)
        for case in ledger.plan_of(path).cases
        if (not codes or case.capability.value in codes) and (not names or case.relation in names)
    ]


def _trajectories(metafunc: pytest.Metafunc, chosen: dict[str, Any]) -> list[ParameterSet]:
    from pytest_metaspace import pipeline

    idle = sorted(set(chosen) - {"trajectories"})
    if idle:
        raise MetaspaceError(
            f"the mark metaspace chooses cases with {idle[0]}, and the test asks for none. Add "
            f"the argument metaspace_case, or leave {idle[0]} out."
        )
    config = metafunc.config
    ledger = ledger_of(config)
    registries = registered(config) if ledger is None else ledger.registries
    loaded = config.stash.setdefault(_LOADED, {})
    found: dict[str, Trajectory] = {}
    for path in pipeline.find(_paths(metafunc, chosen), registries):
        if path not in loaded:
            loaded[path] = registries.load(path)
        pipeline.add(found, loaded[path])
    return [
        pytest.param(one, id=_UNSAFE.sub("-", name)[:_LONGEST_ID]) for name, one in found.items()
    ]


def _paths(metafunc: pytest.Metafunc, chosen: dict[str, Any]) -> list[Path]:
    config = metafunc.config
    places = chosen.get("trajectories")
    folders = [places] if isinstance(places, (str, Path)) else places
    if folders:
        return [config.rootpath / folder for folder in folders]
    paths = [Path(path) for path in config.getini("metaspace_trajectories")]
    if not paths:
        raise MetaspaceError(
            "names no trajectories. Write @pytest.mark.metaspace(trajectories='runs/'), or set "
            "metaspace_trajectories in the ini file."
        )
    return paths


def _words(chosen: dict[str, Any], keyword: str) -> frozenset[str]:
    """Return the codes or names that a keyword of the mark chooses; none choose all."""
    given = chosen.get(keyword)
    words = [given] if isinstance(given, str) else [] if given is None else given
    if not isinstance(words, Iterable) or not all(isinstance(word, str) for word in words):
        example = {"sc": "SC2-a", "mr": "MR1"}[keyword]
        raise MetaspaceError(
            f"the mark metaspace has {keyword}={given!r}; expected a name or a list of names, as "
            f"in {keyword}={example!r}."
        )
    return frozenset(words)


def case_of(item: pytest.Item) -> Case | None:
    """Return the case that an item reports, or None."""
    if isinstance(item, items.CaseItem):
        return item.case
    from pytest_metaspace.domain import Case as CaseClass

    callspec = getattr(item, "callspec", None)
    found = None if callspec is None else callspec.params.get(_CASE)
    return found if isinstance(found, CaseClass) else None


def cases_of(session: pytest.Session) -> list[tuple[str, Case]]:
    """Return the cases to settle with their node ids, also those of hand-written tests."""
    ledger, found = ledger_of(session.config), []
    for item in session.items:
        case = case_of(item)
        own = isinstance(item, items.CaseItem)
        marks = item.own_markers if own else item.iter_markers()
        if case is not None and protocols.skips(marks):
            if ledger is not None:
                ledger.skipped.add(case.address)
        elif case is not None:
            found.append((item.nodeid, case))
    return found
