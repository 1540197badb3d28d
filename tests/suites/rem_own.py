"""Folders as REM's own programs write them, of walks of ours and of scenes by chance.

What they ask and answer is worked out here from what each frame shows, with nothing of the reader.
"""

from __future__ import annotations

import csv
import json
import math
import random
from dataclasses import dataclass
from itertools import combinations, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PIL import Image

from pytest_metaspace.suites import rem
from pytest_metaspace.suites.rem._seen import Move
from pytest_metaspace.trajectories import Reading
from tests.suites import rem_walks

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pytest_metaspace.domain import Item, Trajectory
    from pytest_metaspace.suites.rem._seen import Sight

WALK = Path(__file__).resolve().parents[2] / "fixtures" / "rem" / "walks" / "rem-17-0000"
SIDES, ORDERS = "left_right_questions.csv", "order_preserving_questions.csv"
NUMBERS, COMPARED = "number_questions.csv", "comparison_questions_in_frame.csv"
HEAD = ("image_filename", "annotation", "visible_objects")
Frame = list[tuple[str, float]]
"""What is seen from left to right, each with its percentage."""


@dataclass
class Scene:
    """A walk as REM has it: names of moves, places of the camera and of things, and what is seen."""

    moves: list[str]
    camera: list[tuple[float, float]]
    places: dict[str, tuple[float, float]]
    frames: list[Frame]
    pictures: list[Path] | None = None
    sights: Sequence[Mapping[str, Sight]] | None = None
    """What was really seen, where the scene is one by chance."""


def of_ours(folder: Path = WALK) -> Scene:
    """Return the scene of a walk of ours, turned so that it begins along +x."""
    truth, objects, log = (
        json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        for name in ("truth", "objects", "trajectory")
    )
    turn = -math.radians(truth["poses"][0]["yaw_deg"])

    def turned(x: float, y: float, *_: float) -> tuple[float, float]:
        cos, sin = math.cos(turn), math.sin(turn)
        return x * cos - y * sin, x * sin + y * cos

    ids = {
        one["id"]: one["id"].replace("box", "cuboid").rsplit("_", 1)[0] + f"_{place}"
        for place, one in enumerate(truth["objects"])
    }
    frames: list[list[tuple[float, str, float]]] = [[] for _ in log["states"]]
    for thing in objects["objects"]:
        centre = next(one["center"] for one in truth["objects"] if one["id"] == thing["id"])
        for box in thing["boxes"]:
            x1, y1, x2, y2 = box["xyxy"]
            pose = truth["poses"][box["frame"]]
            across = _across(pose["position"], math.radians(pose["yaw_deg"]), centre)
            share = (x2 - x1) * (y2 - y1) * 0.785 / (480 * 270) * 100
            frames[box["frame"]].append((across, ids[thing["id"]], share))
    return Scene(
        moves=[_named(one["action"]) for one in log["states"][:-1]],
        camera=[turned(*one["position"]) for one in truth["poses"]],
        places={ids[one["id"]]: turned(*one["center"]) for one in truth["objects"]},
        frames=[[(name, share) for _, name, share in sorted(frame)] for frame in frames],
        pictures=[folder / one["frame"] for one in log["states"]],
    )


def _across(eye: Sequence[float], yaw: float, place: Sequence[float]) -> float:
    x, y = place[0] - eye[0], place[1] - eye[1]
    return (x * math.sin(yaw) - y * math.cos(yaw)) / (x * math.cos(yaw) + y * math.sin(yaw))


def _named(action: Mapping[str, Any]) -> str:
    if action["turn_deg"]:
        return f"rotate_{'right' if action['turn_deg'] > 0 else 'left'}_15"
    return "move_forward_1m"


def by_chance(
    number: int, *, kind: str = "walk", frames: int = 8, objects: int = 16, kinds: int = 12
) -> Scene:
    """Return a scene by chance, the same for the same arguments."""
    chance = random.Random(f"{kind} {number}")
    moves = _way(chance, kind, frames)
    poses = [rem_walks.Pose(x=-5.0)]
    for name in moves:
        side = {"rotate_left_15": -15.0, "rotate_right_15": 15.0}.get(name, 0.0)
        poses.append(poses[-1].after(Move("", forward_m=0.0 if side else 1.0, turn_deg=side)))
    colours = ("red", "green", "blue", "yellow", "brown")
    names = chance.sample(list(product(colours, ("cuboid", "cone", "sphere"))), kinds)
    places: dict[str, tuple[float, float]] = {}
    while len(places) < objects:
        place = (float(chance.randint(-12, 12)), float(chance.randint(-12, 12)))
        near = any(math.hypot(place[0] - one.x, place[1] - one.y) < 1.2 for one in poses)
        if not near and place not in places.values():
            colour, shape = chance.choice(names)
            places[f"{colour}_{shape}_{len(places)}"] = place
    sights = [rem_walks._looked(one, places) for one in poses]
    return Scene(
        moves=moves,
        camera=[(one.x, one.y) for one in poses],
        places=places,
        frames=[_told(one) for one in sights],
        sights=sights,
    )


def _way(chance: random.Random, kind: str, frames: int) -> list[str]:
    if kind == "frame":
        return []
    if kind == "rotation":
        return [chance.choice(("rotate_left_15", "rotate_right_15"))] * 23
    moves: list[str] = []
    while len(moves) < frames - 1:
        moves += ["move_forward_1m"] * chance.randint(1, 3)
        moves += [chance.choice(("rotate_left_15", "rotate_right_15"))] * chance.randint(1, 4)
    return moves[: frames - 1]


def _told(sights: Mapping[str, Sight]) -> Frame:
    ordered = sorted(sights.items(), key=lambda one: one[1].centre_x)
    return [(name, sight.pixels / (480 * 270) * 100) for name, sight in ordered]


# -------------------------------------------------------------------------------- written


def write(
    folder: Path, scene: Scene, asked: Mapping[str, Sequence[tuple[str, str]]] | None = None
) -> Path:
    """Write a run, and return its ``annotations.csv``."""
    images = folder / "images"
    images.mkdir(parents=True)
    rows = []
    for place, (frame, where) in enumerate(zip(scene.frames, scene.camera)):
        label = scene.moves[place - 1] if place else "init"
        name = f"image_{place:04d}_{label}.png"
        _draw(images / name, place, scene.pictures)
        said = "This image was taken somewhere."
        position = f"Position relative to beginning (x, y): ({where[0]:.3f}, {where[1]:.3f})"
        seen = ", ".join(
            [*(f"{one} ({share:.2f}%)" for one, share in frame), "GroundPlane (44.59%)"]
        )
        rows.append((name, f"{said} {position}", seen))
    table(images / "annotations.csv", HEAD, rows)
    for name, pairs in (questions(scene) if asked is None else asked).items():
        table(images / name, ("question", "answer"), pairs)
    (folder / "trajectory_moves.txt").write_text(
        "\n".join(map(_line, scene.moves)) + "\n", encoding="utf-8"
    )
    objects = [{"name": name, "position": [*at, 0.5]} for name, at in scene.places.items()]
    told = {"objects": objects, "scene_settings": {"camera_height": 1.25}}
    (folder / "scene_config.json").write_text(json.dumps(told), encoding="utf-8")
    return images / "annotations.csv"


def _draw(path: Path, place: int, pictures: Sequence[Path] | None) -> None:
    if pictures is not None:
        with Image.open(pictures[place]) as image:
            image.convert("RGB").save(path)
        return
    Image.new("RGB", (48, 27), (place % 256, 0, place // 256)).save(path)


def _line(move: str) -> str:
    return "straight" if move.startswith("move") else f"turn {move.split('_')[1]} 15 degrees"


def table(path: Path, head: Iterable[str], rows: Iterable[Sequence[str]]) -> None:
    """Write a CSV."""
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([tuple(head), *rows])


# ------------------------------------------------------------------------------- a small one

TWO = [
    [("red_cone_0", 5.0), ("blue_sphere_1", 3.0)],
    [("red_cone_0", 4.0), ("blue_sphere_1", 3.0), ("green_cuboid_2", 2.0)],
    [("red_cone_0", 4.0), ("green_cuboid_2", 2.5), ("green_cuboid_3", 0.03)],
]
"""What three pictures show, from left to right."""
PLACES = {
    "red_cone_0": (2.0, 3.0),
    "blue_sphere_1": (3.0, 0.0),
    "green_cuboid_2": (4.0, -4.0),
    "green_cuboid_3": (9.0, -11.0),
}


def straight(
    frames: Sequence[Frame] = TWO, places: Mapping[str, tuple[float, float]] = PLACES
) -> Scene:
    """Return a scene of a walk straight on."""
    return Scene(
        moves=["move_forward_1m"] * (len(frames) - 1),
        camera=[(-5.0 + place, 0.0) for place in range(len(frames))],
        places=dict(places),
        frames=[list(one) for one in frames],
    )


def loaded(
    tmp_path: Path, scene: Scene, asked: Mapping[str, list[tuple[str, str]]] | None = None
) -> Trajectory:
    main = write(tmp_path / "0001-run", scene, asked)
    return rem.load(main, Reading(frames=tmp_path / "kept"))


def posed(item: Item) -> dict[str, int | str | None]:
    """Return the questions as written, with their answers."""
    return {one.text: one.answer for one in item.posings.values() if one.written}


# ---------------------------------------------------------------------------------- asked


def questions(scene: Scene) -> dict[str, list[tuple[str, str]]]:
    """Return what REM would ask, all of it, with its answers."""
    seen = sorted({name for frame in scene.frames for name, _ in frame})
    split = {name: name.split("_") for name in seen}
    numbers: dict[str, int] = {}
    shown: dict[str, set[int]] = {}
    first: dict[str, int] = {}
    for name in seen:
        colour, shape, _ = split[name]
        at = {place for place, frame in enumerate(scene.frames) if name in dict(frame)}
        for label in (f"{colour} objects", f"{shape}s", f"{colour} {shape}s"):
            numbers[label] = numbers.get(label, 0) + 1
            shown[label] = shown.get(label, set()) | at
        short = f"{colour} {shape}"
        first[short] = min(first.get(short, 999), *at)
    compared = [
        (one, two, f"Are there more {one} or {two}?", _more(one, two, numbers))
        for one, two in combinations(sorted(numbers), 2)
    ]
    return {
        "number_questions.csv": [
            *((f"How many {label} are there?", str(n)) for label, n in sorted(numbers.items())),
            ("How many purple cylinders are there?", "0"),
        ],
        "comparison_questions_in_frame.csv": [
            (text, answer) for one, two, text, answer in compared if shown[one] & shown[two]
        ],
        "comparison_questions_out_of_frame.csv": [
            (text, answer) for one, two, text, answer in compared if not shown[one] & shown[two]
        ],
        "left_right_questions.csv": list(_sides(scene, seen)),
        "order_preserving_questions.csv": [
            _order(one, two, first) for one, two in combinations(sorted(first), 2)
        ],
    }


def _more(one: str, two: str, numbers: Mapping[str, int]) -> str:
    if numbers[one] == numbers[two]:
        return "equal"
    return max(one, two, key=lambda label: numbers[label])


def _order(one: str, two: str, first: Mapping[str, int]) -> tuple[str, str]:
    if first[one] == first[two]:
        return f"Did we see the {one} before, after, or same time as the {two}?", "same time"
    answer = "before" if first[one] < first[two] else "after"
    return f"Did we see the {one} before, after, or at the same time as the {two}?", answer


def _sides(scene: Scene, seen: Sequence[str]) -> Iterable[tuple[str, str]]:
    for place, (one, two) in enumerate(combinations(seen, 2)):
        orders = [[name for name, _ in frame] for frame in scene.frames]
        sides = {o.index(one) < o.index(two) for o in orders if one in o and two in o}
        if len(sides) != 1:
            continue
        left = sides.pop()
        a, b = (" ".join(name.split("_")[:2]) for name in (one, two))
        if place % 4 >= 2:
            a, b, left = b, a, not left
        side = "left" if place % 2 else "right"
        yield f"Is the {a} to the {side} of the {b}?", "yes" if left == (side == "left") else "no"
