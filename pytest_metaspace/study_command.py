"""The words of studies: what relations catch, what noise in seeing and tolerances do to verdicts.

metaspace mutants PATH …      what the relations catch of an agent's mutants
metaspace robustness PATH …   the same cases on perturbed boxes, paired by id
metaspace friedman PATH …     whether samples of stored answers differ as whole runs
metaspace sensitivity PATH …  how much scores hang on tolerances and on the confidence of boxes
"""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pytest_metaspace import arguments
from pytest_metaspace.errors import UsageProblem

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Mapping

    from pytest_metaspace.agents import Agent
    from pytest_metaspace.agents.faults import Fault
    from pytest_metaspace.asking import Keeping
    from pytest_metaspace.perturbing import Kind, Perturbation
    from pytest_metaspace.pipeline import Registries

_RATES: Final[Mapping[Kind, tuple[float, ...]]] = {
    "jitter": (0.05, 0.1, 0.2),
    "drop": (0.2,),
    "swap-labels": (0.2,),
    "swap-identities": (0.1,),
}
_MEANINGS: Final[Mapping[Kind, str]] = {
    "jitter": "move the edges of boxes by up to this share of their size",
    "drop": "leave out this share of the boxes",
    "swap-labels": "give this share of the objects each other's labels",
    "swap-identities": "give this share of the boxes in a frame to each other's objects",
}
_ONLY_OF_ASKING = frozenset(
    {"timeout", "tries", "max-calls", "max-tokens", "budget", "concurrency", "rate", "price"}
)


def fill_mutants(command: argparse.ArgumentParser) -> None:
    """Give the command what it takes; its ``lines`` return what to print."""
    arguments.add_selection(command, paths="*")
    command.add_argument(
        "--list", action="store_true", help="say what each mutant is and who really fails so"
    )
    command.add_argument(
        "--faults",
        metavar="NAMES",
        help="as in mirrored,noisy=0.1 (default: all)",
    )
    _of_agent(command)
    command.set_defaults(lines=_mutants, samples=1, parser=command)


def fill_robustness(command: argparse.ArgumentParser) -> None:
    """Give the command what it takes; its ``lines`` return what to print."""
    arguments.add_selection(command)
    for kind, rates in _RATES.items():
        told = ", ".join(f"{rate:g}" for rate in rates)
        command.add_argument(
            f"--{kind}",
            type=arguments.shares,
            metavar="RATES",
            help=f"{_MEANINGS[kind]}, as in 0.05,0.1 (default, when no rate is given: {told})",
        )
    _of_agent(command)
    command.set_defaults(lines=_robustness, samples=1, parser=command)


def fill_sensitivity(command: argparse.ArgumentParser) -> None:
    """Give the command what it takes; its ``lines`` return what to print."""
    arguments.add_selection(command)
    command.add_argument("--agent", required=True, metavar="NAME", help="whose answers")
    command.add_argument(
        "--samples",
        "--metaspace-samples",
        type=arguments.count,
        default=1,
        metavar="N",
        help="how often each question was put (default: 1)",
    )
    arguments.add_tolerances(command)
    arguments.add_tracking(command)
    arguments.add_model(command, without=_ONLY_OF_ASKING)
    arguments.add_cache_dir(command)
    command.set_defaults(lines=_sensitivity, parser=command)


def fill_friedman(command: argparse.ArgumentParser) -> None:
    """Give the command what it takes; its ``lines`` return what to print."""
    arguments.add_selection(command)
    command.add_argument("--agent", required=True, metavar="NAME", help="whose answers")
    command.add_argument(
        "--samples",
        type=arguments.count,
        default=5,
        metavar="N",
        help="repeats to compare (default: 5)",
    )
    command.add_argument(
        "--blocks",
        choices=("score", "capability", "trajectory", "case"),
        default="score",
        help="what is compared between repeats: each score of a capability of a trajectory "
        "(default), of a capability, of a trajectory, or each case",
    )
    arguments.add_tolerances(command)
    arguments.add_tracking(command)
    arguments.add_model(command, without=_ONLY_OF_ASKING)
    arguments.add_cache_dir(command)
    command.set_defaults(lines=_friedman, parser=command)


def _of_agent(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--agent",
        "--metaspace-agent",
        default="truth",
        metavar="NAME",
        help="whose answers (default: truth); of a model, those that are stored",
    )
    command.add_argument("--json", action="store_true", help="a JSON object a line")
    arguments.add_tolerances(command)
    arguments.add_tracking(command)
    arguments.add_model(command, without=_ONLY_OF_ASKING)
    arguments.add_cache_dir(command)


def _mutants(options: argparse.Namespace) -> Iterator[str]:
    from pytest_metaspace import detection, pipeline
    from pytest_metaspace.reports import detection as report

    faults = _faults(options.faults)
    if options.list:
        yield from report.told(faults)
        return
    if not options.paths:
        raise UsageProblem(
            "metaspace: mutants of an agent need a trajectory to be told apart on. Type:  "
            "metaspace mutants PATH, or metaspace mutants --list"
        )
    registries = arguments.registries_of(options)
    settings = arguments.settings_of(options)
    if not settings.relations:
        settings = replace(settings, anchors=frozenset({"all"}))
    with _answers_of(options, registries) as (agent, store), _progress("mutants") as progress:
        study = detection.Study(
            options.paths, settings, registries, agent, store, progress=progress
        )
        rows = list(study.rows(faults))
    if options.json:
        yield from (json.dumps(report.as_json(row)) for row in rows)
        return
    present = {case.relation for case in study.cases}
    chosen = [one for one in pipeline.chosen(registries, settings) if one.name in present]
    plain = [one.name for one in chosen if not one.anchored]
    anchors = [one.name for one in chosen if one.anchored]
    yield from report.lines(rows, options.agent, len(study.cases), plain, anchors)
    yield from arguments.unread(options, options.parser)


def _robustness(options: argparse.Namespace) -> Iterator[str]:
    from pytest_metaspace import robustness
    from pytest_metaspace.reports import robustness as report

    registries = arguments.registries_of(options)
    settings = arguments.settings_of(options)
    if not settings.relations:
        settings = replace(settings, anchors=frozenset({"all"}))
    with _answers_of(options, registries) as (agent, store), _progress("robustness") as progress:
        study = robustness.Study(
            options.paths, settings, registries, agent, store, progress=progress
        )
        levels = list(study.levels(_perturbations(options)))
    if options.json:
        yield from (json.dumps(report.as_json(level)) for level in levels)
        return
    yield from report.lines(levels, options.agent)
    yield from arguments.unread(options, options.parser)


def _perturbations(options: argparse.Namespace) -> list[Perturbation]:
    from pytest_metaspace.perturbing import Perturbation

    given = {kind: getattr(options, kind.replace("-", "_")) for kind in _RATES}
    chosen = given if any(rates is not None for rates in given.values()) else _RATES
    return [
        Perturbation(kind, rate, options.seed)
        for kind, rates in chosen.items()
        for rate in dict.fromkeys(rates or ())
    ]


def _faults(names: str | None) -> list[Fault]:
    from pytest_metaspace.agents.faults import FAULTS, fault_of

    chosen = dict.fromkeys(arguments.words(names))
    return [fault_of(name) for name in chosen] or list(FAULTS.values())


@contextmanager
def _answers_of(
    options: argparse.Namespace, registries: Registries
) -> Iterator[tuple[Agent, Keeping | None]]:
    """Open the agent, and the store of its answers where asking it could cost something.

    Raises:
        UsageProblem: its answers would have to be stored, and there is no store.
    """
    from pytest_metaspace.hearing import computes

    agent = registries.agent(options.agent, Path.cwd(), arguments.models_of(options, asks=False))
    with _stored(options, needed=not computes(agent)) as store:
        yield agent, store


@contextmanager
def _stored(options: argparse.Namespace, *, needed: bool) -> Iterator[Keeping | None]:
    """Open the store of answers, where it is needed.

    Raises:
        UsageProblem: it is, and there is none.
    """
    if not needed:
        yield None
        return
    from pytest_metaspace.asking.reading import Reader
    from pytest_metaspace.nearest import here_or_above

    folder = options.cache_dir or here_or_above()
    if not Reader.finds(folder):
        often = f" --metaspace-samples={options.samples}" if options.samples > 1 else ""
        raise UsageProblem(
            f"metaspace: there are no stored answers in {folder}, and this command asks no model. "
            "Name the folder with --cache-dir, or record them first:  pytest "
            f"--metaspace-agent={options.agent}{often} PATH"
        )
    with Reader(folder) as store:
        yield store


@contextmanager
def _progress(command: str) -> Iterator[Callable[[str], None]]:
    """Show on a terminal what is being done; it is gone when it is done."""
    shown = sys.stderr is not None and sys.stderr.isatty()

    def show(what: str) -> None:
        if shown:
            sys.stderr.write(f"\r\x1b[Kmetaspace {command}: {what}")
            sys.stderr.flush()

    try:
        yield show
    finally:
        if shown:
            sys.stderr.write("\r\x1b[K")


def _sensitivity(options: argparse.Namespace) -> Iterator[str]:
    from pytest_metaspace import sensitivity

    registries = arguments.registries_of(options)
    models = arguments.models_of(options, asks=False)
    agent = registries.agent(options.agent, Path.cwd(), models)
    with _stored(options, needed=agent.identity is not None) as store:
        yield from arguments.unread(options, options.parser)
        study = sensitivity.Study(options.paths, registries, agent, store)
        yield from sensitivity.lines(study, options.agent, arguments.settings_of(options))


def _friedman(options: argparse.Namespace) -> Iterator[str]:
    from pytest_metaspace import stability

    stability.enough(options.samples)
    yield from arguments.unread(options, options.parser)
    registries = arguments.registries_of(options)
    models = arguments.models_of(options, asks=False)
    agent = registries.agent(options.agent, Path.cwd(), models)
    with _stored(options, needed=agent.identity is not None) as store:
        made = stability.Repeats(
            options.paths, arguments.settings_of(options), registries, agent, store
        )
        found = stability.friedman(list(made.table(options.blocks).values()))
        yield from stability.lines(found, options.blocks, options.agent)
