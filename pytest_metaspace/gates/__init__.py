"""From scores to gates: decided once; exit status, banner and tables read the result."""

from pytest_metaspace.gates._failures import decide_failures, parse_limits, percent
from pytest_metaspace.gates._scores import ALLOWANCES, Shortfall, decide
from pytest_metaspace.gates._thresholds import check_names, parse

__all__ = [
    "ALLOWANCES",
    "Shortfall",
    "check_names",
    "decide",
    "decide_failures",
    "parse",
    "parse_limits",
    "percent",
]
