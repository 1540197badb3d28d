"""Options: one prefix, one group, one resolution (command line over ini over default)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast, get_args

import pytest

from pytest_metaspace import gates
from pytest_metaspace.domain import Boxes, Capability, Policy, Prompting, Settings, Showing
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.log_options import LOG_OPTIONS, READ_BY
from pytest_metaspace.model_options import MODEL_OPTIONS, caps_of, models_of
from pytest_metaspace.option import Option, anchors_of, number
from pytest_metaspace.record_options import RECORD_OPTIONS, RecordOptions, records_of
from pytest_metaspace.resolving import folder_of, place_of, value_of
from pytest_metaspace.tracker_options import (
    TAKEN,
    TRACKER_OPTIONS,
    is_wanted,
    require_tracker,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from pytest_metaspace.agents import ModelOptions
    from pytest_metaspace.asking import Caps, Mode
    from pytest_metaspace.domain import Finding, Semantics
    from pytest_metaspace.summary import Rules


CHECKED: pytest.StashKey[Finding] = pytest.StashKey()
"""On an item: what the case that it checked came to."""
CLEANUP: pytest.StashKey[Callable[[], None]] = pytest.StashKey()
"""On the config: what is left to remove."""
NO_AGENT = "metaspace: no agent to ask; add --metaspace-agent=NAME"


OPTIONS = (
    Option(
        name="agent",
        metavar="NAME",
        help="The agent to test: truth, geometric, gpt-4o, openai:MODEL, transformers:FOLDER, "
        "python:MODULE:FUNCTION, replay:FILE, "
        "mutant:FAULT:AGENT, random, collapsed, or a registered name. Nothing of metaspace is "
        "collected without one; off switches one in the ini file off.",
    ),
    Option(name="sc", metavar="CODES", help="Only capabilities as in SC1-a,EMB-far", many=True),
    Option(name="mr", metavar="NAMES", help="Only relations as in MR1,EMB-ORDER", many=True),
    Option(
        name="anchors",
        metavar="NAMES",
        help="Hold the answers, asking nothing more, against the boxes (A1), the executed actions "
        "(A2) and the ground truth (A3) too, as in A1,A2 or all; scored apart (default: none)",
        many=True,
    ),
    Option(
        name="semantics",
        metavar="NAME",
        help="How relations are read: sound never accuses a right agent, paper compares with "
        "published scores (default: sound)",
        default="sound",
        choices=("sound", "paper"),
    ),
    Option(
        name="prompting",
        metavar="NAME",
        help="How questions are put: direct asks for nothing but the answer, cot for reasoning "
        "first, map for a map of 11 x 11 cells first, likelihood weighs options (local models); "
        "scores of different ones are not comparable (default: direct)",
        default="direct",
        choices=get_args(Prompting),
    ),
    Option(
        name="boxes",
        metavar="HOW",
        help="How the objects asked about are shown: text tells the coordinates of their boxes, "
        "draw draws the boxes on the pictures with numbered tags, both does both, none only names "
        "them; scores of different ones are not comparable (default: text)",
        default="text",
        choices=get_args(Boxes),
    ),
    Option(
        name="epsilon",
        metavar="NUMBER",
        help="Tolerance of MR5, size against depth (default: 0.1)",
        default="0.1",
    ),
    Option(
        name="delta",
        metavar="NUMBER",
        help="Tolerance of MR6, ratio of sizes (default: 0.05)",
        default="0.05",
    ),
    Option(
        name="confidence",
        metavar="NUMBER",
        help="Tracked boxes under this confidence are not used (default: 0.6)",
        default="0.6",
    ),
    *TRACKER_OPTIONS,
    *LOG_OPTIONS,
    Option(
        name="sample",
        metavar="FRACTION",
        help="Run this share of the cases, drawn by case id and seed (default: 1)",
        default="1",
    ),
    Option(name="seed", metavar="N", help="Seed of what is drawn (default: 0)", default="0"),
    Option(
        name="samples",
        metavar="N",
        help="Put each question N times and judge by the most frequent answer; the table then "
        "shows how often the agent disagrees with itself (default: 1)",
        default="1",
    ),
    Option(
        name="violations",
        metavar="MODE",
        help="fail: each violated or invalid case fails; report: they are counted and gates "
        "decide; auto: report when a gate is set, else fail (default: auto)",
        default="auto",
        choices=("auto", "fail", "report"),
    ),
    Option(
        name="fail-under",
        metavar="[NAME=]SCORE",
        help="Gate: fail the run below this total, or below this score of a capability, a "
        "relation, a scenario or what they have in common, as in 0.5, SC2-a=0.4, MR1=0.5, "
        "drone=0.6 or drone/SC1-a=0.5; of suites as in EMB-ACC=0.5, EMB-far=0.5 (accuracy), "
        "EMB-ORDER=0.9 or EMB-far/EMB-ORDER=0.9. Can be given several times.",
        many=True,
    ),
    Option(
        name="gate",
        metavar="POLICY",
        help="What gates go by: point, the score itself; or its 95 % interval over trajectories: "
        "confident-fail fails a run only where all of it lies below the threshold, confident-pass "
        "passes one only where none of it does (default: point)",
        default="point",
        choices=get_args(Policy),
    ),
    Option(
        name="max-invalid",
        metavar="[KIND=]SHARE",
        help="Gate: fail the run when more than this share of the distinct questions has an "
        "invalid answer, or fails in one way, as in 2% or refused=1%. Can be given several "
        "times.",
        many=True,
    ),
    Option(
        name="allow",
        metavar="WHAT",
        help="Let gates pass in spite of what a run lacks: errors, deselected cases, a sampled "
        "run, or capabilities with less than half of their cases decided (undecided)",
        many=True,
    ),
    Option(
        name="answers",
        metavar="MODE",
        help="cached: ask what is not stored; refresh: ask everything again; offline: ask "
        "nothing (default: cached)",
        default="cached",
        choices=("cached", "refresh", "offline"),
    ),
    Option(
        name="lookahead",
        metavar="N",
        help="Ask and judge N cases at a time under -x, --maxfail and --sw, so that a run that "
        "stops early has asked little; xdist and other runs settle all at once (default: 100)",
        default="100",
    ),
    Option(
        name="cache-dir",
        metavar="FOLDER",
        help="Where answers are stored (default: .metaspace_cache beside the ini file)",
        default=".metaspace_cache",
    ),
    Option(
        name="record",
        metavar="FILE",
        help="Write every answer of this run to a JSON Lines file for replay:FILE",
        ini=False,
    ),
    Option(
        name="explain",
        metavar="",
        help="Print derivations in full, with every question and raw answer; without it a case "
        "takes 12 lines at most, and metaspace explain CASE shows the rest",
        flag=True,
    ),
    Option(
        name="engine",
        metavar="NAME",
        help="What runs Prolog: auto, pyswip, swipl or wasm (default: auto)",
        default="auto",
        choices=("auto", "pyswip", "swipl", "wasm"),
    ),
    *RECORD_OPTIONS,
    *MODEL_OPTIONS,
)


@dataclass(frozen=True, kw_only=True)
class PluginOptions:
    """Every option, resolved once; nothing else reads the command line or the ini file."""

    agent: str | None
    settings: Settings
    violations_fail: bool
    thresholds: Mapping[str, float]
    limits: Mapping[str, float]
    """Shares of questions that may come to no value, by kind of failure."""
    gates_typed: str | None
    """The first option with a gate or report that was typed."""
    policy: Policy
    """What gates on scores go by."""
    allowed: frozenset[str]
    answers: Mode
    lookahead: int
    cache_dir: Path
    record: Path | None
    explain: bool
    root: Path
    records: RecordOptions = field(default_factory=RecordOptions)
    models: ModelOptions | None = None
    """How models are asked; None without an agent, as what it takes is imported for one."""
    caps: Caps | None = None
    extra_trajectories: tuple[Path, ...] = field(default=())
    tracking: Mapping[str, Any] = field(default_factory=dict)
    """Values of the options that trackers take, by name."""
    logs: Mapping[str, Any] = field(default_factory=dict)
    """Values of the options that say how logs are read, by name."""

    @property
    def rules(self) -> Rules:
        """The gates, and when they pass."""
        from pytest_metaspace.summary import Rules

        return Rules(
            thresholds=self.thresholds,
            limits=self.limits,
            policy=self.policy,
            allowed=self.allowed,
        )

    @property
    def showing(self) -> Showing:
        """How trajectories show their objects to agents."""
        return Showing(self.settings.boxes, self.cache_dir / "drawn")


def add(parser: pytest.Parser) -> None:
    """Add the options and their ini twins."""
    group = parser.getgroup(
        "metaspace", "test the spatial cognition of embodied agents (pytest-metaspace)"
    )
    for option in OPTIONS:
        more: dict[str, Any] = {"metavar": option.metavar}
        if option.many:
            more["action"] = "append"
        if option.choices:
            more["choices"] = option.choices
        if option.flag:
            more = {"action": "store_const", "const": True}
        group.addoption(
            f"--metaspace-{option.name}",
            dest=option.dest,
            default=None,
            help=option.help.replace("%", "%%"),
            **more,
        )
        if option.ini:
            kind, default = _ini(option)
            text = f"Default of --metaspace-{option.name}"
            parser.addini(option.dest, text, type=kind, default=default)
    parser.addini(
        "metaspace_trajectories",
        "Folders with trajectories, added to what is collected when no arguments are typed",
        type="paths",
        default=[],
    )


def _ini(option: Option) -> tuple[Any, Any]:
    """Return type and default of an option's ini twin."""
    if option.flag:
        return "bool", False
    return ("linelist", []) if option.many else ("string", option.default)


def verbosity_of(config: pytest.Config) -> int:
    """Return how much a run is to say; 0 where there is no terminal plugin to ask."""
    verbosity: int = config.getoption("verbose", 0)
    return verbosity


def resolve(config: pytest.Config) -> PluginOptions:
    """Return the options of a run.

    Raises:
        UsageProblem: a value is not allowed; the text names the option.
    """
    if config.getoption("metaspace_agent") == "":
        raise UsageProblem(
            "metaspace: --metaspace-agent names no agent; is a variable empty? Write "
            "--metaspace-agent=NAME, as in truth, or off for none."
        )
    values = {option.name: value_of(config, option) for option in OPTIONS}
    require_tracker(values, retrack=bool(config.getoption("metaspace_retrack")))
    thresholds = gates.parse(values["fail-under"])
    limits = gates.parse_limits(values["max-invalid"])
    for word in values["allow"]:
        if word not in gates.ALLOWANCES:
            raise UsageProblem(
                f"metaspace: --metaspace-allow {word}: expected one of "
                f"{', '.join(gates.ALLOWANCES)}."
            )
    violations = values["violations"]
    kept = records_of(
        values,
        lambda name: place_of(config, name, values[name]),
        folder_of(config, "report"),
    )
    agent = None if values["agent"] in (None, "", "off") else values["agent"]
    return PluginOptions(
        agent=agent,
        settings=_settings(values),
        violations_fail=violations == "fail"
        or (violations == "auto" and not thresholds and not limits and kept.baseline is None),
        thresholds=thresholds,
        limits=limits,
        gates_typed=_typed(config),
        policy=values["gate"],
        allowed=frozenset(values["allow"]),
        answers=values["answers"],
        lookahead=int(number(values, "lookahead", low=1, whole=True)),
        cache_dir=_cache_dir(config, values["cache-dir"], needed=agent is not None),
        record=None if not values["record"] else config.invocation_params.dir / values["record"],
        explain=bool(values["explain"]),
        root=config.rootpath,
        records=kept,
        models=models_of(values) if agent else None,
        caps=caps_of(values) if agent else None,
        extra_trajectories=tuple(config.getini("metaspace_trajectories")),
        tracking={name: values[name] for name in TAKEN},
        logs={name: values[name] for name in READ_BY},
    )


def _cache_dir(config: pytest.Config, given: str, *, needed: bool) -> Path:
    """Return where answers are kept.

    Raises:
        UsageProblem: what was typed is no folder; a run could only put its answers elsewhere.
    """
    folder = config.rootpath / given
    typed = needed and config.getoption("metaspace_cache_dir") is not None
    if typed and folder.exists() and not folder.is_dir():
        raise UsageProblem(
            f"metaspace: --metaspace-cache-dir {given}: is no folder; name one for the answers. "
            "It is made when missing."
        )
    return folder


def _typed(config: pytest.Config) -> str | None:
    """Return the first option with a gate or report that stands on the command line."""
    names = ("fail-under", "max-invalid", "baseline", "report")
    dests = {f"metaspace_{name.replace('-', '_')}": f"--metaspace-{name}" for name in names}
    return next((name for dest, name in dests.items() if config.getoption(dest) is not None), None)


def _settings(values: Mapping[str, Any]) -> Settings:
    return Settings(
        capabilities=frozenset(_code(word) for word in values["sc"]),
        relations=frozenset(values["mr"]),
        anchors=anchors_of(values["anchors"]),
        semantics=cast("Semantics", values["semantics"]),
        prompting=cast("Prompting", values["prompting"]),
        boxes=cast("Boxes", values["boxes"]),
        tracker=values["tracker"] if is_wanted(values) else Settings().tracker,
        epsilon=number(values, "epsilon", low=0.0),
        delta=number(values, "delta", low=0.0),
        confidence=number(values, "confidence", low=0.0, high=1.0),
        sample=number(values, "sample", low=0.0, high=1.0),
        seed=int(number(values, "seed", whole=True)),
        samples=int(number(values, "samples", low=1, whole=True)),
        engine=values["engine"],
    )


def _code(word: str) -> str:
    """Return a capability's code as it is written, whatever the case in which it was typed."""
    known = {str(code).lower(): str(code) for code in Capability}
    return known.get(word.lower(), word)
