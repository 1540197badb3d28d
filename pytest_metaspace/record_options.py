"""Options about what is kept of a run, and what it is held against."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

from pytest_metaspace.domain import ACROSS, UNDECIDED, Shard
from pytest_metaspace.errors import UsageProblem, unknown
from pytest_metaspace.option import Option, number
from pytest_metaspace.report_options import REPORT, WantedReport, wanted_reports

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

_WHOLE: Final = Shard(1, 1)
_BASELINES: Final = ("save-baseline", "baseline")
RECORD_OPTIONS: Final = (
    Option(
        name="baseline",
        metavar="FILE",
        help="Gate: compare with the baseline in this file, trajectory by trajectory, and fail "
        "where a capability got worse by more than chance. A missing file is a notice; off "
        "switches one in the ini file off.",
    ),
    Option(
        name="save-baseline",
        metavar="FILE",
        help="Write what each case came to into this file, to be committed; of a file that is "
        "there, rows of cases that did not run stay",
        ini=False,
    ),
    Option(
        name="baseline-strict",
        metavar="",
        help="A missing baseline is wrong use",
        flag=True,
    ),
    Option(
        name="baseline-across",
        metavar="WHAT",
        help="Compare although these differ: agent, prompting, semantics (with its tolerances), "
        "trajectories (which show something else now)",
        many=True,
    ),
    Option(
        name="baseline-undecided",
        metavar="WHAT",
        help="Where a capability fell and there are too few trajectories to tell that from "
        "chance: pass, and say so, or fail (default: pass)",
        default="pass",
        choices=UNDECIDED,
    ),
    Option(
        name="min-drop",
        metavar="SCORE",
        help="A capability that fell by less than this against the baseline has not changed "
        "(default: 0.01)",
        default="0.01",
    ),
    Option(
        name="quarantine",
        metavar="FILE",
        help="Known violations, in TOML: such a case is an expected failure (xfail), and counts "
        "in scores and gates all the same; off switches one in the ini file off",
    ),
    Option(
        name="save-run",
        metavar="FILE",
        help="Write all that scores, gates and tables of this run are made of into this file, for "
        "metaspace merge and metaspace compare",
        ini=False,
    ),
    REPORT,
    Option(
        name="shard",
        metavar="I/N",
        help="Run the Ith of N parts of the cases, by a hash of their addresses; metaspace merge "
        "puts the run files of all parts together and decides the gates",
        ini=False,
    ),
    Option(
        name="quarantine-strict",
        metavar="",
        help="Gate: fail on known violations that have expired or healed",
        flag=True,
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordOptions:
    """Where records lie, and how a run is held against them."""

    baseline: Path | None = None
    save_baseline: Path | None = None
    strict: bool = False
    across: frozenset[str] = frozenset()
    undecided: str = "pass"
    min_drop: float = 0.01
    quarantine: Path | None = None
    quarantine_strict: bool = False
    save_run: Path | None = None
    shard: Shard = _WHOLE
    reports: tuple[WantedReport, ...] = ()

    @property
    def are_written(self) -> bool:
        """Whether anything is written from which tables are made again."""
        return self.save_run is not None or bool(self.reports)

    @property
    def in_parts(self) -> bool:
        """Whether the run is only a part of one, so that no gate can decide."""
        return self.shard.count > 1


def records_of(
    values: Mapping[str, Any], place: Callable[[str], Path | None], folder: Path
) -> RecordOptions:
    """Return what is wanted.

    Args:
        values: of all options, by name.
        place: returns the path that an option names, from where it was written.
        folder: from where the paths of reports are told.

    Raises:
        UsageProblem: a value is not allowed.
    """
    for word in values["baseline-across"]:
        if word not in ACROSS:
            raise unknown(
                "difference",
                word,
                ACROSS,
                hint="Write --metaspace-baseline-across=agent, say.",
            )
    _require_apart(place)
    return RecordOptions(
        baseline=place("baseline"),
        save_baseline=place("save-baseline"),
        strict=bool(values["baseline-strict"]),
        across=frozenset(values["baseline-across"]),
        undecided=values["baseline-undecided"],
        quarantine=place("quarantine"),
        quarantine_strict=bool(values["quarantine-strict"]),
        save_run=place("save-run"),
        shard=_WHOLE if values["shard"] is None else shard(values["shard"]),
        min_drop=number(values, "min-drop", low=0.0, high=1.0),
        reports=tuple(wanted_reports(values["report"], folder)),
    )


def _require_apart(place: Callable[[str], Path | None]) -> None:
    """Make sure that no file is written over by another; a baseline may be brought up to date.

    Raises:
        UsageProblem: two options name the same file.
    """
    files = {name: place(name) for name in ("save-run", "record", *_BASELINES, "quarantine")}
    found = {name: path.resolve() for name, path in files.items() if path is not None}
    for one, other in combinations(found, 2):
        if found[one] == found[other] and {one, other} != set(_BASELINES):
            raise UsageProblem(
                f"metaspace: --metaspace-{one} and --metaspace-{other} name the same file, "
                f"{str(files[one])!a}, and one would be lost. Name another file for one of "
                "them."
            )


def shard(text: str) -> Shard:
    """Return the shard that is meant by ``2/5``.

    Raises:
        UsageProblem: it is none.
    """
    found = re.fullmatch(r"\s*(\d{1,6})\s*/\s*(\d{1,6})\s*", text, re.ASCII)
    index, count = (int(found[1]), int(found[2])) if found else (0, 0)
    if not 1 <= index <= count:
        raise UsageProblem(
            f"metaspace: --metaspace-shard {text}: expected I/N with I from 1 to N, as in 2/5."
        )
    return Shard(index, count)
