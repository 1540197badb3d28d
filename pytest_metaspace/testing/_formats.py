"""Does a trajectory format do what we demand?"""

from __future__ import annotations

import json
import shutil
import tempfile
import tracemalloc
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PIL import Image

from pytest_metaspace import pipeline
from pytest_metaspace.domain import SCENARIOS, Settings, Trajectory
from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.questions import distinct, question
from pytest_metaspace.testing import _episodes
from pytest_metaspace.testing._episodes import WANTED as _WANTED
from pytest_metaspace.testing._grounds import demand, watched
from pytest_metaspace.trajectories import TrajectoryFormat

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST_BYTES = 256 << 20
_LARGE = 16 << 20
_METRICS = ("spatial", "planar")
_ODD: tuple[Any, ...] = (None, [], {}, "x" * 300, -1, [[]], True)


def check_trajectory_format(
    form: TrajectoryFormat, path: Path | str, *, folder: Path | str | None = None
) -> None:
    """Check that a format knows its files, loads them, and says what is wrong with damaged ones.

    Args:
        form: as it is handed to ``register``.
        path: the main file of a sound trajectory in this format; everything that it needs has to
            lie in ``folder``, which is copied and damaged. Of a format whose main files hold
            several episodes, a file with two at least, all sound; the first is looked at closely.
        folder: that of the main file where None. A format that takes pictures out of videos keeps
            them where its ``Reading`` says; let that be in here, too.

    Raises:
        AssertionError: it does not; the text says what, where and what to do.
    """
    main = Path(path).resolve()
    demand(
        isinstance(form, TrajectoryFormat),
        f"{form!r} is no pytest_metaspace.trajectories.TrajectoryFormat.",
    )
    demand(
        isinstance(form.name, str) and form.name.strip() and form.name.isprintable(),
        f"format {form.name!r}: field name: expected what messages are to call it.",
    )
    demand(main.is_file(), f"format {form.name}: there is no file {main} to try it on.")
    home = main.parent if folder is None else Path(folder).resolve()
    demand(main.is_relative_to(home), f"format {form.name}: {main} lies outside of {home}.")
    _check_matches(form, main)
    episode = None if form.episodes is None else _episodes.check_episodes(form, main)
    place = main if episode is None else main / episode
    trajectory = _episodes.loaded(form, place)
    _check_trajectory(f"format {form.name}: {place.name}", trajectory, place)
    again = _episodes.loaded(form, trajectory.source)
    demand(
        again == trajectory,
        f"format {form.name}: load returns another trajectory when it is called again, so workers "
        "and later runs would find other cases. Keep nothing between calls.",
    )
    _check_use(form, trajectory)
    _check_damage(form, main, home, trajectory, episode)


# --------------------------------------------------------------------------------- matches


def _check_matches(form: TrajectoryFormat, main: Path) -> None:
    demand(
        _matches(form, main),
        f"format {form.name}: matches({main.name}) is False, so pytest would not collect it.",
    )
    with tempfile.TemporaryDirectory(prefix="metaspace-") as folder:
        for odd in _odd_files(Path(folder)):
            demand(
                not _matches(form, odd),
                f"format {form.name}: matches takes {odd.name}, which is none of its files: pytest "
                "asks about every file it walks over. Look at the name and at the first bytes.",
            )
        namesake = Path(folder) / main.name
        for content in (b"", b"\x00\xff" * 64, b"[" * 100_000):
            namesake.write_bytes(content)
            _matches(form, namesake)  # either way, without raising


def _matches(form: TrajectoryFormat, path: Path) -> bool:
    ours = not tracemalloc.is_tracing()
    if ours:
        tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    tracemalloc.reset_peak()
    try:
        with watched(f"format {form.name}: matches({path.name})", "Return False instead."):
            found: Any = form.matches(path)
        _, most = tracemalloc.get_traced_memory()
    finally:
        if ours:
            tracemalloc.stop()
    demand(
        isinstance(found, bool),
        f"format {form.name}: matches({path.name}) returns {found!r}, expected a bool.",
    )
    demand(
        most - before < _LARGE // 2,
        f"format {form.name}: matches reads the whole of {path.name}. It is called for every file "
        "that pytest walks over: look at the name first, and read the first bytes only.",
    )
    return bool(found)


def _odd_files(folder: Path) -> Iterator[Path]:
    """Write what may lie in anybody's repository."""
    contents = {
        "empty.json": b"",
        "list.json": b"[1, 2, 3]",
        "text.json": b'"metaspace-trajectory"',
        "deep.json": b"[" * 100_000,
        "not-utf-8.json": b'{"format": "\xff\xfe"}',
        "package.json": b'{"name": "somebody else\'s", "version": "1.0.0"}',
        "notes.md": b"# Notes\n",
        "picture.png": b"\x89PNG\r\n\x1a\n",
        "no-ending": bytes(range(256)),
    }
    for name, content in contents.items():
        (folder / name).write_bytes(content)
        yield folder / name
    with (folder / "large.json").open("wb") as large:
        large.write(b'{"a": "')
        large.truncate(_LARGE)
    yield folder / "large.json"
    (folder / "folder.json").mkdir()
    yield folder / "folder.json"
    yield folder / "is-not-there.json"


# ---------------------------------------------------------------------------------- loaded


def _check_trajectory(where: str, found: Trajectory, main: Path) -> None:
    demand(
        isinstance(found.id, str) and found.id.strip(),
        f"{where}: id: expected a name, unique in a run, since baselines pair on it.",
    )
    demand(
        Path(found.source).resolve() == main,
        f"{where}: source: is {found.source}, expected the path that load was given, so that "
        "another process can load it again.",
    )
    demand(
        found.scenario in SCENARIOS,
        f"{where}: scenario: is {found.scenario!r}, expected one of {', '.join(SCENARIOS)}.",
    )
    demand(
        found.step_length_m > 0,
        f"{where}: step_length_m: is {found.step_length_m!r}, expected metres above 0.",
    )
    demand(
        found.distance_metric in _METRICS,
        f"{where}: distance_metric: is {found.distance_metric!r}, expected spatial or planar.",
    )
    indices = [state.index for state in found.states]
    demand(
        len(indices) > 1 and indices == list(range(len(indices))),
        f"{where}: states: are numbered {indices[:9]}, expected 0, 1, 2 and so on, at least two.",
    )
    for state in found.states:
        _check_frame(f"{where}: states.{state.index}.frame", state.frame, found)
    _check_objects(where, found)
    poses = None if found.truth is None else len(found.truth.poses)
    demand(
        poses in (None, len(indices)),
        f"{where}: truth.poses: are {poses}, expected one for each of {len(indices)} states.",
    )
    _check_motion(where, found)


def _check_motion(where: str, found: Trajectory) -> None:
    truth = found.truth
    if truth is None:
        return
    told = {"truth.mover": truth.mover}
    told |= {f"truth.objects[{name!r}].centers": o.centers for name, o in truth.objects.items()}
    for field, places in told.items():
        count = None if places is None else len(places)
        demand(
            count in (None, len(found.states)),
            f"{where}: {field}: are {count}, expected one for each of {len(found.states)} states.",
        )


def _check_frame(where: str, frame: Path, found: Trajectory) -> None:
    demand(isinstance(frame, Path) and frame.is_file(), f"{where}: there is no file {frame}.")
    advice = "Write frames in a format that Pillow reads."
    with watched(f"{where}: opening it with Pillow", advice), Image.open(frame) as picture:
        size = picture.size
    camera = found.camera
    demand(
        size == (camera.width, camera.height),
        f"{where}: is {size[0]} x {size[1]} pixels, and the camera {camera.width} x "
        f"{camera.height}; boxes would be told in other pixels than those shown.",
    )


def _check_objects(where: str, found: Trajectory) -> None:
    ids = [thing.id for thing in found.objects]
    demand(len(set(ids)) == len(ids), f"{where}: objects: an id occurs twice in {ids}.")
    camera = found.camera
    for thing in found.objects:
        here = f"{where}: object {thing.id}"
        demand(
            set(thing.boxes) == set(thing.confidences),
            f"{here}: expected a confidence for each box, by frame.",
        )
        for frame, box in thing.boxes.items():
            inside = -1 <= box.x1 < box.x2 <= camera.width + 1
            inside = inside and -1 <= box.y1 < box.y2 <= camera.height + 1
            demand(
                inside and 0 <= frame < len(found.states),
                f"{here}: {box} in frame {frame} is no box in {len(found.states)} pictures of "
                f"{camera.width} x {camera.height} pixels; expected x1 < x2 and y1 < y2, inside.",
            )


def _check_use(form: TrajectoryFormat, found: Trajectory) -> None:
    with watched(f"format {form.name}: planning cases", "A field has to be what domain says."):
        cases = pipeline.plan(found, pipeline.Registries.built_in(), Settings()).cases
        for query in distinct(cases):
            question(query, found)
    demand(
        cases,
        f"format {form.name}: {found.id} feeds no relation: it needs two states or two objects "
        "that are seen whole in one frame.",
    )


# --------------------------------------------------------------------------------- damaged


def _check_damage(
    form: TrajectoryFormat, main: Path, home: Path, trajectory: Trajectory, episode: str | None
) -> None:
    size = sum(file.stat().st_size for file in home.rglob("*") if file.is_file())
    demand(
        size <= _MOST_BYTES,
        f"format {form.name}: {home} holds {size >> 20} MB, and is copied to damage it. "
        "Name a smaller trajectory in a folder of its own.",
    )
    frame = trajectory.states[-1].frame.resolve()
    demand(
        frame.is_relative_to(home),
        f"format {form.name}: the frame {frame} lies outside of {home}. A trajectory is a "
        "folder that can be moved as a whole; name the one with all of it as `folder`.",
    )
    with tempfile.TemporaryDirectory(prefix="metaspace-") as folder:
        copy = Path(folder).resolve() / "copy"
        shutil.copytree(home, copy)
        damaged = copy / main.relative_to(home)
        whole = main.read_bytes()
        if episode is not None:
            _episodes.check_damaged(form, damaged, whole, episode)
            return
        _refused(form, damaged, b"", "is empty", main.name)
        _refused(form, damaged, b"\x00\xff" * 64, "is noise", main.name)
        _survived(form, damaged, whole[: len(whole) // 2], "is cut in half", main.name)
        _check_fields(form, damaged, whole)
        damaged.write_bytes(whole)
        lost = _episodes.loaded(form, damaged).states[-1].frame.resolve()
        if lost.is_relative_to(copy):  # else it was taken out of a video, which has it still
            lost.unlink()
            _check_lost(form, damaged, whole, lost.name)


def _check_lost(form: TrajectoryFormat, damaged: Path, whole: bytes, frame: str) -> None:
    """A lost frame is refused, or what lost it is left out and named among the defects."""
    damaged.write_bytes(whole)
    try:
        found = form.load(damaged)
    except Exception:  # noqa: BLE001 - judged below
        found = None
    if found is not None and found.defects and all(one.frame.is_file() for one in found.states):
        return
    _refused(form, damaged, whole, f"has lost the frame {frame}", frame)


def _check_fields(form: TrajectoryFormat, damaged: Path, whole: bytes) -> None:
    """Where the main file is a JSON object: put something odd into each field, and leave it out."""
    try:
        content = json.loads(whole)
    except ValueError:
        return
    for name in content if isinstance(content, dict) else ():
        for odd in _ODD:
            broken = json.dumps({**content, name: odd}).encode()
            _survived(form, damaged, broken, f"has {odd!r:.20} as {name}", name)
        left = {key: value for key, value in content.items() if key != name}
        _survived(form, damaged, json.dumps(left).encode(), f"lacks {name}", name)


def _survived(
    form: TrajectoryFormat, path: Path, content: bytes, how: str, named: str
) -> str | None:
    """Load a damaged file; return what it is refused with, or None."""
    path.write_bytes(content)
    problem: TrajectoryError | None = None
    what = f"format {form.name}: load of a {path.name} that {how}"
    with watched(what, f"Raise {_WANTED}"):
        try:
            form.load(path)
        except TrajectoryError as refused:
            problem = refused
    if problem is None:
        return None
    for word in (path.name, named):
        demand(
            word in str(problem),
            f"format {form.name}: the error about a {path.name} that {how} does not name {word!r}, "
            f"so nobody knows where to look: {problem}",
        )
    return str(problem)


def _refused(form: TrajectoryFormat, path: Path, content: bytes, how: str, named: str) -> None:
    demand(
        _survived(form, path, content, how, named) is not None,
        f"format {form.name}: load takes a {path.name} that {how}. Raise {_WANTED}",
    )
