"""Do repeats of one agent differ? The Friedman test over the stored samples of its answers.

Each sample is judged as a run of its own. The test asks whether its scores are the same in every
run but for chance: blocks are what is scored, treatments are the repeats (as in the paper's
repeat study, where 720 cases were asked five times). Nothing is asked.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from pytest_metaspace import pipeline, repeats, scoring
from pytest_metaspace.domain import Outcome
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.judgement import Judgement

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from pytest_metaspace.agents import Agent
    from pytest_metaspace.asking import Keeping
    from pytest_metaspace.domain import Answer, Case, Query, Settings

Blocks = Literal["score", "capability", "trajectory", "case"]
BLOCKS: Final[tuple[Blocks, ...]] = ("score", "capability", "trajectory", "case")
_LEVEL: Final = 0.05
_FEWEST_REPEATS: Final = 3
_FEWEST_BLOCKS: Final = 2
#  Up to here the chi-square distribution is a coarse stand-in for that of the statistic.
_MANY_BLOCKS: Final = 10
_MANY_REPEATS: Final = 6
_SCORED: Final = {Outcome.SATISFIED: 1.0, Outcome.VIOLATED: 0.0, Outcome.INVALID: 0.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Friedman:
    """What the test came to.

    Attributes:
        statistic: Friedman's chi-square, corrected for ties; 0 where all repeats are equal.
        degrees: repeats less one.
        p: of a statistic as large by chance alone.
        blocks: how many there were.
        repeats: how many there were.
    """

    statistic: float
    degrees: int
    p: float
    blocks: int
    repeats: int

    @property
    def differ(self) -> bool:
        """Whether the repeats differ at the 5 % level."""
        return self.p < _LEVEL


def enough(repeats_: int) -> None:
    """Check that there are repeats enough, before anyone pays for answers that are too few.

    Raises:
        UsageProblem: there are not.
    """
    if repeats_ < _FEWEST_REPEATS:
        raise UsageProblem(
            f"metaspace: --samples {repeats_}: the Friedman test needs {_FEWEST_REPEATS} repeats "
            "at least. Record and name more, as in --samples=5."
        )


def friedman(table: Sequence[Sequence[float]]) -> Friedman:
    """Test whether the columns of a table differ by more than chance.

    Args:
        table: a row for each block and in it a score for each repeat.

    Raises:
        UsageProblem: there are fewer than two blocks or three repeats, or scipy is missing.
    """
    repeats_ = len(table[0]) if table else 0
    if len(table) < _FEWEST_BLOCKS or repeats_ < _FEWEST_REPEATS:
        raise UsageProblem(
            f"metaspace: the Friedman test needs {_FEWEST_BLOCKS} blocks and {_FEWEST_REPEATS} "
            f"repeats at least; there are {len(table)} blocks and {repeats_} repeats. Ask with "
            "--metaspace-samples=5, name more trajectories, or take smaller blocks (--blocks=case)."
        )
    degrees, shape = repeats_ - 1, {"blocks": len(table), "repeats": repeats_}
    if all(len(set(row)) == 1 for row in table):  # no ranks to compare: 0/0 in the formula
        return Friedman(statistic=0.0, degrees=degrees, p=1.0, **shape)
    try:
        from scipy.stats import friedmanchisquare
    except ImportError as problem:
        raise UsageProblem(
            "metaspace: the Friedman test needs the package scipy. Type:  "
            "pip install 'pytest-metaspace[stats]'"
        ) from problem
    found = friedmanchisquare(*zip(*table))
    return Friedman(
        statistic=float(found.statistic), degrees=degrees, p=float(found.pvalue), **shape
    )


class Repeats:
    """The runs that the samples of an agent's stored answers are.

    Args:
        paths: trajectories, or folders of them.
        settings: which cases, how they are judged, and how many samples there are.
        registries: relations and agents.
        agent: whose answers they are.
        store: where they are kept; None for an agent whose answers are free.

    Raises:
        UsageProblem: answers are missing.
    """

    def __init__(
        self,
        paths: Sequence[Path],
        settings: Settings,
        registries: pipeline.Registries,
        agent: Agent,
        store: Keeping | None,
    ) -> None:
        self._settings = settings
        self._registries = registries
        self._loaded = {one.id: one for one in pipeline.load(paths, registries)}
        plans = [pipeline.plan(one, registries, settings) for one in self._loaded.values()]
        self._cases = [case for plan in plans for case in plan.cases]
        mode: Literal["cached", "offline"] = "cached" if agent.identity is None else "offline"
        asked = pipeline.ask(
            self._cases,
            self._loaded,
            agent,
            store,
            mode=mode,
            prompting=settings.prompting,
            samples=settings.samples,
        )
        self._answers = asked.answers
        missing = _missing(asked.answers)
        if missing:
            raise UsageProblem(
                f"metaspace: {missing} of {settings.samples * len(asked.answers)} answers are not "
                "there, and this command asks nothing. Record them first, with the same options:  "
                f"pytest --metaspace-samples={settings.samples} ..."
            )

    def outcomes(self) -> list[list[Outcome]]:
        """Return for each case what it came to in each repeat."""
        runs = []
        with pipeline.oracle_for(self._registries, self._settings) as oracle:
            for sample in range(self._settings.samples):
                answers = repeats.nth(self._answers, sample)
                judged = Judgement(answers, self._loaded, oracle, self._settings.prompting)
                runs.append([verdict.outcome for verdict in judged.verdicts(self._cases)])
        return [list(row) for row in zip(*runs)]

    def table(self, blocks: Blocks) -> dict[str, list[float]]:
        """Return a score for each block in each repeat; only blocks that are scored in all."""
        if blocks == "case":
            return _by_case(self._cases, self.outcomes())
        grouped: dict[str, list[tuple[Case, list[Outcome]]]] = defaultdict(list)
        for case, row in zip(self._cases, self.outcomes()):
            grouped[_block(case, blocks)].append((case, row))
        made = {}
        for name, members in grouped.items():
            scores = [
                _score(members, sample, self._settings) for sample in range(self._settings.samples)
            ]
            kept = [score for score in scores if score is not None]
            if len(kept) == len(scores):
                made[name] = kept
        return made


def _missing(answers: Mapping[Query, Answer]) -> int:
    each = (one for answer in answers.values() for one in answer.samples or (answer,))
    return sum(one.raw is None for one in each)


def _block(case: Case, blocks: Blocks) -> str:
    if blocks == "capability":
        return str(case.capability)
    return case.trajectory if blocks == "trajectory" else f"{case.trajectory} {case.capability}"


def _score(
    members: Sequence[tuple[Case, list[Outcome]]], sample: int, settings: Settings
) -> float | None:
    """Return the mean over capabilities of the SC scores of some cases in one repeat."""
    counts = Counter(
        (case.trajectory, case.capability.value, case.relation, row[sample])
        for case, row in members
    )
    return scoring.total(scoring.by_capability(counts, settings.semantics))


def _by_case(cases: Sequence[Case], rows: Sequence[Sequence[Outcome]]) -> dict[str, list[float]]:
    """Return 1 for satisfied, 0 for violated or invalid; cases that are decided in each repeat."""
    return {
        case.address: [_SCORED[outcome] for outcome in row]
        for case, row in zip(cases, rows)
        if all(outcome in _SCORED for outcome in row)
    }


def lines(found: Friedman, blocks: Blocks, agent: str) -> Iterator[str]:
    """Yield the result: the numbers, then what they mean.

    Args:
        found: the test.
        blocks: what its blocks are.
        agent: the agent's full name.
    """
    of = {
        "score": "score of a capability of a trajectory",
        "capability": "score of a capability",
        "trajectory": "mean score of a trajectory",
        "case": "case that is decided in every repeat",
    }[blocks]
    yield f"Friedman test over {found.repeats} repeats of {agent}, a block for each {of}:"
    yield (
        f"chi-square = {found.statistic:.4g}, {found.degrees} degrees of freedom, "
        f"p = {found.p:.4g}, {found.blocks} blocks"
    )
    if found.differ:
        yield (
            f"The repeats differ by more than chance (p < {_LEVEL:g}): one run of this agent is "
            "not enough to go by. Gate on several samples, and find out what changes between them."
        )
    else:
        yield (
            f"No difference between the repeats was found (p >= {_LEVEL:g}). That is no proof "
            "that there is none; it is what one run is worth by this many blocks."
        )
    if found.blocks <= _MANY_BLOCKS and found.repeats <= _MANY_REPEATS:
        more = (
            "more trajectories make"
            if blocks == "case"
            else ("more trajectories, or --blocks=case, make")
        )
        yield (
            f"With at most {_MANY_BLOCKS} blocks and {_MANY_REPEATS} repeats p is a rough figure; "
            f"{more} it a better one."
        )
