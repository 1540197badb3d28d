"""Draws a puzzle of changes: steps that are all seen, and four results."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final

from pytest_metaspace.suites.stare._affine import Figure, Step, states
from pytest_metaspace.suites.stare._family import chance_of
from pytest_metaspace.suites.stare._offer import COUNT, CUES, Offer, Unlucky
from pytest_metaspace.suites.stare._world import LIKE, Puzzle, World

if TYPE_CHECKING:
    import random
    from collections import Counter
    from collections.abc import Callable, Sequence

    from pytest_metaspace.suites.stare._family import Options

Steps = tuple[Step, ...]
DIFFICULTIES: Final = ("easy", "medium", "hard")
PICTURES: Final = ("all", "partial", "last")
"""Which intermediate pictures are shown: all, as many of the first as chance says, the last one."""
_MOST_STEPS: Final = 3
_DRAWS: Final = 400


def puzzle(world: World, seed: int, number: int, options: Options, dropped: Counter[str]) -> Puzzle:
    """Return a puzzle; it depends on seed, number and options alone.

    Args:
        world: of shapes or of solids.
        seed: of all draws.
        number: which one.
        options: steps, difficulty and intermediate pictures.
        dropped: counts the draws that were thrown away, by filter.
    """
    chance = chance_of(world.name, seed, number)
    turn = number // 2
    count = _number(options, "steps", 1 + turn % _MOST_STEPS)
    near = 1 + _level(options, turn // _MOST_STEPS % len(DIFFICULTIES))
    ranks = {cue: _even(world, seed, number, cue) for cue in CUES}
    for _ in range(_DRAWS):
        try:
            steps, model, asked = _figures(world, count, chance)
            offered = Offer(world, steps, model, asked).options(near, ranks, chance, dropped)
        except Unlucky as reason:
            dropped[str(reason)] += 1
            continue
        return Puzzle(
            world=world,
            seed=seed,
            number=number,
            steps=steps,
            model=model,
            asked=asked,
            options=offered,
            place=_even(world, seed, number, "places"),
            near=near,
            told=number % 2 == 1,
            between=_between(world, seed, number, options, count),
        )
    raise AssertionError("a puzzle is found in fewer draws")


def _even(world: World, seed: int, number: int, what: str) -> int:
    """Return a place or a rank of the true option: each once in four numbers of a form."""
    block, within = divmod(number // 2, COUNT)
    chance = chance_of(f"{world.name} {what} {number % 2}", seed, block)
    return chance.sample(range(COUNT), COUNT)[within]


def _between(world: World, seed: int, number: int, options: Options, count: int) -> tuple[int, ...]:
    """Return after which steps there are intermediate pictures; drawn apart from all else."""
    every = tuple(range(1, count))
    chosen = options.get("pictures", PICTURES[0])
    if chosen == "last":
        return every[-1:]
    if chosen == "partial":
        chance = chance_of(f"{world.name} between", seed, number)
        return every[: chance.randint(1, max(1, len(every)))]
    return every


def _number(options: Options, name: str, default: int) -> int:
    given = options.get(name, "varied")
    return default if given == "varied" else int(given)


def _level(options: Options, default: int) -> int:
    given = options.get("difficulty", "varied")
    return default if given == "varied" else DIFFICULTIES.index(str(given))


def _figures(world: World, count: int, chance: random.Random) -> tuple[Steps, Figure, Figure]:
    names = chance.sample(world.shapes, 2)
    model, asked = (world.draw(name, chance) for name in names)
    kinds: dict[str, list[Step]] = {}
    for step in world.catalogue():
        kinds.setdefault(step.kind, []).append(step)
    steps = tuple(chance.choice(kinds[chance.choice(list(kinds))]) for _ in range(count))
    for figure in (model, asked):
        line = states(figure, steps)
        for reason, fits in FILTERS.items():
            if not fits(world, line):
                raise Unlucky(reason)
    return steps, model, asked


FILTERS: Final[dict[str, Callable[[World, Sequence[Figure]], bool]]] = {
    "a shape leaves the picture": lambda world, line: all(map(world.inside, line)),
    "a shape becomes too small": lambda world, line: all(map(world.large, line)),
    "a step is not seen": lambda world, line: all(
        world.likeness(one, other) <= LIKE for one, other in combinations(line, 2)
    ),
}
"""What the states of a shape have to be; what is not so is dropped under this name."""
