"""Items whose options are pictures: named by their place, told apart by what they show."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from pytest_metaspace.domain import AS_WRITTEN, Capability, Item, Posing
from pytest_metaspace.suites import ties
from pytest_metaspace.suites.stare import CODE
from pytest_metaspace.trajectories._altered import shown

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from pytest_metaspace.domain import Tie
    from pytest_metaspace.trajectories._altered import Change

Drawn = TypeVar("Drawn")


@dataclass(frozen=True)
class Board:
    """A question and the pictures that may be its answer.

    Attributes:
        text: the question.
        told: what is said before it, of the pictures that come before the options.
        before: names of those pictures.
        options: names of the pictures to choose from, in the order shown.
        answer: the true one of them.
    """

    text: str
    told: str
    before: tuple[str, ...]
    options: tuple[str, ...]
    answer: str

    def label(self, option: str) -> str:
        """Return what an option is called."""
        return f"image {len(self.before) + self.options.index(option) + 1}"

    def posing(self, folder: Path, *, mirrored: bool = False, written: bool = False) -> Posing:
        """Return the question as it is put."""
        files = [folder / name for name in (*self.before, *self.options)]
        change: Change | None = "mirrored" if mirrored else None
        return Posing(
            text=self.text,
            context=self.told,
            options=tuple(map(self.label, self.options)),
            images=shown([(file, change) for file in files], folder),
            answer=self.label(self.answer),
            written=written,
        )


class Making:
    """An item that is being made: its posings and ties, each of which keeps the picture chosen.

    Args:
        task: of the suite.
        written: the question as it is.
        folder: of the pictures.
    """

    def __init__(self, task: str, written: Board, folder: Path) -> None:
        self._task = Capability.of_suite(CODE, task)
        self._written = written
        self._folder = folder
        self._posings = {AS_WRITTEN: written.posing(folder, written=True)}
        self._ties: list[Tie] = []
        self.unposed: dict[str, str] = {}

    def same(self, relation: str, name: str, board: Board, *, mirrored: bool = False) -> None:
        """Put the question otherwise: whoever chose a picture has to choose it again."""
        self._posings[name] = board.posing(self._folder, mirrored=mirrored)
        follows = {
            self._written.label(one): board.label(one)
            for one in self._written.options
            if one in board.options
        }
        self._ties.append(ties.mapped(f"{CODE}-{relation}", AS_WRITTEN, name, follows))

    def different(self, relation: str, boards: Mapping[str, Board]) -> None:
        """Ask other questions about the same options, in one order: no two have one answer."""
        for name, board in boards.items():
            assert board.options == self._written.options
            self._posings[name] = board.posing(self._folder)
        self._ties.append(ties.different(f"{CODE}-{relation}", AS_WRITTEN, *boards))

    def usual(self, chance: random.Random) -> None:
        """Put it with its options in another order, without a wrong one, and in a mirror."""
        board = self._written
        self.same("ORDER", "reordered", replace(board, options=board.options[::-1]))
        wrong = chance.choice([one for one in board.options if one != board.answer])
        kept = tuple(one for one in board.options if one != wrong)
        self.same("FEWER", "cut by one", replace(board, options=kept))
        self.same("MIRROR", "mirrored", board, mirrored=True)

    def item(self, slices: Mapping[str, str]) -> Item:
        """Return the item."""
        return Item(
            task=self._task,
            posings=self._posings,
            ties=tuple(self._ties),
            unposed=self.unposed,
            slices=slices,
        )


def placed(
    answer: Drawn, wrong: Sequence[Drawn], place: int, chance: random.Random
) -> tuple[Drawn, ...]:
    """Return options in a drawn order, with the answer in its place.

    Args:
        answer: the true one.
        wrong: the others.
        place: of the answer, from 0.
        chance: the draws.
    """
    options = chance.sample(list(wrong), len(wrong))
    options.insert(place, answer)
    return tuple(options)


def first_that(
    tries: int, draw: Callable[[], tuple[Drawn, str]], dropped: Callable[[str], None]
) -> Drawn:
    """Return the first draw that nothing speaks against.

    Args:
        tries: how many draws there may be.
        draw: returns something, and what speaks against it; empty for nothing.
        dropped: is told each reason.

    Raises:
        RuntimeError: there is none.
    """
    for _ in range(tries):
        found, problem = draw()
        if not problem:
            return found
        dropped(problem)
    raise RuntimeError(f"{tries} draws in a row were of no use")
