"""Looks into the built wheel and sdist: is everything in, and nothing that does not belong?

``python tools/distributions.py dist`` exits with 1 after one line for each thing that is wrong.
"""

from __future__ import annotations

import shutil
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ROOT: Final = Path(__file__).resolve().parent.parent
#  One trajectory, to begin with, travels along; all of them would be too heavy.
HOUSEHOLD: Final = "fixtures/household/"
SAMPLE: Final = "pytest_metaspace/_sample/"
WASM: Final = ("pytest_metaspace/_wasm/swipl-bundle.js", "pytest_metaspace/_wasm/LICENSE.txt")
MOST_BYTES: Final = {".whl": 4_000_000, ".gz": 2_000_000}  # the wheel holds SWI-Prolog
REPORT: Final = "pytest_metaspace/reports/html"
TOP_LEVEL: Final = (
    "PKG-INFO",
    "pyproject.toml",
    "hatch_build.py",
    "tools/fetch_wasm.py",
    ".gitignore",
    "README.md",
    "CHANGELOG.md",
    "SECURITY.md",
    "LICENSE",
)


def main(folder: Path) -> int:
    """Print what is wrong with the distributions in ``folder``; return the exit status."""
    (wheel,) = folder.glob("*.whl")
    (sdist,) = folder.glob("*.tar.gz")
    with zipfile.ZipFile(wheel) as packed:
        in_wheel = set(packed.namelist())
    with tarfile.open(sdist) as archive:
        in_sdist = {name.partition("/")[2] for name in archive.getnames()}
    problems = [
        *(f"{wheel.name}: {problem}" for problem in wheel_problems(in_wheel)),
        *(f"{sdist.name}: {problem}" for problem in sdist_problems(in_sdist, sample_in(in_wheel))),
        *(
            f"{built.name}: {built.stat().st_size} bytes are too many"
            for built in (wheel, sdist)
            if built.stat().st_size > MOST_BYTES[built.suffix]
        ),
    ]
    for problem in problems:
        print(problem)
    for built, names in ((wheel, in_wheel), (sdist, in_sdist)):
        print(f"{built.name}: {len(names)} files, {built.stat().st_size // 1000} kB")
    return 1 if problems else 0


def wheel_problems(names: set[str]) -> Iterator[str]:
    """The package with its Prolog files, its sample and its licences, and nothing else."""
    yield from lacking(names, [*files("pytest_metaspace", "*.py"), "pytest_metaspace/py.typed"])
    yield from lacking(names, page_files())
    if (
        shutil.which("npm") is not None
    ):  # where the bundle comes from; without it, a wheel is native
        yield from lacking(names, WASM)
    sample = sample_in(names)
    moved = {"prolog": "pytest_metaspace/_prolog", HOUSEHOLD + sample: SAMPLE + sample}
    for source, target in moved.items():
        yield from lacking(names, (target + name[len(source) :] for name in files(source, "*.*")))
    if not any(name.endswith(".dist-info/licenses/LICENSE") for name in names):
        yield "lacks LICENSE"
    yield from foreign(names, ("pytest_metaspace/", "pytest_metaspace-"))


def sdist_problems(names: set[str], sample: str) -> Iterator[str]:
    """Everything that a wheel can be built from, and no more."""
    sample = HOUSEHOLD + sample
    yield from lacking(names, TOP_LEVEL)
    yield from lacking(names, page_files())
    for folder, pattern in (("pytest_metaspace", "*.py"), ("prolog", "*.pl"), (sample, "*.*")):
        yield from lacking(names, files(folder, pattern))
    yield from foreign(names - set(WASM), ("pytest_metaspace", "prolog", sample, *TOP_LEVEL))
    yield from (f"should not hold {name}" for name in WASM if name in names)


def sample_in(wheel: set[str]) -> str:
    """Name the trajectory that the wheel brings along."""
    found = {name[len(SAMPLE) :].partition("/")[0] for name in wheel if name.startswith(SAMPLE)}
    (sample,) = found or {"a sample"}
    return sample


def foreign(names: set[str], allowed: tuple[str, ...]) -> Iterator[str]:
    """Say what should not be there."""
    for name in sorted(names):
        if not name.startswith(allowed) or "__pycache__" in name:
            yield f"should not hold {name}"


def page_files() -> list[str]:
    """Name what the HTML report is put together from, licences included."""
    suffixes = ("html", "css", "js", "md", "txt")
    return [name for end in suffixes for name in files(REPORT, f"*.{end}")]


def files(folder: str, pattern: str) -> list[str]:
    """Name the files of this repository that match, from the top folder."""
    return [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / folder).rglob(pattern))]


def lacking(names: set[str], wanted: Iterable[str]) -> Iterator[str]:
    """Say what is wanted and not there."""
    return (f"lacks {name}" for name in wanted if name not in names)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
