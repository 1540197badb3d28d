"""Whether a folder is on a network file system, where the database of answers is not safe.

SQLite needs locks and shared memory that network file systems do not have, or only seem to have
(https://www.sqlite.org/faq.html#q5 and https://www.sqlite.org/wal.html).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

_TABLE: Final = Path("/proc/self/mounts")
#  By the type that Linux shows; those of FUSE without ``fuse.``.
_NETWORK: Final = frozenset(
    {
        "9p", "acfs", "afs", "beegfs", "ceph", "cephfs", "cifs", "coda", "davfs", "davfs2",
        "gcsfuse", "glusterfs", "gpfs", "juicefs", "lustre", "mfs", "ncpfs", "nfs", "nfs4",
        "ocfs2", "orangefs", "panfs", "pvfs2", "rclone", "s3fs", "smb3", "smbfs", "sshfs",
        "virtiofs", "vboxsf", "weka",
    }
)  # fmt: skip


def kind_at(folder: str, table: str) -> tuple[str, str] | None:
    """Return type and mount point of the network file system that holds a folder, or None.

    Args:
        folder: an absolute path without links.
        table: the text of ``/proc/mounts``: one mount a line, the later ones on top.
    """
    found = ("", "/")
    for line in table.splitlines():
        fields = line.split()
        if len(fields) < 3:  # noqa: PLR2004 - device, mount point, type
            continue
        point, kind = _unescaped(fields[1]), fields[2]
        inside = point in ("/", folder) or folder.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= len(found[1]):
            found = (kind, point)
    kind, point = found
    return (kind, point) if kind.removeprefix("fuse.") in _NETWORK else None


def _unescaped(text: str) -> str:
    """Undo how the kernel writes blanks in names, as octal numbers."""
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), text)


def warning(folder: Path) -> str:
    """Return what to say about a folder of answers; empty where nothing is known against it."""
    try:
        found = kind_at(str(folder.resolve()), _TABLE.read_text(errors="surrogateescape"))
    except OSError:  # not on Linux
        return ""
    if found is None:
        return ""
    kind, point = found
    return (
        f"metaspace: the answers in {folder} are on a network file system ({kind} at {point}), "
        "where runs on several machines can damage them. Keep them on a disk of this machine with "
        "--metaspace-cache-dir, and share them with metaspace answers export and import."
    )
