"""One tree of errors, and texts that tell the next step."""

from __future__ import annotations

import pytest

from pytest_metaspace import errors
from pytest_metaspace.asking.store import StoreError
from pytest_metaspace.errors import MetaspaceError, unknown


def test_everything_raised_on_purpose_is_a_metaspace_error() -> None:
    for name in ("UsageProblem", "TrajectoryError", "AgentError", "OracleUnavailable"):
        assert issubclass(getattr(errors, name), MetaspaceError)
        assert name in str(errors.__doc__)
    assert issubclass(StoreError, MetaspaceError)


@pytest.mark.parametrize(
    ("name", "guess"),
    [
        ("truht", " Did you mean 'truth'?"),
        ("TRUTH", " Did you mean 'truth'?"),
        ("", ""),
        ("\n" * 3, ""),
    ],
)
def test_an_unknown_name_is_told_with_guess_list_and_hint(name: str, guess: str) -> None:
    text = str(unknown("agent", name, ["truth", "replay"], hint="Write one."))
    assert (
        text == f"metaspace: agent {name!r} is not known.{guess} Known: replay, truth. Write one."
    )
    assert "\n" not in text
