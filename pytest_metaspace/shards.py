"""Which shard of a run a case belongs to: by its address alone, so whatever else there is."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from pytest_metaspace.errors import UsageProblem


@dataclass(frozen=True, slots=True)
class Shard:
    """One of several parts of a run; every case is in exactly one.

    Attributes:
        index: from 1.
        count: of all parts.
    """

    index: int
    count: int

    @classmethod
    def of(cls, text: str) -> Shard:
        """Return the shard that is meant by ``2/5``.

        Raises:
            UsageProblem: it is none.
        """
        found = re.fullmatch(r"\s*(\d{1,6})\s*/\s*(\d{1,6})\s*", text, re.ASCII)
        index, count = (int(found[1]), int(found[2])) if found else (0, 0)
        if not 1 <= index <= count:
            raise UsageProblem(
                f"metaspace: --metaspace-shard {text}: expected I/N with I from 1 to N, as in 2/5."
            )
        return cls(index, count)

    def has(self, address: str) -> bool:
        """Whether a case is in this shard."""
        digest = hashlib.sha256(address.encode("utf-8", "surrogatepass")).digest()
        return int.from_bytes(digest[:8], "big") % self.count == self.index - 1

    def __str__(self) -> str:
        return f"{self.index}/{self.count}"


WHOLE = Shard(1, 1)
