"""Accuracy on suites: what is known of a question, and what answers come to beside guessing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_metaspace.domain._scores import Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """What is known of a question of a suite that is held against what is true.

    Attributes:
        answer: what is right, as who answers everything alike would say it: a letter, the words of
            an option, or a number.
        options: how many there are to choose from; 0 for a number.
        lettered: whether it is answered with a letter.
        slices: what tells it and its item from others.
        twin: what it shares with the question that differs from it in one slice alone; empty for
            none.
        probe: whether its task is beside those of the benchmark.
    """

    answer: str
    options: int
    lettered: bool = False
    slices: Mapping[str, str] = field(default_factory=dict)
    twin: str = ""
    probe: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Sliced:
    """Accuracy over the questions that share a value of a slice.

    Attributes:
        key: what tells them from others, as in ``frames``.
        value: which they have.
        questions: how many were answered.
        right: how many rightly.
        interval: of the accuracy, where there are several trajectories.
    """

    key: str
    value: str
    questions: int
    right: int
    interval: Interval | None = None

    @property
    def accuracy(self) -> float:
        """The share of right answers."""
        return self.right / max(self.questions, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Gain:
    """What intermediate pictures bring: the same questions with and without them, paired.

    Attributes:
        pairs: how many questions were answered both ways.
        with_pictures: accuracy with them.
        without: accuracy without them.
        low: where the difference of all questions like these begins, with 95 % confidence.
        high: where it ends.
    """

    pairs: int
    with_pictures: float
    without: float
    low: float
    high: float

    @property
    def difference(self) -> float:
        """Accuracy with less accuracy without."""
        return self.with_pictures - self.without


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskAccuracy:
    """Accuracy on a task of a suite, and what it is to be read beside.

    An answer that could not be read is wrong; a question without an answer is left out.

    Attributes:
        task: its name, with the code of its suite.
        questions: how many were answered.
        right: how many rightly.
        interval: of the accuracy, where there are several trajectories.
        balanced: mean over the true answers of how often each was found; None for numbers.
        f1: of the answer "yes", where it is yes or no.
        chance: what guessing scores; None for numbers.
        constant: the answer that is right most often, if it is given to everything.
        constant_accuracy: how often that is.
        yes_f1: the f1 of who says "yes" to everything.
        slices: the same by what tells items apart.
        gain: what intermediate pictures bring, where items come with and without.
        probe: whether it is beside the tasks of the benchmark, and in no mean over them.
    """

    task: str
    questions: int
    right: int
    interval: Interval | None = None
    balanced: float | None = None
    f1: float | None = None
    chance: float | None = None
    constant: str = ""
    constant_accuracy: float = 0.0
    yes_f1: float | None = None
    slices: tuple[Sliced, ...] = ()
    gain: Gain | None = None
    probe: bool = False

    @property
    def accuracy(self) -> float:
        """The share of right answers."""
        return self.right / max(self.questions, 1)

    @property
    def normalised(self) -> float | None:
        """(accuracy - chance) / (1 - chance): 0 for who guesses, 1 for who knows."""
        if self.chance is None or self.chance >= 1:
            return None
        return (self.accuracy - self.chance) / (1 - self.chance)

    @property
    def suite(self) -> str:
        """The code of its suite."""
        return self.task.split("-")[0]


def mean_of_tasks(tasks: Sequence[TaskAccuracy], *, of_f1: bool = False) -> float | None:
    """Return the unweighted mean of accuracy over tasks that are no probes; None without any.

    Args:
        tasks: of one suite.
        of_f1: take F1 in place of accuracy where a task is yes or no, as STARE does.
    """
    own = [one for one in tasks if not one.probe]
    values = [one.f1 if of_f1 and one.f1 is not None else one.accuracy for one in own]
    return sum(values) / len(values) if values else None
