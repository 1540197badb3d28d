"""What asking came to in a run, and how to go on where it was stopped before it was through."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from pytest_metaspace.agents import Endpoint
from pytest_metaspace.questions import question
from pytest_metaspace.reports import terminal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import pytest

    from pytest_metaspace.ledger import Ledger

_OPTION = "--metaspace-"
_ADDRESS = "base-url"
_INI_ADDRESS = "metaspace_base_url="
"""As it is typed behind ``-o``."""


def used(ledger: Ledger) -> str:
    """Return the line that says what was asked, saved and spent."""
    spent = ledger.spent
    return terminal.used(spent, ledger.cached, ledger.saved, ledger.caps().cost(spent))


def after_a_stop(ledger: Ledger, config: pytest.Config) -> Iterator[str]:
    """Yield what is missing after asking was stopped, and the command that asks for it."""
    if not ledger.missing:
        return
    questions = terminal.plural(len(ledger.missing), "question")
    cases = terminal.plural(len(ledger.missing_cases), "case")
    if not ledger.capped:
        yield f"{questions} of {cases} not asked. Mend that, and only what is missing is asked by:"
        yield f"  {command(config)}"
        return
    again = "The same command asks as many again; with" if ledger.spent.calls else "With"
    yield f"{questions} of {cases} not asked. {again} room for all that is missing it is:"
    one = next(iter(ledger.missing))
    prompting = ledger.options.settings.prompting
    asked = question(one, ledger.trajectories[one.trajectory], prompting)
    yield f"  {command(config, ledger.caps().room_for(ledger.missing_calls, asked))}"


def after_an_interrupt(ledger: Ledger, config: pytest.Config) -> Iterator[str]:
    """Yield what is missing after Ctrl-C while questions were asked, and how to go on."""
    if not ledger.interrupted:
        return
    done, total = ledger.interrupted
    if ledger.agent.identity is None:
        return  # its answers are free, and nothing of them is stored
    yield (
        f"metaspace: interrupted when {done} of {terminal.plural(total, 'question')} had an "
        "answer. Every answer that came is stored; only what is missing is asked by:"
    )
    yield f"  {command(config)}"


def command(config: pytest.Config, changed: Mapping[str, str] | None = None) -> str:
    """Return what was typed, for a shell, with some of our options changed or added.

    What is secret in an address is left out.
    """
    changes: dict[str, str] = dict(changed or {})
    words: list[str] = []
    given = iter([str(word) for word in config.invocation_params.args])
    for word in given:
        before, set_, address = word.rpartition(_INI_ADDRESS)
        if set_:
            words.append(f"{before}{set_}{Endpoint.of(address).url}")
            continue
        name, assigned, value = word.removeprefix(_OPTION).partition("=")
        if not word.startswith(_OPTION) or name not in {*changes, _ADDRESS}:
            words.append(word)
            continue
        if not assigned:
            value = next(given, "")
        changed_value = Endpoint.of(value).url if name == _ADDRESS else changes.pop(name)
        words.append(f"{_OPTION}{name}={changed_value}")
    words += [f"{_OPTION}{name}={value}" for name, value in changes.items()]
    return shlex.join(["pytest", *words])


def write(lines: Iterator[str], reporter: Any) -> None:
    """Write lines to the terminal."""
    for line in lines:
        reporter.write_line(line)
