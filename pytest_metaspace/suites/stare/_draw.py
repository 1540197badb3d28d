"""Draws a puzzle of changes: steps that are all seen, and four results."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final

from pytest_metaspace.suites.stare._affine import Figure, Step, states
from pytest_metaspace.suites.stare._family import chance_of
from pytest_metaspace.suites.stare._offer import COUNT, Offer, Unlucky
from pytest_metaspace.suites.stare._world import LIKE, Puzzle, World

if TYPE_CHECKING:
    import random
    from collections import Counter
    from collections.abc import Sequence

    from pytest_metaspace.suites.stare._family import Options

Steps = tuple[Step, ...]
DIFFICULTIES: Final = ("easy", "medium", "hard")
_MOST_STEPS: Final = 3
_DRAWS: Final = 400
NOT_SEEN: Final = "a step is not seen, is too small or leaves the picture"
NO_OPTIONS: Final = "no four options are found"


def puzzle(world: World, seed: int, number: int, options: Options, dropped: Counter[str]) -> Puzzle:
    """Return a puzzle; it depends on seed, number and options alone.

    Args:
        world: of shapes or of solids.
        seed: of all draws.
        number: which one.
        options: steps and difficulty.
        dropped: counts the draws that were thrown away, by filter.
    """
    chance = chance_of(world.name, seed, number)
    turn = number // 2
    count = _number(options, "steps", 1 + turn % _MOST_STEPS)
    near = 1 + _level(options, turn // _MOST_STEPS % len(DIFFICULTIES))
    ranks = tuple(chance.randrange(COUNT) for _ in range(3))
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
            place=_place(world, seed, number),
            near=near,
            told=number % 2 == 1,
        )
    raise AssertionError("a puzzle is found in fewer draws")


def _place(world: World, seed: int, number: int) -> int:
    """Return where the true option is shown: each place once in four items of a form."""
    block, within = divmod(number // 2, COUNT)
    chance = chance_of(f"{world.name} places {number % 2}", seed, block)
    return chance.sample(range(COUNT), COUNT)[within]


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
        if not _seen(world, states(figure, steps)):
            raise Unlucky(NOT_SEEN)
    return steps, model, asked


def _seen(world: World, line: Sequence[Figure]) -> bool:
    """Whether every state is seen as a whole and unlike each other one."""
    if not all(map(world.inside, line)):
        return False
    return all(world.likeness(one, other) <= LIKE for one, other in combinations(line, 2))
