"""Does a relation find the same cases in another process, where sets come in another order?"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_metaspace import pipeline
from pytest_metaspace.domain import Capability, Settings
from pytest_metaspace.mrs import Grounds

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_metaspace.domain import Trajectory
    from pytest_metaspace.mrs import Relation

_SEEDS = ("1", "2")
_PATIENCE_S = 300
_SCRIPT = "from pytest_metaspace.testing import _elsewhere; _elsewhere.tell()"


def enumerations(relation: Relation, there: Iterable[Trajectory]) -> list[list[str]]:
    """Return the case ids that processes with other hash seeds find; none when they cannot.

    They can when the function ``instances`` can be imported by its name.
    """
    function = relation.instances
    module, name = getattr(function, "__module__", ""), getattr(function, "__qualname__", "")
    if getattr(sys.modules.get(module), name, None) is not function or module == "__main__":
        return []
    order = {
        "path": sys.path,
        "function": [module, name],
        "codes": [code.value for code in relation.capabilities],
        "sources": [str(trajectory.source) for trajectory in there],
    }
    found = (_told(seed, json.dumps(order)) for seed in _SEEDS)
    return [ids for ids in found if ids is not None]


def _told(seed: str, order: str) -> list[str] | None:
    package = str(Path(__file__).parents[2])
    done = subprocess.run(  # noqa: S603 - our own script; what it reads is data
        [sys.executable, "-c", _SCRIPT],
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": package},
        input=order,
        capture_output=True,
        text=True,
        timeout=_PATIENCE_S,
        check=False,
    )
    if done.returncode != 0:
        return None  # a module that only pytest can import
    ids: list[str] = json.loads(done.stdout.splitlines()[-1])
    return ids


def tell() -> None:
    """In the other process: print the case ids that are asked for on standard input."""
    order = json.load(sys.stdin)
    sys.path[:] = order["path"]
    module, name = order["function"]
    instances: Any = getattr(importlib.import_module(module), name)
    loaded = pipeline.load(map(Path, order["sources"]), pipeline.Registries.built_in())
    print(json.dumps(ids(instances, [Capability(code) for code in order["codes"]], loaded)))  # noqa: T201 - read by its parent


def ids(instances: Any, codes: Iterable[Capability], there: Iterable[Trajectory]) -> list[str]:
    """Return the ids of all cases, in order."""
    return [
        case.id
        for trajectory in there
        for code in codes
        for case in instances(Grounds(trajectory, Settings()), code)
    ]
