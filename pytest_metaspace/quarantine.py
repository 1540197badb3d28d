"""Known violations: a TOML file that says which, why, who looks after them, and until when."""

from __future__ import annotations

import datetime as dt
import re
import sys
from typing import TYPE_CHECKING, Any, Final

from pytest_metaspace.domain import Known, KnownState, Outcome
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.prompts.words import one_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from pathlib import Path

TABLE: Final = "quarantine"
BROKEN: Final = (Outcome.VIOLATED, Outcome.INVALID)
"""What a quarantine is about; a case in error is never known."""
_TEXTS: Final = ("case", "reason", "owner")
_FIELDS: Final = (*_TEXTS, "expires")
_EXAMPLE: Final = (
    '[[quarantine]] with case = "ADDRESS or pattern", reason = "why", owner = "who" and '
    "expires = 2027-01-31"
)


class Quarantine:
    """The known violations of a project.

    Args:
        entries: in the order of the file; the first that matches a case counts.
        source: the file, for messages.
    """

    def __init__(self, entries: Iterable[Known] = (), source: str = "") -> None:
        self.entries = tuple(entries)
        self.source = source
        self._patterns = [_pattern(entry.case) for entry in self.entries]
        self._found: dict[str, Known | None] = {}

    @classmethod
    def read(cls, path: Path) -> Quarantine:
        """Read a quarantine file.

        Raises:
            UsageProblem: it cannot be read, or an entry is not as it should be.
        """
        here = path.cwd()
        shown = str(path.relative_to(here) if path.is_relative_to(here) else path)
        try:
            parsed = _toml(path.read_text(encoding="utf-8"))
        except OSError as problem:
            raise UsageProblem(
                f"metaspace: --metaspace-quarantine {shown}: cannot be read ({problem.strerror}). "
                f"Name a TOML file of entries {_EXAMPLE}."
            ) from problem
        except (ValueError, RecursionError) as problem:  # TOML tells line and column
            raise UsageProblem(
                f"{shown}: this is no TOML ({one_line(str(problem), 200)}). Write entries "
                f"{_EXAMPLE}."
            ) from problem
        unknown = sorted(set(parsed) - {TABLE})
        tables = parsed.get(TABLE, [])
        if unknown or not isinstance(tables, list):
            what = one_line(unknown[0]) if unknown else f"[{TABLE}]"
            raise UsageProblem(f"{shown}: {what!a} is not expected. Write entries {_EXAMPLE}.")
        entries = [_entry(shown, number, table) for number, table in enumerate(tables, start=1)]
        return cls(entries, shown)

    def of(self, address: str) -> Known | None:
        """Return the entry that a case belongs to; None where it is not known."""
        if not self.entries:
            return None
        if address not in self._found:
            own = address.rpartition("::")[2]
            self._found[address] = next(
                (
                    entry
                    for entry, pattern in zip(self.entries, self._patterns)
                    if pattern.fullmatch(address if "::" in entry.case else own)
                ),
                None,
            )
        return self._found[address]

    def excuses(self, address: str, outcome: Outcome) -> Known | None:
        """Return the entry for which a violated or invalid case is expected to be so."""
        return self.of(address) if outcome in BROKEN else None

    def review(
        self,
        outcomes: Mapping[str, Outcome],
        planned: Collection[str],
        today: dt.date,
    ) -> tuple[KnownState, ...]:
        """Return how things are with each entry.

        Args:
            outcomes: what ran, by address.
            planned: addresses of all cases of the trajectories at hand, those that ran included.
            today: an entry holds through the day on which it expires.
        """
        matched: dict[Known, list[str]] = {entry: [] for entry in self.entries}
        for address in sorted({*planned, *outcomes}):
            entry = self.of(address)
            if entry is not None:
                matched[entry].append(address)
        return tuple(
            _state(entry, [outcomes.get(address) for address in addresses], today)
            for entry, addresses in matched.items()
        )


def _state(entry: Known, found: list[Outcome | None], today: dt.date) -> KnownState:
    broken = sum(outcome in BROKEN for outcome in found)
    quiet = all(outcome in (Outcome.SATISFIED, Outcome.INCONCLUSIVE) for outcome in found)
    return KnownState(
        known=entry,
        cases=sum(outcome is not None for outcome in found),
        broken=broken,
        expired=today > entry.expires,
        healed=quiet and Outcome.SATISFIED in found,
        idle=not found,
    )


def _pattern(case: str) -> re.Pattern[str]:
    """Return what a case or pattern matches; ``*`` and ``?`` are all that is special in it."""
    escaped = re.escape(case).replace(r"\*", ".*").replace(r"\?", ".")
    return re.compile(escaped, re.DOTALL)


def _toml(text: str) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:  # comes with pytest there
        import tomli as tomllib
    parsed: dict[str, Any] = tomllib.loads(text)
    return parsed


def _entry(shown: str, number: int, table: object) -> Known:
    where = f"{shown}: entry {number}"
    if not isinstance(table, dict):
        raise UsageProblem(f"{where} is no table. Write {_EXAMPLE}.")
    if isinstance(table.get("case"), str):
        where += f" ({one_line(table['case'])!a})"
    for name in sorted(set(table) - set(_FIELDS)):
        raise UsageProblem(
            f"{where}: field {one_line(name)!a} is not known; the fields are {', '.join(_FIELDS)}."
        )
    for name in _FIELDS:
        if name not in table:
            raise UsageProblem(f"{where}: field {name} is missing. Write {_EXAMPLE}.")
    for name in _TEXTS:
        if not isinstance(table[name], str) or not table[name].strip():
            raise UsageProblem(f"{where}: field {name} has to be a text that is not empty.")
    expires = table["expires"]
    if not isinstance(expires, dt.date) or isinstance(expires, dt.datetime):
        raise UsageProblem(
            f"{where}: field expires has to be a date without quotes, as in expires = 2027-01-31."
        )
    return Known(**{name: table[name] for name in _TEXTS}, expires=expires)
