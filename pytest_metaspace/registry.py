"""A registry is a value: built once in configure, then only read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from pytest_metaspace.errors import UsageProblem, unknown

if TYPE_CHECKING:
    from collections.abc import Iterator

T = TypeVar("T")
NAME: Final = re.compile(r"[A-Za-z0-9._-]{1,80}")
NAME_RULE: Final = "1 to 80 ASCII letters, digits, dots, dashes and underscores"


class Registry(Generic[T]):
    """Things of one kind by name, each with the place it came from.

    Args:
        kind: what the things are called in messages, as in ``"agent"``.
        hint: one sentence that says how to add one.
    """

    def __init__(self, kind: str, hint: str) -> None:
        self.kind = kind
        self.hint = hint
        self._things: dict[str, tuple[T, str]] = {}

    def add(self, name: str, thing: T, origin: str) -> None:
        """Register a thing.

        Raises:
            UsageProblem: the name cannot be typed in options, gates and node ids, or is taken; the
                text names where each comes from.
        """
        if not isinstance(name, str) or not NAME.fullmatch(name):
            raise UsageProblem(
                f"metaspace: {self.kind} {name!a}, registered by {origin}, has a name that options "
                f"and node ids cannot hold; expected {NAME_RULE}. Rename it."
            )
        if name in self._things:
            first = self._things[name][1]
            raise UsageProblem(
                f"metaspace: {self.kind} {name!r} is registered twice, by {first} and by "
                f"{origin}. Rename one of them."
            )
        self._things[name] = (thing, origin)

    def get(self, name: str) -> T:
        """Return a thing by its name.

        Raises:
            UsageProblem: there is none; the text lists near matches and how to add one.
        """
        try:
            return self._things[name][0]
        except KeyError:
            raise unknown(self.kind, name, self._things, hint=self.hint) from None

    def __contains__(self, name: str) -> bool:
        return name in self._things

    def __iter__(self) -> Iterator[T]:
        """Iterate over the things in the order of their registration."""
        return (thing for thing, _ in self._things.values())

    @property
    def names(self) -> tuple[str, ...]:
        """All names, in the order of registration."""
        return tuple(self._things)
