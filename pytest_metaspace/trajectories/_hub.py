"""The cache of the Hugging Face Hub, where a data set is a folder of links.

``datasets--ORG--NAME/snapshots/REVISION/`` has the tree, and each file in it is a link into
``datasets--ORG--NAME/blobs/``, whose files are named by their content.
"""

from __future__ import annotations

import os
from pathlib import Path

_SNAPSHOTS, _BLOBS = "snapshots", "blobs"


def name_of(folder: Path) -> str:
    """Return the name of a data set's folder; of one in the cache that of the data set."""
    real = folder.resolve()
    if real.parent.name == _SNAPSHOTS:
        return real.parent.parent.name.rpartition("--")[2]
    return real.name


def linked(folder: Path, given: str) -> Path | None:
    """Return a file of a snapshot that is a link to a blob of the same data set, or None.

    Args:
        folder: in a snapshot.
        given: a path in it, that may not leave it by ``..``.
    """
    real = folder.resolve()
    root = next((one for one in (real, *real.parents) if one.parent.name == _SNAPSHOTS), None)
    path = Path(os.path.normpath(real / given))
    if root is None or not path.is_relative_to(real):
        return None
    blobs = root.parent.parent / _BLOBS
    return path if path.resolve().parent == blobs else None
