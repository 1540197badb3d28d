"""Logs of every format that mean harm: small to write, and enormous or endless to read."""

from __future__ import annotations

import base64
import json
import os
import re
from typing import TYPE_CHECKING, Any

import lmdb
import msgpack

from pytest_metaspace.suites.embspatial._asking import item
from tests.suites import rem_own
from tests.trajectories import aerial_support
from tests.trajectories.bounded import Job
from tests.trajectories.hostile_data import lerobots, videos
from tests.trajectories.hostile_pictures import PICTURES
from tests.trajectories.hostile_values import ODD, ODD_FILES, VALUES, endless, put
from tests.trajectories.writers import eb_manipulation as man_writer
from tests.trajectories.writers import eb_navigation as nav_writer
from tests.trajectories.writers import embodiedbench_datasets as set_writer
from tests.trajectories.writers.pictures import paint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.trajectories.hostile_values import Made, Make


# ------------------------------------------------------------------------------- native


def _native(folder: Path, **fields: str) -> Path:
    """Write a trajectory; fields are given as JSON."""
    paint(folder / "frames/0.png", 0)
    paint(folder / "frames/1.png", 1)
    told = {
        "format": '"metaspace-trajectory"', "version": "1", "id": '"a"', "scenario": '"household"',
        "step_length_m": "0.5", "camera": '{"width": 40, "height": 40}',
        "states": '[{"frame": "frames/0.png"}, {"frame": "frames/1.png"}]', **fields,
    }  # fmt: skip
    rows = ", ".join(f'"{name}": {value}' for name, value in told.items())
    return put(folder / "trajectory.json", f"{{{rows}}}")


def _with(folder: Path, name: str, make: Callable[[Path], object]) -> Path:
    main = _native(folder)
    make(folder / name)
    return main


def natives() -> Iterator[tuple[str, Make]]:
    for name, value in VALUES.items():
        yield f"native-{name}", lambda to, value=value: _native(to, states=value)
    for name, value in ODD.items():
        yield (
            f"objects-{name}",
            lambda to, value=value: _with(
                to, "objects.json",
                lambda at: put(at, '{"format": "metaspace-objects", "version": 1, '
                                    f'"objects": {value}}}'),
            ),
        )  # fmt: skip
    yield (
        "native-endless",
        lambda to: endless(to / "trajectory.json", b'{"format": "metaspace-trajectory", "id": "'),
    )
    yield (
        "native-unnamed-endless",
        lambda to: endless(
            paint(to / "frames/0.png", 0).parents[1] / "trajectory.json", b'{"id": "'
        ),
    )
    yield "objects-endless", lambda to: _with(to, "objects.json", lambda at: endless(at, b"["))
    yield "journal-endless", lambda to: _journal(to, lambda at: endless(at, b"{"))
    yield "journal-many", lambda to: _journal(to, lambda at: put(at, "{}\n" * 5_000_000))
    for name, make in ODD_FILES.items():
        yield f"native-{name}", lambda to, make=make: make(_native(to))
        for file in ("objects.json", "truth.json", "frames/1.png"):
            yield (
                f"native-{name}-{file}",
                lambda to, make=make, file=file: _with(to, file, make),
            )
    for name, content in PICTURES.items():
        yield (
            f"native-picture-{name}",
            lambda to, content=content: _with(
                to, "frames/1.png", lambda at: at.write_bytes(content())
            ),
        )


def _journal(folder: Path, make: Callable[[Path], object]) -> Path:
    main = _native(folder)
    content = json.loads(main.read_text())
    del content["states"]
    make(folder / "steps.jsonl")
    return put(main, json.dumps(content))


# -------------------------------------------------------------------------- EmbodiedBench


def _navigation(
    folder: Path, more: str = "", picture: Callable[[Path], object] | None = None
) -> Path:
    main = nav_writer.write_current(folder, nav_writer.sample())
    if picture is not None:
        picture(min(folder.glob("*_step_3_*.png")))
    return put(main, main.read_text() + more)


def _manipulation(
    folder: Path, more: str = "", picture: Callable[[Path], object] | None = None
) -> Path:
    main = man_writer.write(folder, man_writer.sample())
    if picture is not None:
        picture(folder / "images/episode_1/episode_1_step_3_front_rgb.png")
    output = main.with_name("planner_output_episode_1.txt")
    put(output, more + output.read_text())
    return main


def _dataset(folder: Path, content: str) -> Path:
    main = set_writer.write(folder, [set_writer.navigation()])
    return put(main, content.replace("EPISODE", json.dumps(set_writer.navigation())))


def embodied() -> Iterator[tuple[str, Make]]:
    for name, value in VALUES.items():
        yield f"navigation-{name}", lambda to, value=value: _navigation(to, value)
        yield f"dataset-{name}", lambda to, value=value: _dataset(to, f"[EPISODE, {value}]")
    for name, value in ODD.items():
        row = '{{"distance": {0}, "action_id": {0}, "last_action_success": {0}, "env_step": {0}}}'
        yield (
            f"navigation-row-{name}",
            lambda to, value=value, row=row: _navigation(to, row.format(value)),
        )
        plan = f'{{"executable_plan": {value}}}\n'
        yield f"manipulation-plan-{name}", lambda to, plan=plan: _manipulation(to, plan)
        trajectory = f'[EPISODE, {{"model_name": "m", "trajectory": {value}}}]'
        yield f"dataset-episode-{name}", lambda to, text=trajectory: _dataset(to, text)
    yield (
        "navigation-endless",
        lambda to: endless(to / "episode_1_step_2.json", b'{"distance": 1, "action_id": -1'),
    )
    yield (
        "dataset-endless",
        lambda to: endless(
            to / "eb-nav_dataset_x.json", b'[{"model_name": "", "eval_set": "", "episode_id": "'
        ),
    )
    alike = '{"model_name": "m", "eval_set": "e", "episode_id": 1},'
    yield "dataset-alike", lambda to: _dataset(to, "[" + alike * 100_000 + "EPISODE]")
    yield "dataset-blanks", lambda to: _dataset(to, "[EPISODE" + " " * (60 << 20) + "]")
    yield "manipulation-starts", lambda to: _manipulation(to, "{\n" * (10 << 20))
    yield (
        "manipulation-written",
        lambda to: _manipulation(
            to, json.dumps({"executable_plan": "(" * 9000 + "[" * 9000}) + "\n"
        ),
    )
    for name, content in PICTURES.items():
        for kind, write in (("navigation", _navigation), ("manipulation", _manipulation)):
            yield (
                f"{kind}-picture-{name}",
                lambda to, write=write, content=content: write(
                    to, picture=lambda at: at.write_bytes(content())
                ),
            )
    for name, make in ODD_FILES.items():
        yield f"navigation-{name}", lambda to, make=make: make(_navigation(to))
        yield f"navigation-{name}-picture", lambda to, make=make: _navigation(to, picture=make)
        yield f"manipulation-{name}", lambda to, make=make: make(_manipulation(to))
        yield (
            f"manipulation-{name}-output",
            lambda to, make=make: (
                _manipulation(to), make(to / "results/planner_output_episode_1.txt"))[0],
        )  # fmt: skip
        yield f"dataset-{name}", lambda to, make=make: make(_dataset(to, "[EPISODE]"))


# ------------------------------------------------------------------------------ AerialVLN


def _flight(folder: Path, **fields: str) -> Path:
    """Write a split; fields of its episode are given as JSON."""
    main = aerial_support.split(folder, aerial_support.episode())
    content = json.loads(main.read_text())
    for name, value in fields.items():
        content["episodes"][0][name] = f"HERE {name}"
        put(main, json.dumps(content).replace(f'"HERE {name}"', value))
    return main


def _store(folder: Path, value: Any = None, damage: Callable[[Path], object] | None = None) -> Made:
    main = aerial_support.split(folder, pictures=False)
    images = folder / "rgb"
    width, height = aerial_support.SIZE
    fields = {b"nd": True, b"type": "|u1", b"shape": [height, width, 3],
              b"data": b"\0" * (height * width * 3)}  # fmt: skip
    with lmdb.open(str(images), map_size=1 << 28) as store, store.begin(write=True) as to:
        for step in range(len(aerial_support.FLIGHT)):
            packed = msgpack.packb(fields) if value is None else value
            to.put(f"{aerial_support.NAME}_{step}_rgb".encode(), packed)
    if damage is not None:
        damage(images / "data.mdb")
    return main, images


def _meta(path: Path, at: int, new: bytes) -> None:
    """Overwrite something in both heads of an LMDB."""
    content = bytearray(path.read_bytes())
    for page in (0, 4096):
        content[page + at : page + at + len(new)] = new
    path.write_bytes(content)


def _cut(path: Path, size: int) -> None:
    os.truncate(path, size)


def aerials() -> Iterator[tuple[str, Make]]:
    for name, value in VALUES.items():
        for field in ("trajectory_id", "actions", "reference_path") if name in ODD else ("info",):
            yield (
                f"aerial-{field}-{name}",
                lambda to, field=field, value=value: _flight(to, **{field: value}),
            )
    yield (
        "aerial-endless",
        lambda to: endless(
            to / "val_seen.json",
            b'{"x": ["trajectory_id", "start_rotation", "start_position"], "episodes": [{"a": "',
        ),
    )
    yield (
        "aerial-blanks",
        lambda to: put(
            to / "val_seen.json",
            '{"episodes": [{"trajectory_id": "a", "start_rotation": [], "start_position": []}'
            + " " * (60 << 20),
        ),
    )
    yield "aerial-many", lambda to: put(
        to / "val_seen.json",
        '{"a": ["start_rotation", "start_position"], "episodes": ['
        + '{"trajectory_id": 1},' * 2_000_000 + "{}]}",
    )  # fmt: skip
    for name, make in ODD_FILES.items():
        yield f"aerial-{name}", lambda to, make=make: make(_flight(to))
        yield (
            f"aerial-{name}-picture",
            lambda to, make=make: (
                _flight(to), make(to / "val_seen_rgb" / aerial_support.NAME / "0003.png"))[0],
        )  # fmt: skip
        yield f"aerial-{name}-store", lambda to, make=make: _store(to, damage=make)
    for name, content in PICTURES.items():
        yield (
            f"aerial-picture-{name}",
            lambda to, content=content: (
                _flight(to),
                (to / "val_seen_rgb" / aerial_support.NAME / "0003.png").write_bytes(content()),
            )[0],
        )
    yield "aerial-store", _store
    yield (
        "aerial-store-map",
        lambda to: _store(
            to, damage=lambda at: _meta(at, 16 + 16, (1 << 46).to_bytes(8, "little"))
        ),
    )
    yield "aerial-store-cut", lambda to: _store(to, damage=lambda at: _cut(at, 3 * 4096))
    yield "aerial-store-head", lambda to: _store(to, damage=lambda at: _cut(at, 100))
    yield "aerial-store-deep", lambda to: _store(to, b"\x91" * 100_000)
    yield "aerial-store-many", lambda to: _store(to, b"\xdd\xff\xff\xff\xff")
    yield (
        "aerial-store-shape",
        lambda to: _store(
            to, msgpack.packb({b"type": "|u1", b"shape": [10**9, 10**9, 3], b"data": b""})
        ),
    )


# ----------------------------------------------------------------------------- EmbSpatial


def _items(folder: Path, **fields: str) -> Path:
    """Write a file of one item; fields are given as JSON."""
    made = item(1, 4) | {name: f"HERE {name}" for name in fields}
    text = json.dumps([made])
    for name, value in fields.items():
        text = text.replace(f'"HERE {name}"', value)
    return put(folder / "embspatial_bench.json", text)


def items() -> Iterator[tuple[str, Make]]:
    for name, value in VALUES.items():
        for field in ("answer_options", "objects", "answer") if name in ODD else ("image",):
            yield (
                f"items-{field}-{name}",
                lambda to, field=field, value=value: _items(to, **{field: value}),
            )
    for name, content in PICTURES.items():
        yield (
            f"items-picture-{name}",
            lambda to, content=content: _items(
                to, image=json.dumps(base64.b64encode(content()).decode())
            ),
        )
    yield "items-not-base64", lambda to: _items(to, image=json.dumps("A" * (20 << 20) + "?"))
    for name, make in ODD_FILES.items():
        yield f"items-{name}", lambda to, make=make: make(_items(to))


_SOLIDS = ("cone", "sphere", "cuboid", "cylinder")


def _walk(folder: Path) -> Path:
    """Write a walk of REM whose pictures all show what shares its name with fifteen others."""
    kinds = [f"{c}_{s}" for c in ("red", "blue", "green", "black") for s in _SOLIDS]
    named = [kind.replace("_", " ") for kind in kinds]
    frame = [(f"{kind}_{number}", 0.2) for kind in kinds for number in range(16)]
    asked = [
        (f"Is the {one} to the {side} of the {other}?", "yes")
        for one in named
        for other in named
        for side in ("left", "right")
    ]
    return rem_own.write(
        folder / "run", rem_own.straight([frame] * 256, {}), {rem_own.SIDES: asked}
    )


def walks() -> Iterator[tuple[str, Make]]:
    yield "walks-many-alike", _walk


def all_of_them() -> dict[str, Make]:
    """Return what writes each, by its name."""
    found: dict[str, Make] = {}
    for some in (natives(), lerobots(), videos(), embodied(), aerials(), items(), walks()):
        for name, make in some:
            assert name not in found
            found[name] = make
    return found


_DEAR = re.compile(
    r"walks-many-alike|film-(wide|columns|notes)|aerial-many|dataset-alike|urban-(one-text-often|long-texts)"
    r"|lerobot-(many-nulls|too-many-nulls|one-row|picture-unpacked)"
    r"|(?!native|items).*-(many-objects|many-texts|long-text|picture-large)|items-.*-many-texts"
)
"""Those that take a second to write or to read, and are read with the others in a benchmark."""


def written(
    folder: Path, *, dear: bool, wanted: Callable[[str], bool] = lambda _: True
) -> list[Job]:
    """Write them, each into a folder of its own; return what is to be read."""
    jobs = []
    for name, make in all_of_them().items():
        if (_DEAR.fullmatch(name) and not dear) or not wanted(name):
            continue
        home = folder / name.replace("/", "-")
        home.mkdir()
        made = make(home)
        main, images = made if isinstance(made, tuple) else (made, None)
        jobs.append(Job(name, str(main), str(images or "")))
    return jobs
