"""From scores to gates: decided once; exit status, banner and tables read the result."""

from pytest_metaspace.gates._baseline import UNDECIDED, decide_baseline
from pytest_metaspace.gates._failures import decide_failures, parse_limits, percent
from pytest_metaspace.gates._quarantine import decide_quarantine
from pytest_metaspace.gates._scores import ALLOWANCES, Shortfall, decide
from pytest_metaspace.gates._thresholds import check_names, parse

__all__ = [
    "ALLOWANCES",
    "UNDECIDED",
    "Shortfall",
    "check_names",
    "decide",
    "decide_baseline",
    "decide_failures",
    "decide_quarantine",
    "parse",
    "parse_limits",
    "percent",
]
