"""What an option is: its name, its ini twin, and how a number in it is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pytest_metaspace.errors import UsageProblem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One option with its ini twin ``metaspace_*``.

    ``many`` options can be given several times and take lists separated by commas or, in the
    ini file, by lines; those that are not ``listed`` may have commas in them. A ``flag`` takes no
    value.
    """

    name: str
    metavar: str
    help: str
    default: str | None = None
    choices: tuple[str, ...] = ()
    many: bool = False
    listed: bool = True
    flag: bool = False
    ini: bool = True

    @property
    def dest(self) -> str:
        """The name of its value, and of its ini twin."""
        return f"metaspace_{self.name.replace('-', '_')}"


def anchors_of(names: Iterable[str]) -> frozenset[str]:
    """Return the anchored relations that are chosen by name; *none* chooses none.

    Raises:
        UsageProblem: none is chosen, and one.
    """
    chosen = frozenset(names)
    if "none" in chosen and len(chosen) > 1:
        others = ",".join(sorted(chosen - {"none"}))
        raise UsageProblem(
            f"metaspace: --metaspace-anchors {ascii(others)[1:-1]} and none contradict each other. "
            "Leave one of them out."
        )
    return chosen - {"none"}


def number(
    values: Mapping[str, Any],
    name: str,
    *,
    low: float = float("-inf"),
    high: float = float("inf"),
    whole: bool = False,
) -> float:
    """Return the number that an option holds.

    Args:
        values: of all options, by name.
        name: the option.
        low: the least that is allowed.
        high: the most that is allowed.
        whole: whether it is a whole number.

    Raises:
        UsageProblem: it is not; the text names the option and what was expected.
    """
    text: Any = values[name]
    try:
        found = int(text) if whole else float(text)
    except ValueError:
        found = float("nan")
    if not low <= found <= high or found in (float("inf"), float("-inf")):
        between = f" from {low:g} on" if low > float("-inf") else ""
        if high < float("inf"):
            between = f" between {low:g} and {high:g}"
        kind = "a whole number" if whole else "a number"
        raise UsageProblem(f"metaspace: --metaspace-{name} {text}: expected {kind}{between}.")
    return found
