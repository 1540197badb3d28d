"""The command ``metaspace``: plan, judge, doctor, sample; wrong use is status 4."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_metaspace import cli, doctor, samples
from tests.oracle.engines import needs_native

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.plugin.conftest import Project

COMMAND = (sys.executable, "-m", "pytest_metaspace")
RIGHT, LEFT = (
    {
        "case": name,
        "relation": "MR2",
        "subjects": ["a", "b"],
        "observations": [
            {"kind": "direction", "from": "a", "to": "b", "planar": "left"},
            {"kind": "direction", "from": "b", "to": "a", "planar": back},
        ],
    }
    for name, back in (("right", "right"), ("left", "left"))
)


def judged(
    *lines: str | Mapping[str, object], options: tuple[str, ...] = ()
) -> tuple[int, list[object]]:
    """Put lines to ``metaspace judge``; return its status and what it says."""
    text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    done = subprocess.run(
        [*COMMAND, "judge", *options],
        input=text.encode(),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.stderr == b""
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def test_plan_counts_cases_and_questions(walk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["plan", str(walk.parent)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split("  ")[0] == "capability"
    (total,) = [line.split() for line in lines if line.startswith("total")]
    assert total == ["total", "214", "549", "208", "2.64"]
    assert "208 distinct questions instead of 549 calls; nobody was asked" in lines
    assert len([line for line in lines if line.startswith("SC")]) == 8
    assert len([line for line in lines if " MR" in line]) == 20


def test_plan_selects_as_pytest_does(walk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["plan", str(walk), "--sc=SC1-a,SC1-b", "--mr=MR1,MR2"]) == 0
    out = capsys.readouterr().out
    assert "14 distinct questions instead of 18 calls" in out
    words = [line.split() for line in out.splitlines()[2:5]]
    assert [line[:2] for line in words] == [["SC1-a", "5"], ["MR1", "2"], ["MR2", "3"]]
    assert out.splitlines()[5].split()[:2] == ["SC1-b", "MR2"]


def test_plan_of_nothing_left_says_zero(walk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["plan", str(walk), "--sample=0"]) == 0
    assert "0 distinct questions instead of 0 calls" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["plan", "nowhere"], "there is no file or folder 'nowhere'"),
        (["plan", "."], "holds no trajectory"),
        (["plan", "runs", "--sc=SC9"], "capability 'SC9' is not known"),
        (["plan", "runs", "--mr=MR22"], "Did you mean 'MR2'"),
        (["plan", "runs", "--sample=2"], "argument --sample: 2: expected a number from 0 to 1"),
        (
            ["plan", "runs", "--confidence=9"],
            "argument --confidence: 9: expected a number from 0 to 1",
        ),
        (["plan"], "the following arguments are required: PATH"),
        (["check", ""], "argument PATH: the path is empty; write . for this folder"),
        (["check", ".", "--tracker="], "--tracker/--metaspace-tracker: it is empty; is a variable"),
        (["plan", ".", "--sc", ","], "--sc/--metaspace-sc: it is empty; is a variable not set?"),
        (["check", ".", "--retrack"], "--metaspace-retrack has no tracker to find objects with"),
        (["plan", ".", "--anchors=A2,none"], "A2 and none contradict each other"),
        (["plan", ".", "--anchors="], "it is empty; is a variable not set?"),
        (["mutants", ".", "--faults", ""], "--faults: it is empty; is a variable not set?"),
        (["robustness", ".", "--jitter", ""], "--jitter: it is empty; is a variable not set?"),
        (["answers", "forget", "--agent", ""], "--agent: it is empty; is a variable not set?"),
        (["answers", "list", "--cache-dir="], "the path is empty"),
        (["sample", ""], "argument FOLDER: the path is empty"),
        (["pla"], "invalid choice: 'pla'"),
        ([], "the following arguments are required: COMMAND"),
        (["judge", "--engine=odd"], "invalid choice: 'odd'"),
        (["judge", "--epsilon=-1"], "argument --epsilon: -1: expected a number from 0 on"),
        (["judge", "--delta=nan"], "argument --delta: nan: expected a number from 0 on"),
        (["judge", "--delta=inf"], "argument --delta: inf: expected a number from 0 on"),
        (["judge", "--delta=much"], "argument --delta: much: expected a number from 0 on"),
    ],
)
def test_wrong_use_is_status_4_and_says_what_was_expected(
    project: Project,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    expected: str,
) -> None:
    if "runs" in arguments:
        project.walk()
    try:
        status = cli.main(arguments)
    except SystemExit as left:
        status = int(left.code or 0)
    captured = capsys.readouterr()
    assert status == 4
    assert expected in captured.err
    assert captured.out == ""


def test_judge_gives_a_verdict_for_each_line_in_order() -> None:
    status, (right, left) = judged(RIGHT, LEFT)
    assert status == 0
    assert isinstance(right, dict)
    assert isinstance(left, dict)
    assert (right["case"], right["verdict"]) == ("right", "satisfied")
    assert (left["case"], left["verdict"]) == ("left", "violated")
    assert "cannot all be true" in left["derivation"]["summary"]


def test_judge_goes_on_after_what_it_cannot_judge() -> None:
    status, found = judged("no json", {"case": "odd", "relation": "MR9"}, "", LEFT)
    verdicts = [entry["verdict"] for entry in found if isinstance(entry, dict)]
    assert (status, verdicts) == (2, ["error", "error", "violated"])


@needs_native
def test_judge_says_the_same_through_either_engine() -> None:
    pyswip, swipl = (
        judged(RIGHT, LEFT, options=(f"--engine={name}",)) for name in ("pyswip", "swipl")
    )
    assert pyswip == swipl


def test_judge_of_nothing_is_nothing() -> None:
    assert judged() == (0, [])


def closed(descriptor: int, *arguments: str) -> tuple[int, str]:
    """Run the command with a standard stream closed; return its status and what it complains."""
    command = f'exec "$@" {descriptor}{"<" if descriptor == 0 else ">"}&-'
    done = subprocess.run(
        ["/bin/sh", "-c", command, "sh", *COMMAND, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stderr.decode()


@pytest.mark.parametrize("arguments", [["judge"], ["doctor"], ["plan", "."]])
def test_a_closed_output_is_one_line(arguments: list[str]) -> None:
    told = "metaspace: the output cannot be written (it is closed).\n"
    assert closed(1, *arguments) == (3, told)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
@pytest.mark.parametrize("arguments", [["doctor"], ["mutants", "--list"]])
def test_an_output_that_cannot_be_written_is_no_verdict(
    arguments: list[str],
) -> None:
    """Status 1 says that a capability fell, or that something is wrong."""
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMMAND, *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
        )
    assert done.returncode == 3
    assert done.stderr.decode().startswith("metaspace: the output cannot be written (No space")


def test_judge_of_a_closed_input_says_what_to_type() -> None:
    status, told = closed(0, "judge")
    assert status == 4
    assert told.endswith("Type: metaspace judge < cases.jsonl\n")
    assert told.count("\n") == 1


def test_the_help_of_judge_tells_its_exit_status(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["judge", "--help"])
    assert "0, also when there are violations; 2 when a line was in" in capsys.readouterr().out


def test_a_reader_that_has_gone_makes_no_noise() -> None:
    """``metaspace judge | head -1`` ends quietly."""
    lines = (json.dumps(LEFT) + "\n").encode() * 2000
    with subprocess.Popen(
        [*COMMAND, "judge"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        try:
            process.stdin.write(lines)
            process.stdin.close()
        except BrokenPipeError:
            pass
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == 0


@needs_native
def test_doctor_says_what_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["doctor"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("pytest-metaspace ")
    assert any(line.startswith("engine swipl: runs (") for line in lines)
    assert "--metaspace-engine=auto uses pyswip" in lines


def test_doctor_without_swi_prolog_says_what_to_type(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """pyswip finds its library through ``swipl`` on PATH; without that, neither engine runs."""
    monkeypatch.setenv("PATH", str(project.path))
    for name in ("SWI_HOME_DIR", "LIBSWIPL_PATH", "LD_LIBRARY_PATH"):
        monkeypatch.delenv(name, raising=False)
    done = subprocess.run(
        [*COMMAND, "doctor"], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0
    assert "engine swipl: does not run. " in done.stdout
    assert "swipl is not on PATH" in done.stdout
    assert "apt-get install --no-install-recommends swi-prolog-nox" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_doctor_says_what_to_type_about_a_missing_extra(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from importlib import util

    monkeypatch.setattr(util, "find_spec", lambda _: None)
    monkeypatch.setattr(doctor, "_engines", lambda: iter(["engine swipl: runs"]))
    assert cli.main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert "extra vision: missing, for the agent geometric. Type: pip install" in out
    assert "'pytest-metaspace[vision]'" in out
    extras = set(metadata.metadata("pytest-metaspace").get_all("Provides-Extra") or ()) - {"all"}
    assert extras <= {line.split()[1].rstrip(":") for line in out.splitlines() if "extra" in line}


def test_sample_is_a_trajectory_on_which_truth_is_right(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = project.path / "trial"
    assert cli.main(["sample", str(folder)]) == 0
    made = folder / samples.NAME
    assert capsys.readouterr().out == (
        f"{made} is ready. Try: pytest --metaspace-agent=truth {made}\n"
    )
    result = project.run("--metaspace-agent=truth", "trial", "--metaspace-sc=SC1-a,SC3-b")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["total * 100 % * 1.000"])


def test_sample_overwrites_nothing(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    (project.path / "trial" / samples.NAME).mkdir(parents=True)
    assert cli.main(["sample", str(project.path / "trial")]) == 4
    assert "exists already. Name another folder, or delete it." in capsys.readouterr().err
    assert not list((project.path / "trial" / samples.NAME).iterdir())


def test_sample_into_a_folder_that_cannot_be_made_says_so(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.write("taken", "a file")
    assert cli.main(["sample", str(project.path / "taken")]) == 4
    assert "cannot be written" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["plan", "--help"]])
def test_help_and_version_import_nothing_heavy(arguments: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "pytest_metaspace", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "pytest_metaspace.cli" in imported
    assert not imported & {"pytest", "numpy", "pydantic", "diskcache", "tabulate", "PIL", "cv2"}
    assert done.stdout
