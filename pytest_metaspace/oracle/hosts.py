"""Where the engine's files are, and how each host of it is started."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from pytest_metaspace.errors import OracleUnavailable
from pytest_metaspace.oracle.wire import quoted

if TYPE_CHECKING:
    from collections.abc import Mapping

HostName = Literal["pyswip", "swipl"]

HOW_TO_INSTALL: Final = (
    "Install SWI-Prolog 9.0 or newer: "
    "apt-get install --no-install-recommends swi-prolog-nox (Debian, Ubuntu) or "
    "brew install swi-prolog (macOS)."
)

#  No start-up file and no pack of the user may change a verdict: SWI-Prolog finds ours instead.
_BEYOND_ASCII: Final = re.compile(r"[^\x00-\x7f]")
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


def command(host: HostName, *, parent: int, requests: int, replies: int, life: int) -> list[str]:
    """Build the command line of a host that reads and writes these file descriptors.

    Nothing is ever written to ``life``; its end of file says that the parent is gone.

    Raises:
        OracleUnavailable: the host is not installed.
    """
    if host == "swipl":
        return _swipl_command(parent, requests, replies, life)
    return _pyswip_command(parent, requests, replies)


def environment(inherited: Mapping[str, str]) -> dict[str, str]:
    """Build the environment of a host: the user's, without their Prolog start-up files."""
    return {**inherited, **dict.fromkeys(_PRIVATE, str(prolog_folder() / "config"))}


def _swipl_command(parent: int, requests: int, replies: int, life: int) -> list[str]:
    swipl = shutil.which("swipl")
    if swipl is None:
        raise OracleUnavailable(f"metaspace: swipl is not on PATH. {HOW_TO_INSTALL}")
    serve = str(prolog_folder() / "serve.pl")
    numbers = [str(number) for number in (parent, requests, replies, life)]
    return [swipl, "-q", "-f", "none", "--no-packs", serve, "--", *numbers]


def _pyswip_command(parent: int, requests: int, replies: int) -> list[str]:
    engine = _BEYOND_ASCII.sub(_escape, quoted(str(prolog_folder() / "engine.pl")))
    config = {
        "parent": parent,
        "requests": requests,
        "replies": replies,
        "path": sys.path,
        "load": f"load_files({engine},[encoding(utf8)])",
    }
    script = str(Path(__file__).with_name("host_pyswip.py"))
    return [sys.executable, "-I", script, json.dumps(config)]


def _escape(match: re.Match[str]) -> str:
    return f"\\x{ord(match[0]):x}\\"
