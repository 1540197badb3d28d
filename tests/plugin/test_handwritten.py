"""Hand-written tests: parametrized over the cases their mark selects, each scored once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_metaspace.oracle.checker import Checker, Unproved
from tests.plugin.made import BROKEN, EVASIVE, MOODY

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plugin.conftest import Project

TRUTH = "--metaspace-agent=truth"
CHECK = """
import pytest

@pytest.mark.metaspace(sc="SC1-a", mr="MR2", trajectories="runs")
def test_way_back(metaspace_case):
    metaspace_case.check()
"""


def test_a_function_runs_once_for_each_case_that_its_mark_selects(
    project: Project, walk: Path
) -> None:
    project.write("tests/test_it.py", CHECK)
    result = project.run("tests", TRUTH, "-v")
    result.assert_outcomes(passed=3)
    assert result.ret == 0
    result.stdout.fnmatch_lines(
        [
            "tests/test_it.py::test_way_back?SC1-a-MR2-s000-s001-ae845cfc? PASSED *",
            "SC1-a * 3 * 0 * 0 * 0 * 0 * 100 % * 1.000",
        ]
    )


@pytest.mark.parametrize(
    ("mark", "count"),
    [
        ('sc=["SC1-a", "SC1-b"], mr="MR2", trajectories="runs"', 6),
        ('mr=("MR5", "MR6"), trajectories=["runs"]', 36),
        ('sc="SC4-a", trajectories="runs/walk/trajectory.json"', 15),
        ('trajectories="runs"', 214),
    ],
)
def test_a_mark_takes_one_name_or_several(
    project: Project, walk: Path, mark: str, count: int
) -> None:
    project.write(
        "tests/test_it.py", CHECK.replace(CHECK[CHECK.index("sc=") : CHECK.index(")")], mark)
    )
    project.run("tests", TRUTH).assert_outcomes(passed=count)


def test_the_outcomes_of_check_are_those_of_the_case(project: Project, walk: Path) -> None:
    project.write("tests/test_it.py", CHECK)
    result = project.run("tests", project.brain(MOODY), "-v")
    assert result.ret == 1
    assert result.parseoutcomes() == {"violated": 1, "invalid": 1, "passed": 1}
    result.stdout.fnmatch_lines(
        [
            "*s000-s001* VIOLATED *",
            "*s001-s002* INVALID *",
            "*s002-s003* PASSED *",
            "*These answers cannot all be true: the way back from right is left*",
        ]
    )


def test_check_only_counts_violations_that_are_only_reported(project: Project, walk: Path) -> None:
    project.write("tests/test_it.py", CHECK)
    result = project.run("tests", project.brain(MOODY), "--metaspace-violations=report")
    assert result.ret == 0
    assert result.parseoutcomes() == {"violated": 1, "invalid": 1, "passed": 1}


def test_check_fails_without_an_answer(project: Project, walk: Path) -> None:
    project.write("tests/test_it.py", CHECK)
    result = project.run("tests", project.brain(BROKEN), "-v")
    assert result.ret == 1
    assert result.parseoutcomes() == {"errored": 3}
    result.stdout.fnmatch_lines(
        ["*the agent raised RuntimeError (brain.py:*): the battery is empty*"]
    )


def test_check_skips_what_nothing_can_be_said_about(project: Project, walk: Path) -> None:
    project.write("tests/test_it.py", CHECK.replace("MR2", "MR1").replace("SC1-a", "SC2-a"))
    result = project.run("tests", project.brain(EVASIVE), "-v")
    assert result.ret == 0
    assert result.parseoutcomes() == {"inconclusive": 12}
    result.stdout.fnmatch_lines(["*f000-chair1-lamp1-table1* INCONCLUSIVE *"])


def test_a_case_has_what_a_test_may_want_to_look_at(project: Project, walk: Path) -> None:
    body = (
        "def test_way_back(metaspace_case, metaspace_trajectory):\n"
        "    assert metaspace_case.trajectory is metaspace_trajectory\n"
        "    assert metaspace_trajectory.id == 'walk'\n"
        "    assert metaspace_case.case.relation == 'MR2'\n"
        "    first = metaspace_case.case.subjects == (0, 1)\n"
        "    assert metaspace_case.outcome == ('violated' if first else 'satisfied')\n"
        "    assert ('cannot all be true' in metaspace_case.derivation) == first\n"
    )
    start = CHECK.index("def test")
    project.write("tests/test_it.py", CHECK[:start] + body)
    agent = project.brain("return 'right' if 'frame 0' in prompt[-600:] else 'none'")
    project.run("tests", agent).assert_outcomes(passed=3)


def test_a_case_that_is_collected_and_checked_by_hand_is_scored_once(
    project: Project, walk: Path
) -> None:
    project.write("tests/test_it.py", CHECK)
    select = ("--metaspace-sc=SC1-a", "--metaspace-mr=MR2")
    result = project.run("runs", "tests", project.brain(MOODY), *select, "-v")
    assert result.parseoutcomes() == {"violated": 2, "invalid": 2, "passed": 2}
    result.stdout.fnmatch_lines(
        [
            "SC1-a MR2 symmetry: 1 violation in 3 cases",
            "invalid: 1 case: *",
            "SC1-a * 3 * 1 * 1 * 0 * 0 *",
            "6 distinct questions *",
        ]
    )
    assert sum("MR2 violated: " in line for line in result.outlines) == 1


def test_workers_and_a_serial_run_agree_on_tests_written_by_hand(
    project: Project, walk: Path
) -> None:
    """Also on one that fails before it checks: its case is not scored, and nothing died."""
    own = "\n\n" + CHECK[CHECK.index("@") :].replace("test_way_back", "test_own").replace(
        "    metaspace_case.check()", "    assert metaspace_case is None"
    ).replace("SC1-a", "SC1-b")
    project.write("tests/test_it.py", CHECK + own)
    agent = project.brain(MOODY)
    serial, workers = project.run("tests", agent), project.run_workers("tests", agent)
    assert workers.parseoutcomes() == serial.parseoutcomes()
    assert serial.parseoutcomes() == {"violated": 1, "invalid": 1, "passed": 1, "failed": 3}
    for result in (serial, workers):
        assert result.ret == 1
        result.stdout.fnmatch_lines(["total * 3 * 1 * 1 * 0 * 0 *"])
        result.stdout.no_fnmatch_line("*died*")


def test_without_an_agent_there_is_exactly_one_skip_that_says_so(
    project: Project, walk: Path
) -> None:
    project.write("tests/test_it.py", CHECK)
    result = project.run("tests", "-rs")
    result.assert_outcomes(skipped=1)
    assert result.ret == 0
    result.stdout.fnmatch_lines(
        ["SKIPPED * metaspace: no agent to ask; add --metaspace-agent=NAME"]
    )


@pytest.mark.parametrize("agent", [(), (TRUTH,)], ids=["without-agent", "with-agent"])
@pytest.mark.parametrize(
    ("mark", "wrong"), [('scs="SC1-a"', "scs"), ('"SC1-a"', "'SC1-a'")], ids=["keyword", "position"]
)
def test_a_word_that_the_mark_does_not_know_is_an_error_of_collection(
    project: Project, walk: Path, mark: str, wrong: str, agent: tuple[str, ...]
) -> None:
    project.write(
        "tests/test_it.py", CHECK.replace('sc="SC1-a", mr="MR2", trajectories="runs"', mark)
    )
    result = project.run("tests", *agent)
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(
        [
            (
                f"tests/test_it.py::test_way_back: the mark metaspace does not know {wrong}; "
                "allowed are the keywords sc, mr, trajectories."
            )
        ]
    )
    result.stdout.no_fnmatch_line("*def parametrize*")


@pytest.mark.parametrize(
    ("mark", "expected"),
    [
        ('trajectories="nowhere"', "there is no file or folder '*nowhere'."),
        ('trajectories="tests"', "*tests' holds no trajectory; expected a trajectory.json*"),
        ('sc="SC1-a"', "names no trajectories. Write @pytest.mark.metaspace(trajectories=*"),
        ('sc=3, trajectories="runs"', "the mark metaspace has sc=3; expected a name or a list*"),
        ('mr=[1], trajectories="runs"', "the mark metaspace has mr=[[]1]; expected a name*'MR1'."),
        ('sc="SC9-a", trajectories="runs"', "capability 'SC9-a' is not known.*"),
        ('mr="MR22", trajectories="runs"', "relation 'MR22' is not known. Did you mean 'MR2'*"),
    ],
)
def test_a_mark_that_selects_what_is_not_there_names_the_test(
    project: Project, walk: Path, mark: str, expected: str
) -> None:
    project.write(
        "tests/test_it.py", CHECK.replace('sc="SC1-a", mr="MR2", trajectories="runs"', mark)
    )
    result = project.run("tests", TRUTH)
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines([f"tests/test_it.py::test_way_back: *{expected}"])
    result.stdout.no_fnmatch_line("*Traceback*")


def test_without_trajectories_the_mark_takes_those_of_the_ini_file(
    project: Project, walk: Path
) -> None:
    project.write("pytest.ini", "[pytest]\nmetaspace_trajectories = runs\n")
    project.write("tests/test_it.py", CHECK.replace(', trajectories="runs"', ""))
    project.run("tests", TRUTH).assert_outcomes(passed=3)


ORACLE = """
def test_it(metaspace_oracle):
    metaspace_oracle.assert_consistent(
        [
            {"kind": "direction", "from": "sofa", "to": "lamp", "planar": "left"},
            {"kind": "direction", "from": "lamp", "to": "sofa", "planar": "BACK"},
        ],
        relation="MR2",
        subjects=["sofa", "lamp"],
    )
"""


def test_the_oracle_accepts_what_can_be_true(project: Project) -> None:
    project.write("test_it.py", ORACLE.replace("BACK", "right"))
    project.run("test_it.py").assert_outcomes(passed=1)


def test_the_oracle_fails_with_the_derivation_of_what_cannot_be_true(project: Project) -> None:
    project.write("test_it.py", ORACLE.replace("BACK", "left"))
    result = project.run("test_it.py")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "violated: These answers cannot all be true: the way back from left is right*",
            "*(laws/symmetry.pl:*)",
        ]
    )
    result.stdout.no_fnmatch_line("*def assert_consistent*")


def test_the_oracle_fails_where_the_derivation_does_not_check(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise Unproved("a step is made up")

    monkeypatch.setattr(Checker, "check", refuse)
    project.write("test_ours.py", ORACLE.replace("BACK", "left"))
    result = project.run()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*internal error: the derivation does not check: a step is made*"])


def test_the_oracle_fails_on_what_is_no_case(project: Project) -> None:
    project.write("test_it.py", ORACLE.replace("BACK", "sideways"))
    result = project.run("test_it.py")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*sideways*"])


def test_the_oracle_needs_no_agent_but_takes_the_tolerances(project: Project) -> None:
    sizes = ", ".join(
        f'{{"kind": "size", "frame": "{frame}", "object": "{thing}", "value": {value}}}'
        for frame, thing, value in (("1", "a", 1), ("1", "b", 1), ("2", "a", 1.5), ("2", "b", 1))
    )
    project.write(
        "test_it.py",
        "def test_it(metaspace_oracle):\n"
        f"    metaspace_oracle.assert_consistent([{sizes}], relation='MR6', subjects=['1', '2'],\n"
        "                                       objects=['a', 'b'])\n",
    )
    project.run("test_it.py").assert_outcomes(failed=1)
    project.run("test_it.py", "--metaspace-delta=0.6").assert_outcomes(passed=1)


OURS = """
:- module(ours, []).
:- use_module(metaspace(facts)).
:- multifile metaspace:law/3.

metaspace:law('OURS', ours, [subjects(2)]).

violated(_) :- fail.
satisfied(well) :- subjects(_, _).
inconclusive(_) :- fail.
lacks(_) :- fail.
"""


@pytest.mark.parametrize("agent", [(), (TRUTH,)], ids=["without-agent", "with-agent"])
def test_the_oracle_knows_the_laws_of_registered_relations(
    project: Project, agent: tuple[str, ...]
) -> None:
    law = project.write("ours.pl", OURS)
    project.write(
        "conftest.py",
        "import pathlib\n"
        "from pytest_metaspace.domain import Capability\n"
        "from pytest_metaspace.mrs import Relation\n"
        "def pytest_metaspace_register_relations(register):\n"
        "    register(Relation(name='OURS', title='ours', capabilities=(Capability.DEPTH,),\n"
        f"                      instances=lambda *_: (), prolog=pathlib.Path({str(law)!r})))\n",
    )
    project.write(
        "test_it.py",
        "def test_it(metaspace_oracle):\n"
        "    metaspace_oracle.assert_consistent([], relation='OURS', subjects=['a', 'b'])\n",
    )
    project.run("test_it.py", *agent).assert_outcomes(passed=1)


def test_a_test_that_never_looks_at_its_case_is_an_error(project: Project, walk: Path) -> None:
    project.write("tests/test_it.py", CHECK.replace("metaspace_case.check()", "pass"))
    result = project.run("tests", TRUTH)
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*metaspace_case was never looked at*"])


def test_a_mark_without_the_fixture_is_wrong_use(project: Project, walk: Path) -> None:
    body = "import pytest\n@pytest.mark.metaspace(sc='SC1-a')\ndef test_it(): pass\n"
    project.write("tests/test_it.py", body)
    result = project.run("tests", TRUTH)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*test_it*does not ask for the fixture metaspace_case*"])


def test_a_mark_that_selects_nothing_says_so(project: Project, walk: Path) -> None:
    project.write("tests/test_it.py", CHECK.replace("MR2", "MR6"))
    result = project.run("tests", TRUTH, "-rs")
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(["*the mark and the options select no case*"])
