"""Breaks the laws one piece at a time, and asks the tests whether they notice.

Every clause of prolog/*.pl and prolog/laws/*.pl is deleted once, every comparison and every step
by a number is turned round once, each in a private copy of the repository. What no test notices
must stand in tools/mutate_survivors.txt with the reason why it makes no difference.

    python tools/mutate.py [--only FILE …] [--sample N --seed S] [--jobs N] [--list]

Exit status: 0 all noticed or explained, 1 an unexplained survivor or an explanation of nothing,
2 the tests fail on what is not broken.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT: Final = Path(__file__).resolve().parent.parent
SURVIVORS: Final = Path(__file__).with_name("mutate_survivors.txt")
NEEDED: Final = ("prolog", "pytest_metaspace", "tests", "pyproject.toml")
#  Only helps the tests, or is a host and judges nothing.
SPARED: Final = frozenset({"laws/law_tests.pl", "serve.pl"})

#  The fast ones first: most mutants meet nobody else. Seconds are for a mutant that hangs.
KILLERS: Final = (
    ("plunit", 60, ("tests/prolog/test_plunit.py::test_units_of_prolog_pass",)),
    ("rules", 60, ("tests/oracle/test_rules.py", "tests/oracle/test_structure.py")),
    ("reference", 120, ("tests/oracle/test_against_reference.py",)),
    (
        "texts",
        120,
        (
            "tests/oracle/test_derivations.py",
            "tests/oracle/test_vocabulary.py",
            "tests/oracle/test_hostile_text.py",
            "tests/oracle/test_judging.py",
        ),
    ),
)

FLIPS: Final = {
    "=<": "<",
    "<": "=<",
    ">=": ">",
    ">": ">=",
    "==": "\\==",
    "\\==": "==",
    "=:=": "=\\=",
    "=\\=": "=:=",
}
STEPS: Final = {"+": "-", "-": "+"}
_TOKEN: Final = re.compile(
    r"""(?P<space>\s+|%[^\n]*|/\*.*?\*/)
    | (?P<quoted>'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*")
    | (?P<number>0'(?:\\.|''|.)|\d+(?:_\d+)*(?:\.\d+)?(?:[eE][+-]?\d+)?|0x[0-9a-fA-F]+)
    | (?P<name>\w+)
    | (?P<symbol>[-+*/\\^<>=~:.?@\#&$]+)
    | (?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True)
class Mutant:
    """One piece broken: text from ``start`` to ``stop`` of a file is replaced."""

    file: str
    line: int
    key: str
    start: int
    stop: int
    text: str


# -------------------------------------------------------------------------------- mutants


def clauses(text: str) -> Iterator[tuple[int, int, list[re.Match[str]]]]:
    """Yield start, stop and tokens of every clause; directives are left out."""
    tokens: list[re.Match[str]] = []
    for token in _TOKEN.finditer(text):
        if token.lastgroup == "space":
            continue
        tokens.append(token)
        following = text[token.end() : token.end() + 1]
        if token[0] == "." and (not following or following in " \t\n%"):
            if tokens[0][0] != ":-":
                yield tokens[0].start(), token.end(), tokens
            tokens = []


def mutants(file: str, text: str) -> Iterator[Mutant]:
    """Yield every mutant of a file, each with a key that survives a change of line numbers."""
    seen: Counter[str] = Counter()
    for start, stop, tokens in clauses(text):
        head = " ".join(text[start:stop].split("\n", 1)[0].split())
        changes = [("delete", start, stop, "\n" * text.count("\n", start, stop))]
        changes += _flips(text, tokens)
        for what, first, last, replacement in changes:
            name = f"{file} | {head} | {what}"
            seen[name] += 1
            key = name if seen[name] == 1 else f"{name} ({seen[name]})"
            yield Mutant(file, text.count("\n", 0, first) + 1, key, first, last, replacement)


def _flips(text: str, tokens: Sequence[re.Match[str]]) -> Iterator[tuple[str, int, int, str]]:
    for before, token, after in zip(tokens, tokens[1:], tokens[2:]):
        new = FLIPS.get(token[0])
        if after.lastgroup == "number" and (
            before.lastgroup in ("name", "number") or before[0] == ")"
        ):
            new = STEPS.get(token[0], new)
        if new is None or before[0] in ("(", ","):  # an operator as an argument is data
            continue
        start = text.rfind("\n", 0, token.start()) + 1
        line = " ".join(text[start:].split("\n", 1)[0].split())
        yield f"{token[0]} -> {new} in: {line}", token.start(), token.end(), new


def all_mutants(only: Sequence[str]) -> list[Mutant]:
    """Return the mutants of all files, or of those named, in order."""
    folder = ROOT / "prolog"
    found: list[Mutant] = []
    for path in sorted([*folder.glob("*.pl"), *folder.glob("laws/*.pl")]):
        name = path.relative_to(folder).as_posix()
        wanted = not only or any(Path(one).name in (path.name, path.stem) for one in only)
        if name not in SPARED and wanted:
            found += mutants(name, path.read_text(encoding="utf-8"))
    return found


# -------------------------------------------------------------------------------- killers


def private_copy(folder: Path) -> Path:
    """Copy what the tests need."""
    folder.mkdir()
    for name in NEEDED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / name)
    return folder


def killer_of(folder: Path) -> str | None:
    """Return who notices that something is broken in a copy, or None."""
    for name, limit, tests in KILLERS:
        if not _passes(folder, limit, tests):
            return name
    return None


def _passes(folder: Path, limit: int, tests: Sequence[str]) -> bool:
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    command += ["-p", "no:randomly", *tests]
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
            return process.wait(timeout=limit) == 0
        except subprocess.TimeoutExpired:
            return False
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def killed_by(mutant: Mutant, folder: Path) -> str | None:
    """Break a copy, ask the killers, and mend it."""
    path = folder / "prolog" / mutant.file
    text = path.read_text(encoding="utf-8")
    path.write_text(text[: mutant.start] + mutant.text + text[mutant.stop :], encoding="utf-8")
    try:
        return killer_of(folder)
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


def hunt(chosen: Sequence[Mutant], jobs: int) -> list[tuple[Mutant, str | None]]:
    """Return who killed each mutant, in order; print as it goes."""
    with tempfile.TemporaryDirectory(prefix="mutate-") as top:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(jobs):
            copies.put(private_copy(Path(top, str(number))))
        whole = copies.get()
        if (killer := killer_of(whole)) is not None:
            print(f"the tests ({killer}) fail on what is not broken; mend that first")
            sys.exit(2)
        copies.put(whole)

        def one(mutant: Mutant) -> tuple[Mutant, str | None]:
            folder = copies.get()
            try:
                killer = killed_by(mutant, folder)
            finally:
                copies.put(folder)
            if killer is None:
                print(f"survived: prolog/{mutant.file}:{mutant.line}: {mutant.key}", flush=True)
            return mutant, killer

        with ThreadPoolExecutor(jobs) as pool:
            return list(pool.map(one, chosen))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the hunt; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else "")
    parser.add_argument("--only", action="append", default=[], metavar="FILE")
    parser.add_argument("--sample", type=int, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="S")
    parser.add_argument("--jobs", type=int, default=2, metavar="N")
    parser.add_argument("--list", action="store_true", help="print the mutants and stop")
    options = parser.parse_args(arguments)
    everything = all_mutants(options.only)
    chosen = everything
    if options.sample is not None and options.sample < len(everything):
        drawn = random.Random(options.seed).sample(range(len(everything)), options.sample)  # noqa: S311
        chosen = [everything[index] for index in sorted(drawn)]
    if options.list:
        for mutant in chosen:
            print(f"prolog/{mutant.file}:{mutant.line}: {mutant.key}")
        return 0
    known = explanations(SURVIVORS.read_text(encoding="utf-8"))
    keys = {mutant.key for mutant in all_mutants(())}
    stale = [key for key in known if key not in keys or not known[key]]
    results = hunt(chosen, options.jobs)
    return report(results, known, stale)


def report(
    results: Sequence[tuple[Mutant, str | None]], known: dict[str, str], stale: Sequence[str]
) -> int:
    """Print what came of it; return the exit status."""
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
        print(f"NOT NOTICED prolog/{mutant.file}:{mutant.line}: {mutant.key}")
    print(f"{len(survivors)} survived, {len(survivors) - len(unexplained)} of them explained")
    return 1 if unexplained or stale else 0


if __name__ == "__main__":
    sys.exit(main())
