"""How much the way through Python costs: `metaspace judge` against SWI-Prolog alone.

    python benchmarks/judge.py [--cases 30300] [--engines pyswip swipl wasm] [--rounds 3]

All judge the same mixed cases with derivations of everything, and must say the same. SWI-Prolog
alone reads files of the very texts that the plugin sends, one process for all of them. They take
turns, and the best round of each counts. Exits with 1 where `metaspace judge` takes more than 1.5
times as long as SWI-Prolog alone, or WebAssembly more than 5 times as long as a native engine.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import resource
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabulate import tabulate

from pytest_metaspace.errors import OracleUnavailable
from pytest_metaspace.oracle import Oracle
from pytest_metaspace.oracle.hosts import prolog_folder
from pytest_metaspace.oracle.wire import encoded_case

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_metaspace.oracle.engine import EngineName

SECTORS = ["front", "front-right", "right", "back-right", "back", "back-left", "left", "front-left"]
CHUNK = 200
ENGINES: tuple[EngineName, ...] = ("pyswip", "swipl", "wasm")

DIRECT = """
:- use_module('{folder}/engine').
:- initialization(main, main).
main :-
    current_prolog_flag(argv, Files),
    forall(member(File, Files),
           ( read_file_to_string(File, Text, [encoding(utf8)]),
             engine:check_chunk(Text, Reply),
             write(Reply) )).
"""


def mixed_cases(count: int, *, names: int = 97) -> Iterator[dict[str, Any]]:
    """Make cases of all six relations, about a tenth of them violated, about so many objects."""
    rng = random.Random(0)  # noqa: S311 - the same cases every time
    for number in range(count):
        relation = f"MR{number % 6 + 1}"
        named = body(rng, relation, number % names)
        yield {"case": f"case-{number}", "relation": relation, **named}


def body(rng: random.Random, relation: str, number: int) -> dict[str, Any]:
    """Make subjects and observations; one in ten is off."""
    wrong = rng.random() < 0.1
    a, b, c = (f"{name}-{number}" for name in ("chair", "lamp", "table"))
    sector = rng.randrange(8)
    ahead, behind = SECTORS[sector], SECTORS[(sector + 4) % 8]
    if relation in ("MR1", "MR4"):
        pairs = [(a, b), (b, c), (a, c)]
        if relation == "MR1":
            answers = [direction(*pair, ahead) for pair in pairs[:2]]
            return {
                "subjects": [a, b, c],
                "observations": [*answers, direction(a, c, behind if wrong else ahead)],
            }
        p, q = rng.randrange(1, 9), rng.randrange(1, 9)
        lengths = [p, q, p + q + 5 if wrong else p + q]
        return {
            "subjects": [a, b, c],
            "distance_metric": "planar",
            "observations": [distance(*pair, m) for pair, m in zip(pairs, lengths, strict=True)]
            + [direction(*pair, ahead) for pair in pairs],
        }
    if relation == "MR2":
        answers = [direction(a, b, ahead), direction(b, a, ahead if wrong else behind)]
        return {"subjects": [a, b], "observations": answers}
    if relation == "MR3":
        about = {"kind": "distance", "from": a, "to": b, "at_least": 4}
        claim = {"kind": "claim", "holds": not wrong, "about": about}
        return {"subjects": [a, b], "observations": [distance(a, b, 6), claim]}
    return frames(relation, a, b, rng.uniform(1, 9), 1.5 if wrong else 1.0)


def frames(relation: str, a: str, b: str, value: float, factor: float) -> dict[str, Any]:
    """Make a case about two frames."""
    if relation == "MR5":
        values = [("size_px", "f1", 100.0), ("size_px", "f2", 50.0)]
        values += [("depth", "f1", value), ("depth", "f2", 2 * value * factor)]
        entries = [measure(kind, frame, a, number) for kind, frame, number in values]
        return {"subjects": ["f1", "f2"], "object": a, "observations": entries}
    values = [("f1", a, value), ("f1", b, 1.0), ("f2", a, value * factor), ("f2", b, 1.0)]
    entries = [measure("size", *rest) for rest in values]
    return {"subjects": ["f1", "f2"], "objects": [a, b], "observations": entries}


def direction(a: str, b: str, planar: str) -> dict[str, Any]:
    """Make an answer about a direction."""
    return {"kind": "direction", "from": a, "to": b, "planar": planar}


def distance(a: str, b: str, steps: int) -> dict[str, Any]:
    """Make an answer about a distance."""
    return {"kind": "distance", "from": a, "to": b, "steps": steps}


def measure(kind: str, frame: str, thing: str, value: float) -> dict[str, Any]:
    """Make an answer about a size or a depth."""
    return {"kind": kind, "frame": frame, "object": thing, "value": value}


def write_chunks(cases: list[dict[str, Any]], folder: Path) -> list[str]:
    """Write the texts that the plugin would send, one file a chunk."""
    head = "options([epsilon=0.1,delta=0.05,derivations=all]).\n"
    files: list[str] = []
    source = iter(cases)
    while taken := list(islice(source, CHUNK)):
        file = folder / f"{len(files):04}.txt"
        file.write_text(head + "".join(map(encoded_case, taken)), encoding="utf-8")
        files.append(str(file))
    return files


class Way:
    """A command that judges, and the least it took so far."""

    def __init__(self, name: str, command: list[str], source: bytes = b"") -> None:
        self.name = name
        self.wall_s = self.cpu_s = math.inf
        self.replies: list[bytes] = []
        self._command = command
        self._source = source

    def run(self) -> None:
        """Judge everything once, start and end included.

        Raises:
            CalledProcessError: it could not.
        """
        before, start = cpu_s(), time.perf_counter()
        done = subprocess.run(self._command, input=self._source, capture_output=True, check=True)
        self.wall_s = min(self.wall_s, time.perf_counter() - start)
        self.cpu_s = min(self.cpu_s, cpu_s() - before)
        #  Each line begins with which case it is, by identity or by number: the rest is compared.
        self.replies = [line.split(b",", 1)[1] for line in done.stdout.splitlines()]


def cpu_s() -> float:
    """Tell how much the processes that have ended so far have computed."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def installed(engine: EngineName) -> bool:
    """Tell whether an engine can be started, and say so if not."""
    try:
        with Oracle(engine) as oracle:
            oracle.describe()
    except OracleUnavailable as problem:
        print(f"{engine} is left out: {problem}", file=sys.stderr)
        return False
    return True


def main() -> int:
    """Measure all ways in turn, print a table, and say which claims hold; return the status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=30_300)
    parser.add_argument("--engines", nargs="+", default=ENGINES, choices=ENGINES)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    cases = list(mixed_cases(options.cases))
    source = "".join(json.dumps(case) + "\n" for case in cases).encode()
    command = [sys.executable, "-m", "pytest_metaspace", "judge", "--engine"]
    ways = {
        engine: Way(f"metaspace judge, {engine}", [*command, engine], source)
        for engine in filter(installed, options.engines)
    }
    with tempfile.TemporaryDirectory() as name:
        files = write_chunks(cases, Path(name))
        script = Path(name) / "direct.pl"
        script.write_text(DIRECT.format(folder=prolog_folder()), encoding="utf-8")
        bare = Way("swipl alone", ["swipl", "-q", "-f", "none", "--no-packs", str(script), *files])
        for _ in range(options.rounds):
            for way in (bare, *ways.values()):
                way.run()
    assert len(bare.replies) == len(cases)
    assert all(way.replies == bare.replies for way in ways.values()), "they do not say the same"
    print(
        f"{len(cases)} cases, {sum(b'violated' in reply[:22] for reply in bare.replies)} violated"
    )
    print(f"the least of {options.rounds} rounds, start and end included")
    rows = [
        (way.name, way.wall_s, way.cpu_s, len(cases) / way.wall_s, way.wall_s / bare.wall_s)
        for way in (bare, *ways.values())
    ]
    headers = ["", "wall s", "CPU s", "cases/s", "wall to swipl alone"]
    print(tabulate(rows, headers=headers, floatfmt=("", ".2f", ".2f", ".0f", ".2f")))
    claims = [(way, bare, 1.5) for engine, way in ways.items() if engine != "wasm"]
    natives = [way for way, _, _ in claims]
    if "wasm" in ways and natives:
        claims.append((ways["wasm"], min(natives, key=lambda way: way.wall_s), 5.0))
    held = [told(*claim) for claim in claims]
    return 0 if all(held) else 1


def told(way: Way, other: Way, most: float) -> bool:
    """Print whether one way takes at most so many times what another takes; return it."""
    ratio = way.wall_s / other.wall_s
    holds = ratio <= most
    verb = "holds" if holds else "FAILS"
    print(f"{verb}: {way.name} takes {ratio:.2f} times as long as {other.name}; {most} is allowed")
    return holds


if __name__ == "__main__":
    sys.exit(main())
