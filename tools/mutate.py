"""Breaks the laws and the generator of cases one piece at a time; do the tests notice?

Every clause of prolog/*.pl and prolog/laws/*.pl is deleted once, every comparison and every step
by a number turned round once; in the Python that makes cases and true answers likewise (see
mutants_python.py). Each is broken in a private copy of the repository. What no test notices must
stand in tools/mutate_survivors.txt with the reason why it makes no difference.

    python tools/mutate.py [--only FILE …] [--sample N --seed S] [--jobs N] [--list]

Exit status: 0 all noticed or explained, 1 an unexplained survivor or an explanation of nothing,
2 the tests fail on what is not broken.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Final

import mutants_prolog
import mutants_python

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mutants import Mutant

    Result = tuple[Mutant, str | None]

ROOT: Final = Path(__file__).resolve().parent.parent
SURVIVORS: Final = Path(__file__).with_name("mutate_survivors.txt")
NEEDED: Final = ("prolog", "pytest_metaspace", "tests", "pyproject.toml")
#  Only read, so linked.
READ: Final = ("fixtures", "docs")
#  Only helps the tests, or is a host and judges nothing.
SPARED: Final = frozenset({"prolog/laws/law_tests.pl", "prolog/serve.pl"})


@dataclass(frozen=True)
class Killer:
    """Tests that may notice, and how many seconds they have: a mutant may hang."""

    name: str
    seconds: float
    tests: tuple[str, ...]


_ORACLE: Final = "tests/oracle/"
_SOUNDNESS: Final = Killer("soundness", 240, ("tests/test_soundness.py",))
_GEOMETRY: Final = Killer("geometry", 120, ("tests/test_geometry.py",))
_MRS: Final = "tests/mrs/test_"
_CASES: Final = (
    Killer("cases", 120, (f"{_MRS}filters.py", f"{_MRS}frames.py", f"{_MRS}enumeration.py")),
    Killer("anchors", 240, (f"{_MRS}anchors.py", "tests/test_anchored_soundness.py")),
    Killer("identity", 240, (f"{_MRS}identity.py", "tests/test_questions.py")),
)

#  What is broken, and who may notice; the fast ones first: most mutants meet nobody else.
SUBJECTS: Final[dict[str, tuple[Killer, ...]]] = {
    "prolog/**/*.pl": (
        Killer("plunit", 60, ("tests/prolog/test_plunit.py::test_units_of_prolog_pass",)),
        Killer("rules", 120, (f"{_ORACLE}test_rules.py", f"{_ORACLE}test_structure.py")),
        Killer("allow_list", 120, (f"{_ORACLE}test_allow_list.py", f"{_ORACLE}test_fired.py")),
        Killer("texts", 120, (f"{_ORACLE}test_derivations.py", f"{_ORACLE}test_vocabulary.py")),
        Killer("suites", 240, (f"{_ORACLE}test_laws_of_suites.py",)),
        Killer("reference", 240, (f"{_ORACLE}test_against_reference.py",)),
        Killer("judging", 240, (f"{_ORACLE}test_judging.py", f"{_ORACLE}test_checker.py")),
        #  A name of a megabyte takes longer than all the rest.
        Killer("hostile", 240, (f"{_ORACLE}test_hostile_text.py", "-k", "not megabyte")),
    ),
    "pytest_metaspace/mrs/*.py": (*_CASES, _SOUNDNESS),
    "pytest_metaspace/geometry.py": (_GEOMETRY, *_CASES, _SOUNDNESS),
}


# -------------------------------------------------------------------------------- mutants


def all_mutants(only: Sequence[str] = ()) -> list[Mutant]:
    """Return the mutants of all files, or of those named, in order."""
    found: list[Mutant] = []
    for pattern in SUBJECTS:
        for path in sorted(ROOT.glob(pattern)):
            name = path.relative_to(ROOT).as_posix()
            wanted = not only or any(Path(one).name in (path.name, path.stem) for one in only)
            if wanted and name not in SPARED:
                language = mutants_prolog if path.suffix == ".pl" else mutants_python
                found += language.mutants(name, path.read_text(encoding="utf-8"))
    return found


def killers_of(file: str) -> tuple[Killer, ...]:
    """Return who may notice that a file is broken."""
    return next(
        killers
        for pattern, killers in SUBJECTS.items()
        if any(path.relative_to(ROOT).as_posix() == file for path in ROOT.glob(pattern))
    )


# -------------------------------------------------------------------------------- killers


def private_copy(folder: Path) -> Path:
    """Copy what the tests need; what they only read is linked."""
    folder.mkdir()
    for name in READ:
        (folder / name).symlink_to(ROOT / name)
    for name in NEEDED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / name)
    return folder


def killer_of(folder: Path, killers: Sequence[Killer]) -> Killer | None:
    """Return who notices that something is broken in a copy, or None."""
    return next((killer for killer in killers if not _passes(folder, killer)), None)


def _passes(folder: Path, killer: Killer) -> bool:
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    command += ["-p", "no:randomly", *killer.tests]
    env = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    with subprocess.Popen(  # noqa: S603 - our own command
        command,
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        try:
            return process.wait(timeout=killer.seconds) == 0
        except subprocess.TimeoutExpired:
            return False
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def killed_by(mutant: Mutant, folder: Path) -> str | None:
    """Break a copy, ask the killers, and mend it."""
    path = folder / mutant.file
    text = path.read_text(encoding="utf-8")
    path.write_text(text[: mutant.start] + mutant.text + text[mutant.stop :], encoding="utf-8")
    try:
        killer = killer_of(folder, killers_of(mutant.file))
        return killer.name if killer else None
    finally:
        path.write_text(text, encoding="utf-8")


# ------------------------------------------------------------------------------- the whole


def explanations(text: str) -> dict[str, str]:
    """Read keys with their reasons: a key on its own line, the reason indented below it."""
    found: dict[str, str] = {}
    key = ""
    for line in text.splitlines():
        if line.startswith("#") or not line.strip():
            continue
        if line[0].isspace():
            found[key] = f"{found[key]} {line.strip()}".strip()
        else:
            key = line.rstrip()
            found[key] = ""
    return found


def hunt(chosen: Sequence[Mutant], jobs: int) -> list[Result]:
    """Return who killed each mutant, in order; print as it goes."""
    start = time.monotonic()
    results: list[Result] = []
    with tempfile.TemporaryDirectory(prefix="mutate-") as top:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(jobs):
            copies.put(private_copy(Path(top, str(number))))
        whole = copies.get()
        asked = dict.fromkeys(one for mutant in chosen for one in killers_of(mutant.file))
        if (killer := killer_of(whole, list(asked))) is not None:
            print(
                f"the tests ({killer.name}) fail on what is not broken, or take more than "
                f"{killer.seconds} s; mend that first"
            )
            sys.exit(2)
        copies.put(whole)

        def one(mutant: Mutant) -> Result:
            folder = copies.get()
            try:
                return mutant, killed_by(mutant, folder)
            finally:
                copies.put(folder)

        with ThreadPoolExecutor(jobs) as pool:
            for mutant, noticed in pool.map(one, chosen):
                results.append((mutant, noticed))
                place = f"{len(results)}/{len(chosen)} {time.monotonic() - start:.0f} s"
                told = f"noticed by {noticed}" if noticed else "SURVIVED"
                print(f"{place} {told}: {mutant.file}:{mutant.line}: {mutant.key}", flush=True)
    return results


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the hunt; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else "")
    parser.add_argument("--only", action="append", default=[], metavar="FILE")
    parser.add_argument("--sample", type=int, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="S")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument("--list", action="store_true", help="print the mutants and stop")
    options = parser.parse_args(arguments)
    everything = all_mutants(options.only)
    if not everything:
        parser.error(f"nothing to break in {', '.join(options.only)}; --list names the files")
    chosen = everything
    if options.sample is not None and options.sample < len(everything):
        drawn = random.Random(options.seed).sample(range(len(everything)), options.sample)  # noqa: S311
        chosen = [everything[index] for index in sorted(drawn)]
    if options.list:
        for mutant in chosen:
            print(f"{mutant.file}:{mutant.line}: {mutant.key}")
        return 0
    known = explanations(SURVIVORS.read_text(encoding="utf-8"))
    keys = {mutant.key for mutant in all_mutants()}
    stale = [key for key in known if key not in keys or not known[key]]
    start = time.monotonic()
    results = hunt(chosen, options.jobs)
    status = report(results, known, stale)
    print(f"{time.monotonic() - start:.0f} s, {options.jobs} at a time")
    return status


def report(results: Sequence[Result], known: dict[str, str], stale: Sequence[str]) -> int:
    """Print what came of it; return the exit status."""
    for name in dict.fromkeys(mutant.file for mutant, _ in results):
        mine = [killer for mutant, killer in results if mutant.file == name]
        print(f"{name}: {len(mine)} mutants, {len(mine) - mine.count(None)} noticed")
    counts = Counter(killer or "nobody" for _, killer in results)
    told = ", ".join(f"{name} {count}" for name, count in counts.most_common())
    print(f"{len(results)} mutants; noticed by: {told or 'nobody'}")
    survivors = [mutant for mutant, killer in results if killer is None]
    unexplained = [mutant for mutant in survivors if not known.get(mutant.key)]
    for mutant, killer in results:
        if killer is not None and mutant.key in known:
            print(f"noticed after all, take its explanation out: {mutant.key}")
    for key in stale:
        print(f"{SURVIVORS.name}: no such mutant, or no reason: {key}")
    for mutant in unexplained:
        print(f"NOT NOTICED {mutant.file}:{mutant.line}: {mutant.key}")
    print(f"{len(survivors)} survived, {len(survivors) - len(unexplained)} of them explained")
    return 1 if unexplained or stale else 0


if __name__ == "__main__":
    sys.exit(main())
