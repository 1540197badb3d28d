"""From what is meant to what is asked: a query becomes text, pictures and allowed answers."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Literal, cast

from pytest_metaspace.domain import NONE, AnswerFormat, DrawnPictures, Question
from pytest_metaspace.errors import AgentError
from pytest_metaspace.prompts import drawing, items, parts, pointing, strategy, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from pytest_metaspace.domain import Capability, Case, Posing, Prompting, Query, Trajectory

_LONGEST_LABEL: Final = 200
_YES_NO: Final = {told: AnswerFormat(kind="yes-no", reasoned=told) for told in (False, True)}
# Words that turn an answer round; a label that holds one must not make it harmless.
_TURNING = frozenset(("no", "not", "non", "never", "neither", "nor", "without", "opposite"))


def distinct(cases: Iterable[Case]) -> list[Query]:
    """Return every query that some case needs, once, in the order of first need."""
    return list(dict.fromkeys(query for case in cases for query in case.queries))


def asked(query: Query, trajectory: Trajectory) -> str:
    """Return the one sentence that a query asks, for people: no boxes, no answer format."""
    posing = trajectory.posing(query)
    if posing is not None:
        return items.sentence(posing)
    return parts.asked(query, trajectory)


def answer_format(
    query: Query, trajectory: Trajectory, prompting: Prompting = "direct"
) -> AnswerFormat:
    """Return the closed set of answers that a query allows, and where an answer stands."""
    way = strategy(prompting)
    reasoned = way.reasoned
    posing = trajectory.posing(query)
    if posing is not None:
        return _item_format(posing, reasoned=reasoned or items.weighed(posing, way))
    if query.claim is not None:
        return _YES_NO[reasoned]
    labels = [
        trajectory.by_id[subject].label[:_LONGEST_LABEL]
        for subject in (query.a, query.b)
        if isinstance(subject, str)
    ]
    return _open_format(
        query.capability,
        frozenset(labels),
        watched=trajectory.watched,
        vertical=trajectory.vertical,
        reasoned=reasoned,
    )


def _item_format(posing: Posing, *, reasoned: bool) -> AnswerFormat:
    if posing.form == "letter":
        return AnswerFormat(kind="choice", options=items.letters(posing), reasoned=reasoned)
    return AnswerFormat(
        kind=posing.form,
        options={option: option for option in posing.options},
        names=_words_of(posing.text),
        reasoned=reasoned,
    )


@lru_cache(maxsize=1024)
def _open_format(
    capability: Capability,
    labels: frozenset[str],
    *,
    watched: bool,
    vertical: bool,
    reasoned: bool,
) -> AnswerFormat:
    """Return the answers that an open question allows: thousands about a pair share them."""
    names = frozenset[str]().union(*map(_words_of, labels))
    if capability.of_directions:
        return AnswerFormat(
            kind="direction",
            planar={**words.planar(capability, watched=watched), NONE: NONE},
            vertical=words.vertical(capability) if vertical else {},
            names=names,
            reasoned=reasoned,
        )
    kind: Literal["steps", "metres"] = "steps" if capability.of_distances else "metres"
    return AnswerFormat(kind=kind, names=names, reasoned=reasoned)


def _words_of(label: str) -> frozenset[str]:
    """Return the words of a label that an answer may repeat."""
    return frozenset(re.findall(r"[^\W\d_]+", label.lower())) - _TURNING


def question(query: Query, trajectory: Trajectory, prompting: Prompting = "direct") -> Question:
    """Return the question that an agent is asked.

    Args:
        query: what is asked.
        trajectory: where.
        prompting: how it is put; an item of a suite has no map, so ``map`` is ``cot`` there, and
            what has no options to be weighed is asked directly.
    """
    posing = trajectory.posing(query)
    way = strategy(prompting)
    if way.weighed and (posing is None or not items.weighed(posing, way)):
        prompting, way = "direct", strategy("direct")
    return Question(
        query=query,
        trajectory=trajectory,
        text=way.write(query, trajectory) if posing is None else items.write(posing, way),
        images=_pictures(query, trajectory) if posing is None else posing.images,
        format=answer_format(query, trajectory, prompting),
        prompting=prompting,
    )


def _pictures(query: Query, trajectory: Trajectory) -> Sequence[Path]:
    """Return the pictures of a query: the frames, with its boxes where they are to be drawn."""
    frames = tuple(trajectory.states[frame].frame for frame in query.evidence)
    marked = [pointing.marks(query, trajectory, frame) for frame in query.evidence]
    if not any(marked):
        return frames
    camera, folder = trajectory.camera, trajectory.showing.folder
    return DrawnPictures(
        lambda place: drawing.drawn(frames[place], marked[place], camera, folder),
        lambda place: drawing.digest(frames[place], marked[place], camera),
        [(frame, "marked" if marks else None) for frame, marks in zip(frames, marked)],
    )


def shown(query: Query, trajectory: Trajectory) -> Sequence[tuple[Path, str | None]]:
    """Return the files of the pictures that a query shows, in order; none is made for it.

    A picture of a suite that is changed when it is shown comes as the file that it is made of, and
    what is done to it.
    """
    posing = trajectory.posing(query)
    if posing is None:
        return [(trajectory.states[frame].frame, None) for frame in query.evidence]
    if isinstance(posing.images, DrawnPictures):
        return posing.images.parts
    return [(path, None) for path in posing.images]


def shown_names(query: Query, trajectory: Trajectory) -> tuple[str, ...]:
    """Return what people call the pictures of a query: ``000.png``, ``mirrored 000.png``."""
    return tuple(
        path.name if change is None else f"{change} {path.name}"
        for path, change in shown(query, trajectory)
    )


def own_words(text: str, images: Sequence[Path]) -> Question:
    """Return a question in a test's own words; its answer is any text."""
    nothing: Any = _Nothing()
    return Question(
        query=cast("Query", nothing),
        trajectory=cast("Trajectory", nothing),
        text=text,
        images=tuple(images),
        format=AnswerFormat(kind="text"),
    )


class _Nothing:
    """Stands where a question in own words has no query and no trajectory.

    An agent that computes its answers looks in here first, and so declines with a reason.
    """

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise AgentError(
            "this agent computes its answers and does not read; it answers the spatial questions "
            "of docs/concepts.md and none in other words"
        )
