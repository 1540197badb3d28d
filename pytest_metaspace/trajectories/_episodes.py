"""Which episodes of a log are looked at: named ones, or some that a seed draws.

An episode is told as a path, that of the main file with the name of the episode behind it:
``meta/info.json/episode-12``. No such path exists on disk. People type and read
``meta/info.json::episode-12``, which pytest takes as well.
"""

from __future__ import annotations

import random
import re
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_metaspace.errors import TrajectoryError, UsageProblem
from pytest_metaspace.files import settled
from pytest_metaspace.trajectories._defects import brief

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

MOST = 20
"""As many episodes of a main file are drawn where nobody says how many."""
ALL = "all"
_RANGE = re.compile(r"(\d{1,12})-(\d{1,12})")
_NUMBER = re.compile(r"(\d{1,12})\D*$")
_UNUSABLE = re.compile(r"::|[/\\\[\],\s]|[^\x20-\x7e]")
_SHOWN = 3


class Taken(NamedTuple):
    """How many episodes of a main file are looked at, of how many."""

    taken: int
    total: int
    drawn: bool


class Choice:
    """Which episodes a run looks at, and what that came to for each main file.

    Args:
        words: names of episodes, names with ``*``, ranges of their numbers as in ``3-9``, ``all``;
            or one whole number, how many are drawn. None draws ``MOST``.
        seed: of the draw. With the same one, fewer are a part of more.

    Raises:
        UsageProblem: a number of episodes stands among names, or is none; or a range goes down.
    """

    def __init__(self, words: Collection[str] = (), seed: int = 0) -> None:
        self.taken: dict[Path, Taken] = {}
        self._seed = seed
        self._words = tuple(words)
        self._unmet = set(self._words)
        self._most: int | None = MOST if not self._words else None
        for word in self._words:
            bounds = _RANGE.fullmatch(word)
            if bounds and int(bounds[1]) > int(bounds[2]):
                raise UsageProblem(
                    f"metaspace: --metaspace-episodes={','.join(self._words)}: the range {word} "
                    f"goes down, so that no episode is in it. Write {bounds[2]}-{bounds[1]}."
                )
        numbers = [word for word in self._words if word.isdecimal()]
        if numbers and len(self._words) > 1:
            raise UsageProblem(
                f"metaspace: --metaspace-episodes={','.join(self._words)}: {numbers[0]} alone says "
                f"how many are drawn. For the episode with this number write "
                f"{numbers[0]}-{numbers[0]}, or its name."
            )
        if numbers:
            self._most = int(numbers[0][:12])
            if self._most < 1:
                raise UsageProblem(
                    f"metaspace: --metaspace-episodes={numbers[0]}: expected one episode or more."
                )

    def of(self, main: Path, names: Sequence[str], *, only: Collection[str] = ()) -> list[str]:
        """Return the names of the episodes of a main file to look at, in its order.

        Args:
            main: the file.
            names: of all its episodes.
            only: names that were typed for this file alone, which go before everything else.

        Raises:
            TrajectoryError: it has no episode, or a name that cannot stand in a node id.
        """
        if not len(names):
            raise TrajectoryError(f"{main}: holds no episode.")
        if only:
            found = [name for name in names if name in set(only)]
        elif self._most is not None:
            found = [names[i] for i in sorted(drawn(len(names), self._most, self._seed))]
        else:
            found = [name for name in names if self._wants(name)]
        for name in found:
            require_usable(main, name)
        if not only:
            self.taken[settled(main)] = Taken(len(found), len(names), self._most is not None)
        return found

    def _wants(self, name: str) -> bool:
        met = [word for word in self._words if _means(word, name)]
        self._unmet.difference_update(met)
        return bool(met)

    def require(self) -> None:
        """Make sure that each word chose an episode of some main file, where there was any.

        Raises:
            UsageProblem: one did not.
        """
        unmet = [word for word in self._words if word in self._unmet]
        if self._most is None and self.taken and unmet:
            raise UsageProblem(
                f"metaspace: --metaspace-episodes: no log has an episode {brief(unmet[0])}. Look "
                "at the names with metaspace check PATH --episodes=3, or give a range of their "
                "numbers, as in 0-9."
            )

    def as_json(self) -> list[list[Any]]:
        """Return what the choice came to, for another process."""
        return [[str(main), *one] for main, one in self.taken.items()]

    def enter(self, rows: Iterable[Sequence[Any]]) -> None:
        """Enter what a choice came to in another process."""
        self.taken.update((Path(main), Taken(*one)) for main, *one in rows)

    def lines(
        self, shown: Callable[[Path], str] = str, *, only_drawn: bool = False
    ) -> Iterator[str]:
        """Say of which main files not all episodes are looked at."""
        for main, one in sorted(self.taken.items()):
            if one.taken < one.total and (one.drawn or not only_drawn):
                how = f"drawn by seed {self._seed}" if one.drawn else "chosen by name"
                yield (
                    f"{one.taken:,} of {one.total:,} episodes of {shown(main)}, {how} "
                    "(--metaspace-episodes)"
                )


def as_typed(path: Path) -> str:
    """Return the path of an episode as pytest takes it, ``MAIN_FILE::NAME``; others as they are."""
    return f"{path.parent}::{path.name}" if path.parent.is_file() else str(path)


def _means(word: str, name: str) -> bool:
    if word in (name, ALL):
        return True
    bounds, number = _RANGE.fullmatch(word), _NUMBER.search(name)
    if bounds and number:
        return int(bounds[1]) <= int(number[1]) <= int(bounds[2])
    return "*" in word and fnmatchcase(name, word)


def drawn(count: int, most: int, seed: int) -> list[int]:
    """Draw some of the numbers from 0 on; with the same seed, fewer are the first of more."""
    if most >= count:
        return list(range(count))
    source = random.Random(seed)  # noqa: S311 - a draw that can be repeated, nothing secret
    swapped: dict[int, int] = {}
    found = []
    for place in range(most):
        other = source.randrange(place, count)
        found.append(swapped.get(other, other))
        swapped[other] = swapped.get(place, place)
    return found


def usable(name: str) -> bool:
    """Whether the name of an episode can stand in a path and in a node id."""
    return name not in ("", ".", "..") and _UNUSABLE.search(name) is None


def require_usable(main: Path, name: str) -> None:
    """Make sure that the name of an episode can stand in a path and in a node id.

    Raises:
        TrajectoryError: it cannot.
    """
    if not usable(name):
        raise TrajectoryError(
            f"{main}: has an episode named {brief(name)}; expected printable ASCII without space, "
            "comma, slash, bracket and '::'. It is the reader of this format that names them."
        )
