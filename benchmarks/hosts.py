"""Whether all hosts of the engine say the same, byte for byte, derivations included.

    python benchmarks/hosts.py [--made 20000] [--engines pyswip swipl wasm]

Judges made cases, with odd and missing values, and every case of every shipped trajectory,
answered by agents that are right and by some that are not. Prints a SHA-256 of all replies of
each host. Exits with 1 where they differ, after the first case on which they do, and where fewer
than two hosts could be started.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from tabulate import tabulate

from pytest_metaspace.errors import OracleUnavailable
from pytest_metaspace.oracle import Oracle
from pytest_metaspace.oracle.wire import encoded_case

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from tests.oracle.corpus import shipped, varied

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_metaspace.oracle.engine import EngineName

BATCH = 2000
ENGINES: tuple[EngineName, ...] = ("pyswip", "swipl", "wasm")


class Host:
    """A running engine, and what it has said so far."""

    def __init__(self, name: EngineName, oracle: Oracle) -> None:
        self.name = name
        self.seconds = 0.0
        self.digest = hashlib.sha256()
        self._oracle = oracle

    def judge(self, terms: list[str]) -> list[str]:
        """Judge some cases, and remember the replies."""
        start = time.perf_counter()
        replies = [str(reply) for reply in self._oracle.judge_terms(terms)]
        self.seconds += time.perf_counter() - start
        for reply in replies:
            self.digest.update(reply.encode("ascii") + b"\n")
        return replies


def started(stack: ExitStack, names: Sequence[EngineName]) -> Iterator[Host]:
    """Start what can be started, and tell what cannot."""
    for name in names:
        oracle = stack.enter_context(Oracle(name, derivations="all"))
        try:
            oracle.describe()
        except OracleUnavailable as problem:
            print(f"{name} is left out: {problem}", file=sys.stderr)
        else:
            yield Host(name, oracle)


def first_difference(hosts: list[Host], terms: list[str], replies: list[list[str]]) -> str | None:
    """Tell on which case the hosts differ, and what each says."""
    for term, *told in zip(terms, *replies, strict=True):
        if len(set(told)) > 1:
            said = (f"{host.name}: {reply}" for host, reply in zip(hosts, told, strict=True))
            return "\n".join(["the hosts differ on", term, *said])
    return None


def main() -> int:
    """Judge everything on each host at the same time; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--made", type=int, default=20_000)
    parser.add_argument("--engines", nargs="+", default=ENGINES, choices=ENGINES)
    options = parser.parse_args()
    made = islice(varied(random.Random(20)), options.made)  # noqa: S311 - the same every time
    terms = map(encoded_case, chain(made, shipped()))
    verdicts: Counter[str] = Counter()
    difference = None
    with ExitStack() as stack, ThreadPoolExecutor(len(ENGINES)) as pool:
        hosts = list(started(stack, options.engines))
        if len(hosts) < 2:
            print("nothing to compare: fewer than two hosts could be started")
            return 1
        while difference is None and (batch := list(islice(terms, BATCH))):
            replies = list(pool.map(lambda host, cases=batch: host.judge(cases), hosts))
            verdicts.update(reply.split('"', 4)[3] for reply in replies[0])
            difference = first_difference(hosts, batch, replies)
    print(f"{verdicts.total()} cases, {options.made} of them made:", end=" ")
    print(", ".join(f"{number} {verdict}" for verdict, number in verdicts.most_common()))
    rows = [(host.name, f"{host.seconds:.1f} s", host.digest.hexdigest()) for host in hosts]
    print(tabulate(rows, headers=["host", "judging", "SHA-256 of all replies"]))
    if difference is not None:
        print(difference)
    return int(difference is not None)


if __name__ == "__main__":
    sys.exit(main())
