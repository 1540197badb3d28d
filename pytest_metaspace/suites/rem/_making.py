"""Makes a walk: scene, way, what is seen, and pictures, all from its seed and number."""

from __future__ import annotations

import hashlib
import io
import itertools
import random
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from pytest_metaspace import files
from pytest_metaspace.suites.rem import _layout, _path, _sightings
from pytest_metaspace.suites.rem._seen import Walk, walk_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from pytest_metaspace.suites.rem._choice import Chosen
    from pytest_metaspace.suites.rem._render import Studio
    from pytest_metaspace.suites.rem._scene import Place, Pose
    from pytest_metaspace.suites.rem._seen import Kind, Sight

    Frames = tuple[Mapping[str, Sight], ...]

LEAST_SEEN: Final = 3
"""A walk that shows fewer things clearly is drawn anew, where there are twice as many."""
_ADDED_TRIES: Final = 16
_WEBP: Final[dict[str, Any]] = {"format": "WEBP", "lossless": True, "quality": 25, "method": 1}
"""No larger than by the slowest of its methods, and written in a third of the time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A walk, and what is behind it.

    Attributes:
        walk: as questions take it.
        poses: of the camera, one a frame.
        places: of the things.
        redrawn: how many draws were dropped before, as they showed next to nothing.
    """

    walk: Walk
    poses: tuple[Pose, ...]
    places: tuple[Place, ...]
    redrawn: int


def make(studio: Studio, folder: Path, kind: Kind, seed: int, number: int, chosen: Chosen) -> Made:
    """Make a walk; pictures that are there already are not drawn again.

    Args:
        studio: draws it.
        folder: where its pictures go, in ``frames`` and ``added``; those of single frames all in
            ``pictures``.
        kind: what it is.
        seed: of its draws.
        number: likewise.
        chosen: how many frames, objects and duplicates it has.

    Raises:
        UsageProblem: a picture cannot be written.
    """
    for redrawn in itertools.count():

        def chance(what: str, draw: int = redrawn) -> random.Random:
            digest = hashlib.sha256(f"rem {kind} {seed} {number} {draw} {what}".encode()).digest()
            return random.Random(digest)  # noqa: S311 - no secret

        poses, moves = _way(kind, chance("way"), chosen)
        places = _scene(kind, chance("scene"), poses, chosen)
        frames = tuple(_sightings.frames(studio, places, poses))
        if _shows_enough(frames, chosen):
            break
    name = walk_id(kind, seed, number)
    walk = Walk(
        seed=seed,
        number=number,
        kind=kind,
        things=tuple(place.thing for place in places),
        frames=frames,
        moves=moves,
        pictures=_pictures(folder, name, kind, len(poses)),
        options={**chosen, "duplicates": _duplicates(places)},
    )
    _draw(studio, places, poses, walk.pictures)
    if kind != "rotation":  # one thing more is seen to be no mirrored one
        pictures = _pictures(folder, name, kind, len(poses), added=True)
        walk = replace(walk, added=_added(studio, walk, poses, places, pictures, chance("added")))
    return Made(walk=walk, poses=poses, places=places, redrawn=redrawn)


def _shows_enough(frames: Frames, chosen: Chosen) -> bool:
    clear = {name for frame in frames for name, sight in frame.items() if sight.clear}
    return len(clear) >= min(LEAST_SEEN, chosen["objects"] // 2)


def _way(kind: Kind, chance: random.Random, chosen: Chosen) -> _path.Path:
    if kind == "walk":
        return _path.walk(chance, chosen["frames"])
    return _path.spot(chance) if kind == "rotation" else _path.still()


def _scene(
    kind: Kind, chance: random.Random, poses: Sequence[Pose], chosen: Chosen
) -> tuple[Place, ...]:
    if kind == "rotation":
        return _layout.opposite(chance, chosen["objects"])
    things = _layout.kinds(chance, chosen["objects"], chosen["duplicates"])
    if kind == "frame":
        return _layout.ahead(chance, things)
    return _layout.around(chance, things, poses)


def _duplicates(places: Sequence[Place]) -> int:
    return len(places) - len({(one.thing.colour, one.thing.shape) for one in places})


def _pictures(
    folder: Path, name: str, kind: Kind, count: int, *, added: bool = False
) -> tuple[Path, ...]:
    if kind == "frame":
        return (folder / "pictures" / f"{name}{'-added' if added else ''}.webp",)
    inside = folder / ("added" if added else "frames")
    return tuple(inside / f"{number:03}.webp" for number in range(count))


def _added(
    studio: Studio,
    walk: Walk,
    poses: Sequence[Pose],
    places: Sequence[Place],
    pictures: tuple[Path, ...],
    chance: random.Random,
) -> Walk | None:
    """Return the walk past one thing more, which is seen clearly and changes what else is not."""
    for place in _layout.another(chance, places, poses, _ADDED_TRIES):
        more = [*places, place]
        frames = _as_before(_sightings.frames(studio, more, poses), walk, place.thing.id)
        if frames is not None and any(
            place.thing.id in frame and frame[place.thing.id].clear for frame in frames
        ):
            _draw(studio, more, poses, pictures)
            return replace(
                walk,
                things=(*walk.things, place.thing),
                frames=frames,
                pictures=pictures,
                options={**walk.options, "duplicates": _duplicates(more)},
            )
    return None


def _as_before(frames: Iterable[Mapping[str, Sight]], walk: Walk, new: str) -> Frames | None:
    """Return frames; None as soon as one shows something else, beside what is new, or less."""
    found = []
    for frame, before in zip(frames, walk.frames):
        states = {name: sight.clear for name, sight in frame.items() if name != new}
        if states != {name: sight.clear for name, sight in before.items()}:
            return None
        found.append(frame)
    return tuple(found)


def _draw(
    studio: Studio, places: Sequence[Place], poses: Sequence[Pose], pictures: Sequence[Path]
) -> None:
    from PIL import Image

    studio.arrange(places)
    for pose, path in zip(poses, pictures):
        if not path.exists():
            file = io.BytesIO()
            image = Image.fromarray(studio.picture(pose))
            image.save(file, **_WEBP)
            files.put(path, file.getvalue())
