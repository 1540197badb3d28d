"""The letters of a run's progress: in a long run one stands for several cases."""

from __future__ import annotations

from pytest_metaspace.domain import Outcome

MOST = 2000
"""As many letters are printed at most: 25 lines of 80 columns."""
#  As in RELATIONS, "Verdicts and scores": a case about which nothing can be said is no bad news.
_WORST_LAST = (
    Outcome.INCONCLUSIVE.value,
    Outcome.SATISFIED.value,
    Outcome.VIOLATED.value,
    Outcome.INVALID.value,
    Outcome.ERROR.value,
)


class Letters:
    """Says which outcome is printed when a case was reported.

    Args:
        cases: how many there will be.
    """

    def __init__(self, cases: int = 0) -> None:
        self.each = max(1, -(-cases // MOST))
        self._cases = cases
        self._seen = 0
        self._worst = 0

    def explained(self) -> str:
        """Return the line that says what a letter stands for; empty where it is one case."""
        if self.each == 1:
            return ""
        return (
            f"metaspace: {self._cases} cases; each letter stands for {self.each} of them and is "
            "that of the worst (-v prints a line for each)"
        )

    def after(self, outcome: str, *, last: bool) -> str | None:
        """Return the outcome to print after another case, or None while its letter is open.

        Args:
            outcome: what the case came to.
            last: whether nothing may come after it, as with ``-x``.
        """
        self._seen += 1
        self._worst = max(self._worst, _WORST_LAST.index(outcome))
        if self._seen % self.each and self._seen != self._cases and not last:
            return None
        worst, self._worst = self._worst, 0
        return _WORST_LAST[worst]
