"""What the last pytest run found, kept for ``metaspace explain``.

Written by the process that settles, beside the stored answers: whole or not at all, and never
more than a few dozen megabytes. Texts are made safe for a terminal when they are shown.
"""

from __future__ import annotations

import json
import shlex
import shutil
import tempfile
import time
import unicodedata
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pytest_metaspace import nearest
from pytest_metaspace.domain import Outcome
from pytest_metaspace.errors import UsageProblem, warn
from pytest_metaspace.failures import kind_of
from pytest_metaspace.questions import question
from pytest_metaspace.repeats import reading_of
from pytest_metaspace.reports import derivation

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from pytest_metaspace.domain import Answer, Boxes, Prompting, Query, Trajectory, Verdict

NAME: Final = "last_run.jsonl"
UNTOLD: Final = (
    "its derivation was left out, as this run has many; metaspace explain with the id of this case "
    "says what to type for it, and nothing is asked again"
)
"""The reason of a case that was judged and not derived."""
_FORMAT: Final = "metaspace-last-run"
_VERSION: Final = 1
_MOST_BYTES: Final = 32 << 20
_MOST_BYTES_SATISFIED: Final = 4 << 20
_IN_MEMORY: Final = 1 << 20
_LONGEST_RAW: Final = 20_000
_NEAR: Final = 5
_AN_ADDRESS: Final = 4  # parts: trajectory, capability, relation, id


# -------------------------------------------------------------------------------- writing


class Writer:
    """Collects what a run finds, and puts it in place when the run is settled.

    Args:
        folder: where answers are stored. It is not made for a run in which all is satisfied.
        agent: the agent's full name.
        prompting: how it was asked.
        samples: how often each question is put.
        anchors: names of anchored relations, which a run has only where it names them.
        boxes: how objects are shown to the agent.
        tracking: options that chose what found the objects.
    """

    def __init__(
        self,
        folder: Path,
        agent: str,
        prompting: Prompting = "direct",
        *,
        samples: int = 1,
        anchors: Collection[str] = (),
        boxes: Boxes = "text",
        tracking: Collection[str] = (),
    ) -> None:
        self._folder = folder
        self._prompting = prompting
        self._file = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - closed in __exit__
        self._room = {True: _MOST_BYTES_SATISFIED, False: _MOST_BYTES}
        self._found = False
        self._left_out = 0
        self._questions: dict[Query, dict[str, Any]] = {}
        when = time.strftime("%Y-%m-%d %H:%M:%S")
        told: dict[str, Any] = {"agent": agent, "prompting": prompting, "when": when}
        told |= {"samples": samples, "anchors": sorted(anchors)}
        told |= {"boxes": boxes, "tracking": [*tracking]}
        self._put({"format": _FORMAT, "version": _VERSION, **told})

    def add(
        self,
        verdict: Verdict,
        answers: Mapping[Query, Answer],
        trajectory: Trajectory,
        *,
        always: bool = False,
    ) -> None:
        """Keep a verdict: in full, or only its outcome where the case is satisfied.

        Args:
            verdict: what was judged.
            answers: those that it rests on, and others.
            trajectory: that of its case.
            always: keep it even where there is no room left.
        """
        case, satisfied = verdict.case, verdict.outcome is Outcome.SATISFIED
        self._found |= not satisfied
        if self._room[satisfied] <= 0 and not always:
            self._left_out += 1
            return
        record: dict[str, Any] = {
            "address": case.address,
            "source": str(trajectory.source),
            "outcome": verdict.outcome.value,
        }
        if not satisfied:
            record["untold"] = verdict.reason == UNTOLD
            record["lines"] = list(derivation.argument(verdict))
            told = case.queries if verdict.derivation is not None or verdict.evidence else ()
            record["asked"] = [self._asked(query, answers, trajectory) for query in told]
        self._room[satisfied] -= self._put(record)

    def _asked(
        self, query: Query, answers: Mapping[Query, Answer], trajectory: Trajectory
    ) -> dict[str, Any]:
        """Return a question with its answer; most are in several cases, so each is made once."""
        known = self._questions.get(query)
        if known is not None:
            return known
        asked = question(query, trajectory, self._prompting)
        answer = answers.get(query)
        self._questions[query] = record = {
            "text": asked.text,
            "frames": [str(image) for image in asked.images],
            **self._told(answer, query, trajectory),
        }
        if answer is not None and answer.samples:
            record["samples"] = [self._told(one, query, trajectory) for one in answer.samples]
        return record

    def _told(self, answer: Answer | None, query: Query, trajectory: Trajectory) -> dict[str, Any]:
        """Return an answer as it is kept: its words, or why there are none, and what is wrong."""
        raw = answer.raw if answer is not None else None
        return {
            "raw": raw if raw is None else raw[:_LONGEST_RAW],
            "length": 0 if raw is None else len(raw),
            "error": answer.error if answer is not None else "this question was not asked",
            "kind": kind_of(answer, reading_of(answer, query, trajectory, self._prompting)),
        }

    def sampled(self, addresses: Sequence[str], violations: int, seed: int) -> None:
        """Keep which violations were drawn for ``metaspace review``.

        Args:
            addresses: of the cases, in the order in which they are looked at.
            violations: how many there were to draw from.
            seed: by which they were drawn.
        """
        if addresses:
            self._put({"sample": list(addresses), "violations": violations, "seed": seed})

    def sum_up(
        self,
        questions: int,
        failures: Mapping[str, int],
        disagreement: Mapping[str, tuple[int, int]],
    ) -> None:
        """Keep what the questions of the run came to.

        Args:
            questions: how many there were, each counted once.
            failures: how many came to no value, by kind of failure.
            disagreement: by capability, how many have samples that are not all equal, of how many.
        """
        self._put(
            {
                "questions": questions,
                "failures": dict(failures),
                "disagreement": {code: list(pair) for code, pair in disagreement.items()},
            }
        )

    def _put(self, record: Mapping[str, Any]) -> int:
        return self._file.write(json.dumps(record).encode("ascii") + b"\n")

    def __enter__(self) -> Writer:  # noqa: PYI034 - Self needs Python 3.11
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        with self._file:
            if kind is None and (self._found or self._folder.exists()):
                if self._left_out:
                    self._put({"left_out": self._left_out})
                try:
                    self._replace()
                except OSError as problem:
                    warn(
                        f"metaspace: what this run found cannot be kept in {self._folder} for "
                        f"metaspace explain ({problem})."
                    )

    def _replace(self) -> None:
        from pytest_metaspace.asking.store import prepare

        prepare(self._folder)
        aside = self._folder / f"{NAME}.{time.monotonic_ns()}.tmp"
        try:
            with aside.open("wb") as target:
                self._file.seek(0)
                shutil.copyfileobj(self._file, target)
            aside.replace(self._folder / NAME)
        finally:
            aside.unlink(missing_ok=True)


# -------------------------------------------------------------------------------- showing


def explained(case: str, folder: Path | None = None) -> list[str]:
    """Return the lines that explain a case of the last run.

    Args:
        case: its id, its address or its node id.
        folder: where the run kept its answers; looked for from here upwards when None.

    Raises:
        UsageProblem: there is no last run, or it has no such case.
    """
    path, head, records = read(folder)
    with _readable(path):
        known = [record for record in records if "address" in record]
        matching = [record for record in known if _matches(case, record)]
        if len(matching) == 1:
            about = f"from the run of {head['when']} with agent {head['agent']}{_put(head)}"
            return [
                *shown(matching[0], head),
                *map(_safe, (*_how_to_derive(matching[0], head, folder), about)),
            ]
    if matching:
        raise UsageProblem(
            f"metaspace: {_safe(case)} names {len(matching)} cases. Name one of them: "
            f"{_some([record['address'] for record in matching])}."
        )
    left_out = sum(record.get("left_out", 0) for record in records)
    raise _nothing(case, [record["address"] for record in known], left_out, path)


def read(folder: Path | None = None) -> tuple[Path, dict[str, Any], list[dict[str, Any]]]:
    """Return the file of the last run, its first record and the others.

    Raises:
        UsageProblem: there is no last run, or it cannot be read.
    """
    path = _found(folder)
    with _readable(path):
        head, *records = map(json.loads, path.read_text(encoding="ascii").splitlines())
        _check(head)
    return path, head, records


def shown(record: Mapping[str, Any], head: Mapping[str, Any]) -> list[str]:
    """Return the lines that show a case: derivation, questions, answers and frames."""
    return list(map(_safe, _shown(record, as_lines=head.get("prompting", "direct") != "direct")))


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    """Say of a file that is not as this version writes it what to do about it."""
    try:
        yield
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as problem:
        raise UsageProblem(
            f"metaspace: {path} cannot be read ({problem}). Run pytest again; it is written anew."
        ) from problem


def _check(head: Mapping[str, Any]) -> None:
    if (head["format"], head["version"]) != (_FORMAT, _VERSION):
        raise ValueError("it has another format")


def _put(head: Mapping[str, Any]) -> str:
    """Say how the agent was asked, where not as usual."""
    usual = {"prompting": "direct", "boxes": "text"}
    told = {name: head.get(name, as_usual) for name, as_usual in usual.items()}
    return "".join(f", {name} {how}" for name, how in told.items() if how != usual[name])


def _found(folder: Path | None) -> Path:
    def kept(place: Path) -> bool:
        return (place / NAME).is_file()

    found = nearest.nearest(kept) if folder is None else folder
    if found is not None and kept(found):
        return found / NAME
    where = nearest.WHERE if folder is None else f"in {folder}"
    further = nearest.passed_by(kept) if folder is None else ""
    raise UsageProblem(
        f"metaspace: there is no last run {where}. Run pytest --metaspace-agent=NAME first (a run "
        "in which every case is satisfied may leave nothing to explain), or name the folder of "
        f"its answers with --cache-dir.{further}"
    )


def _matches(text: str, record: Mapping[str, Any]) -> bool:
    """Whether text is the id of a case, its address, or its node id."""
    address: str = record["address"]
    *before, own = text.rsplit("::", _AN_ADDRESS - 1)
    if text == address or (not before and own == address.rpartition("::")[2]):
        return True
    if len(before) != _AN_ADDRESS - 1:
        return False
    of_file = Path(record["source"]).parts[-len(Path(before[0]).parts) :]
    return address.endswith("::" + "::".join([*before[1:], own])) and (
        Path(before[0]).parts == of_file
    )


def _nothing(case: str, addresses: Sequence[str], left_out: int, path: Path) -> UsageProblem:
    ids = {address.rpartition("::")[2]: address for address in addresses}
    near = [address for address in addresses if case.lower() in address.lower()][:_NEAR]
    near = near or [ids[word] for word in get_close_matches(case.rpartition("::")[2], ids, _NEAR)]
    guess = f" Did you mean {_some(near)}?" if near else ""
    more = f" {left_out} cases were left out of it, to keep it small." if left_out else ""
    return UsageProblem(
        f"metaspace: the last run ({path}) has no case {_safe(case)!r}.{guess}{more}"
    )


def _some(addresses: Sequence[str]) -> str:
    more = f", and {len(addresses) - _NEAR} more" if len(addresses) > _NEAR else ""
    return ", ".join(map(_safe, addresses[:_NEAR])) + more


def _shown(record: Mapping[str, Any], *, as_lines: bool) -> Iterator[str]:
    if record["outcome"] == Outcome.SATISFIED.value:
        yield f"satisfied: {record['address']}"
        yield "  These answers can all be true; there is nothing to explain."
        return
    yield from record["lines"]
    for number, asked in enumerate(record["asked"], start=1):
        yield ""
        yield f"  answer {number}: {_said(asked, as_lines=as_lines)}"
        yield from _spoken(asked, as_lines=as_lines)
        for sample, one in enumerate(asked.get("samples", ())):
            yield f"    sample {sample}: {_said(one, as_lines=as_lines)}"
            yield from _spoken(one, as_lines=as_lines)
        yield from (f"    {frame}" for frame in asked["frames"])
        yield from (f"    | {line}".rstrip() for line in asked["text"].splitlines())
    yield ""


def _said(asked: Mapping[str, Any], *, as_lines: bool) -> str:
    """Return the words of an answer, or why there are none, and the kind of failure it is."""
    raw, kind = asked["raw"], asked.get("kind")
    said = f"no answer: {asked['error']}" if raw is None else ascii(raw)
    if as_lines and raw:
        said = f"{len(raw)} characters"
    if asked["length"] > _LONGEST_RAW:
        said += f" and {asked['length'] - _LONGEST_RAW} characters more"
    return f"{said} ({kind})" if kind else said


def _spoken(asked: Mapping[str, Any], *, as_lines: bool) -> Iterator[str]:
    """Yield the words of an answer that is reasoned, line by line."""
    if as_lines:
        yield from (f"    > {line}".rstrip() for line in (asked["raw"] or "").splitlines())


def _how_to_derive(
    record: Mapping[str, Any], head: Mapping[str, Any], folder: Path | None
) -> Iterator[str]:
    """Yield the command that derives a case whose derivation was left out."""
    if record.get("untold"):
        *_, capability, relation, own = record["address"].rsplit("::", _AN_ADDRESS - 1)
        words = ["pytest", f"--metaspace-agent={head['agent']}", "--metaspace-explain"]
        for name, as_usual in (("prompting", "direct"), ("boxes", "text")):
            if head.get(name, as_usual) != as_usual:
                words.append(f"--metaspace-{name}={head[name]}")
        words += map(str, head.get("tracking", ()))
        if head.get("samples", 1) > 1:
            words.append(f"--metaspace-samples={head['samples']}")
        if relation in head.get("anchors", ()):
            words.append(f"--metaspace-anchors={relation}")
        if folder is not None:
            words.append(f"--metaspace-cache-dir={folder.resolve()}")
        words.append("::".join((record["source"], capability, relation, own)))
        yield "To have its derivation made, which asks nothing again:"
        yield f"  {shlex.join(words)}"
        yield ""


def _safe(line: str) -> str:
    """Return a line without anything that could move the cursor or turn the writing direction."""
    return "".join("?" if unicodedata.category(char)[0] == "C" else char for char in line)
