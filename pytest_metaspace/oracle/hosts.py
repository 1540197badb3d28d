"""Where the engine's files are, and how each host of it is started."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from pytest_metaspace.errors import OracleUnavailable
from pytest_metaspace.oracle.wire import quoted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

HostName = Literal["pyswip", "swipl", "wasm"]

HOW_TO_INSTALL: Final = (
    "Install SWI-Prolog 9.0 or newer: "
    "apt-get install --no-install-recommends swi-prolog-nox (Debian, Ubuntu) or "
    "brew install swi-prolog (macOS). Where no system package may be installed: "
    "pip install 'pytest-metaspace[wasm]'."
)

_PATIENCE_S: Final = 5.0
_OLDEST: Final = 90000  # as SWI-Prolog writes 9.0.0

#  No start-up file and no pack of the user may change a verdict: SWI-Prolog finds ours instead.
_PRIVATE: Final = ("XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "XDG_DATA_HOME", "XDG_DATA_DIRS")


def prolog_folder() -> Path:
    """Find the engine's files: inside the package (wheels), else beside it (a checkout)."""
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "_prolog", package.parent / "prolog"):
        if (folder / "engine.pl").is_file():
            return folder
    raise OracleUnavailable(
        f"metaspace: the Prolog files are missing from {package / '_prolog'}. "
        "Reinstall pytest-metaspace."
    )


def wasm_bundle() -> Path:
    """Say where SWI-Prolog as WebAssembly is, if it is there."""
    return Path(__file__).resolve().parent.parent / "_wasm" / "swipl-bundle.js"


def command(
    host: HostName,
    *,
    parent: int,
    requests: int,
    replies: int,
    life: int,
    laws: Sequence[str] = (),
) -> list[str]:
    """Build the command line of a host that reads and writes these file descriptors.

    Nothing is ever written to ``life``; its end of file says that the parent is gone.
    ``laws`` are the files that a host without a file system must bring along.

    Raises:
        OracleUnavailable: the host is not installed, or does not work.
    """
    if host == "swipl":
        return _swipl_command(parent, requests, replies, life)
    if host == "wasm":
        return _wasm_command(parent, requests, replies, laws)
    return _pyswip_command(parent, requests, replies)


def environment(inherited: Mapping[str, str]) -> dict[str, str]:
    """Build the environment of a host: the user's, without their Prolog start-up files.

    Where the locale is plain C, SWI-Prolog cannot start in a folder whose name is not ASCII.
    """
    made = {**inherited, **dict.fromkeys(_PRIVATE, str(prolog_folder() / "config"))}
    said = (inherited.get(name) for name in ("LC_ALL", "LC_CTYPE", "LANG"))
    if next(filter(None, said), "C") in ("C", "POSIX"):
        made["LC_ALL"] = "C.UTF-8"
    return made


def _swipl_command(parent: int, requests: int, replies: int, life: int) -> list[str]:
    swipl = shutil.which("swipl")
    if swipl is None:
        raise OracleUnavailable(f"metaspace: swipl is not on PATH. {HOW_TO_INSTALL}")
    _examine(swipl)
    serve = str(prolog_folder() / "serve.pl")
    numbers = [str(number) for number in (parent, requests, replies, life)]
    return [swipl, "-q", "-f", "none", "--no-packs", serve, "--", *numbers]


def _pyswip_command(parent: int, requests: int, replies: int) -> list[str]:
    swipl = shutil.which("swipl")
    if swipl is not None and not {"LIBSWIPL_PATH", "SWI_HOME_DIR"} <= os.environ.keys():
        _examine(swipl)  # pyswip asks it for its library, and waits for ever
    return _python_command("host_pyswip.py", _config(parent, requests, replies))


def _examine(swipl: str) -> None:
    """See to it that a program is SWI-Prolog, new enough, and answers.

    Raises:
        OracleUnavailable: it is not; the text says which of it.
    """
    with subprocess.Popen(  # noqa: S603 - what is on PATH under the name of SWI-Prolog
        [swipl, "--dump-runtime-variables"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment(os.environ),
        start_new_session=True,
    ) as asked:
        try:
            told = asked.communicate(timeout=_PATIENCE_S)[0].decode("utf-8", "replace")
        except subprocess.TimeoutExpired as late:
            raise OracleUnavailable(
                f"metaspace: {swipl} hangs: it did not tell its version in {_PATIENCE_S:g} s."
            ) from late
        finally:
            if asked.poll() is None:
                os.killpg(asked.pid, signal.SIGKILL)
    found = re.search(r'^PLVERSION="(\d{5,6})"', told, re.MULTILINE)
    if asked.returncode or found is None:
        last = told.strip().rpartition("\n")[2]
        raise OracleUnavailable(
            f"metaspace: {swipl} is no SWI-Prolog that works: asked for its version, it ended "
            f"with exit status {asked.returncode} and said {last[:200]!r}."
        )
    if (version := int(found[1])) < _OLDEST:
        number = f"{version // 10000}.{version // 100 % 100}.{version % 100}"
        raise OracleUnavailable(
            f"metaspace: {swipl} is SWI-Prolog {number}; 9.0 or newer is needed."
        )


def _wasm_command(parent: int, requests: int, replies: int, laws: Sequence[str]) -> list[str]:
    if find_spec("py_mini_racer") is None:
        raise OracleUnavailable(
            "metaspace: the package mini-racer is missing. Type: "
            "pip install 'pytest-metaspace[wasm]'"
        )
    bundle = wasm_bundle()
    if not bundle.is_file():
        raise OracleUnavailable(
            f"metaspace: SWI-Prolog as WebAssembly is missing from {bundle.parent}: this "
            "installation was built from source without npm. Install a built wheel, or type, in "
            "a checkout: python tools/fetch_wasm.py"
        )
    files = {"bundle": str(bundle), "prolog": str(prolog_folder()), "laws": list(laws)}
    config = {**_config(parent, requests, replies), **files}
    return _python_command("host_wasm.py", config)


def _config(parent: int, requests: int, replies: int) -> dict[str, object]:
    engine = quoted(str(prolog_folder() / "engine.pl"))
    return {
        "parent": parent,
        "requests": requests,
        "replies": replies,
        "path": sys.path,
        "load": f"load_files({engine},[encoding(utf8)])",
    }


def _python_command(script: str, config: dict[str, object]) -> list[str]:
    return [sys.executable, "-I", str(Path(__file__).with_name(script)), json.dumps(config)]
