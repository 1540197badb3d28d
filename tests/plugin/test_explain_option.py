"""A case takes 12 lines of a log at most; ``--metaspace-explain`` prints all of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_metaspace import cli
from pytest_metaspace.reports.derivation import MOST_LINES

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.plugin.conftest import Project

GUESSING = "--metaspace-agent=mutant:random:truth"
TRIANGLES = ("runs", "--metaspace-sc=SC2-b", "--metaspace-mr=MR4", "--metaspace-seed=1")
MORE = re.compile(
    r"\.\.\. (\d+) more lines: metaspace explain (\S+), or pytest --metaspace-explain$"
)


def told(result: pytest.RunResult) -> list[str]:
    """Return the first violation that the closing section shows, line by line."""
    lines = iter(result.outlines)
    first = next(line for line in lines if "MR4 violated: " in line)
    rest = []
    for line in lines:
        if not line.strip():
            break
        rest.append(line)
    return [first, *rest]


def test_a_case_takes_twelve_lines_and_says_how_to_see_the_others(
    project: Project, walk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    short = told(project.run(GUESSING, *TRIANGLES))
    full = told(project.run(GUESSING, *TRIANGLES, "--metaspace-explain"))
    assert len(short) <= MOST_LINES == 12 < len(full)
    found = MORE.search(short[-1])
    assert found
    assert int(found[1]) == len(full) - (len(short) - 1)
    assert set(short[:-1]) <= set(full)
    assert not any("more lines" in line for line in full)
    capsys.readouterr()
    assert cli.main(["explain", found[2]]) == 0
    assert set(full[:3]) <= {"  " + line for line in capsys.readouterr().out.splitlines()}


def test_what_is_cut_is_not_the_rule_nor_an_answer_that_it_rests_on(
    project: Project, walk: Path
) -> None:
    short = told(project.run(GUESSING, *TRIANGLES))
    full = told(project.run(GUESSING, *TRIANGLES, "--metaspace-explain"))
    rules = [line for line in full if "(laws/" in line]
    assert len(rules) == 2
    assert [line for line in short if "(laws/" in line] == rules
    used = {part for line in full for part in re.findall(r"<- (answer \d+)$", line)}
    named = {part for line in short for part in re.findall(r"^    (answer \d+): ", line)}
    assert named == used


def test_a_case_that_fits_is_not_cut(project: Project, walk: Path) -> None:
    select = ("runs", "--metaspace-sc=SC2-a", "--metaspace-mr=MR2")
    agent = project.brain("return 'left'")
    short, full = (project.run(agent, *select, *more) for more in ((), ("--metaspace-explain",)))
    short.stdout.no_fnmatch_line("*more lines*")

    def section(result: pytest.RunResult) -> list[str]:
        start = next(i for i, line in enumerate(result.outlines) if "cannot all be true =" in line)
        end = next(i for i, line in enumerate(result.outlines) if "cognition scores" in line)
        return result.outlines[start:end]

    assert section(short) == section(full)


def test_the_option_has_an_ini_twin(project: Project, walk: Path) -> None:
    project.write("pytest.ini", "[pytest]\nmetaspace_explain = true\n")
    assert len(told(project.run(GUESSING, *TRIANGLES))) > MOST_LINES
    project.write("pytest.ini", "[pytest]\nmetaspace_explain = false\n")
    assert len(told(project.run(GUESSING, *TRIANGLES))) <= MOST_LINES
