"""Shards put together are the run that was not parted, byte for byte."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace import cli
from pytest_metaspace.domain import Shard
from tests.plugin.made import MOODY

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plugin.conftest import Project

CASES = ("runs", "--metaspace-sc=SC1-a,SC1-b", "--metaspace-mr=MR1,MR2")
GATES = ("--metaspace-fail-under=0.2", "--metaspace-max-invalid=1%")


def save(name: str) -> str:
    return f"--metaspace-save-run={name}"


@pytest.fixture
def merge(capsys: pytest.CaptureFixture[str]) -> Any:
    """Type ``metaspace merge ...``; return status, output and complaints."""

    def typed(*words: str) -> tuple[int, str, str]:
        status = cli.main(["merge", *words])
        said = capsys.readouterr()
        return status, said.out, said.err

    return typed


@pytest.fixture
def parted(project: Project, walk: Path) -> list[str]:
    """A run in three shards, and the same in one; the names of the shards' files."""
    agent = project.brain(MOODY)
    project.run(agent, *CASES, *GATES, save("one.jsonl"), "--metaspace-answers=refresh")
    for index in (1, 2, 3):
        shard = f"--metaspace-shard={index}/3"
        project.run(agent, *CASES, *GATES, shard, save(f"s{index}.jsonl"))
    return [f"s{index}.jsonl" for index in (1, 2, 3)]


def test_merged_shards_are_the_single_run_byte_for_byte(
    project: Project, parted: list[str], merge: Any
) -> None:
    """In JSON, and in the tables that the run itself has printed."""
    status, told, _ = merge(*reversed(parted), "-o", "merged.jsonl")
    assert (project.path / "merged.jsonl").read_bytes() == (project.path / "one.jsonl").read_bytes()
    alone = merge("one.jsonl", "-o", "again.jsonl")
    assert alone[:2] == (status, told.replace("merged.jsonl", "again.jsonl"))
    own = project.run(project.brain(MOODY), *CASES, *GATES)
    assert own.ret == status == 1
    tables = told.splitlines()[2:-1]
    assert len(tables) > 6
    (other,) = [line for line in tables if line not in own.outlines]
    assert other.endswith(" distinct questions in 1 trajectory")


def test_each_shard_runs_its_own_cases_and_no_gate(project: Project, walk: Path) -> None:
    agent = project.brain(MOODY)
    result = project.run(agent, *CASES, *GATES, "--metaspace-shard=2/3", save("s.jsonl"))
    assert result.ret == 0
    result.stdout.no_fnmatch_line("*gate passed*")
    result.stdout.no_fnmatch_line("*GATE*")
    result.stdout.fnmatch_lines(
        [
            "metaspace: these are the cases of shard 2/3 alone, on which no gate decides; *",
            "metaspace: saved shard 2/3 to s.jsonl",
        ]
    )


def test_gates_on_a_shard_that_is_kept_nowhere_are_refused(project: Project, walk: Path) -> None:
    shard = ("--metaspace-agent=truth", *CASES, *GATES, "--metaspace-shard=1/2")
    for kept in ((), ("--metaspace-report=junit:s.xml",)):
        result = project.run(*shard, *kept)
        assert result.ret == 4
        result.stderr.fnmatch_lines(
            [
                (
                    "*no gate can decide on shard 1/2 alone. Add --metaspace-save-run=FILE or "
                    "--metaspace-report=json:FILE; *"
                )
            ]
        )


@pytest.mark.parametrize("workers", [False, True])
def test_an_empty_shard_succeeds(
    project: Project, walk: Path, merge: Any, *, workers: bool
) -> None:
    """With two cases in 40 shards most are empty."""
    few = ("runs", "--metaspace-sc=SC1-a", "--metaspace-mr=MR1")
    run = project.run_workers if workers else project.run
    result = run("--metaspace-agent=truth", *few, "--metaspace-shard=1/40", save("s.jsonl"))
    assert result.ret == 0
    assert '"shard":[1,40]' in (project.path / "s.jsonl").read_text()
    beside = project.run("--metaspace-agent=truth", "--metaspace-shard=1/40")
    assert beside.ret in (0, 5)


def test_workers_write_the_run_file_that_one_process_writes(project: Project, walk: Path) -> None:
    agent = project.brain(MOODY)
    project.run(agent, *CASES, save("one.jsonl"))
    project.run_workers(agent, *CASES, save("two.jsonl"))
    assert (project.path / "one.jsonl").read_bytes() == (project.path / "two.jsonl").read_bytes()


def test_repeats_and_what_did_not_run_are_merged_too(
    project: Project, walk: Path, merge: Any
) -> None:
    flaky = project.brain(
        "import itertools\n"
        "answer.calls = getattr(answer, 'calls', 0) + 1\n"
        "if 'whole number' in prompt:\n    return str(len(prompt) % 7)\n"
        "return ('left', 'right')[len(prompt) % 2]"
    )
    options = (*CASES, "--metaspace-samples=3", "-k", "not s000", "--metaspace-fail-under=0.1")
    project.run(flaky, *options, save("one.jsonl"))
    for index in (1, 2):
        project.run(flaky, *options, f"--metaspace-shard={index}/2", save(f"s{index}.jsonl"))
    status, told, _ = merge("s1.jsonl", "s2.jsonl", "-o", "merged.jsonl")
    assert (project.path / "merged.jsonl").read_bytes() == (project.path / "one.jsonl").read_bytes()
    assert "disagrees" in told
    assert "cannot pass on a part" in told
    assert status == 1


def test_a_baseline_and_a_quarantine_decide_over_the_merged_run(
    project: Project, walk: Path, merge: Any
) -> None:
    agent = project.brain(MOODY)
    project.write(
        "known.toml",
        '[[quarantine]]\ncase = "*"\nreason = "r"\nowner = "o"\nexpires = 2999-01-01\n',
    )
    project.run(agent, *CASES, "--metaspace-save-baseline=base.txt")
    held = (
        "--metaspace-baseline=base.txt",
        "--metaspace-quarantine=known.toml",
        "--metaspace-allow=undecided",
    )
    own = project.run(agent, *CASES, *held, save("one.jsonl"))
    for index in (1, 2):
        project.run(agent, *CASES, *held, f"--metaspace-shard={index}/2", save(f"s{index}.jsonl"))
    status, told, _ = merge("s1.jsonl", "s2.jsonl", "--save-baseline", "other.txt")
    assert (status, own.ret) == (0, 0)
    for line in (
        "gate passed: baseline: no capability fell by 0.01 or more",
        "known violations, by known.toml",
    ):
        assert any(line in one for one in told.splitlines())
        own.stdout.fnmatch_lines([f"*{line}*"])
    assert (project.path / "other.txt").read_text() == (project.path / "base.txt").read_text()


def test_a_baseline_that_is_missing_where_shards_are_merged_is_strictly_an_error(
    project: Project, walk: Path, merge: Any
) -> None:
    """As it is for one run; the shards had it, and the machine that merges has not."""
    few = ("--metaspace-agent=truth", "runs", "--metaspace-sc=SC1-a", "--metaspace-mr=MR2")
    project.run(*few, "--metaspace-save-baseline=base.txt")
    held = ("--metaspace-baseline=base.txt", "--metaspace-baseline-strict")
    project.run(*few, *held, save("one.jsonl"))
    assert merge("one.jsonl")[0] == 0
    (project.path / "base.txt").unlink()
    status, _, err = merge("one.jsonl")
    assert status == 4
    assert "there is no baseline base.txt, and --metaspace-baseline-strict asks for one" in err


def test_shards_that_do_not_belong_together_are_refused(
    project: Project, parted: list[str], merge: Any
) -> None:
    agent = project.brain(MOODY)
    assert merge(*parted[:2])[2].startswith("metaspace: of 3 shards these are missing: 3/3.")
    assert "shard 1/3 is there twice" in merge(parted[0], *parted)[2]
    project.run(agent, *CASES, *GATES, "--metaspace-shard=1/2", save("half.jsonl"))
    assert "one is of 3 shards, the other of 2" in merge(*parted, "half.jsonl")[2]
    project.run(agent, "runs", "--metaspace-sc=SC1-a", "--metaspace-shard=3/3", save("other.jsonl"))
    status, _, err = merge(*parted[:2], "other.jsonl")
    assert status == 4
    assert "are of different runs: capabilities is" in err


def test_a_run_that_was_stopped_is_no_whole_run(project: Project, walk: Path, merge: Any) -> None:
    agent = project.brain("return 'right'")
    project.run(agent, *CASES, "-x", "--metaspace-lookahead=1", save("s.jsonl"))
    status, told, _ = merge("s.jsonl")
    assert status == 1
    assert "STOPPED EARLY: " in told


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "this is no line of a run file"),
        ("[1]", "expected an object"),
        ('{"case":"a::b::c::d","outcome":"fine"}', "this is no outcome"),
        ('{"case":"a","outcome":"satisfied"}', "expected the address of a case"),
        ('{"question":3,"capability":"SC1-a"}', "question has to be a text"),
    ],
)
def test_a_damaged_run_file_is_one_error_with_file_and_line(
    project: Project, walk: Path, merge: Any, line: str, told: str
) -> None:
    project.run("--metaspace-agent=truth", *CASES, "-k", "none", save("s.jsonl"))
    path = project.path / "s.jsonl"
    *before, last = path.read_text().splitlines()
    path.write_text("\n".join([*before, line, last]) + "\n")
    assert merge("s.jsonl")[2].startswith(f"s.jsonl:{len(before) + 1}: {told}")


def test_a_run_file_that_was_cut_decides_nothing(project: Project, walk: Path, merge: Any) -> None:
    project.run("--metaspace-agent=truth", *CASES, save("s.jsonl"))
    path = project.path / "s.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    for kept, told in (
        (lines[:1], "lacks its last line, 0 are there"),
        (lines[:-1], f"lacks its last line, {len(lines) - 2} are there"),
        (lines[:2] + lines[3:], f"lacks lines: {len(lines) - 2} were written"),
        ([*lines, lines[1]], "a line after the last one"),
    ):
        path.write_text("".join(kept))
        status, _, problem = merge("s.jsonl")
        assert status == 4
        assert told in problem


@pytest.mark.parametrize("option", ["--output", "--save-baseline"])
def test_what_is_merged_is_not_written_over(
    project: Project, walk: Path, merge: Any, option: str
) -> None:
    project.run("--metaspace-agent=truth", *CASES, save("s.jsonl"))
    before = (project.path / "s.jsonl").read_bytes()
    status, _, problem = merge("s.jsonl", option, "./s.jsonl")
    assert status == 4
    assert "is one of the shards" in problem
    assert (project.path / "s.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"version":1', '"version":2', "the run file has version 2"),
        ('"stopped":false', '"stopped":"perhaps"', "field stopped: "),
        ('"semantics":"sound"', '"semantics":"loud"', "semantics has to be one of sound, paper"),
        ('"format":"metaspace-run"', '"format":"other"', "this is no run file"),
    ],
)
def test_a_header_that_is_none_is_told(
    project: Project, walk: Path, merge: Any, old: str, new: str, told: str
) -> None:
    project.run("--metaspace-agent=truth", *CASES, "-k", "none", save("s.jsonl"))
    path = project.path / "s.jsonl"
    path.write_text(path.read_text().replace(old, new))
    assert merge("s.jsonl")[2].startswith(f"s.jsonl:1: {told}")


def test_a_run_file_that_is_missing_is_saved_by_a_run(tmp_path: Path, merge: Any) -> None:
    status, _, complaint = merge(str(tmp_path / "gone.jsonl"))
    assert status == 4
    assert "pytest --metaspace-agent=NAME --metaspace-save-run=" in complaint


def test_every_case_is_in_exactly_one_shard() -> None:
    addresses = [f"walk::SC1-a::MR1::s{number:03d}" for number in range(500)]
    shards = [Shard(index, 4) for index in (1, 2, 3, 4)]
    counts = [sum(shard.has(address) for address in addresses) for shard in shards]
    assert sum(counts) == 500
    assert all(sum(shard.has(address) for shard in shards) == 1 for address in addresses)
    assert min(counts) > 90


@pytest.mark.parametrize("text", ["0/3", "4/3", "1", "a/b", "1/0", "-1/3", "1/2/3", "\u0661/3"])
def test_what_is_no_shard_is_refused(project: Project, walk: Path, text: str) -> None:
    result = project.run("--metaspace-agent=truth", *CASES, f"--metaspace-shard={text}")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*--metaspace-shard *: expected I/N with I from 1 to N, *"])
