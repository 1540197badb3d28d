"""What logs that mean harm are made of: values of JSON, and files that are none."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Union

Made = tuple[Path, Path]
"""A main file, and what ``--metaspace-images`` names."""
Make = Callable[..., Union[Path, Made]]
"""What writes a log into a folder."""

DEEP = "[" * 200_000
DEEP_OBJECT = '{"a":' * 200_000
DIGITS = "9" * 5000
HUGE = "1e400"
LONG = '"' + "x" * (20 << 20) + '"'
MANY = "[" + "{}," * 20_000_000 + "{}]"
MANY_TEXTS = "[" + '"aa",' * 12_000_000 + '"a"]'
ODD = {"deep": DEEP, "deep-objects": DEEP_OBJECT, "digits": DIGITS, "huge-number": HUGE}
VALUES = ODD | {"long-text": LONG, "many-objects": MANY, "many-texts": MANY_TEXTS}
_SPARSE = 6 << 30


def put(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def pipe(path: Path) -> Path:
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    return path


def device(path: Path) -> Path:
    path.unlink(missing_ok=True)
    path.symlink_to("/dev/zero")
    return path


def loop(path: Path) -> Path:
    path.unlink(missing_ok=True)
    path.symlink_to(path.name)
    return path


def endless(path: Path, head: bytes) -> Path:
    """Write a file of gigabytes that takes no room: after its head there are zeros."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.write(head)
        file.truncate(_SPARSE)
    return path


ODD_FILES: dict[str, Callable[[Path], Path]] = {"pipe": pipe, "device": device, "loop": loop}
