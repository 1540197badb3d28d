"""The words of ``metaspace compare``: files of runs side by side, without pytest."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from pytest_metaspace import arguments, pairing, run_files
from pytest_metaspace.domain import ACROSS
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.reports import comparing
from pytest_metaspace.scoring.comparison import MIN_CHANGE

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

    from pytest_metaspace.domain import Comparison, Record

FINE: Final = 0
WORSE: Final = 1
UNDECIDED: Final = 2
_FEWEST: Final = 2
_REFUSED: Final = ("semantics",)
"""Differences under which verdicts mean something else; others are what is to be compared."""


def fill(command: argparse.ArgumentParser) -> None:
    """Give the command what it takes; its ``lines`` returns what to print and the exit status."""
    command.add_argument(
        "files",
        nargs="+",
        type=arguments.path,
        metavar="FILE",
        help="baselines, run files or reports json; the first is what the others are compared with",
    )
    command.add_argument(
        "--min-drop",
        "--metaspace-min-drop",
        type=arguments.share,
        default=MIN_CHANGE,
        metavar="SCORE",
        help=f"capabilities that moved by less have not changed (default: {MIN_CHANGE:g})",
    )
    command.add_argument(
        "--across",
        "--metaspace-baseline-across",
        metavar="WHAT",
        help="compare although these differ: semantics (with its tolerances), trajectories",
    )
    command.add_argument(
        "-v", "--verbose", action="store_true", help="list every case that came out otherwise"
    )
    command.add_argument("--json", action="store_true", help="one JSON object instead of tables")
    command.set_defaults(lines=lines)


def lines(options: argparse.Namespace) -> tuple[Iterable[str], int]:
    """Return what to print, and the exit status: 0 no capability fell, 1 one did, 2 undecided.

    Raises:
        UsageProblem: a file cannot be read, or what is in two cannot be compared.
    """
    across = arguments.words(options.across)
    for word in across:
        if word not in ACROSS:
            raise UsageProblem(f"metaspace: --across {word}: expected {', '.join(ACROSS)}.")
    if len(options.files) < _FEWEST:
        raise UsageProblem(
            "metaspace: compare needs two files at least, as in: metaspace compare "
            f"before.txt {options.files[0]}"
        )
    first, *others = map(run_files.read_record, options.files)
    found = [_paired(first, other, across, options.min_drop) for other in others]
    status = _status(found)
    if options.json:
        return [json.dumps(_as_json(first, others, found, status), indent=2)], status
    return comparing.side_by_side(first, others, found, verbose=options.verbose), status


def _paired(first: Record, other: Record, across: Sequence[str], min_change: float) -> Comparison:
    wrong = pairing.refused(first, other, _REFUSED, across)
    if wrong:
        raise UsageProblem(
            f"metaspace: {first.source} and {other.source} were judged otherwise: "
            f"{'; '.join(wrong.values())}. To compare all the same add --across={','.join(wrong)}."
        )
    return pairing.pair(first, other, min_change=min_change, across=across)


def _status(found: Iterable[Comparison]) -> int:
    worst = FINE
    for one in found:
        if one.judged("worse"):
            return WORSE
        if not one.deciding or any(shift.change < 0 for shift in one.judged("undecided")):
            worst = UNDECIDED
    return worst


def _as_json(
    first: Record, others: Sequence[Record], found: Sequence[Comparison], status: int
) -> dict[str, Any]:
    return {
        "format": "metaspace-comparison",
        "version": 1,
        "before": {"file": first.source, "agent": first.agent},
        "status": status,
        "comparisons": [
            {
                "file": other.source,
                "agent": other.agent,
                "differences": list(one.differences),
                "capabilities": [{**asdict(shift), "change": shift.change} for shift in one.shifts],
                "suites": [{**asdict(shift), "change": shift.change} for shift in one.suites],
                "cases": {name: list(getattr(one.moves, name)) for name in one.moves.__slots__},
            }
            for other, one in zip(others, found)
        ],
    }
