"""``metaspace import``: trajectories of any format as folders of the native one.

Each is written aside and put in its place by one rename, so that at any moment a folder is whole
or not there. What is there already is passed over, so that the same command goes on where it was
stopped.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import tempfile
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_metaspace import pipeline
from pytest_metaspace.errors import TrackerError, TrajectoryError, UsageProblem
from pytest_metaspace.trajectories import MAIN_FILE, _damaged
from pytest_metaspace.trajectories._defects import brief, new_defects
from pytest_metaspace.trajectories._writing import IMPORTED, write
from pytest_metaspace.trajectories.items import NAME as ITEMS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_metaspace.domain import Trajectory
    from pytest_metaspace.pipeline import Registries

ANY = "any"
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST = 120
_OPTIONS = ("camera", "tasks", "images", "tracker", "confidence")
_MOST_BYTES = 64 << 20


class Import:
    """What an import came to.

    ``wrong`` counts the trajectories that could not be written, ``defects`` what readers left out.
    """

    def __init__(
        self, name: str, source: Path, target: Path, registries: Registries, *, overwrite: bool
    ) -> None:
        self.wrong = self.written = self.there = self.defects = 0
        self._name = name
        self._source = source
        self._target = target
        self._registries = registries
        self._overwrite = overwrite
        self._otherwise: dict[str, int] = {}
        self._told: set[str] = set()
        self._taken: dict[str, Path] = {}

    def lines(self) -> Iterator[str]:
        """Write each trajectory; yield what there is to say as it goes.

        Raises:
            UsageProblem: there is no such format, or nothing of it at the source, or the target
                lies inside what is read.
            TrajectoryError: the target cannot be written.
        """
        paths = self._found()
        try:
            self._target.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise UsageProblem(
                f"metaspace: {self._target} cannot be made ({problem.strerror})."
            ) from None
        try:
            for path in paths:
                yield from self._one(path)
        except KeyboardInterrupt:
            yield f"{self._sum()}; interrupted. The same command goes on where it stopped."
            raise
        finally:
            self._registries.let_go()
        yield from self._registries.choice.lines()
        yield from self._differing()
        yield f"{self._sum()} in {self._target}"

    def _differing(self) -> Iterator[str]:
        """Say what was there already and was made with other options."""
        for how, count in self._otherwise.items():
            verb = "was made" if count == 1 else "were made"
            stay = "stays as it is" if count == 1 else "stay as they are"
            yield (
                f"{count} of what was there already {verb} with other options ({how}) and {stay}. "
                "Add --overwrite to write them again, or name another folder."
            )

    def _sum(self) -> str:
        there = f", {self.there} were there already" if self.there else ""
        wrong = f", {self.wrong} could not be" if self.wrong else ""
        return f"{self.written} written{there}{wrong}"

    def _found(self) -> list[Path]:
        if self._name != ANY:
            self._registries.formats.get(self._name)
        if self._target.is_file():
            raise UsageProblem(f"metaspace: {self._target} is a file; name a folder for folders.")
        if not pipeline.exists(self._source):
            raise UsageProblem(f"metaspace: there is no file or folder {str(self._source)!a}.")
        known = [
            file
            for file in pipeline.main_files(self._source, self._registries)
            if self._name == self._format(file) or (self._name == ANY and not self._is_items(file))
        ]
        files = [file for file in known if not self._is_ours(file)]
        if known and not files:
            raise UsageProblem(
                f"metaspace: all that {str(self._source)!a} holds of the format {self._name} lies "
                f"in {self._target}, where it would be written. Name another folder."
            )
        if not files:
            damage = _damaged.named(self._source)
            names = ", ".join(self._registries.formats.names)
            raise UsageProblem(
                damage
                or f"metaspace: {str(self._source)!a} holds no trajectory of the format "
                f"{self._name}. Known: {names}; any takes each that is there."
            )
        found = pipeline.find(files, self._registries)
        self._registries.choice.require()
        return found

    def _is_items(self, file: Path) -> bool:
        """Whether a file holds items of a suite, which are no trajectories."""
        forms = (form.name for suite in self._registries.suites for form in suite.formats)
        return self._format(file) in {ITEMS, *forms}

    def _is_ours(self, file: Path) -> bool:
        return file.resolve().is_relative_to(self._target.resolve())

    def _format(self, file: Path) -> str | None:
        form = self._registries.format_of(file)
        return None if form is None else form.name

    # ------------------------------------------------------------------ one trajectory

    def _one(self, path: Path) -> Iterator[str]:
        try:
            trajectory = self._registries.load(path)
            lost = [f"  defect: {_shown(one)}" for one in new_defects(trajectory, self._told)]
            self.defects += len(lost)
            folder = self._folder(trajectory)
            origin = self._origin(path, trajectory)
            if self._keeps(folder, origin):
                self.there += 1
                return
            self._put(trajectory, folder, origin)
        except (TrajectoryError, TrackerError) as problem:
            self.wrong += 1
            yield f"PROBLEM {_shown(str(problem))}"
            return
        self.written += 1
        yield f"{_shown(str(folder))}: {len(trajectory.states)} states"
        yield from lost
        for note in trajectory.warnings:
            yield f"  note: {_shown(note)}"

    def _folder(self, trajectory: Trajectory) -> Path:
        name = _UNSAFE.sub("-", trajectory.id)[:_LONGEST].strip(".-") or "trajectory"
        other = self._taken.setdefault(name.lower(), trajectory.source)
        if other != trajectory.source:
            raise TrajectoryError(
                f"{trajectory.source}: field id: {trajectory.id!a} would be written to the same "
                f"folder as that of {other}. Give each trajectory an id of its own."
            )
        return self._target / name

    def _origin(self, path: Path, trajectory: Trajectory) -> dict[str, Any]:
        several = path.parent.is_file()
        main = path.parent if several else path
        return {
            "format": self._format(path),
            "file": f"{main.parent.name}/{main.name}",
            "sha256": _digest(main),
            **({"episode": path.name} if several else {}),
            "options": _options(self._registries),
            "defects": [
                str(defect).replace(str(main.parent) + "/", "") for defect in trajectory.defects
            ],
        }

    def _keeps(self, folder: Path, origin: dict[str, Any]) -> bool:
        """Whether what lies at a folder stays.

        Raises:
            TrajectoryError: something else lies there, and may not be replaced.
        """
        if self._overwrite or not folder.exists():
            return False
        found: Any = None
        with suppress(OSError, ValueError, RecursionError, AttributeError):
            text = (folder / MAIN_FILE).read_text(encoding="utf-8")
            found = json.loads(text).get(IMPORTED)
        same = ("format", "file", "sha256", "episode")
        if isinstance(found, dict) and all(found.get(key) == origin.get(key) for key in same):
            how = _difference(found.get("options"), origin["options"])
            if how:
                self._otherwise[how] = self._otherwise.get(how, 0) + 1
            return True
        raise TrajectoryError(
            f"{folder}: is there, and is not of this log. Name another folder, or add --overwrite, "
            "which replaces it."
        )

    def _put(self, trajectory: Trajectory, folder: Path, origin: dict[str, Any]) -> None:
        aside = Path(tempfile.mkdtemp(prefix=f".{folder.name[:40]}-", dir=self._target))
        try:
            aside.chmod(0o755)
            write(trajectory, aside / "new", origin)
            if folder.exists():
                folder.rename(aside / "old")
            (aside / "new").rename(folder)
        except OSError as problem:
            raise TrajectoryError(
                f"{folder}: cannot be written ({problem.strerror or problem})."
            ) from problem
        finally:
            shutil.rmtree(aside, ignore_errors=True)


def _options(registries: Registries) -> dict[str, Any]:
    """Return which options made a trajectory what it is; of files their names, on any machine."""
    reading, following = registries.reading, registries.following
    told = {
        "camera": reading.camera,
        "tasks": reading.tasks and reading.tasks.name,
        "images": reading.images and reading.images.name,
        "tracker": None if following is None else Path(following.name).name,
        "confidence": None if following is None else following.confidence,
    }
    return {name: value for name, value in told.items() if value}


def _difference(before: Any, now: dict[str, Any]) -> str:
    """Say in which options an import and the one before differ; nothing where that is unknown."""
    if not isinstance(before, dict):
        return ""
    names = [name for name in _OPTIONS if before.get(name) != now.get(name)]
    return ", ".join(
        f"--{name}: {brief(before[name]) if name in before else 'none'} then, "
        f"{brief(now[name]) if name in now else 'none'} now"
        for name in names
    )


@lru_cache(maxsize=8)
def _digest(main: Path) -> str:
    with main.open("rb") as file:
        return hashlib.sha256(file.read(_MOST_BYTES)).hexdigest()


def _shown(text: str) -> str:
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
