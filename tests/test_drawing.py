"""Lines between the steps of a derivation, on terminals that have them."""

from __future__ import annotations

import pytest

from pytest_metaspace.reports.drawing import can_draw, drawn

PLAIN = """\
MR1 violated: run::SC1-a::MR1::x
  These answers cannot all be true: so it is.
    a cannot be b   (laws/transitivity.pl:45)
      a is the direction   <- answer 1
      a ends well   (laws/transitivity.pl:72)
        a is given   (tolerance.depth)
          the box   <- measured
      b is the direction   <- answer 3
    another root   (own.pl:3)
  answer 1: 'a' to "In which direction?" [000.webp]
"""
DRAWN = """\
MR1 violated: run::SC1-a::MR1::x
  These answers cannot all be true: so it is.
    a cannot be b   (laws/transitivity.pl:45)
    ├─ a is the direction   ← answer 1
    ├─ a ends well   (laws/transitivity.pl:72)
    │  └─ a is given   (tolerance.depth)
    │     └─ the box   ← measured
    └─ b is the direction   ← answer 3
    another root   (own.pl:3)
  answer 1: 'a' to "In which direction?" [000.webp]
"""


def test_steps_are_joined_and_nothing_else_is_touched() -> None:
    assert list(drawn(PLAIN.splitlines())) == DRAWN.splitlines()


def test_a_derivation_deep_in_other_text_is_joined() -> None:
    indented = [f"  {line}" for line in PLAIN.splitlines()]
    assert list(drawn(indented)) == [f"  {line}" for line in DRAWN.splitlines()]


@pytest.mark.parametrize(
    ("terminal", "encoding", "environ", "draws"),
    [
        (True, "utf-8", {"LANG": "de_DE.UTF-8"}, True),
        (True, "utf-8", {"LC_ALL": "C.UTF-8", "LANG": "C"}, True),
        (True, "utf-8", {"LC_ALL": "C", "LANG": "de_DE.UTF-8"}, False),
        (True, "utf-8", {"LC_ALL": "", "LC_CTYPE": "POSIX", "LANG": "de_DE.UTF-8"}, False),
        (True, "utf-8", {}, False),
        (True, "iso8859-1", {"LANG": "de_DE"}, False),
        (True, "ascii", {"LANG": "de_DE"}, False),
        (True, None, {"LANG": "de_DE.UTF-8"}, False),
        (True, "nonsense", {"LANG": "de_DE.UTF-8"}, False),
        (False, "utf-8", {"LANG": "de_DE.UTF-8"}, False),
    ],
)
def test_only_terminals_that_have_the_lines_get_them(
    terminal: bool, encoding: str | None, environ: dict[str, str], draws: bool
) -> None:
    assert can_draw(terminal=terminal, encoding=encoding, environ=environ) is draws
