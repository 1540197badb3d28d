"""The one object of a pytest run: what is known, what was planned, and what came of it.

Created in configure for runs with an agent, reached through ``ledger_of``, gone in unconfigure.
Results are entered from test reports only, so that serial runs and xdist are one path. Cases
are kept by their address, never by node id, and each is scored once, whoever reports it.
"""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace import gates, marking, memory, pipeline, recordings, scoring
from pytest_metaspace.asking import draws_of, mounts
from pytest_metaspace.asking.caps import Spent
from pytest_metaspace.asking.spare import Spare
from pytest_metaspace.domain import Cluster, Finding, Outcome
from pytest_metaspace.errors import MetaspaceError
from pytest_metaspace.failures import NOT_ASKED
from pytest_metaspace.files import settled
from pytest_metaspace.memory import Memory
from pytest_metaspace.options import verbosity_of
from pytest_metaspace.registering import register_marks, registered
from pytest_metaspace.report_options import targets
from pytest_metaspace.reports.letters import Letters
from pytest_metaspace.reports.pairs import Pairs
from pytest_metaspace.summary import summarise
from pytest_metaspace.telling import Telling

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from pathlib import Path

    from pytest_metaspace.agents import Agent
    from pytest_metaspace.asking import Asked
    from pytest_metaspace.asking.caps import Caps
    from pytest_metaspace.asking.keeping import Keeper
    from pytest_metaspace.domain import Case, Query, Record, Rule, Run, Trajectory
    from pytest_metaspace.options import PluginOptions
    from pytest_metaspace.plans import Plan
    from pytest_metaspace.scoring import Entry

KEY: pytest.StashKey[Ledger] = pytest.StashKey()
_WHERE = re.compile(r"^observation \d+ [^:]{0,40}: ")


@dataclass
class Ledger:
    """Everything that one pytest run knows about its cases."""

    options: PluginOptions
    registries: pipeline.Registries
    agent: Agent
    marks: frozenset[str] = frozenset()
    """Names of capabilities and relations that are marks."""
    trajectories: dict[str, Trajectory] = field(default_factory=dict)
    plans: dict[Path, Plan] = field(default_factory=dict)
    deselected: set[str] = field(default_factory=set)
    """Addresses of cases that ``-k``, ``-m``, ``--lf`` or their like left out."""
    offered: set[Path] = field(default_factory=set)
    """Trajectories whose cases are all part of the run, unless something leaves them out."""
    skipped: set[str] = field(default_factory=set)
    """Addresses of cases that a mark has skipped: a project says so once, and for all runs."""
    selected: dict[str, Case] = field(default_factory=dict)
    findings: dict[str, Finding] = field(default_factory=dict)
    """Settled and not yet reported, by address."""
    reported: dict[str, Entry] = field(default_factory=dict)
    confirmed: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    """Addresses of violations that the checker confirmed, by capability and relation."""
    pairs: Pairs = field(default_factory=Pairs)
    """How often which pairs of things were violated, of what was reported."""
    reasons: Counter[tuple[Outcome, str]] = field(default_factory=Counter)
    """Why cases were invalid or in error, and how often."""
    failures: dict[Query, str] = field(default_factory=dict)
    """The questions that came to no value, and the kind of failure."""
    disagreement: dict[str, tuple[int, int]] = field(default_factory=dict)
    """By capability: questions whose samples are not all equal, of how many."""
    addresses: dict[str, str] = field(default_factory=dict)
    """Node id to address, to know a crashed case by its report."""
    drops: Counter[str] = field(default_factory=Counter)
    skips: dict[str, str] = field(default_factory=dict)
    letters: Letters = field(default_factory=Letters)
    questions: int = 0
    spent: Spent = field(default_factory=Spent)
    """What was put to the agent, and what it used."""
    cached: int = 0
    """Questions whose answers were stored already."""
    saved: int = 0
    """Calls that it would have taken more, had each case asked its own questions."""
    trouble: str = ""
    """Why asking was stopped: a cap, a key, a full disk; said loudly at the end."""
    capped: bool = False
    """Whether it was a cap."""
    missing: set[Query] = field(default_factory=set)
    """Questions of cases that have no answer because of that."""
    missing_calls: int = 0
    """How often the agent was not asked because of that; each sample counts."""
    missing_cases: set[str] = field(default_factory=set)
    """Addresses of the cases that lack one of them."""
    interrupted: tuple[int, int] | None = None
    """How many questions of how many had an answer when Ctrl-C came."""
    spare: Spare = field(default_factory=Spare)
    """Takes the answers that cannot be stored."""
    warned: str = ""
    """What is known against the place where answers are stored."""
    passed_over: str = ""
    """Why a slower engine judged although there is a ``swipl``."""
    printed: str = ""
    """The end of what agents printed while they were asked."""
    references: dict[str, dict[str, float | None]] = field(default_factory=dict)
    count_rules: bool = False
    """Whether to count which clauses of the laws fire, for ``-v``."""
    rules: tuple[Rule, ...] = ()
    settle_rest: Callable[[], None] = lambda: None
    """Settles at once what a run that goes in waves has not come to."""
    memory: Memory = field(default_factory=Memory)
    """What the run is held against, and what is kept of it."""
    run: Run | None = None
    stopped: bool = False
    telling: Telling | None = None
    """What is gathered for the reports that are wanted; None where none is."""
    _entries: dict[Entry, Entry] = field(default_factory=dict)
    """Each value of ``reported`` once."""

    @property
    def anchors(self) -> frozenset[str]:
        """The names of anchored relations."""
        return self.registries.anchored

    def plan_of(self, path: Path) -> Plan:
        """Return the plan of a trajectory, loading it on first use.

        Raises:
            MetaspaceError: the trajectory or the settings are not as they should be.
        """
        path = settled(path)
        if path not in self.plans:
            trajectory = self.registries.load(path)
            pipeline.add(self.trajectories, trajectory)
            made = pipeline.plan(trajectory, self.registries, self.options.settings)
            self.drops.update(made.drops)
            self.skips.update(made.skips)
            self.plans[path] = made
        return self.plans[path]

    def offer(self, file: Path) -> None:
        """Count the trajectories of a main file as part of the run."""
        with suppress(MetaspaceError):  # said where it is collected
            place = settled(file)
            episodes = self.registries.episodes_of(place)
            self.offered.update([place] if episodes is None else episodes)

    def store(self) -> Keeper | None:
        """Open the store of answers; None for an agent whose answers are free.

        Raises:
            MetaspaceError: there are answers, and they cannot be read.
        """
        if self.agent.identity is None:
            return None
        from pytest_metaspace.asking.keeping import Keeper

        self.warned = self.warned or mounts.warning(self.options.cache_dir)
        return Keeper(self.options.cache_dir, self.spare)

    def about_storing(self) -> list[str]:
        """Say what there is to know about where answers went."""
        told = (self.spare.told(self.options.cache_dir), self.warned)
        return [text for text in told if text]

    def caps(self) -> Caps:
        """Return what may still be spent."""
        assert self.options.caps is not None
        return replace(self.options.caps, before=replace(self.spent))

    def enter_asked(self, asked: Asked, cases: Sequence[Case] = ()) -> None:
        """Enter a round of asking.

        Args:
            asked: what it came to.
            cases: what was asked for; none where a test asked on its own.
        """
        count = len(asked.answers)
        each_its_own = sum(len(case.queries) for case in cases) if cases else count
        draws = draws_of(self.agent, self.options.settings.samples)
        self.questions += count
        self.memory.enter(asked.answers, asked.alike)
        self.spent.join(asked.spent)
        self.cached += asked.stored
        self.saved += draws * (each_its_own - count) + asked.saved
        self.trouble = asked.stopped or self.trouble
        self.capped |= asked.capped
        if asked.stopped and cases:
            self._enter_missing(asked, cases, draws)

    def _enter_missing(self, asked: Asked, cases: Sequence[Case], draws: int) -> None:
        """Enter the questions of cases that were not put, or not often enough."""
        for query, answer in asked.answers.items():
            drawn = answer.samples[:draws] or (answer,)
            self.missing_calls += sum(one.kind == NOT_ASKED for one in drawn)
            if answer.kind == NOT_ASKED:
                self.missing.add(query)
        lacking = (case for case in cases if not self.missing.isdisjoint(case.queries))
        self.missing_cases.update(case.address for case in lacking)

    def select(self, cases: Iterable[Case]) -> list[Case]:
        """Take cases into the run; return those that are not settled yet."""
        fresh = {case.address: case for case in cases if case.address not in self.selected}
        self.selected.update(fresh)
        return [case for address, case in fresh.items() if address not in self.findings]

    def enter(self, payload: dict[str, Any]) -> None:
        """Enter a finding from a report; the first report of a case counts."""
        finding = Finding(**payload)
        if finding.address in self.reported:
            return
        outcome = Outcome(finding.outcome)
        entry = scoring.entry_at(finding.address, outcome)
        self.reported[finding.address] = self._entries.setdefault(entry, entry)
        case = self.selected.get(finding.address)
        if case is not None:
            self.pairs.enter(case, outcome)
        if outcome in (Outcome.INVALID, Outcome.ERROR):
            self.reasons[outcome, re.sub(_WHERE, "", finding.summary)] += 1

    def disagree(self, found: Mapping[str, tuple[int, int]]) -> None:
        """Enter how often samples of newly asked questions were not all equal."""
        for code, (differing, questions) in found.items():
            before = self.disagreement.get(code, (0, 0))
            self.disagreement[code] = before[0] + differing, before[1] + questions

    def failure_counts(self) -> Counter[str]:
        """Return how many questions came to no value, by kind of failure."""
        return Counter(self.failures.values())

    def worst(self) -> dict[tuple[str, str], list[str]]:
        """Return derivations to show, by capability and relation: of the worst pairs first."""
        texts = {}
        for group, addresses in self.confirmed.items():
            known = [self.selected[address] for address in addresses if self._is_told(address)]
            told = self.in_turn(group, known, self.pairs)
            texts[group] = [self.findings[case.address].text for case in told]
        return {group: some for group, some in texts.items() if some}

    def in_turn(self, group: tuple[str, str], violated: Sequence[Case], pairs: Pairs) -> list[Case]:
        """Return violated cases in the order in which to tell of them.

        First what is new since a baseline, and of that something of each trajectory; last what
        is in quarantine.
        """
        turns: Counter[str] = Counter()
        keyed = []
        for case in pairs.in_turn(group, violated):
            new = self.memory.is_new(case.address, Outcome.VIOLATED)
            known = self.memory.quarantine.of(case.address) is not None
            keyed.append(((known, not new, turns[case.trajectory] if new else 0), case))
            turns[case.trajectory] += new
        return [case for _, case in sorted(keyed, key=lambda entry: entry[0])]

    def _is_told(self, address: str) -> bool:
        """Whether a case was violated, and not expected to be."""
        entry = self.reported.get(address)
        violated = entry is not None and entry[-1] is Outcome.VIOLATED
        return violated and self.memory.quarantine.of(address) is None

    def enter_crash(self, nodeid: str) -> None:
        """Enter a case whose report came without a finding: its process died."""
        address = self.addresses.get(nodeid)
        if address is None:
            return
        _, capability, relation, _ = address.rsplit("::", 3)
        text = "the process that ran this case died before it could report"
        if self.telling is not None and address not in self.reported:
            self.telling.lost[address] = text
        self.enter(Finding(address, capability, relation, "error", text, text).as_json())

    def lacking(self) -> set[str]:
        """Return addresses of cases that gates have to do without, where there are gates."""
        kept = self.options.records
        if not self.options.thresholds and kept.baseline is None and not kept.are_written:
            return set()
        offered: set[str] = set()
        for path in sorted(self.offered):
            with suppress(MetaspaceError):  # --lf passes over a file that cannot be loaded
                offered.update(case.address for case in self.plan_of(path).cases)
        lacking = (offered | self.deselected).difference(self.reported, self.skipped)
        return set(filter(kept.shard.has, lacking))

    def summarise(self) -> Run:
        """Turn what was reported into scores and gates, once."""
        apart = self.options.records.in_parts
        if self.run is None:
            run = summarise(
                agent=self.options.agent or "",
                settings=self.options.settings,
                titles=self.registries.titles,
                anchored=self.anchors,
                trajectories=tuple(self.trajectories),
                clusters={name: Cluster.of(one) for name, one in self.trajectories.items()},
                outcomes=self.reported.values(),
                drops=self.drops,
                questions=self.questions,
                rules=None if apart else replace(self.options.rules, stopped=self.stopped),
                deselected=self.lacking(),
                references=self.references,
                failures=self.failure_counts(),
                disagreement=self.disagreement,
                marked=marking.reported(self.selected, self.reported, self.trajectories),
            )
            self.run = run if apart or self.memory.is_idle else self._held_against(run)
        return self.run

    def planned(self) -> set[str]:
        """Return the addresses of all cases of the trajectories at hand."""
        return {case.address for plan in self.plans.values() for case in plan.cases}

    def _held_against(self, run: Run) -> Run:
        """Return a run held against its baseline and its quarantine."""
        now = self.record()
        if self.memory.baseline is not None and self.reported:
            missing, drawn = len(self.lacking()), self.options.settings.sample
            short = gates.Shortfall(
                errors=run.overall.error, deselected=missing, sample=drawn, stopped=self.stopped
            )
            gone = self.gone(self.memory.baseline.outcomes)
            run = self.memory.hold(run, now, gone, short, self.options.rules.allowed)
        return self.memory.review(run, now.outcomes, self.planned())

    def record(self) -> Record:
        """Return what files keep of this run."""
        return memory.record(
            agent=self.options.agent or "",
            identity=self.agent.identity,
            settings=self.options.settings,
            anchored=self.anchors,
            trajectories=self.trajectories,
            outcomes={address: entry[-1] for address, entry in self.reported.items()},
        )

    def gone(self, rows: Collection[str]) -> set[str]:
        """Return the addresses whose cases are none any more, as far as this run knows."""
        settings = self.options.settings
        return memory.gone(rows, settings, self.trajectories, self.planned(), self.tested())

    def tested(self) -> set[tuple[str, str]]:
        """Return the capabilities and relations of which the run knows all cases."""
        settings = self.options.settings
        return memory.tested(pipeline.chosen(self.registries, settings), settings)


def ledger_of(config: pytest.Config) -> Ledger | None:
    """Return the ledger of a run, or None when it has no agent."""
    return config.stash.get(KEY, None)


def open_ledger(config: pytest.Config, options: PluginOptions) -> Ledger:
    """Build the ledger of a run with an agent.

    Raises:
        UsageProblem: the agent is not known or cannot be made.
    """
    registries = registered(config, options)
    assert options.agent is not None
    ledger = Ledger(
        options=options,
        registries=registries,
        marks=register_marks(config, registries),
        agent=registries.agent(options.agent, options.root, options.models),
        count_rules=verbosity_of(config) > 0,
    )
    worker = hasattr(config, "workerinput")
    ledger.memory = Memory.open(options.records, worker=worker)
    if options.record is not None and not worker:
        recordings.require_recording(options.record)
    if options.records.reports and not worker:
        ledger.telling = _telling(options, registries)
    config.stash[KEY] = ledger
    return ledger


def _telling(options: PluginOptions, registries: pipeline.Registries) -> Telling:
    """Return what gathers for the reports that are wanted.

    Raises:
        UsageProblem: a format is not known, or a file is named twice.
    """
    kept = options.records
    taken = {
        "--metaspace-save-run": kept.save_run,
        "--metaspace-record": options.record,
        "--metaspace-save-baseline": kept.save_baseline,
        "--metaspace-baseline": kept.baseline,
        "--metaspace-quarantine": kept.quarantine,
    }
    return Telling(targets(kept.reports, registries.reports, taken), options.settings.prompting)
