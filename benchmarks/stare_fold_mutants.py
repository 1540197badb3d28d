"""Who is wrong in one way about nets, boards, views and frames, and what tells of it.

    python -m benchmarks.stare_fold_mutants [--numbers 216] [--seed 1] [FAMILY ...]

Answers are worked out from what pictures are drawn of; a fault answers all other questions of its
tasks rightly. Prints accuracy, balanced over yes and no where that is asked, and the cases of each
relation that are violated; the last column says what an agent is caught by.
"""

from __future__ import annotations

import argparse
import math
import random
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any

from benchmarks.stare_fold_soundness import MAKERS, made
from benchmarks.stare_fold_truth import drawing, files
from benchmarks.stare_view_truth import WIDE, changed, ends, mirrored, missing
from tests.suites import held

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from benchmarks.stare_view_truth import Ends
    from pytest_metaspace.domain import Item, Posing
    from pytest_metaspace.suites.stare._family import Made
    from pytest_metaspace.suites.stare._room import Eye

    Fault = Callable[[Made, Posing], str]

_CAUGHT = 0.95
"""Who is right less often is caught by accuracy."""


@dataclass(frozen=True)
class Mutant:
    """Who is wrong in one way.

    Attributes:
        tasks: about which it is.
        fault: what it answers.
        level: the difficulty of the items that are looked at; empty for any.
    """

    tasks: tuple[str, ...]
    fault: Fault
    level: str = ""

    def about(self, item: Item) -> bool:
        """Whether it is looked at how it answers an item."""
        level = item.slices.get("difficulty", "")
        return str(item.task).partition("-")[2] in self.tasks and self.level in ("", level)


# ------------------------------------------------------------------------------ nets and boards


def _guesses(_: Made, posing: Posing) -> str:
    shown = [path.name for path in files(posing)]
    changes = {change for _, change in getattr(posing.images, "parts", ())}
    return random.Random(f"{posing.text} {shown} {changes}").choice(posing.options)  # noqa: S311


def _always_folds(_: Made, posing: Posing) -> str:
    return "yes" if "closed cube, so that" in posing.text else str(posing.answer)


def _counts_pictures(_: Made, posing: Posing) -> str:
    if "closed cube, so that" not in posing.text:
        return str(posing.answer)
    return "yes" if len(posing.images) > 3 else "no"


def _next_number(_: Made, posing: Posing) -> str:
    numbers = re.findall(r"\d", posing.text)
    if len(numbers) != 1:
        return str(posing.answer)
    wanted = f"square {int(numbers[0]) % 6 + 1}"
    return wanted if wanted in posing.options else posing.options[0]


def _scene(made: Made, posing: Posing) -> tuple[int, list[int]]:
    """Return the size of a board, and the cells of each piece."""
    scene = drawing(made, files(posing)[0]).args[0]
    return scene.size, [len(one.piece) for one in scene.pieces]


def _counts_areas(made: Made, posing: Posing) -> str:
    size, areas = _scene(made, posing)
    return "yes" if sum(areas) == size**2 else "no"


def _counts_pieces(made: Made, posing: Posing) -> str:
    size, areas = _scene(made, posing)
    return "yes" if len(areas) <= size else "no"


def _largest_fits(made: Made, posing: Posing) -> str:
    size, areas = _scene(made, posing)
    return "yes" if max(areas) <= size**2 / 2 else "no"


# ----------------------------------------------------------------------------- views and frames


def _answers_a(_: Made, posing: Posing) -> str:
    return posing.options[0]


def _views(made: Made, posing: Posing) -> list[Ends]:
    seen = [ends(*drawing(made, path).args) for path in files(posing)[1:]]
    return [mirrored(one) for one in seen] if changed(posing) else seen


def _map(made: Made, posing: Posing) -> tuple[Any, Eye, int]:
    things, eye, *quarters = drawing(made, files(posing)[0]).args
    if changed(posing):
        things = [one.mirrored() for one in things]
        eye = replace(eye, x=-eye.x, heading=-eye.heading % 360)
    return things, eye, quarters[0] if quarters else 0


def _nearest(posing: Posing, views: Sequence[Ends], wanted: Ends) -> str:
    """Return the option that shows its things nearest to where they are wanted."""

    def far(one: Ends) -> float:
        both = one.keys() & wanted.keys()
        less = len(one.keys() ^ wanted.keys())
        return WIDE * less + sum(abs(one[key][0] - wanted[key][0]) for key in both)

    return min(zip(map(far, views), posing.options))[1]


def _sees_rightly(made: Made, posing: Posing) -> str:
    things, eye, _ = _map(made, posing)
    return _nearest(posing, _views(made, posing), ends(things, eye))


def _left_for_right(made: Made, posing: Posing) -> str:
    things, eye, _ = _map(made, posing)
    return _nearest(posing, _views(made, posing), mirrored(ends(things, eye)))


def _looks_up(made: Made, posing: Posing) -> str:
    things, eye, quarters = _map(made, posing)
    up = replace(eye, heading=-90.0 * quarters % 360)
    return _nearest(posing, _views(made, posing), ends(things, up))


def _sees_most(made: Made, posing: Posing) -> str:
    """Return the option that shows most of what is on the map."""
    views = _views(made, posing)
    area = [sum(right - left for left, right in one.values()) for one in views]
    return max(zip(map(len, views), area, posing.options))[2]


def _eyes(made: Made, posing: Posing) -> tuple[list[Eye], list[Eye]]:
    eyes = [drawing(made, path).args[1] for path in files(posing)]
    count = len(eyes) - len(posing.options)
    return eyes[:count], eyes[count:]


def _fitting(made: Made, posing: Posing, place: int) -> str:
    """Return the option with which the distances are the most equal, if it is put in a place."""
    shown, options = _eyes(made, posing)

    def uneven(eye: Eye) -> float:
        ride = [*shown[:place], eye, *shown[place:]]
        steps = [(after.x - before.x, after.y - before.y) for before, after in pairwise(ride)]
        return sum(math.dist(one, other) for one, other in combinations(steps, 2))

    return min(zip(map(uneven, options), posing.options))[1]


def _fits_rightly(made: Made, posing: Posing) -> str:
    return _fitting(made, posing, missing(posing))


def _other_end(made: Made, posing: Posing) -> str:
    return _fitting(made, posing, 3 - missing(posing))


def _always_last(made: Made, posing: Posing) -> str:
    return _fitting(made, posing, 3)


def _likest(made: Made, posing: Posing) -> str:
    """Return the option that is taken nearest to where all shown pictures are."""
    shown, options = _eyes(made, posing)
    far = [sum(abs(one.x - other.x) for other in shown) for one in options]
    return min(zip(far, posing.options))[1]


SHEETS = ("folding", "fold-words", "fold-final")
MUTANTS: Mapping[str, Mapping[str, Mutant]] = {
    "folding": {
        "guesses yes or no": Mutant((*SHEETS, "fold-seen", "fold-connected"), _guesses),
        "always folds, but sees what parts do": Mutant(SHEETS, _always_folds),
        "says yes to more than two pictures of folding": Mutant(("folding",), _counts_pictures),
        "takes the next number for the opposite square": Mutant(("fold-opposite",), _next_number),
    },
    "tangram": {
        "guesses yes or no": Mutant(("tangram",), _guesses),
        "counts areas": Mutant(("tangram",), _counts_areas),
        "says no to more pieces than the board is wide": Mutant(("tangram",), _counts_pieces),
        "says no where a piece is larger than half of the board": Mutant(
            ("tangram",), _largest_fits
        ),
    },
    "perspective": {
        "none": Mutant(("perspective",), _sees_rightly),
        "takes left for right": Mutant(("perspective",), _left_for_right),
        "the same, of hard items": Mutant(("perspective",), _left_for_right, "hard"),
        "ignores the heading": Mutant(("perspective",), _looks_up),
        "takes the view that shows most": Mutant(("perspective",), _sees_most),
        "answers A": Mutant(("perspective",), _answers_a),
    },
    "temporal": {
        "none": Mutant(("temporal",), _fits_rightly),
        "counts from the other end": Mutant(("temporal",), _other_end),
        "always looks for the last picture": Mutant(("temporal",), _always_last),
        "takes what is most like the shown pictures": Mutant(("temporal",), _likest),
        "answers A": Mutant(("temporal",), _answers_a),
    },
}


@dataclass(frozen=True)
class Score:
    """What a mutant scores.

    Attributes:
        accuracy: of items as they are written, balanced over yes and no.
        cases: by relation, how many are violated, and of how many.
    """

    accuracy: float
    cases: Mapping[str, tuple[int, int]]

    @property
    def broken(self) -> list[str]:
        """The relations of which cases are violated, the most often first."""
        found = {name: bad / total for name, (bad, total) in self.cases.items() if bad}
        return sorted(found, key=lambda name: (-found[name], name))

    @property
    def caught(self) -> list[str]:
        """What tells of it."""
        by = {"relations": bool(self.broken), "accuracy": self.accuracy < _CAUGHT}
        return [name for name, tells in by.items() if tells]


def score(mutant: Mutant, numbers: Iterable[Made]) -> Score:
    """Return what a mutant scores on some numbers."""
    right: dict[str, list[bool]] = defaultdict(list)
    bad: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for one in numbers:
        for _, item in one.items:
            if not mutant.about(item):
                continue
            posing = item.posings["unchanged"]
            kind = str(posing.answer) if posing.form == "word" else ""
            right[kind].append(mutant.fault(one, posing) == posing.answer)
            total.update(tie.relation for tie in item.ties)
            answers = {name: mutant.fault(one, asked) for name, asked in item.posings.items()}
            broken = held.broken(item, lambda name, _, told=answers: told[name])  # type: ignore[misc]
            bad.update(tie.relation for tie in broken)
    shares = [sum(told) / len(told) for told in right.values()]
    return Score(
        sum(shares) / len(shares), {name: (bad[name], count) for name, count in total.items()}
    )


def main() -> None:
    """Print a table for each family."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("families", nargs="*", metavar="FAMILY")
    parser.add_argument("--numbers", type=int, default=216, help="of each family")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for family in options.families or MUTANTS:
        assert family in MAKERS
        numbers = [made(family, options.seed, number) for number in range(options.numbers)]
        print(f"| {family} | accuracy | violates | caught by |\n|---|---|---|---|")
        for name, mutant in MUTANTS[family].items():
            found = score(mutant, numbers)
            told = ", ".join(
                f"`{relation}` {found.cases[relation][0]} of {found.cases[relation][1]}"
                for relation in found.broken
            )
            cells = (name, f"{found.accuracy:.3f}", told, " and ".join(found.caught))
            print(f"| {' | '.join(cell or 'nothing' for cell in cells)} |")
        print()


if __name__ == "__main__":
    main()
