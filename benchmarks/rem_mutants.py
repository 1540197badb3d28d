"""What the relations of REM find of agents with a known fault: the table of docs/suite-rem.md.

    python benchmarks/rem_mutants.py [WALKS TURNS FRAMES]

Walks are drawn through flat scenes without pictures, so that hundreds take seconds.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.suites.rem_mutants import scores, table
from tests.suites.rem_walks import ASKED, asked_about


def main() -> None:
    """Print the table."""
    sizes = tuple(map(int, sys.argv[1:])) or ASKED
    print("\n".join(table(*scores(asked_about(*sizes)))))


if __name__ == "__main__":
    main()
