"""The oracle: the Prolog engine that judges cases, and its hosts."""

from __future__ import annotations

from pytest_metaspace.oracle.engine import LawError, Oracle
from pytest_metaspace.oracle.wire import Missing, Unreadable

__all__ = ["LawError", "Missing", "Oracle", "Unreadable"]
