"""Items whose options are letters are answered by the letters that stand before them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace.suites.embspatial._asking import item
from tests.suites.test_suites_in_pytest import ALL, OURS

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.usefixtures("built")  # numpy cannot be loaded first inside of pytester
@pytest.mark.parametrize("options", ["abcd", "dcba", "BCDA", ["(b)", "A.", "option b", "1"]])
def test_truth_breaks_nothing_on_options_that_are_letters(
    pytester: pytest.Pytester, options: Any
) -> None:
    folder: Path = pytester.path / "items"
    folder.mkdir()
    made = [{**item(number, number % 6), "answer_options": list(options)} for number in range(6)]
    (folder / "embspatial_bench.json").write_text(json.dumps(made))
    found = pytester.runpytest_inprocess(
        *OURS, "--metaspace-agent=truth", ALL, "items", "--metaspace-fail-under=EMB-ORDER=1",
        "--metaspace-fail-under=EMB-ACC=1",
    )  # fmt: skip
    found.stdout.fnmatch_lines(["EMB-ORDER * 0 of 6 *1.000*"])
    assert found.ret == 0
