"""A puzzle of changes as items: its questions, and what their answers owe each other."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from pytest_metaspace.domain import AS_WRITTEN, Capability, Item, Posing, Tie
from pytest_metaspace.suites import ties
from pytest_metaspace.suites.stare import CODE, _telling
from pytest_metaspace.suites.stare._affine import states
from pytest_metaspace.suites.stare._draw import DIFFICULTIES
from pytest_metaspace.suites.stare._family import chance_of, name_of
from pytest_metaspace.trajectories._altered import Change, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from pytest_metaspace.suites.stare._affine import Figure, Step
    from pytest_metaspace.suites.stare._family import Made
    from pytest_metaspace.suites.stare._telling import Question
    from pytest_metaspace.suites.stare._world import Puzzle

_MODEL, _ASKED = 0, 1
_MIRROR: Final = f"{CODE}-MIRROR"


def ask(puzzle: Puzzle, folder: Path, made: Made, *, every: bool = False) -> None:
    """Add the items of a puzzle, and its pictures.

    Args:
        puzzle: what is asked about.
        folder: in which its pictures will lie.
        made: takes them.
        every: whether it brings all probes and not the one that is drawn.
    """
    sheet = _Sheet(puzzle, folder, made)
    sheet.add("without" if len(puzzle.steps) > 1 else "", sheet.without())
    if len(puzzle.steps) > 1:
        sheet.add("with", sheet.between())
    probes = {"final": sheet.final, "pictures": sheet.pictures}
    if _telling.clear(puzzle):
        probes["words"] = sheet.words
    else:
        made.dropped[_telling.TOO_NEAR] += 1
    chance = chance_of(f"{puzzle.world.name} probe", puzzle.seed, puzzle.number)
    drawn = chance.choice(list(probes))
    for probe in probes if every else [drawn]:
        sheet.add(probe, probes[probe]())


class _Asked:
    """Questions of one item: each names the same options in its own way."""

    def __init__(self, puzzle: Puzzle, options: Mapping[int, Path], folder: Path) -> None:
        self._puzzle = puzzle
        self._options = options
        self._folder = folder
        self._named: dict[str, Mapping[int, str]] = {}
        self.posings: dict[str, Posing] = {}
        self.ties: list[Tie] = []
        self.unposed: dict[str, str] = {}

    def pose(
        self,
        name: str,
        question: Question,
        order: Sequence[int] | None = None,
        change: Change | None = None,
    ) -> None:
        """Add a question whose options are pictures; the first one is held against truth.

        Args:
            name: what is done in it.
            question: what stands before its options.
            order: the options as they are shown; None for those of the puzzle.
            change: what is done to every picture.
        """
        order = self._puzzle.shown if order is None else order
        first = len(question.pictures) + 1
        named = {option: f"image {first + place}" for place, option in enumerate(order)}
        pictures = [*question.pictures, *(self._options[option] for option in order)]
        images = shown([(picture, change) for picture in pictures], self._folder)
        self._add(name, question, named, images)

    def say(self, name: str, question: Question, told: Mapping[int, str]) -> None:
        """Add a question whose options are told in words."""
        self._add(name, question, told, ())

    def _add(
        self, name: str, question: Question, named: Mapping[int, str], images: Sequence[Path]
    ) -> None:
        self._named[name] = named
        self.posings[name] = Posing(
            text=question.text,
            context=question.context,
            options=tuple(named.values()),
            images=images,
            answer=named[0],
            written=not self.posings,
        )

    def tie(self, relation: str, first: str, second: str) -> None:
        """Note that two questions have the same answer, as each names it."""
        one, other = self._named[first], self._named[second]
        follows = {told: other[option] for option, told in one.items() if option in other}
        self.ties.append(ties.mapped(f"{CODE}-{relation}", first, second, follows))

    def cannot(self, relation: str, reason: str) -> None:
        """Note why a relation has no case here."""
        self.unposed[f"{CODE}-{relation}"] = reason


class _Sheet:
    """Makes the items of one puzzle."""

    def __init__(self, puzzle: Puzzle, folder: Path, made: Made) -> None:
        self._puzzle = puzzle
        self._world = puzzle.world
        self._folder = folder
        self._made = made
        self._name = name_of(puzzle.world.name, puzzle.seed, puzzle.number)
        self._model = self._drawn("a", states(puzzle.model, puzzle.steps), _MODEL)
        self._line = self._drawn("b", states(puzzle.asked, puzzle.steps)[:-1], _ASKED)
        figures = [puzzle.options[option] for option in puzzle.shown]
        self._options = dict(zip(puzzle.shown, self._drawn("o", figures, _ASKED)))

    def _drawn(self, letter: str, figures: Sequence[Figure], colour: int) -> list[Path]:
        found = []
        for place, figure in enumerate(figures):
            name = f"{self._name}-{letter}{place}.png"
            self._made.pictures[name] = partial(self._world.picture, figure, colour)
            found.append(self._folder / name)
        return found

    def add(self, end: str, asked: _Asked) -> None:
        """Note an item."""
        puzzle = self._puzzle
        twin = end in ("with", "without")
        form = "instruction" if puzzle.told else "analogy"
        task = form if twin or not end else end
        slices = {"steps": str(len(puzzle.steps)), "difficulty": DIFFICULTIES[puzzle.near - 1]}
        item = Item(
            task=Capability.of_suite(CODE, f"{task}-{self._world.name}"),
            posings=asked.posings,
            ties=tuple(asked.ties),
            unposed=asked.unposed,
            slices={**slices, "simulation": end} if twin else slices,
            twin=self._name if twin else "",
        )
        self._made.items.append((f"{self._name}-{end}".rstrip("-"), item))

    def without(self) -> _Asked:
        """Ask with the start alone, and in every other way."""
        asked = self._begin(self._own)
        told, shown_ = "told in words", f"shown by another {self._world.noun}"
        other = shown_ if self._puzzle.told else told
        asked.pose(other, self._shown() if self._puzzle.told else self._told(self._puzzle.steps))
        asked.tie("FORMS", AS_WRITTEN, other)
        self._order(asked)
        self._fewer(asked)
        self._mirror(asked)
        self._turn(asked)
        base = AS_WRITTEN if self._puzzle.told else told
        self._compose(asked, base)
        self._commute(asked, base)
        if len(self._puzzle.steps) > 1:
            asked.pose("shown with the pictures between", self._own(between=True))
            asked.tie("STEPS", AS_WRITTEN, "shown with the pictures between")
        else:
            asked.cannot("STEPS", "there is nothing between the start and the end")
        return asked

    def between(self) -> _Asked:
        """Ask with every state but the last."""
        asked = self._begin(partial(self._own, between=True))
        self._order(asked, between=True)
        self._mirror(asked, between=True)
        return asked

    def final(self) -> _Asked:
        """Ask with every state, the last one too: what is left is to find it again."""
        line = [*self._line, self._options[0]]
        if not self._puzzle.told:
            question = self._shown([*enumerate(self._model)], [*enumerate(line)])
        else:
            question = _telling.instruction(self._world, self._puzzle.steps, [*enumerate(line)])
        asked = self._empty()
        asked.pose(AS_WRITTEN, question)
        return asked

    def pictures(self) -> _Asked:
        """Ask with pictures alone."""
        asked = self._empty()
        asked.pose(AS_WRITTEN, _telling.sequence(self._world, self._model, self._line))
        return asked

    def words(self) -> _Asked:
        """Ask in words alone."""
        start = self._world.told(self._puzzle.asked)
        asked = self._empty()
        question = _telling.in_words(self._world, start, self._puzzle.steps)
        asked.say(AS_WRITTEN, question, self._in_words())
        asked.pose("shown in pictures", self._told(self._puzzle.steps))
        asked.tie("FORMS", AS_WRITTEN, "shown in pictures")
        return asked

    def _in_words(self) -> Mapping[int, str]:
        return {one: self._world.told(self._puzzle.options[one]) for one in self._puzzle.shown}

    def _empty(self) -> _Asked:
        return _Asked(self._puzzle, self._options, self._folder)

    def _begin(self, question: Callable[[], Question]) -> _Asked:
        asked = self._empty()
        asked.pose(AS_WRITTEN, question())
        return asked

    def _own(
        self, change: Callable[[Step], Step] | None = None, *, between: bool = False
    ) -> Question:
        """Return the question as it is written, or with its steps as they are changed."""
        if not self._puzzle.told:
            return self._shown(
                *(self._seen(self._model), self._seen(self._line)) if between else ()
            )
        steps = tuple(map(change, self._puzzle.steps)) if change else self._puzzle.steps
        return self._told(steps, between=between)

    def _seen(self, line: Sequence[Path]) -> list[_telling.Seen]:
        """Return the pictures of a line that are shown: start, some between, and an end if any."""
        count = len(self._puzzle.steps)
        taken = (0, *self._puzzle.between, count)
        return [(done, line[done]) for done in taken if done < len(line)]

    def _told(self, steps: Sequence[Step], *, between: bool = False) -> Question:
        line = self._seen(self._line) if between else [(0, self._line[0])]
        return _telling.instruction(self._world, steps, line)

    def _shown(
        self, model: Sequence[_telling.Seen] = (), line: Sequence[_telling.Seen] = ()
    ) -> Question:
        count = len(self._puzzle.steps)
        return _telling.analogy(
            self._world,
            count,
            model or [(0, self._model[0]), (count, self._model[-1])],
            line or [(0, self._line[0])],
            self._world.kinds,
        )

    def _order(self, asked: _Asked, *, between: bool = False) -> None:
        backwards = tuple(reversed(self._puzzle.shown))
        name = "its options are shown the other way round"
        asked.pose(name, self._own(between=between), backwards)
        asked.tie("ORDER", AS_WRITTEN, name)

    def _fewer(self, asked: _Asked) -> None:
        order = list(self._puzzle.shown)
        order.remove(next(option for option in order if option))
        asked.pose("a wrong option is left out", self._own(), order)
        asked.tie("FEWER", AS_WRITTEN, "a wrong option is left out")

    def _mirror(self, asked: _Asked, *, between: bool = False) -> None:
        question = self._own(self._world.mirrored, between=between)
        asked.pose("mirrored", question, change="mirrored")
        asked.tie("MIRROR", AS_WRITTEN, "mirrored")

    def _turn(self, asked: _Asked) -> None:
        if self._world.turned is None:
            return
        asked.pose("turned", self._own(self._world.turned), change="turned")
        asked.tie("TURNED", AS_WRITTEN, "turned")

    def _compose(self, asked: _Asked, base: str) -> None:
        steps = self._puzzle.steps
        extra = self._world.catalogue()[self._puzzle.number % 6]
        undone = (*steps, extra, self._world.inverse(extra))
        asked.pose("a turn is added and undone", self._told(undone))
        asked.tie("COMPOSED", base, "a turn is added and undone")
        for place, step in enumerate(steps):
            halves = self._world.halves(step)
            if halves is not None:
                asked.pose(
                    "a step is told as two",
                    self._told((*steps[:place], *halves, *steps[place + 1 :])),
                )
                asked.tie("COMPOSED", base, "a step is told as two")
                return

    def _commute(self, asked: _Asked, base: str) -> None:
        steps = self._puzzle.steps
        for place, (first, second) in enumerate(pairwise(steps)):
            if self._world.commute(first, second):
                swapped = (*steps[:place], second, first, *steps[place + 2 :])
                asked.pose("two steps are exchanged", self._told(swapped))
                asked.tie("COMMUTED", base, "two steps are exchanged")
                return
        asked.cannot("COMMUTED", "no two steps that follow each other commute")
