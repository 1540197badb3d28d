"""What a run of 30,000 cases costs, as ratios to as many tests of bare pytest that do nothing.

    python benchmarks/pytest_cost.py [--walks 18] [--rounds 1] [--peers]

Half of the cases are violated; their answers lie in the store, from an earlier run. Ratios are
of CPU seconds of the whole process tree, least of the rounds, which alternate. Ends with 1 when
a claim fails. ``--peers`` installs gemtest (with pytest 8) and pytest-evals into environments of
their own and measures them at the sizes that they survive.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import venv
from pathlib import Path

from tabulate import tabulate
from workload import measured, walks
from workload.measured import Run, least

CLAIMS = {
    "whole run": 0.75,
    "without the engine": 0.55,
    "peak memory": 1.2,
    "with --junitxml": 0.8,
    "collection": 0.6,
}
GEMTEST = """import gemtest as gmt

relation = gmt.create_metamorphic_relation(name="relation", data=range({cases}))


@gmt.transformation(relation)
def more(value):
    return value + 1


@gmt.relation(relation)
def holds(one, other):
    return True


@gmt.system_under_test(relation)
def test_it(value):
    return value
"""
EVALS = """import pytest


@pytest.mark.eval(name="it")
@pytest.mark.parametrize("n", range({cases}))
def test_it(n, eval_bag):
    eval_bag.right = True


@pytest.mark.eval_analysis(name="it")
def test_analysis(eval_results):
    assert all(result.result.right for result in eval_results)
"""
PEERS = {
    "gemtest": (GEMTEST, ("gemtest", "pytest<9"), ((),), (1000, 3000)),
    "pytest-evals": (
        EVALS,
        ("pytest-evals",),
        (("--run-eval",), ("--run-eval-analysis",)),
        (3000, 30_000),
    ),
}
LOADED = {"gemtest": ("-p", "metamorphic"), "pytest-evals": ("-p", "harvest", "-p", "evals")}
WAYS = {"plain": (), "junit": ("--junitxml=report.xml",), "collect": ("--collect-only", "-qq")}


def main() -> int:
    """Measure, print the table, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--walks", type=int, default=18, help="1,688 cases each")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--peers", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        project = folder / "project"
        walks.project(project, options.walks)
        first = measured.ours(project)
        print(f"{first.cases} cases, {first.violated} violated; the first run asked: "
              f"{first.cpu_s:.1f} s; {len(first.output.splitlines())} lines at -q")  # fmt: skip
        bare = measured.bare(folder / "bare", first.cases)
        runs: dict[tuple[str, str], list[Run]] = {}
        for _ in range(options.rounds):
            for way, arguments in WAYS.items():
                runs.setdefault(("bare", way), []).append(measured.run(bare, *arguments))
                runs.setdefault(("ours", way), []).append(measured.ours(project, *arguments))
        failed = report({key: least(some) for key, some in runs.items()})
        if options.peers:
            peers(folder)
    return failed


def report(runs: dict[tuple[str, str], Run]) -> int:
    """Print what was measured; return how many claims failed."""
    bare, ours = ({way: runs[who, way] for way in WAYS} for who in ("bare", "ours"))
    pairs = {
        "whole run": (ours["plain"].cpu_s, bare["plain"].cpu_s),
        "without the engine": (ours["plain"].cpu_s - ours["plain"].engine_s, bare["plain"].cpu_s),
        "peak memory": (ours["plain"].peak_mb, bare["plain"].peak_mb),
        "with --junitxml": (ours["junit"].cpu_s, bare["junit"].cpu_s),
        "collection": (ours["collect"].cpu_s, bare["collect"].cpu_s),
    }
    rows = []
    for what, (our, theirs) in pairs.items():
        unit = "MB" if what == "peak memory" else "s"
        kept = our / theirs <= CLAIMS[what]
        rows.append([what, f"{our:.1f} {unit}", f"{theirs:.1f} {unit}", f"{our / theirs:.2f}",
                     f"{CLAIMS[what]:g}", "yes" if kept else "NO"])  # fmt: skip
    print(tabulate(rows, headers=["CPU", "ours", "bare pytest", "ratio", "claim", "kept"],
                   disable_numparse=True, tablefmt="github"))  # fmt: skip
    return int(any(row[-1] == "NO" for row in rows))


def peers(folder: Path) -> None:
    """Print what other tools take for passing cases that do nothing, beside bare pytest."""
    rows = []
    for name, (text, packages, phases, sizes) in PEERS.items():
        home = folder / name
        venv.create(home, with_pip=True)
        python = str(home / "bin" / "python")
        measured.subprocess.run([python, "-m", "pip", "install", "-q", *packages], check=True)
        for cases in sizes:
            place = folder / f"{name}-{cases}"
            place.mkdir()
            (place / "test_it.py").write_text(text.format(cases=cases), encoding="utf-8")
            (place / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
            runs = [measured.run(place, *LOADED[name], *phase, python=python) for phase in phases]
            spent = sum(run.cpu_s for run in runs)
            plain = measured.run(measured.bare(folder / f"bare-{cases}", cases), python=python)
            peak = max(run.peak_mb for run in runs)
            rows.append([name, cases, f"{spent:.1f} s", f"{plain.cpu_s:.1f} s",
                         f"{spent / plain.cpu_s:.2f}", f"{peak / plain.peak_mb:.2f}"])  # fmt: skip
    print(tabulate(rows, headers=["peer", "cases", "CPU", "bare pytest", "ratio", "memory ratio"],
                   disable_numparse=True, tablefmt="github"))  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
