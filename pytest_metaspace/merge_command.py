"""The words of ``metaspace merge``: shards put together, scored and decided as one run is."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pytest_metaspace import arguments, memory, records, run_files
from pytest_metaspace.domain import Outcome
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.record_options import RecordOptions
from pytest_metaspace.reports import comparing, known, scores, terminal

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator

    from pytest_metaspace.domain import Kept, Run
    from pytest_metaspace.memory import Memory

FINE: Final = 0
FAILED: Final = 1
_BROKEN: Final = (Outcome.VIOLATED, Outcome.INVALID)


def fill(command: argparse.ArgumentParser) -> None:
    """Give the command what it takes; its ``lines`` returns what to print and the exit status."""
    command.add_argument(
        "files",
        nargs="+",
        type=arguments.path,
        metavar="FILE",
        help="run files of all shards, as --metaspace-save-run has written them, or reports json",
    )
    command.add_argument(
        "-o",
        "--output",
        type=arguments.path,
        metavar="FILE",
        help="write the whole run here, as one run would have",
    )
    command.add_argument(
        "--save-baseline",
        "--metaspace-save-baseline",
        type=arguments.path,
        metavar="FILE",
        help="write the whole run into this baseline, as a run does",
    )
    for name, what in (("baseline", "baseline"), ("quarantine", "known violations")):
        command.add_argument(
            f"--{name}",
            f"--metaspace-{name}",
            type=arguments.path,
            metavar="FILE",
            help=f"{what} in another file than the run names",
        )
    command.add_argument("-v", "--verbose", action="store_true", help="as -v of a run")
    command.set_defaults(lines=lines)


def lines(options: argparse.Namespace) -> tuple[Iterable[str], int]:
    """Return what to print, and the exit status: 0 or 1, as a run would have ended.

    Raises:
        UsageProblem: a file cannot be read, a shard is missing or of another run.
    """
    _spare(options)
    shards = [run_files.read_kept(path) for path in options.files]
    whole = records.merged(shards)
    held = memory.Memory.open(_wanted(whole, options), worker=False)
    held.require(lambda: whole.record)
    run = run_files.run_of(whole, held)
    notes = [*_without_accuracy(shards)]
    told = [*_told(whole, run, held, notes, verbose=options.verbose)]
    if options.output is not None:
        records.write_run(options.output, whole)
        told.append(f"metaspace: saved the run to {records.told(options.output)}")
    if options.save_baseline is not None:
        saved = held.save(whole.record, run_files.gone(whole, held.rows()))
        told += [f"metaspace: {text}" for text in saved]
    return told, _status(whole, run, held)


def _spare(options: argparse.Namespace) -> None:
    """Make sure that no shard is overwritten by what the shards come to."""
    shards = {path.resolve() for path in options.files}
    for path in (options.output, options.save_baseline):
        if path is not None and path.resolve() in shards:
            raise UsageProblem(
                f"metaspace: {records.told(path)} is one of the shards, and would be lost. Name "
                "another file to write to."
            )


def _wanted(whole: Kept, options: argparse.Namespace) -> RecordOptions:
    """Return what the run wanted to be held against, or what was typed instead."""
    rules = whole.rules

    def place(name: str) -> Path | None:
        typed: Path | None = getattr(options, name)
        return typed or (None if rules[name] is None else Path(rules[name]))

    return RecordOptions(
        baseline=place("baseline"),
        save_baseline=options.save_baseline,
        strict=rules["baseline_strict"],
        across=frozenset(rules["across"]),
        undecided=rules["undecided"],
        min_drop=rules["min_drop"],
        quarantine=place("quarantine"),
        quarantine_strict=rules["quarantine_strict"],
    )


def _told(whole: Kept, run: Run, held: Memory, notes: list[str], *, verbose: bool) -> Iterator[str]:
    yield terminal.header(run.agent, run.settings)
    tables = scores.tables(run, verbose=verbose, width=shutil.get_terminal_size().columns)
    yield from _titled("spatial cognition scores", [*tables, *notes])
    yield terminal.asked(run, run.questions)
    yield from terminal.left_out(run, whole.skips, verbose=verbose)
    if run.comparison is not None:
        title = f"against the baseline {run.comparison.before}"
        yield from _titled(title, comparing.lines(run.comparison, verbose=verbose))
    if run.known:
        title = f"known violations, by {held.quarantine.source}"
        yield from _titled(title, known.lines(run.known))
    if whole.stopped:
        missing = len(whole.unrun) + len(whole.deselected)
        yield f"STOPPED EARLY: {missing} cases did not run, so this is no whole run"
    yield from terminal.gate_lines(run)
    yield from (f"metaspace: {text}" for text in held.notices)


def _without_accuracy(shards: Iterable[Kept]) -> Iterator[str]:
    """Yield why there is no accuracy on suites: of which shards the true answers are not known."""
    for shard in shards:
        lacking = len(run_files.unkeyed(shard))
        if lacking:
            index, count = shard.shard
            yield (
                f"metaspace: accuracy on suites is left out, as {shard.record.source} lacks the "
                f"true {'answer' if lacking == 1 else 'answers'} to "
                f"{terminal.plural(lacking, 'question')}. Run shard {index}/{count} again."
            )


def _titled(title: str, section: Iterable[str]) -> Iterator[str]:
    yield f"== metaspace: {title} =="
    yield from section


def _status(whole: Kept, run: Run, held: Memory) -> int:
    """Return how a run would have ended: gates, errors, and violations where they fail."""
    broken = [
        address
        for address, outcome in whole.record.outcomes.items()
        if outcome in _BROKEN and held.quarantine.of(address) is None
    ]
    fails: tuple[Any, ...] = (
        whole.stopped,
        any(not gate.passed for gate in run.gates),
        Outcome.ERROR in whole.record.outcomes.values(),
        broken and whole.rules["violations"] == "fail",
    )
    return FAILED if any(fails) else FINE
