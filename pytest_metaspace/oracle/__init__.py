"""The oracle: the Prolog engine that judges cases, and its hosts."""

from __future__ import annotations

from pytest_metaspace.domain import Missing, Unreadable
from pytest_metaspace.oracle.engine import LawError, Oracle

__all__ = ["LawError", "Missing", "Oracle", "Unreadable"]
