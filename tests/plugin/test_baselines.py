"""A baseline gate fails when the agent got worse, and says when it cannot tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PIL import Image

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from tests.plugin.conftest import Project

PAIRS = ("runs", "--metaspace-sc=SC1-a", "--metaspace-mr=MR2")
SAVE = "--metaspace-save-baseline=base.txt"
GATE = "--metaspace-baseline=base.txt"


def agent(project: Project, *, wrong: Iterable[int] = (), more: str = "pass") -> str:
    """Write an agent that knows which way is back, except in some walks."""
    return project.brain(
        "import re\n"
        f"{more}\n"
        f"if images[0].parent.parent.name in {[f'w{number:02d}' for number in wrong]}:\n"
        "    return 'right'\n"
        "there, back = map(int, re.search(r'frame (\\d) was taken to the place of frame (\\d)', prompt).groups())\n"
        "return 'right' if there < back else 'left'"
    )


def walks(project: Project, count: int) -> None:
    """Write walks with pictures of their own, so that their questions are not the same ones."""
    for number in range(count):
        main = project.walk(f"runs/w{number:02d}", id=f"w{number:02d}")
        for frame, path in enumerate(sorted((main.parent / "frames").iterdir())):
            Image.new("RGB", (64, 48), (frame, number, 7)).save(path)


def rows(project: Project) -> list[str]:
    """Return the rows of the baseline: letter, trajectory and pair."""
    text = (project.path / "base.txt").read_text()
    found = [line for line in text.splitlines() if line[:2] in ("S ", "V ", "I ", "N ")]
    return [f"{line[:5]} {line.split('::')[3][:9]}" for line in found]


def test_an_agent_as_good_as_before_passes(project: Project) -> None:
    walks(project, 10)
    assert project.run(agent(project), *PAIRS, SAVE).ret == 0
    result = project.run(agent(project), *PAIRS, GATE)
    assert result.ret == 0
    result.stdout.fnmatch_lines(
        [
            "*= metaspace: against the baseline base.txt =*",
            "SC1-a * 30 * 10 * 1.000 * 1.000 * 0.000 * 1.000 * 0 * 0 * no change",
            "cases: 0 newly violated, 0 newly satisfied",
            "gate passed: baseline: no capability fell by 0.01 or more",
        ]
    )


@pytest.mark.parametrize("workers", [False, True])
def test_an_agent_that_got_worse_fails_with_the_derivations_that_matter(
    project: Project, *, workers: bool
) -> None:
    """A walk that was wrong before is not among them."""
    walks(project, 10)
    project.run(agent(project, wrong=[9]), *PAIRS, SAVE)
    run = project.run_workers if workers else project.run
    result = run(agent(project, wrong=range(10)), *PAIRS, GATE)
    assert result.ret == 1
    assert result.parseoutcomes() == {"violated": 30}
    result.stdout.fnmatch_lines(
        [
            "MR2 violated: w00::SC1-a::MR2::s000-s001-*",
            "27 cases newly violated or invalid since the baseline; -v tells more of 30 violations *",
            "SC1-a * 30 * 10 * 0.900 * 0.000 * -0.900 * 0.002 * 27 * 0 * WORSE",
            "note: the agent's identity was 'python:brain:answer@*' and is 'python:brain:answer@*'",
            "cases: 27 newly violated, 0 newly satisfied",
            "  newly violated: w08::SC1-a::MR2::s000-s001-*",
            "  newly violated: w00::SC1-a::MR2::s001-s002-*",
            "  and 17 more (-v lists them)",
            "GATE FAILED: baseline: SC1-a fell from 0.900 to 0.000 (10 trajectories, p = 0.002), more *",
            "*! metaspace gate: baseline: SC1-a fell from 0.900 to 0.000 *",
        ]
    )
    shown = [line for line in result.outlines if line.startswith("MR2 violated: ")]
    assert [line[14:17] for line in shown] == ["w00", "w01", "w02"]


def test_what_one_walk_in_many_lost_may_be_chance(project: Project) -> None:
    walks(project, 10)
    project.run(agent(project), *PAIRS, SAVE)
    result = project.run(agent(project, wrong=[3]), *PAIRS, GATE)
    assert result.ret == 0
    result.stdout.fnmatch_lines(
        [
            "SC1-a * -0.100 * 0.500 * 3 * 0 * may be chance",
            (
                "gate passed: baseline: SC1-a fell from 1.000 to 0.900 (10 trajectories, p = 0.500), as "
                "chance alone often brings about (a fall of 0.249 would mostly have been noticed)"
            ),
        ]
    )


def test_a_small_fall_is_none_where_the_user_says_so(project: Project) -> None:
    walks(project, 10)
    project.run(agent(project), *PAIRS, SAVE)
    result = project.run(agent(project, wrong=range(10)), *PAIRS, GATE, "--metaspace-min-drop=1")
    assert result.ret == 1
    result = project.run(agent(project, wrong=range(9)), *PAIRS, GATE, "--metaspace-min-drop=1")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["SC1-a * -0.900 * no change", "gate passed: *"])


@pytest.mark.parametrize(("policy", "status"), [("fail", 1), ("pass", 0)])
def test_with_few_trajectories_it_cannot_decide_and_the_user_says_what_then(
    project: Project, policy: str, status: int
) -> None:
    walks(project, 3)
    project.run(agent(project), *PAIRS, SAVE)
    worse = agent(project, wrong=[0])
    result = project.run(worse, *PAIRS, GATE, f"--metaspace-baseline-undecided={policy}")
    assert result.ret == status
    decided = "GATE UNDECIDED" if status else "gate undecided"
    result.stdout.fnmatch_lines(
        [
            "SC1-a * 3 * 1.000 * 0.667 * -0.333 * n/a * 3 * 0 * too few to tell",
            "cases: 3 newly violated, 0 newly satisfied",
            "  newly violated: w00::SC1-a::MR2::s000-s001-*",
            (
                f"{decided}: baseline: cannot decide: SC1-a fell from 1.000 to 0.667 (3 trajectories), "
                "which may be chance; 19 trajectories or so would tell (*pass* under --metaspace-baseline-undecided=fail)"
            ),
        ]
    )


def test_few_trajectories_that_did_not_fall_pass(project: Project) -> None:
    walks(project, 3)
    project.run(agent(project, wrong=[0, 1]), *PAIRS, SAVE)
    assert project.run(agent(project, wrong=[0]), *PAIRS, GATE).ret == 0


def test_a_missing_baseline_is_a_notice_or_strictly_an_error(project: Project) -> None:
    walks(project, 1)
    result = project.run(agent(project), *PAIRS, GATE)
    assert result.ret == 0
    result.stdout.fnmatch_lines(
        [
            (
                "metaspace: no baseline to compare with: there is no file base.txt. Save it with "
                "--metaspace-save-baseline=base.txt, and commit it."
            )
        ]
    )
    strict = project.run(agent(project), *PAIRS, GATE, "--metaspace-baseline-strict")
    assert strict.ret == 4
    strict.stderr.fnmatch_lines(
        ["*there is no baseline base.txt, and --metaspace-baseline-strict *"]
    )
    first = project.run(agent(project), *PAIRS, GATE, SAVE, "--metaspace-baseline-strict")
    assert first.ret == 0
    first.stdout.no_fnmatch_line("*no baseline to compare with*")


@pytest.mark.parametrize("workers", [False, True])
def test_a_baseline_of_another_kind_of_run_is_refused_before_anyone_is_asked(
    project: Project, *, workers: bool
) -> None:
    walks(project, 1)
    project.run(agent(project), *PAIRS, SAVE)
    curious = agent(project, more="open('asked.txt', 'w').close()")
    run = project.run_workers if workers else project.run
    result = run(curious, *PAIRS, GATE, "--metaspace-semantics=paper", "--metaspace-delta=0.1")
    assert result.ret == 4
    told = str(result.stderr) + str(result.stdout)
    assert "base.txt is the baseline of another kind of run" in told
    assert "delta 0.05, now 0.1. To compare all the same add" in told
    assert not (project.path / "asked.txt").exists()
    across = "--metaspace-baseline-across=semantics"
    assert project.run(curious, *PAIRS, GATE, "--metaspace-semantics=paper", across).ret == 0


def test_another_agent_is_named_and_compared_only_when_that_is_wanted(project: Project) -> None:
    walks(project, 1)
    project.run(agent(project), *PAIRS, SAVE)
    refused = project.run("--metaspace-agent=truth", *PAIRS, GATE)
    assert refused.ret == 4
    refused.stderr.fnmatch_lines(["*agent 'python:brain:answer', now 'truth'. To compare all *"])
    wanted = project.run(
        "--metaspace-agent=truth", *PAIRS, GATE, "--metaspace-baseline-across=agent"
    )
    assert wanted.ret == 0
    wanted.stdout.fnmatch_lines(["note: agent 'python:brain:answer', now 'truth'"])


def test_nothing_in_common_is_no_pass(project: Project) -> None:
    walks(project, 1)
    project.run("--metaspace-agent=truth", *PAIRS, SAVE)
    project.walk("other", id="other")
    result = project.run("--metaspace-agent=truth", "other", *PAIRS[1:], GATE)
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        [
            "no case was decided both in the baseline and in this run",
            "cases: 0 newly violated, 0 newly satisfied, 3 added, 3 not run or without an answer",
            "GATE FAILED: baseline has no case to compare that this run and the baseline have *",
        ]
    )


def test_an_agent_that_evades_is_not_as_good_as_before(project: Project) -> None:
    """Of what it no longer decides nothing is compared, so nothing fell."""
    project.walk("runs/w00", id="w00")
    held = ("runs", "--metaspace-sc=SC1-b,SC2-a", "--metaspace-mr=MR1,MR4")
    project.run("--metaspace-agent=truth", *held, SAVE)
    evades = (*held, "--metaspace-agent=collapsed", GATE, "--metaspace-baseline-across=agent")
    result = project.run(*evades)
    assert result.ret == 1
    told = "cannot pass with less than half of SC2-a decided (--metaspace-allow undecided)"
    result.stdout.fnmatch_lines([f"GATE FAILED: baseline: {told}"])
    assert project.run(*evades, "--metaspace-allow=undecided").ret == 0


def test_a_part_of_the_relations_deletes_no_row_of_an_anchored_one(project: Project) -> None:
    """An anchored relation is held to the questions of the others that are chosen."""
    project.walk("runs/w00", id="w00")
    held = ("runs", "--metaspace-agent=truth", "--metaspace-anchors=A3", SAVE)
    project.run(*held, "--metaspace-sc=SC1-a,SC1-b,SC2-a")
    before = (project.path / "base.txt").read_text().count("::A3::")
    result = project.run(*held, "--metaspace-mr=MR3", "--metaspace-sc=SC1-a,SC1-b,SC2-a")
    result.stdout.no_fnmatch_line("*that exist no more*")
    assert (project.path / "base.txt").read_text().count("::A3::") == before > 0


def test_cases_without_an_answer_let_no_gate_pass(project: Project) -> None:
    walks(project, 2)
    project.run(agent(project), *PAIRS, SAVE)
    broken = agent(project, more="if 'w01' in str(images[0]): raise OSError('off')")
    result = project.run(broken, *PAIRS, GATE)
    result.stdout.fnmatch_lines(
        ["GATE FAILED: baseline: cannot pass a run with 3 errors (--metaspace-allow errors)"]
    )
    allowed = project.run(broken, *PAIRS, GATE, "--metaspace-allow=errors")
    allowed.stdout.fnmatch_lines(["gate passed: baseline: no capability fell by 0.01 or more"])


@pytest.mark.parametrize(
    ("part", "told", "allow"),
    [
        (("-k", "w00"), "cannot pass on a part: 3 cases of it did not run", "deselected"),
        (("--metaspace-sample=0.5",), "cannot pass on a sample of 0.5 of the cases", "sampled"),
    ],
)
def test_a_part_of_the_cases_lets_no_gate_pass(
    project: Project, part: tuple[str, ...], told: str, allow: str
) -> None:
    walks(project, 2)
    project.run(agent(project), *PAIRS, SAVE)
    refused = project.run(agent(project), *PAIRS, GATE, *part)
    assert refused.ret == 1
    refused.stdout.fnmatch_lines([f"GATE FAILED: baseline: {told}*"])
    assert project.run(agent(project), *PAIRS, GATE, *part, f"--metaspace-allow={allow}").ret == 0


@pytest.mark.parametrize("line", ["S walk", "<<<<<<< HEAD"])
def test_a_damaged_baseline_is_one_error(project: Project, line: str) -> None:
    walks(project, 1)
    project.run("--metaspace-agent=truth", *PAIRS, SAVE)
    with (project.path / "base.txt").open("a") as file:
        file.write(f"{line}\n")
    for option in (GATE, SAVE):
        result = project.run("--metaspace-agent=truth", *PAIRS, option)
        assert result.ret == 4
        result.stderr.fnmatch_lines(["ERROR: base.txt:2?: *"])


def test_a_file_that_is_no_baseline_is_never_overwritten(project: Project) -> None:
    walks(project, 1)
    project.write("base.txt", "my notes\n")
    result = project.run(agent(project), *PAIRS, SAVE)
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*--metaspace-save-baseline base.txt: is there and is no file *"])
    assert (project.path / "base.txt").read_text() == "my notes\n"


# --------------------------------------------------------------------- runs that are not whole


def test_runs_that_are_not_whole_change_only_their_own_rows(project: Project) -> None:
    walks(project, 2)
    project.run(agent(project), *PAIRS, SAVE)
    worse = agent(project, wrong=[0, 1])
    result = project.run(worse, *PAIRS, SAVE, "-k", "w00 and s000")
    result.stdout.fnmatch_lines(
        ["metaspace: saved 1 case to base.txt; 5 cases that did not run stay as they were"]
    )
    result.stdout.fnmatch_lines(["metaspace: saved *"])
    before = rows(project)
    assert [row[0] for row in before] == [*"VSSSSS"]
    project.run(worse, *PAIRS, SAVE, "--metaspace-sample=0.4")
    assert len(rows(project)) == 6
    project.run(agent(project, wrong=[1]), "runs/w00", *PAIRS[1:], SAVE)
    assert len(rows(project)) == 6
    project.run(agent(project), *PAIRS, SAVE, "--metaspace-mr=MR1")
    assert len([row for row in rows(project) if "s00" in row]) >= 6


def test_a_run_that_stops_early_keeps_the_rows_it_did_not_come_to(project: Project) -> None:
    walks(project, 2)
    project.run(agent(project), *PAIRS, SAVE)
    result = project.run(
        agent(project, wrong=[0, 1]), *PAIRS, SAVE, "-x", "--metaspace-lookahead=1"
    )
    assert result.ret == 1
    assert [row[0] for row in rows(project)] == ["V", *"SSSSS"]


def test_rows_of_cases_without_an_answer_stay(project: Project) -> None:
    walks(project, 2)
    project.run(agent(project), *PAIRS, SAVE)
    broken = agent(project, wrong=[0], more="if 'w01' in str(images[0]): raise OSError('off')")
    result = project.run(broken, *PAIRS, SAVE)
    result.stdout.fnmatch_lines(
        ["*saved 3 cases to base.txt; 3 cases that *; 3 cases without an *"]
    )
    assert [row[0] for row in rows(project)] == [*"VVVSSS"]


def test_ctrl_c_deletes_no_row(project: Project) -> None:
    walks(project, 2)
    project.run(agent(project), *PAIRS, SAVE)
    before = rows(project)
    slow = agent(
        project, wrong=[0], more="import time; open('asked', 'w').close(); time.sleep(0.3)"
    )
    asked = project.path / "asked"
    status, _ = project.interrupt(
        asked.exists, slow, *PAIRS, SAVE, GATE, "-x", "--metaspace-lookahead=1"
    )
    assert status == 2
    assert len(rows(project)) == len(before)


def test_rows_go_with_the_cases_that_are_none_any_more(project: Project) -> None:
    from tests.plugin.made import THINGS, Walk

    selected = ("runs", "--metaspace-sc=SC2-a", "--metaspace-mr=MR2")
    project.walk("runs/w00", id="w00")
    project.run("--metaspace-agent=truth", *selected, SAVE)
    before = len(rows(project))
    import shutil

    shutil.rmtree(project.path / "runs")
    Walk(id="w00", things=THINGS[:2]).write(project.path / "runs/w00")
    result = project.run("--metaspace-agent=truth", *selected, GATE, SAVE, "-k", "f000")
    result.stdout.fnmatch_lines(["cases: *removed*", "*that exist no more are gone*"])
    assert len(rows(project)) < before


def test_a_baseline_of_another_agent_is_not_mixed_with_this_ones(project: Project) -> None:
    walks(project, 2)
    project.run(agent(project), *PAIRS, SAVE)
    before = (project.path / "base.txt").read_text()
    result = project.run("--metaspace-agent=truth", "runs/w00", *PAIRS[1:], SAVE)
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        ["*base.txt was not changed: it holds 3 cases that this run has not, and they are of *"]
    )
    assert (project.path / "base.txt").read_text() == before
    assert project.run("--metaspace-agent=truth", *PAIRS, SAVE).ret == 0


def test_a_baseline_of_the_ini_file_can_be_switched_off(project: Project) -> None:
    walks(project, 1)
    brain = agent(project)
    project.write("pytest.ini", "[pytest]\npythonpath = .\nmetaspace_baseline = base.txt\n")
    result = project.run(brain, *PAIRS)
    result.stdout.fnmatch_lines(["metaspace: no baseline to compare with: *"])
    off = project.run(brain, *PAIRS, "--metaspace-baseline=off")
    off.stdout.no_fnmatch_line("* baseline *")
    assert project.run(brain, *PAIRS, "--metaspace-baseline=").ret == 4


def test_without_baseline_options_nothing_is_said_of_baselines(
    project: Project, walk: Path
) -> None:
    result = project.run("--metaspace-agent=truth", *PAIRS)
    result.stdout.no_fnmatch_line("* baseline *")
