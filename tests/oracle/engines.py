"""The hosts of the engine; wasm is skipped, with the reason, where it is not installed."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from pytest_metaspace.oracle.hosts import wasm_bundle


def _lacking() -> str:
    if find_spec("py_mini_racer") is None:
        return "mini-racer is not installed: pip install 'pytest-metaspace[wasm]'"
    return "there is no WebAssembly bundle: python tools/fetch_wasm.py (needs npm)"


needs_wasm = pytest.mark.skipif(
    find_spec("py_mini_racer") is None or not wasm_bundle().is_file(), reason=_lacking()
)

ENGINES = ["pyswip", "swipl", pytest.param("wasm", marks=needs_wasm)]
