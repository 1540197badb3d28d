"""Hatch calls this for each wheel: SWI-Prolog as WebAssembly comes from npm, if npm is there."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class WasmHook(BuildHookInterface[Any]):
    """Adds ``pytest_metaspace/_wasm/``, which is never committed, to the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Fetch the files; without npm the wheel is built without them, and says so."""
        if version == "editable":
            return  # ./dev setup fetches them
        fetching = runpy.run_path(str(Path(self.root, "tools", "fetch_wasm.py")))
        try:
            fetching["fetch"]()
        except fetching["NotFetched"] as problem:
            self.app.display_warning(f"a wheel without the wasm engine: {problem}")
        else:
            build_data["artifacts"].append("/pytest_metaspace/_wasm/*")
