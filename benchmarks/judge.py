"""How much the way through Python costs: `metaspace judge` against bare Prolog.

    python benchmarks/judge.py [--cases 30300] [--engine auto] [--rounds 3]

Both judge the same mixed cases with derivations of everything. Bare Prolog reads files of the
very texts that the plugin sends, one process for all of them. The best of the rounds counts.
With ``--engine wasm``, pyswip is measured as well, and how much longer WebAssembly takes.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import subprocess
import tempfile
import time
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_metaspace.oracle import Oracle
from pytest_metaspace.oracle.hosts import prolog_folder
from pytest_metaspace.oracle.judging import judge_lines
from pytest_metaspace.oracle.wire import encoded_case

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_metaspace.oracle.engine import EngineName

SECTORS = ["front", "front-right", "right", "back-right", "back", "back-left", "left", "front-left"]
CHUNK = 200

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


def best(rounds: int, way: Callable[[], bytes]) -> tuple[float, bytes]:
    """Run so many times; return the shortest time and the output."""
    times = []
    output = b""
    for _ in range(rounds):
        start = time.perf_counter()
        output = way()
        times.append(time.perf_counter() - start)
    return min(times), output


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


def main() -> None:
    """Measure both ways in turn and print cases per second and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=30_300)
    parser.add_argument("--engine", default="auto", choices=["auto", "pyswip", "swipl", "wasm"])
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    cases = list(mixed_cases(options.cases))
    source = "".join(json.dumps(case) + "\n" for case in cases).encode()

    def through_python(engine: EngineName = options.engine) -> bytes:
        sink = io.BytesIO()
        judge_lines(io.BytesIO(source), sink, engine=engine)
        return sink.getvalue()

    with tempfile.TemporaryDirectory() as name:
        files = write_chunks(cases, Path(name))
        script = Path(name) / "direct.pl"
        script.write_text(DIRECT.format(folder=prolog_folder()), encoding="utf-8")
        command = ["swipl", "-q", "-f", "none", "--no-packs", str(script), "--", *files]

        def directly() -> bytes:
            done = subprocess.run(command, capture_output=True, check=True)
            return done.stdout

        ours, lines = best(options.rounds, through_python)
        bare, replies = best(options.rounds, directly)
    verdicts = [json.loads(line)["verdict"] for line in lines.splitlines()]
    assert verdicts == [json.loads(line)["verdict"] for line in replies.splitlines()]
    assert len(verdicts) == len(cases)
    with Oracle(options.engine) as oracle:
        told = oracle.describe()
    print(f"{len(cases)} cases, {verdicts.count('violated')} violated, {told['engine']} host")
    print(f"metaspace judge  {ours:7.2f} s  {len(cases) / ours:8.0f} cases/s")
    print(f"bare swipl       {bare:7.2f} s  {len(cases) / bare:8.0f} cases/s")
    print(f"ratio            {ours / bare:7.2f}")
    if told["engine"] == "wasm":
        native, same = best(options.rounds, lambda: through_python("pyswip"))
        assert same == lines, "the engines do not say the same"
        print(f"through pyswip   {native:7.2f} s  {len(cases) / native:8.0f} cases/s")
        print(f"wasm / native    {ours / native:7.2f}")


if __name__ == "__main__":
    main()
