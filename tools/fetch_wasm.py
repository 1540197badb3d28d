"""Brings SWI-Prolog as WebAssembly from npm into ``pytest_metaspace/_wasm/``.

    python tools/fetch_wasm.py [--optional]

The package is pinned by version and by content, and only what is needed is taken out of it: one
file of JavaScript, and its licence. Where it is there already, nothing is done. With
``--optional``, a problem (no npm, no network) is told and not an error: the native engines do
without. ``hatch_build.py`` calls this for each wheel.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Final

PACKAGE: Final = "swipl-wasm@8.0.5"  # SWI-Prolog 10.1.10
SHA256: Final = "989e5a69367268a85843cc02f8113db5f437e9cd77f5cada29501670a03554c0"
TARGET: Final = Path(__file__).resolve().parent.parent / "pytest_metaspace" / "_wasm"
#  What is taken, with the SHA-256 of each: an interrupted or an older copy is seen.
MEMBERS: Final = {
    "package/dist/swipl/swipl-bundle.js": (
        "f1bc25aa5224ad8c3c2c9ed6413c1e00576a653e293c88a4281ebacbca624953"
    ),
    "package/LICENSE.txt": "770594d0f4463b71f1485f00e4bc5cf4b6f667d62ef6bc9bde2fee236541992a",
}
LIMIT_S: Final = 120


class NotFetched(Exception):
    """The package could not be had, or it is not the one that was pinned."""


def main() -> int:
    """Fetch what is missing; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--optional", action="store_true", help="problems are no error")
    options = parser.parse_args()
    try:
        fetch()
    except NotFetched as problem:
        print(f"fetch_wasm: {problem}. The wasm engine stays away; native ones do without it.")
        return 0 if options.optional else 1
    return 0


def fetch(target: Path = TARGET) -> None:
    """Put the files into ``target``, unless they are there already.

    Raises:
        NotFetched: there is no npm, it failed, or it brought something else.
    """
    if all(digest(target / Path(name).name) == wanted for name, wanted in MEMBERS.items()):
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        archive = packed(folder)
        if digest(archive) != SHA256:
            raise NotFetched(f"{PACKAGE} from npm is not the one that was pinned: {SHA256}")
        with tarfile.open(archive) as opened:
            for member in MEMBERS:
                source = opened.extractfile(member)
                assert source is not None
                (folder / Path(member).name).write_bytes(source.read())
        target.mkdir(exist_ok=True)
        for member in MEMBERS:
            shutil.copyfile(folder / Path(member).name, target / Path(member).name)


def packed(folder: Path) -> Path:
    """Let npm bring the package into ``folder``."""
    npm = shutil.which("npm")
    if npm is None:
        raise NotFetched("npm is not on PATH")
    command = [npm, "pack", "--silent", "--ignore-scripts", f"--cache={folder / 'cache'}", PACKAGE]
    try:
        subprocess.run(  # noqa: S603 - our own command line
            command, cwd=folder, check=True, capture_output=True, text=True, timeout=LIMIT_S
        )
    except subprocess.CalledProcessError as failure:
        raise NotFetched(f"npm pack {PACKAGE} failed: {failure.stderr.strip()}") from failure
    except subprocess.TimeoutExpired as late:
        raise NotFetched(f"npm pack {PACKAGE} took longer than {LIMIT_S} s") from late
    (archive,) = folder.glob("*.tgz")
    return archive


def digest(file: Path) -> str:
    """Compute the SHA-256 of a file; of none it is empty."""
    return hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else ""


if __name__ == "__main__":
    sys.exit(main())
