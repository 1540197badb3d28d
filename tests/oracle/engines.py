"""The hosts of the engine; each is skipped, with the reason, where it is not installed."""

from __future__ import annotations

import shutil
from importlib.util import find_spec

import pytest

from pytest_metaspace.oracle.hosts import wasm_bundle


def _lacking() -> str:
    if find_spec("py_mini_racer") is None:
        return "mini-racer is not installed: pip install 'pytest-metaspace[wasm]'"
    return "there is no WebAssembly bundle: python tools/fetch_wasm.py"


needs_wasm = pytest.mark.skipif(
    find_spec("py_mini_racer") is None or not wasm_bundle().is_file(), reason=_lacking()
)

needs_native = pytest.mark.skipif(
    shutil.which("swipl") is None,
    reason="swipl is not on PATH: apt-get install --no-install-recommends swi-prolog-nox",
)

NATIVE = [pytest.param(name, marks=needs_native) for name in ("pyswip", "swipl")]
ENGINES = [*NATIVE, pytest.param("wasm", marks=needs_wasm)]
