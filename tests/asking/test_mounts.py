"""Which folders are on a network file system, by the table of mounts."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_metaspace.asking import mounts

TABLE = """\
/dev/sda1 / ext4 rw,relatime 0 0
proc /proc proc rw 0 0
fileserver:/home /home nfs4 rw,vers=4.2 0 0
/dev/sdb1 /home/local ext4 rw 0 0
//nas/share /mnt/My\\040Share cifs rw 0 0
me@host:/data /mnt/ssh fuse.sshfs rw 0 0
drive /mnt/c 9p rw 0 0
/dev/fuse /mnt/ntfs fuseblk rw 0 0
server:/a /stacked nfs rw 0 0
tmpfs /stacked tmpfs rw 0 0
short
"""


@pytest.mark.parametrize(
    ("folder", "found"),
    [
        ("/home/me/.metaspace_cache", ("nfs4", "/home")),
        ("/home", ("nfs4", "/home")),
        ("/homestead/me", None),
        ("/home/local/me", None),
        ("/mnt/My Share/runs", ("cifs", "/mnt/My Share")),
        ("/mnt/ssh/runs", ("fuse.sshfs", "/mnt/ssh")),
        ("/mnt/c/Users", ("9p", "/mnt/c")),
        ("/mnt/ntfs/x", None),
        ("/stacked/x", None),
        ("/work", None),
        ("/", None),
    ],
)
def test_the_innermost_mount_decides(folder: str, found: tuple[str, str] | None) -> None:
    assert mounts.kind_at(folder, TABLE) == found


def test_a_root_on_the_network_holds_everything() -> None:
    assert mounts.kind_at("/data/x", "server:/root / nfs rw 0 0\n") == ("nfs", "/")
    assert mounts.kind_at("/data/x", "") is None


def test_links_are_followed_and_what_to_do_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = tmp_path / "real"
    real.mkdir()
    (tmp_path / "link").symlink_to(real)
    table = tmp_path / "mounts"
    table.write_text(f"server:/x {real} nfs rw 0 0\n")
    monkeypatch.setattr(mounts, "_TABLE", table)
    told = mounts.warning(tmp_path / "link")
    assert f"are on a network file system (nfs at {real})" in told
    assert "--metaspace-cache-dir" in told
    assert mounts.warning(tmp_path) == ""


def test_without_a_table_of_mounts_nothing_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mounts, "_TABLE", Path("/nowhere/at/all"))
    assert mounts.warning(Path("/home")) == ""
