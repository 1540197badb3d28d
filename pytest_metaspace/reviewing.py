"""How many violations are right: a sample of them, labelled by people, and its precision.

Which violations are looked at is drawn when they are found, from all of them, by the hash of their
address and the seed of the run; so a larger sample has the smaller one in it, and those drawn are
kept in full. Labels are lines of a JSON Lines file that people may also edit by hand.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from heapq import nsmallest
from typing import TYPE_CHECKING, Any, Final

from pytest_metaspace import files, last_run
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.mrs._ids import digest
from pytest_metaspace.prompts.words import one_line
from pytest_metaspace.scoring import exact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

MOST: Final = 200
"""As many violations of a run are drawn and kept in full."""
LABELS: Final = {"t": "true", "f": "false alarm", "s": ""}
_FORMAT: Final = "metaspace-review"
_VERSION: Final = 1
_PUBLISHED: Final = "the paper found 9 false alarms among 1000 of its violations: 0.991"
_HOW: Final = (
    "t: the answers cannot all be true   f: false alarm, they can   s: skip   q: stop; "
    "words behind it are a note, as in: f the chair was moved"
)


def drawn(addresses: Iterable[str], seed: int) -> list[str]:
    """Return the violations to be looked at, in order.

    Args:
        addresses: of all violated cases.
        seed: of the run.
    """
    return nsmallest(MOST, addresses, key=lambda address: (digest(seed, address), address))


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """What a person says of a violation: a line of the file.

    Attributes:
        case: its address.
        claim: what the derivation says, so that a label does not outlive it.
        label: ``true``, ``false alarm`` or nothing yet.
        note: whatever the person wants to say.
    """

    case: str
    claim: str
    label: str = ""
    note: str = ""


class Review:
    """The sample of the last run and its labels.

    Args:
        file: where labels are kept; made when missing.
        folder: where the run kept its answers; looked for from here upwards when None.
        size: how many violations are looked at.

    Raises:
        UsageProblem: there is no last run, or the file is not as it should be.
    """

    def __init__(self, file: Path, folder: Path | None, size: int) -> None:
        self._file = file
        path, self._head, records = last_run.read(folder)
        samples = [record for record in records if "sample" in record]
        self.violations = sum(record["violations"] for record in samples)
        found = {address for record in samples for address in record["sample"]}
        #  A run that goes in waves draws from each; of these together the first are those of all.
        order = drawn(found, samples[0].get("seed", 0) if samples else 0)
        self._records = {r["address"]: r for r in records if r.get("address") in found}
        if self.violations == 0:
            raise UsageProblem(
                f"metaspace: the last run ({path}) has no violations to review. Run an agent "
                "that has some; anchored relations are not reviewed."
            )
        known = self._read()
        self.labels = {
            case: self._carried(case, known) for case in order[:size] if case in self._records
        }
        self._others = [one for one in known.values() if one != self.labels.get(one.case)]
        self._others = [one for one in self._others if one.label or one.note]

    def _carried(self, case: str, known: Mapping[str, Label]) -> Label:
        """Return the label that a case has, where its derivation still says the same."""
        fresh = Label(case=case, claim=_claim(self._records[case]))
        before = known.get(case)
        return before if before is not None and before.claim == fresh.claim else fresh

    @property
    def agent(self) -> str:
        """Whose violations they are."""
        name: str = self._head["agent"]
        return name

    @property
    def kept(self) -> int:
        """How many labels of the file are of other cases, and are not counted."""
        return len(self._others)

    def show(self, case: str) -> list[str]:
        """Return the lines that show a violation."""
        return last_run.shown(self._records[case], self._head)

    def enter(self, case: str, label: str, note: str) -> None:
        """Label a violation, and keep that at once."""
        self.labels[case] = replace(self.labels[case], label=label, note=note)
        self.write()

    def write(self) -> None:
        """Write all labels, so that the file is there whole or as it was.

        Raises:
            UsageProblem: it cannot be written.
        """
        head = {"format": _FORMAT, "version": _VERSION, "agent": self.agent}
        lines = [head, *map(asdict, (*self.labels.values(), *self._others))]
        aside = self._file.with_name(f"{self._file.name}.tmp")
        try:
            aside.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="ascii")
            aside.replace(self._file)
        except OSError as problem:
            raise UsageProblem(
                f"metaspace: labels cannot be written to {self._file} ({problem.strerror}). "
                f"{files.advice(problem, ' with --file')}"
            ) from problem

    def _read(self) -> dict[str, Label]:
        if not self._file.exists():
            return {}
        try:
            head, *lines = self._file.read_text(encoding="utf-8").splitlines()
            found = json.loads(head)
            named = found["agent"]
            _check(found["format"] == _FORMAT and found["version"] == _VERSION, "it is another one")
        except (OSError, ValueError, LookupError, TypeError) as problem:
            raise UsageProblem(
                f"metaspace: {self._file} is no file of labels ({problem}). Name another one with "
                "--file."
            ) from problem
        if named != self.agent:
            raise UsageProblem(
                f"metaspace: {self._file} has labels of the agent {named!a}, and the last "
                f"run was of {self.agent!a}. Name another file with --file."
            )
        read = (self._label(line, number) for number, line in enumerate(lines, 2) if line.strip())
        return {label.case: label for label in read}

    def _label(self, line: str, number: int) -> Label:
        try:
            label = Label(**json.loads(line))
            _check(label.label in LABELS.values(), f"label is {label.label!a}")
            _check(isinstance(label.case, str) and isinstance(label.note, str), "it has no text")
        except (ValueError, TypeError) as problem:
            raise UsageProblem(
                f"metaspace: {self._file}, line {number}: {problem}; expected case, claim, "
                'note and label, which is "true", "false alarm" or "" for none yet.'
            ) from problem
        return label


def _check(holds: bool, reason: str) -> None:
    """Raise a ValueError with the reason unless something holds."""
    if not holds:
        raise ValueError(reason)


def _claim(record: Mapping[str, Any]) -> str:
    """Return the sentence that a violation makes of the answers."""
    said: Sequence[str] = record["lines"]
    return said[1].strip() if len(said) > 1 else said[0]


def asked(review: Review, read: Callable[[str], str]) -> Iterator[str]:
    """Yield what a person is shown, and enter what they say; end where they want to.

    Args:
        review: what is labelled.
        read: shows a prompt and returns what was typed; EOFError ends like ``q``.
    """
    todo = [case for case, label in review.labels.items() if not label.label]
    if todo:
        yield _HOW
    for number, case in enumerate(todo, start=1):
        yield ""
        yield f"--- {number} of {len(todo)} to label"
        yield from review.show(case)
        while True:
            try:
                word, _, note = read("t, f, s or q: ").strip().partition(" ")
            except EOFError:
                return
            if word.lower() == "q":
                return
            if word.lower() in LABELS:
                review.enter(case, LABELS[word.lower()], note.strip())
                break
            yield _HOW


def result(review: Review) -> Iterator[str]:
    """Yield the precision that the labels come to, and what is not labelled."""
    said = [label.label for label in review.labels.values()]
    right, labelled = said.count("true"), sum(map(bool, said))
    if labelled:
        yield (
            f"precision {right / labelled:.3f}{_interval(right, labelled)}: {right} of {labelled} "
            f"labelled violations are right; drawn from {review.violations} of "
            f"{one_line(review.agent)}"
        )
        yield _PUBLISHED
    if labelled < len(said):
        yield f"{len(said) - labelled} of {len(said)} are not labelled yet"
    if review.kept:
        yield (
            f"{review.kept} labels are of violations that the last run does not have or did not "
            "draw; they stay in the file and are not counted"
        )


def _interval(right: int, labelled: int) -> str:
    """Return the interval of Clopper and Pearson as it is printed."""
    low, high = exact(right / labelled, labelled)
    return f" (95 % interval {low:.3f}-{high:.3f})"
