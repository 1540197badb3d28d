"""The closing sections of a run: derivations, scores, what they are held against, and gates."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from pytest_metaspace import going_on, held_against
from pytest_metaspace.prompts.words import inert, one_line
from pytest_metaspace.reports import drawing, rules, scores, terminal

if TYPE_CHECKING:
    from pytest_metaspace.ledger import Ledger


class Printer:
    """A terminal reporter of pytest whose lines no service takes for commands.

    Args:
        reporter: who prints them.
    """

    def __init__(self, reporter: Any) -> None:
        self._reporter = reporter

    def write_line(self, line: str, **markup: bool) -> None:
        """Print a line."""
        self._reporter.write_line(inert(line), **markup)

    def __getattr__(self, name: str) -> Any:
        """Return what the reporter has besides."""
        return getattr(self._reporter, name)


def write(ledger: Ledger, reporter: Any, verbosity: int) -> None:
    """Write the closing sections of a run."""
    run = ledger.summarise()
    texts = ledger.worst()
    if texts and verbosity >= -1:
        reporter.write_sep("=", "metaspace: answers that cannot all be true")
        lines = terminal.violations(run, texts, ledger.pairs, verbose=verbosity > 0)
        if held_against.is_told_by_news(ledger, verbose=verbosity > 0):
            lines = held_against.news(ledger)
        encoding = getattr(sys.__stdout__, "encoding", None)
        draws = drawing.can_draw(terminal=reporter.isatty, encoding=encoding)
        for line in drawing.drawn(lines) if draws else lines:
            reporter.write_line(line)
    if ledger.reasons and verbosity >= -1:
        reporter.write_sep("=", "metaspace: answers that could not be judged")
        for line in terminal.unread(run, ledger.reasons, verbose=verbosity > 0):
            reporter.write_line(line)
    if ledger.printed and verbosity >= 0:
        reporter.write_sep("=", "metaspace: what the agent printed")
        for line in terminal.printed(ledger.printed, verbose=verbosity > 0):
            reporter.write_line(line)
    reporter.write_sep("=", "metaspace: spatial cognition scores")
    width = reporter.config.get_terminal_writer().fullwidth
    for line in scores.tables(run, verbose=verbosity > 0, width=width):
        reporter.write_line(line)
    lines = terminal.closing(run, ledger.questions, ledger.spent.calls, ledger.skips, verbosity)
    for line in (*lines, going_on.used(ledger), *rules.lines(ledger.rules)):
        reporter.write_line(line)
    held_against.write_comparison(ledger, reporter, verbose=verbosity > 0)
    held_against.write_known(ledger, reporter)
    _decisions(ledger, reporter)


def _decisions(ledger: Ledger, reporter: Any) -> None:
    """Write what went wrong with engines and with storing, and what the gates decided."""
    run = ledger.summarise()
    if ledger.passed_over:
        reporter.write_line("judged with the slower engine wasm, because no other one works:")
        reporter.write_line(ledger.passed_over)
    if ledger.trouble:
        reporter.write_line(one_line(ledger.trouble, 600), red=True)
        going_on.write(going_on.after_a_stop(ledger, reporter.config), reporter)
    for line, passed in zip(terminal.gate_lines(run), (gate.passed for gate in run.gates)):
        reporter.write_line(line, green=passed, red=not passed)
    held_against.write_notices(ledger, reporter)
