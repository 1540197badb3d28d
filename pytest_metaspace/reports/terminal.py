"""What a run prints at its end, but for its tables: violations, what was left out, gates."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from pytest_metaspace.domain import Outcome
from pytest_metaspace.prompts.words import one_line
from pytest_metaspace.reports import failing

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pytest_metaspace.domain import GateResult, Interval, Run, Settings
    from pytest_metaspace.reports.pairs import Group, Pairs

ERRORED = "errored"
"""What the last line of a run calls cases in error: *error* is pytest's word for broken tests."""
WORDS = ("violated", "invalid", "inconclusive", ERRORED)
"""The categories that a run adds to pytest's own, in the order of its last line."""
_VERBOSE = "-v shows them, and prints a line for each case"
_GROUPS = 8
_PAIRS = 2
_PAIRS_VERBOSE = 10
_REASONS = 5
_PRINTED = 40


def number(value: float | None) -> str:
    """Return a score as printed: three digits, or n/a."""
    return "n/a" if value is None else f"{value:.3f}"


def between(interval: Interval | None) -> str:
    """Return an interval as printed: two digits, or nothing."""
    return "" if interval is None else f"{interval.low:.2f}-{interval.high:.2f}"


def share(value: float | None) -> str:
    """Return a share in percent, or n/a."""
    return "n/a" if value is None else f"{100 * value:.0f} %"


def plural(count: int, noun: str) -> str:
    """Return ``1 case`` or ``2 cases``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def header(agent: str, settings: Settings, *, greedy: bool = False) -> str:
    """Return the one line that says what decides the results, and a second for a warning.

    Args:
        agent: its full name.
        settings: of the run.
        greedy: whether the agent is asked for its likeliest words (temperature 0).
    """
    parts = [f"agent {one_line(agent)}", f"semantics {settings.semantics}"]
    if settings.prompting != "direct":
        parts.append(f"prompting {settings.prompting}")
    if settings.boxes != "text":
        parts.append(f"boxes {settings.boxes}")
    if settings.capabilities:
        parts.append(f"capabilities {','.join(sorted(settings.capabilities))}")
    if settings.relations:
        parts.append(f"relations {','.join(sorted(settings.relations))}")
    if settings.anchors:
        parts.append(f"anchors {','.join(sorted(settings.anchors))}")
    if settings.sample < 1:
        parts.append(f"sample {settings.sample:g} with seed {settings.seed}")
    if settings.samples > 1:
        parts.append(f"{settings.samples} samples of each question")
    line = f"metaspace: {', '.join(parts)}"
    if greedy and settings.samples > 1:
        line += (
            "\nmetaspace: note: at temperature 0 the samples of a question may all be equal, and "
            "each is asked for; --metaspace-temperature=0.7, say, lets those of a model behind an "
            "endpoint differ"
        )
    return line


def _put(settings: Settings) -> str:
    """Say how questions were put, where not as usual: such scores are not those of others."""
    told = [] if settings.prompting == "direct" else [f"prompting {settings.prompting}"]
    told += [] if settings.boxes == "text" else [f"boxes {settings.boxes}"]
    return f" ({', '.join(told)})" if told else ""


def asked(run: Run, questions: int) -> str:
    """Return how many questions there were, and about how many trajectories."""
    times = f" x {run.settings.samples} samples" if run.settings.samples > 1 else ""
    many = "trajectory" if len(run.trajectories) == 1 else "trajectories"
    return f"{plural(questions, 'distinct question')}{times} in {len(run.trajectories)} {many}"


def closing(
    run: Run, questions: int, fresh: int, skips: Mapping[str, str], verbosity: int
) -> Iterator[str]:
    """Yield how much was asked, and what was left out."""
    told = asked(run, questions)
    yield f"{told}, {fresh} put to {one_line(run.agent)}{_put(run.settings)}"
    yield from left_out(run, skips, verbose=verbosity > 0)


class Used(Protocol):
    """What asking used, as the asker counts it."""

    calls: int
    tokens_in: int
    tokens_out: int
    guessed: int


def used(spent: Used, cached: int, saved: int, usd: float) -> str:
    """Return what was asked and what it took; tokens and money where they are known."""
    told = (
        f"{plural(spent.calls, 'call')}, {plural(cached, 'answer')} from the store, "
        f"{saved} calls saved by asking once"
    )
    if spent.tokens_in or spent.tokens_out:
        about = "about " if spent.guessed else ""
        told += f", {about}{spent.tokens_in} tokens in, {about}{spent.tokens_out} out"
    return f"{told}, about ${usd:.2f}" if usd else told


def left_out(run: Run, skips: Mapping[str, str], *, verbose: bool) -> Iterator[str]:
    """Yield what was not asked and why: a count, or every reason when verbose."""
    if skips:
        yield f"{plural(len(skips), 'relation')} could not be asked: {next(iter(skips.values()))}"
    if not run.drops:
        return
    if not verbose:
        yield f"{sum(run.drops.values())} candidates left out by the filters (-v tells why)"
        return
    for reason, count in sorted(run.drops.items()):
        yield f"left out: {count} x {reason}"


def violations(
    run: Run, shown: Mapping[Group, Sequence[str]], pairs: Pairs, *, verbose: bool
) -> Iterator[str]:
    """Yield the kept derivations, worst capabilities first, with how many there were.

    Args:
        run: for the counts.
        shown: texts by capability and relation.
        pairs: which pairs of things are violated how often.
        verbose: print every group, and every kept derivation of each.
    """
    parts = {score.name: score for score in (*run.by_relation, *run.by_anchor)}
    worst = {score.name: score.value if score.value is not None else -1.0 for score in run.scores}
    groups = sorted(shown, key=lambda group: (worst.get(group[0], 1.0), group))
    for capability, relation in groups if verbose else groups[:_GROUPS]:
        score = parts[f"{capability} {relation}"]
        yield (
            f"{capability} {relation} {score.title}: {plural(score.violated, 'violation')} in "
            f"{plural(score.cases, 'case')}"
        )
        yield from _pairs(pairs.worst((capability, relation)), verbose=verbose)
        texts = shown[capability, relation]
        for text in texts if verbose else texts[:1]:
            yield from ("  " + line for line in text.splitlines())
            yield ""
    if len(groups) > _GROUPS and not verbose:
        yield (
            f"and {len(groups) - _GROUPS} more capabilities and relations (metaspace explain CASE "
            f"shows any case; {_VERBOSE})"
        )


def _pairs(counted: Sequence[tuple[str, int, int]], *, verbose: bool) -> Iterator[str]:
    """Yield which pairs are violated most often, where more than one is."""
    if len(counted) < 2:  # noqa: PLR2004 - one pair is told by its derivation
        return
    kept = counted[: _PAIRS_VERBOSE if verbose else _PAIRS]
    yield from (f"  {pair}: {violated} violated of {cases}" for pair, violated, cases in kept)
    if len(counted) > len(kept):
        rest = sum(violated for _, violated, _ in counted[len(kept) :])
        more = plural(len(counted) - len(kept), "pair")
        yield f"  and {more} more with {plural(rest, 'violation')}"


def unread(run: Run, reasons: Mapping[tuple[Outcome, str], int], *, verbose: bool) -> Iterator[str]:
    """Yield which questions came to no value, and why cases were invalid or in error."""
    yield from failing.lines(run)
    ordered = sorted(reasons.items(), key=lambda entry: (-entry[1], entry[0]))
    for (outcome, reason), count in ordered if verbose else ordered[:_REASONS]:
        yield f"{outcome}: {plural(count, 'case')}: {one_line(reason, 200)}"
    if len(ordered) > _REASONS and not verbose:
        yield f"and {len(ordered) - _REASONS} more reasons ({_VERBOSE})"


def printed(text: str, *, verbose: bool) -> Iterator[str]:
    """Yield the last lines of what an agent printed."""
    lines = text.splitlines()
    kept = lines[-_PRINTED:] if verbose else lines[-3:]
    if len(kept) < len(lines):
        yield f"... the last {len(kept)} of {len(lines)} lines (-s shows all as they come)"
    yield from (one_line(line, 200) for line in kept)


def gate_lines(run: Run) -> Iterator[str]:
    """Yield one line for each gate."""
    yield from map(gate_line, run.gates)


def gate_line(gate: GateResult) -> str:
    """Return what a gate decided, and what that rests on."""
    word = "gate passed" if gate.passed else "GATE FAILED"
    if gate.undecided:
        word = "gate undecided" if gate.passed else "GATE UNDECIDED"
    return f"{word}: {gate.sentence}{f' ({gate.basis})' if gate.basis else ''}"


@lru_cache
def status(outcome: str) -> tuple[str, str, tuple[str, dict[str, bool]]]:
    """Return category, letter and word of an outcome for pytest's progress."""
    if outcome == Outcome.SATISFIED.value:
        return "passed", ".", ("PASSED", {"green": True})
    marks: dict[str, tuple[str, dict[str, bool]]] = {
        Outcome.VIOLATED.value: ("V", {"red": True}),
        Outcome.INVALID.value: ("I", {"red": True}),
        Outcome.INCONCLUSIVE.value: ("-", {"yellow": True}),
        Outcome.ERROR.value: ("E", {"red": True}),
    }
    letter, colour = marks[outcome]
    category = ERRORED if outcome == Outcome.ERROR.value else outcome
    return category, letter, (outcome.upper(), colour)


@lru_cache
def status_among(outcome: str, shown: str | None) -> tuple[str, str, tuple[str, dict[str, bool]]]:
    """Return category, letter and word of one of several cases that share a letter.

    Args:
        outcome: what the case came to.
        shown: the outcome whose letter is printed after it, or None for no letter yet.
    """
    category, _, (word, _) = status(outcome)
    if shown is None:
        return category, "", (word, {})
    _, letter, (_, colour) = status(shown)
    return category, letter, (word, colour)
