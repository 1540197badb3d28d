"""``python -m pytest_metaspace`` is the command ``metaspace``."""

import sys

from pytest_metaspace.cli import main

sys.exit(main())
