"""Cases, derivations, questions and trajectories as columns of numbers that point into tables."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pytest_metaspace.domain import Capability, Outcome
from pytest_metaspace.reports.html._words import Words, as_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pytest_metaspace.domain import (
        Report,
        Said,
        Step,
        ToldCase,
        ToldQuestion,
        ToldTrajectory,
    )
    from pytest_metaspace.reports.html._pictures import Album

OUTCOMES: Final = tuple(outcome.value for outcome in Outcome)
NEWS: Final = ("", "new", "known")
CHUNK: Final = 200
"""Derivations that are read together."""
_NAME: Final = 400
_LINE: Final = 400
_SHOWN_PARTS: Final = 3
_RAW: Final = 4_000
_RAW_ELSEWHERE: Final = 200
"""Of an answer on which no case that is told in full rests."""
_PROMPT_LINES: Final = 400
_PROMPT_LINE: Final = 2_000


class Place:
    """Names by the order in which they came."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._places: dict[str, int] = {}

    def of(self, name: str) -> int:
        """Return the index of a name."""
        place = self._places.setdefault(name, len(self.names))
        if place == len(self.names):
            self.names.append(name[:_NAME])
        return place


class Columns:
    """All but the summary, as blocks of JSON by name.

    Args:
        report: what is told.
        words: where derivations, questions and answers go.
        reasons: where what each case came to goes, in a sentence.
        album: where frames go.
    """

    def __init__(self, report: Report, words: Words, reasons: Words, album: Album) -> None:
        self._report = report
        self._words = words
        self._reasons = reasons
        self._album = album
        self._trajectories, self._objects = Place(), Place()
        for told in report.trajectories:
            self._trajectories.of(told.id)
        self._asked = sorted(
            range(len(report.questions)),
            key=lambda i: (self._trajectories.of(report.questions[i].trajectory), i),
        )
        self._place_of = {old: new for new, old in enumerate(self._asked)}
        self.left_out = 0
        """Derivations that did not fit."""

    def blocks(self) -> Iterator[tuple[str, str]]:
        """Yield the name and the JSON of each block, those first that are needed first."""
        told = self._told_in_full()
        chunks = list(self._chunks(told))
        yield "cases", as_json(self._cases({case.address: i for i, case in enumerate(told)}))
        yield "reasons", self._reasons.table()
        shown = {index for case in told for index in case.questions}
        asked = list(self._questions(shown))
        self._first_pictures(told)
        trajectories = [as_json(self._trajectory(one)) for one in self._report.trajectories]
        yield "words", self._words.table()
        yield from ((f"told-{number}", chunk) for number, chunk in enumerate(chunks))
        yield from ((f"asked-{number}", block) for number, block in enumerate(asked))
        yield from ((f"trajectory-{number}", text) for number, text in enumerate(trajectories))
        yield from (
            (f"picture-{number}", as_json(address))
            for number, address in enumerate(self._album.addresses)
        )

    def _told_in_full(self) -> list[ToldCase]:
        """Return the cases with a derivation that fit: new ones first, each group in its turn."""
        turns: Counter[tuple[str, str, str]] = Counter()
        keyed = []
        for case in self._report.cases:
            if case.derivation is not None:
                trajectory, capability, relation, _ = case.parts
                turns[trajectory, capability, relation] += 1
                turn = turns[trajectory, capability, relation]
                keyed.append(((case.news != "new", turn, case.address), case))
        keyed.sort(key=lambda pair: pair[0])
        found = [case for _, case in keyed if self._words.afford(_size(case))]
        self.left_out = len(keyed) - len(found)
        return found

    def _cases(self, told: dict[str, int]) -> dict[str, Any]:
        capabilities, relations, excuses = Place(), Place(), Place()
        excuses.of("")
        columns: dict[str, list[Any]] = {name: [] for name in "tcroibsnexw"}
        for case in self._report.cases:
            trajectory, capability, relation, own = case.parts
            columns["t"].append(self._trajectories.of(trajectory))
            columns["c"].append(capabilities.of(capability))
            columns["r"].append(relations.of(relation))
            columns["o"].append(OUTCOMES.index(case.outcome.value))
            columns["i"].append(own[:_NAME])
            columns["b"].append([self._objects.of(name) for name in case.objects])
            columns["s"].append(list(case.states))
            columns["n"].append(NEWS.index(case.news) if case.news in NEWS else 0)
            columns["e"].append(excuses.of(case.excuse))
            columns["x"].append(told.get(case.address, -1))
            said = case.derivation.summary if case.derivation else case.reason
            columns["w"].append(self._reasons.put(said, _LINE))
        return {
            **columns,
            "trajectories": self._trajectories.names,
            "capabilities": [[name, _meaning(name)] for name in capabilities.names],
            "relations": [
                [name, self._report.kept.titles.get(name, "")] for name in relations.names
            ],
            "objects": self._objects.names,
            "excuses": excuses.names,
            "outcomes": OUTCOMES,
            "news": NEWS,
            "chunk": CHUNK,
            "asked": self._starts(),
        }

    def _starts(self) -> list[int]:
        """Return the index of each trajectory's first question, and how many there are."""
        counts = Counter(
            self._trajectories.of(question.trajectory) for question in self._report.questions
        )
        starts = [0]
        for place in range(len(self._trajectories.names)):
            starts.append(starts[-1] + counts[place])
        return starts

    def _chunks(self, told: Sequence[ToldCase]) -> Iterator[str]:
        for start in range(0, len(told), CHUNK):
            yield as_json([self._full(case) for case in told[start : start + CHUNK]])

    def _full(self, case: ToldCase) -> list[Any]:
        """Return steps (five numbers each, parents before children), questions, givens."""
        steps: list[int] = []
        if case.derivation is not None:
            for depth, step in walked(case.derivation.root):
                texts = self._words.each((step.goal, step.because, step.source), _LINE)
                rests = -1 if step.observation is None else step.observation
                steps += (depth, *texts, rests)
        questions = [self._place_of.get(index, -1) for index in case.questions]
        return [steps, questions, self._words.each(case.givens, _LINE)]

    def _questions(self, shown: set[int]) -> Iterator[str]:
        """Yield the questions of each trajectory; first of all, texts that shown cases rest on."""
        full = {
            index: self._question(self._report.questions[index], in_full=True)
            for index in self._asked
            if index in shown
        }
        starts = self._starts()
        for first, end in pairwise(starts):
            yield as_json(
                [
                    full.get(index) or self._question(self._report.questions[index], in_full=False)
                    for index in self._asked[first:end]
                ]
            )

    def _question(self, asked: ToldQuestion, *, in_full: bool) -> list[Any]:
        """Return capability, sentence, frames, truth, what was said, samples, prompt."""
        lines = asked.text.split("\n")[:_PROMPT_LINES] if asked.text and in_full else []
        return [
            self._words.put(asked.capability, _NAME),
            self._words.put(asked.sentence, _LINE),
            list(asked.frames),
            self._words.put(asked.truth, _LINE),
            self._said(asked.said, in_full=in_full),
            [self._said(one, in_full=in_full) for one in asked.samples] if in_full else [],
            self._words.each(lines, _PROMPT_LINE),
        ]

    def _said(self, said: Said, *, in_full: bool) -> list[int]:
        """Return value, raw answer, its whole length, error, kind of failure."""
        return [
            self._words.put(said.value, _LINE),
            self._words.put(said.raw, _RAW if in_full else _RAW_ELSEWHERE),
            said.length,
            self._words.put(said.error, _LINE),
            self._words.put(said.kind, _LINE),
        ]

    def _first_pictures(self, told: Iterable[ToldCase]) -> None:
        """Take in the frames that shown cases rest on before all others."""
        frames = {one.id: one.frames for one in self._report.trajectories}
        for case in told:
            own = [(case.parts[0], state) for state in case.states]
            for index in case.questions:
                question = self._report.questions[index]
                own += [(question.trajectory, state) for state in question.frames]
            for trajectory, state in own:
                if 0 <= state < len(frames.get(trajectory, ())):
                    self._album.place(frames[trajectory][state])

    def _trajectory(self, told: ToldTrajectory) -> dict[str, Any]:
        return {
            "scenario": told.scenario,
            "source": _shortened(told.source)[:_NAME],
            "size": list(told.size),
            "names": [_shortened(name)[-_NAME:] for name in told.frames],
            "pictures": [self._album.place(name) for name in told.frames],
            "actions": [action[:_LINE] for action in told.actions],
            "objects": [
                {
                    "id": one.id[:_NAME],
                    "label": one.label[:_NAME],
                    "states": list(one.boxes),
                    "boxes": [[round(edge, 1) for edge in box] for box in one.boxes.values()],
                }
                for one in told.objects
            ],
        }


def walked(root: Step) -> Iterator[tuple[int, Step]]:
    """Yield each step with its depth, those that rest on others before these."""
    stack = [(0, root)]
    while stack:
        depth, step = stack.pop()
        yield depth, step
        stack += [(depth + 1, child) for child in reversed(step.children)]


def _size(case: ToldCase) -> int:
    """Return about how many bytes the numbers of a derivation take."""
    steps = 0 if case.derivation is None else sum(1 for _ in walked(case.derivation.root))
    return 26 * steps + 8 * (len(case.questions) + len(case.givens)) + 10


def _meaning(code: str) -> str:
    return Capability(code).meaning if code in tuple(Capability) else ""


def _shortened(source: str) -> str:
    """Return a path as a page that is passed on shows it: of one from the root, its end alone."""
    path = Path(source)
    return str(Path("\u2026", *path.parts[-_SHOWN_PARTS:])) if path.is_absolute() else source
