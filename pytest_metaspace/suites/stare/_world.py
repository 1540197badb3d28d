"""What a puzzle of changes needs to know of flat shapes or of solids."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Optional

from pytest_metaspace.suites.stare._affine import Figure, Matrix, Step, Vector

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence

LIKE = 0.9
"""Two figures that share more of what is seen of them count as the same picture."""
Reading = tuple[Matrix, Matrix, Vector]
"""What steps do in all: to corners around the centre, and to the centre as a step has it."""


@dataclass(frozen=True, kw_only=True)
class World:
    """Flat shapes or solids.

    Attributes:
        name: the family.
        shapes: names of what there is.
        kinds: which steps there are, in words.
        noun: what a figure is called.
        catalogue: every step.
        draw: a shape of a name somewhere, by chance.
        inside: whether a figure is seen as a whole.
        large: whether a figure is not too small to be looked at.
        likeness: how much of what is seen of two figures is the same, 0 to 1.
        extent: how large a figure looks.
        picture: draws a figure in a colour.
        words: a step as it is told.
        mirrored: a step with left and right exchanged.
        turned: a step when the picture is turned by 90 degrees; None where that is no picture.
        inverse: what undoes a step.
        halves: two steps that make up one, or None.
        commute: whether two steps do the same in either order.
        told: a figure in words.
        landmarks: the points of a figure that its words tell, rounded as they are told.
        axes: what the coordinates of points are, in words.
        readings: what steps can be meant where a figure becomes another one in some steps.
    """

    name: str
    shapes: tuple[str, ...]
    kinds: str
    noun: str
    catalogue: Callable[[], tuple[Step, ...]]
    draw: Callable[[str, random.Random], Figure]
    inside: Callable[[Figure], bool]
    large: Callable[[Figure], bool]
    likeness: Callable[[Figure, Figure], float]
    extent: Callable[[Figure], float]
    picture: Callable[[Figure, int], bytes]
    words: Callable[[Step], str]
    mirrored: Callable[[Step], Step]
    turned: Optional[Callable[[Step], Step]]
    inverse: Callable[[Step], Step]
    halves: Callable[[Step], Optional[tuple[Step, Step]]]
    commute: Callable[[Step, Step], bool]
    told: Callable[[Figure], str]
    landmarks: Callable[[Figure], Sequence[Vector]]
    axes: str
    readings: Callable[[Figure, Figure, int], Sequence[Reading]]


@dataclass(frozen=True, kw_only=True)
class Puzzle:
    """Some steps, a figure that shows them, one that is asked about, and four results.

    Attributes:
        world: of which they are.
        seed: of all draws.
        number: which one.
        steps: what happens.
        model: the figure that shows the steps.
        asked: the figure that is asked about.
        options: what is offered; the first is the true one.
        place: where the true one is shown, from 0.
        near: how many wrong options are wrong in one step.
        told: whether it is asked in words, and not by the model.
        between: after how many steps intermediate pictures are taken, where they are shown.
    """

    world: World
    seed: int
    number: int
    steps: tuple[Step, ...]
    model: Figure
    asked: Figure
    options: tuple[Figure, ...]
    place: int
    near: int
    told: bool
    between: tuple[int, ...]

    @property
    def shown(self) -> tuple[int, ...]:
        """The options by number, as they are shown; 0 is the true one."""
        others = list(range(1, len(self.options)))
        return (*others[: self.place], 0, *others[self.place :])
