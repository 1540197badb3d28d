"""Lines of the command ``metaspace``, as a terminal or a service that reads along may have them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from pytest_metaspace.prompts.words import inert

if TYPE_CHECKING:
    from collections.abc import Iterable


def show(lines: Iterable[str], *, obeyed: bool = False) -> None:
    """Print lines also where the terminal cannot show every character.

    Args:
        lines: what to print.
        obeyed: whether commands to a service are among them, to be printed as they are.
    """
    encoding = sys.stdout.encoding or "ascii"
    for line in lines if obeyed else map(inert, lines):
        print(line.encode(encoding, errors="backslashreplace").decode(encoding))
