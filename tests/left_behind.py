"""What tests leave where the next run of anything would find it."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

_ROOT: Final = Path(__file__).resolve().parent.parent
_OURS: Final = (".metaspace_cache", "metaspace-*", "answers-*.jsonl")
_UNTIL_THE_END: Final = ("metaspace-drawn-", "metaspace-yolo-")
"""What a process removes when it ends."""


@contextmanager
def nothing_left(base: Path) -> Iterator[None]:
    """Put files for a moment into a folder of this run, and fail where ours are still there.

    Neither may there be files of ours beside the folders of tests, nor new ones in the
    repository: a folder of answers there would be taken for that of what lies below it.

    Args:
        base: holds the folders of all tests in this process.
    """
    own = base / "t"  # the name of a socket in it must be short
    own.mkdir()
    before = set(_ours(_ROOT))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", str(own))
        patch.setattr(tempfile, "tempdir", str(own))
        yield
    left = [*_ours(own), *_ours(base), *sorted({*_ours(_ROOT)} - before)]
    assert not left, (
        f"tests left behind {', '.join(map(str, left))}. Work in tmp_path, and remove what is for "
        "a moment; a process that is to be killed gets TMPDIR=tmp_path."
    )


def _ours(folder: Path) -> Iterator[Path]:
    found = (path for pattern in _OURS for path in folder.glob(pattern))
    return (path for path in found if not path.name.startswith(_UNTIL_THE_END))
