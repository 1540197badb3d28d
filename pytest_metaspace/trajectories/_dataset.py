"""One episode of EmbodiedBench's trajectory datasets."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.trajectories import (
    _dataset_pictures,
    _gripper,
    _json_index,
    _manipulation,
    _navigation,
)
from pytest_metaspace.trajectories._defects import brief
from pytest_metaspace.trajectories._moments import Findings, Moment, told
from pytest_metaspace.trajectories._navigation_steps import Fields, Step, step_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pytest_metaspace.domain import Trajectory
    from pytest_metaspace.trajectories import Reading
    from pytest_metaspace.trajectories._dataset_pictures import Pictures
    from pytest_metaspace.trajectories._json_index import Index

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST_NAME = 80
_MOST_ACTIONS = 1000
_PAIR, _SEVEN = 2, 7
_WRONG = "Look at what wrote it."


def index_of(path: Path) -> Index:
    """Return where the episodes of a file lie; walked over once in a process.

    Raises:
        TrajectoryError: the file cannot be read, or holds none.
    """
    return _json_index.index_of(path, _name)


def names_of(path: Path) -> Sequence[str]:
    """Return the names of the episodes, in order.

    Raises:
        TrajectoryError: the file cannot be read, or holds none.
    """
    return index_of(path).names


def _name(place: int, episode: Any) -> str:
    """Name an episode after model, set and number; after its place where it lacks them."""
    parts = [
        str(episode[key])
        for key in ("model_name", "eval_set", "episode_id")
        if isinstance(episode, dict) and isinstance(episode.get(key), (str, int))
    ]
    name = _UNSAFE.sub("_", "-".join(parts)).strip(".")[:_LONGEST_NAME]
    return name or f"episode-{place}"


@dataclass(slots=True)
class _Seen:
    """A moment, as far as it is told: its picture, and what was done then.

    Attributes:
        picture: as the file says.
        field: which field says so.
        done: the entry of ``executable_plan``; None where nothing was done, or it is not known.
        place: the field of that entry.
    """

    picture: Any
    field: str
    done: dict[str, Any] | None = None
    place: str = ""


def load(path: Path, reading: Reading) -> Trajectory:
    """Load one episode.

    Raises:
        TrajectoryError: nothing can be used; the text names the file, the field and the reason.
    """
    main = path.parent
    index = index_of(main)
    if path.name not in index.names:
        raise TrajectoryError(
            f"{main}: has no episode {brief(path.name)}; the first is {brief(index.names[0])}."
        )
    number = index.names.index(path.name)
    findings = Findings(main)
    if index.problem:
        findings.add("", index.problem, "Download it again.")
    episode = index.read(number)
    if not isinstance(episode, dict):
        raise TrajectoryError(f"{main}: field {number}: is {brief(episode)}, expected an object.")
    seen = _seen(episode, f"{number}", findings)
    pictures = _dataset_pictures.of(main, reading.images)
    if _is_arm(seen):
        return _arm(path, episode, seen, pictures, findings)
    return _household(path, episode, seen, pictures, findings, reading)


# ---------------------------------------------------------------------------------- moments


def _seen(episode: dict[str, Any], where: str, findings: Findings) -> list[_Seen]:
    """Return the moments of an episode: one before each action and one after the last.

    Raises:
        TrajectoryError: nothing was done in it.
    """
    moments: list[_Seen] = []
    last: int | None = None
    for field, entry in _entries(episode, f"{where}.trajectory", findings):
        steps = list(_plan(entry, field, findings))
        first = _step_id(steps[0][1]) if steps else None
        follows = not moments or _follows(moments[-1], last, entry, first)
        if not moments:
            moments.append(_Seen(entry.get("input_image_path"), f"{field}.input_image_path"))
        elif not follows:
            _say_gap(f"{field}.executable_plan", last, first, findings)
            moments.append(_Seen(entry.get("input_image_path"), f"{field}.input_image_path"))
        for number, (place, step) in enumerate(steps):
            here = _step_id(step)
            if number and None not in (last, here) and not _next(last, here):
                _say_gap(place, last, here, findings)
            else:
                moments[-1].done, moments[-1].place = step, place
            moments.append(_Seen(step.get("img_path"), f"{place}.img_path"))
            last = here
        if len(moments) > _MOST_ACTIONS:
            findings.add(field, "is the last that is read of so many.", _WRONG)
            break
    if not any(one.done for one in moments):
        raise findings.nothing_left(f"field {where}.trajectory: tells of no action.")
    return moments


def _entries(
    episode: dict[str, Any], where: str, findings: Findings
) -> Iterator[tuple[str, dict[str, Any]]]:
    given = episode.get("trajectory")
    for place, entry in enumerate(given[:_MOST_ACTIONS] if isinstance(given, list) else []):
        if isinstance(entry, dict):
            yield f"{where}.{place}", entry
        else:
            findings.add(f"{where}.{place}", f"is {brief(entry)}; it is left out.", _WRONG)


def _plan(
    entry: dict[str, Any], where: str, findings: Findings
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the actions of a plan: of a list, of one object, or of text that writes one down."""
    given = entry.get("executable_plan")
    field = f"{where}.executable_plan"
    if isinstance(given, str):
        given = _gripper.literal(given)
        findings.add(
            field,
            "is text" + ("; what it writes down is read." if given else " that is no list."),
            _WRONG,
        )
    if isinstance(given, dict):
        yield field, given
        return
    for place, step in enumerate(given[:_MOST_ACTIONS] if isinstance(given, list) else []):
        if isinstance(step, dict):
            yield f"{field}.{place}", step
        else:
            findings.add(
                f"{field}.{place}", f"is {brief(step)}, expected an object; it is left out.", _WRONG
            )
            yield f"{field}.{place}", {}


def _step_id(step: dict[str, Any]) -> int | None:
    found = step.get("step_id")
    if isinstance(found, str) and found.isascii() and found.isdigit():
        return int(found[:9])
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def _follows(before: _Seen, last: int | None, entry: dict[str, Any], first: int | None) -> bool:
    """Whether a plan starts where the one before ended."""
    if last is not None and first is not None:
        return _next(last, first)
    return _stem(before.picture) == _stem(entry.get("input_image_path"))


def _next(last: int | None, first: int | None) -> bool:
    return last is not None and first == last + 1


def _stem(picture: Any) -> str:
    """Return the name of a picture, the same with boxes drawn in and without."""
    return str(picture).replace("\\", "/").rsplit("/", 1)[-1].replace("_annotated", "")


def _say_gap(field: str, last: int | None, first: int | None, findings: Findings) -> None:
    restarts = last is not None and first is not None and first <= last
    findings.add(
        field,
        f"{'restarts' if restarts else 'goes on'} with step {first} after step {last}; what was "
        "done between them is unknown.",
        _WRONG,
    )


def _is_arm(seen: Sequence[_Seen]) -> bool:
    """Whether actions are seven numbers and not an id with a name."""
    for one in seen:
        given = (one.done or {}).get("action")
        given = _gripper.literal(given) if isinstance(given, str) else given
        if isinstance(given, (list, tuple)) and len(given) in (_PAIR, _SEVEN):
            return len(given) == _SEVEN
    return False


# ------------------------------------------------------------------------- the two kinds


def _arm(
    path: Path,
    episode: dict[str, Any],
    seen: Sequence[_Seen],
    pictures: Pictures,
    findings: Findings,
) -> Trajectory:
    actions = [(one.done or {}).get("action") for one in seen[:-1]]
    successes = []
    for one in seen[:-1]:
        given = (one.done or {}).get("action_success")
        successes.append(_manipulation.success_of(given))
        if one.done is not None and _manipulation.success_of(given) is None:
            findings.add(
                f"{one.place}.action_success",
                f"is {brief(given)}, expected 1.0 or 0.0; whether the action succeeded is unknown.",
                _WRONG,
            )
    done = _manipulation.done_of(
        actions,
        successes,
        str(episode.get("instruction")),
        findings,
        [f"{one.place}.action" for one in seen[:-1]],
    )
    moves = _gripper.moves(done)
    moments = [
        Moment(
            name=f"moment {place}",
            frame=pictures.find(one.picture, one.field, findings),
            field=one.field,
            action=move.action if move else None,
            succeeded=move.succeeded if move else None,
            changes=bool(move and move.changes),
        )
        for place, (one, move) in enumerate(zip(seen, [*moves, None]))
    ]
    states = told(moments, findings)
    return _manipulation.assembled(
        path, name=_id(path), seen=states, moves=moves, findings=findings
    )


def _household(
    path: Path,
    episode: dict[str, Any],
    seen: Sequence[_Seen],
    pictures: Pictures,
    findings: Findings,
    reading: Reading,
) -> Trajectory:
    steps = [
        Step() if one.done is None else _step(one.done, one.place, findings) for one in seen[:-1]
    ]
    moments = [
        _navigation.moment(
            f"moment {place}", pictures.find(one.picture, one.field, findings), one.field, step
        )
        for place, (one, step) in enumerate(zip(seen, [*steps, None]))
    ]
    number = episode.get("episode_id")
    went = _navigation.went(
        tuple(steps),
        reading,
        str(episode.get("eval_set")),
        number if isinstance(number, int) else 0,
        str(episode.get("instruction") or ""),
    )
    return _navigation.assembled(
        path,
        name=_id(path),
        seen=told(moments, findings),
        went=went,
        findings=findings,
        steps=steps,
    )


def _step(done: dict[str, Any], place: str, findings: Findings) -> Step:
    """Return a step whose ``action`` is an id with a name."""
    given = done.get("action")
    if isinstance(given, str):
        given = _gripper.literal(given) or given
    pair = given if isinstance(given, (list, tuple)) and len(given) == _PAIR else (None, given)
    row = {
        "action_id": pair[0],
        "action_description": pair[1],
        "last_action_success": done.get("action_success"),
        "distance": done.get("distance"),
    }
    return step_of(row, None, findings, Fields(f"{place}.action", f"{place}.action_success"))


def _id(path: Path) -> str:
    return f"{path.parent.stem}-{path.name}"[-200:]
