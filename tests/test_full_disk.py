"""What to do about a file that cannot be written hangs on why it cannot."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import NoReturn

import pytest

from pytest_metaspace import files
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.reports import writing


def refusing(number: int) -> NoReturn:
    raise OSError(number, os.strerror(number))


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (errno.ENOSPC, "Make room on its disk, or name a file on another."),
        (errno.EDQUOT, "Make room on its disk, or name a file on another."),
        (errno.EACCES, "Name a file in a folder where you may write."),
    ],
)
def test_a_full_disk_is_told_as_one(
    number: int, advice: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "write_bytes", lambda *_: refusing(number))
    monkeypatch.setattr(Path, "open", lambda *_, **__: refusing(number))
    for write in (files.put, writing.add):
        with pytest.raises(UsageProblem) as caught:
            write(tmp_path / "a.json", b"x")
        assert str(caught.value).endswith(f"({os.strerror(number)}). {advice}")
