"""``metaspace doctor``: what is installed, which engine runs, and what to type about the rest."""

from __future__ import annotations

import platform
import sys
from importlib import metadata, util
from typing import TYPE_CHECKING

from pytest_metaspace import __version__
from pytest_metaspace.errors import MetaspaceError

if TYPE_CHECKING:
    from collections.abc import Iterator

_BASE = ("pytest", "pluggy", "pyswip", "diskcache", "tabulate", "junit-xml", "pydantic", "Pillow")
_EXTRAS = {
    "vision": (("cv2", "opencv-python-headless"),),
    "openai": (("openai", "openai"), ("tenacity", "tenacity")),
    "stats": (("scipy", "scipy"),),
    "transformers": (("transformers", "transformers"), ("torch", "torch")),
    "yolo": (("ultralytics", "ultralytics"), ("lap", "lap")),
    "simulate": (("mujoco", "mujoco"),),
    "build": (("mujoco", "mujoco"),),
    "wasm": (("py_mini_racer", "mini-racer"),),
    "video": (("av", "av"),),
    "lerobot": (("pyarrow", "pyarrow"), ("av", "av")),
    "aerialvln": (("lmdb", "lmdb"), ("msgpack", "msgpack")),
}
_USES = {
    "vision": "the agent geometric",
    "openai": "models behind an API",
    "stats": "metaspace friedman",
    "transformers": "local models, and detectors to track with",
    "yolo": "tracking with YOLO, AGPL-3.0",
    "simulate": "rendering trajectories with fixtures/generate",
    "build": "drawing items of suites with metaspace build",
    "wasm": "judging without a system package",
    "video": "logs that are videos",
    "lerobot": "data sets of LeRobot, and UrbanVideo-Bench",
    "aerialvln": "pictures of AerialVLN in LMDB",
}


NO_ENGINE = "no engine runs, so nothing can be judged"


def lines() -> Iterator[str]:
    """Yield the report, one fact a line; starts each engine to see that it runs.

    A line that begins with ``NO_ENGINE`` says that this installation cannot work.
    """
    yield (
        f"pytest-metaspace {__version__}, Python {platform.python_version()} "
        f"({sys.platform}, {platform.machine()})"
    )
    yield "packages: " + ", ".join(f"{name} {_version(name)}" for name in _BASE)
    yield from _engines()
    yield from _extras()


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "MISSING"


def _engines() -> Iterator[str]:
    from pytest_metaspace.oracle import Oracle

    working = []
    for name in ("pyswip", "swipl", "wasm"):
        try:
            with Oracle(name) as oracle:
                (found,) = oracle.judge([_PROBE])
                about = oracle.describe()
        except MetaspaceError as problem:
            yield f"engine {name}: does not run. {problem}"
            continue
        if found["verdict"] != "violated":
            yield f"engine {name}: runs, but judges wrongly: {found}"
            continue
        working.append(name)
        facts = ", ".join(f"{key} {about[key]}" for key in _FACTS if key in about)
        yield f"engine {name}: runs ({facts})"
    if working:
        yield f"--metaspace-engine=auto uses {working[0]}"
    else:
        yield (
            f"{NO_ENGINE}. Type: "
            "apt-get install --no-install-recommends swi-prolog-nox   (or: brew install "
            "swi-prolog; or, without a system package: pip install 'pytest-metaspace[wasm]')"
        )


_FACTS = ("pyswip", "mini-racer", "swi_prolog")
_PROBE = {
    "case": "probe",
    "relation": "MR2",
    "subjects": ["a", "b"],
    "observations": [
        {"kind": "direction", "from": "a", "to": "b", "planar": "left"},
        {"kind": "direction", "from": "b", "to": "a", "planar": "left"},
    ],
}


def _extras() -> Iterator[str]:
    for extra, needs in _EXTRAS.items():
        missing = [name for module, name in needs if util.find_spec(module) is None]
        if missing:
            yield (
                f"extra {extra}: missing, for {_USES[extra]}. Type: "
                f"pip install 'pytest-metaspace[{extra}]'"
            )
        else:
            versions = ", ".join(f"{name} {_version(name)}" for _, name in needs)
            yield f"extra {extra}: {versions}, for {_USES[extra]}"
