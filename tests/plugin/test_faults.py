"""Whatever a law or the world does to an engine, on each host: a run never looks better for it."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.oracle.engines import ENGINES, needs_wasm
from tests.oracle.test_child import alive

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.plugin.conftest import Project

    Faulty = Callable[[str, str], Project]

EACH_ENGINE = pytest.mark.parametrize("engine", ENGINES)
PATIENCE_S = 60
#  Everything that makes a run milder, at once.
MILD = (
    "--metaspace-agent=truth",
    "--metaspace-mr=FAULT",
    "--metaspace-violations=report",
    "--metaspace-allow=errors",
    "--metaspace-fail-under=0.1",
)
RELATION = """
from pathlib import Path
from pytest_metaspace.domain import Capability
from pytest_metaspace.mrs import Relation

def instances(grounds, capability):
    first = {pair: place for place, pair in reversed(list(grounds.pairs(capability)))}
    for (a, b), place in first.items():
        yield grounds.case(relation="FAULT", law="FAULT", capability=capability, tag=place.tag,
                           subjects=(a, b), queries=[place.ask(capability, a, b)])

def pytest_metaspace_register_relations(register):
    register(Relation(name="FAULT", title="what no law should do", instances=instances,
                      capabilities=(Capability.OBJECT_DISTANCE,),
                      prolog=Path(__file__).with_name("fault.pl")))
"""
LAW = """
:- module(fault, []).
:- use_module(metaspace(facts)).
:- multifile metaspace:law/3.

metaspace:law('FAULT', fault, [subjects(2)]).

violated(_) :- fail.
satisfied(well) :- subjects('lamp-1', 'table-1').
satisfied(first) :- subjects('chair-1', 'lamp-1'), FIRST.
satisfied(second) :- subjects('chair-1', 'table-1'), SECOND.
inconclusive(_) :- fail.
lacks(_) :- fail.
"""


@pytest.fixture
def faulty(project: Project) -> Faulty:
    """A case that is well, one that does one thing, and one that does another."""

    def write(first: str, second: str) -> Project:
        project.walk()
        project.write("conftest.py", RELATION)
        project.write("fault.pl", LAW.replace("FIRST", first).replace("SECOND", second))
        return project

    return write


@EACH_ENGINE
@pytest.mark.parametrize(
    ("first", "second", "reasons"),
    [
        ("between(1, inf, N), N < 0", "_ is chair + 1", ("inference limit", "chair")),
        ("length(_, 20_000_000)", "atom_length(_, _)", ("tack limit", "instantiated")),
    ],
    ids=["loops", "overflows"],
)
def test_a_run_in_which_something_was_not_judged_never_ends_with_0(
    faulty: Faulty, engine: str, first: str, second: str, reasons: tuple[str, ...]
) -> None:
    result = faulty(first, second).run(f"--metaspace-engine={engine}", "runs", *MILD)
    assert result.parseoutcomes() == {"passed": 1, "errored": 2}
    assert result.ret == 1
    for reason in reasons:
        result.stdout.fnmatch_lines([f"*{reason}*"])


@EACH_ENGINE
def test_with_workers_too(faulty: Faulty, engine: str) -> None:
    project = faulty("between(1, inf, N), N < 0", "true")
    result = project.run_workers(f"--metaspace-engine={engine}", "runs", *MILD)
    assert result.parseoutcomes() == {"passed": 2, "errored": 1}
    assert result.ret == 1


@EACH_ENGINE
def test_a_law_with_a_syntax_error_ends_the_run_with_file_and_line(
    faulty: Faulty, engine: str
) -> None:
    result = faulty("true", "foo(").run(f"--metaspace-engine={engine}", "runs", *MILD)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "fault.pl:11: error: " in result.stdout.str() + result.stderr.str()


def engines_in(folder: Path) -> list[int]:
    """Return the engines that were started from a folder."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            command = (entry / "cmdline").read_bytes()
            if (entry / "cwd").resolve() == folder and (
                b"serve.pl" in command or b"host_" in command
            ):
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def wait(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert condition()


@EACH_ENGINE
def test_ctrl_c_while_a_law_never_ends_is_reported_and_leaves_no_engine(
    faulty: Faulty, engine: str
) -> None:
    project = faulty("sleep(1000)", "true")
    status, output = project.interrupt(
        lambda: bool(engines_in(project.path)), f"--metaspace-engine={engine}", "runs", *MILD
    )
    assert (status, "!!! KeyboardInterrupt !!!" in output) == (2, True), output
    wait(lambda: not engines_in(project.path))


@EACH_ENGINE
@pytest.mark.parametrize("workers", [(), ("-p", "xdist", "-n2")], ids=["alone", "workers"])
def test_a_run_that_is_killed_leaves_no_engine(
    faulty: Faulty, engine: str, workers: tuple[str, ...]
) -> None:
    project = faulty("sleep(1000)", "true")
    options = ["-p", "metaspace", *workers, f"--metaspace-engine={engine}", "runs", *MILD]
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as left_behind,
        subprocess.Popen(
            [sys.executable, "-m", "pytest", *options],
            cwd=project.path,
            env={**os.environ, "TMPDIR": left_behind},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as run,
    ):
        seen: list[int] = []

        def starts() -> bool:
            seen.extend(engines_in(project.path))
            return bool(seen)

        wait(starts)
        run.kill()
    wait(lambda: not any(map(alive, seen)))
    wait(lambda: not engines_in(project.path))


@needs_wasm
def test_a_swipl_that_does_not_work_is_named_at_the_end_of_the_run(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.walk()
    swipl = project.write("bin/swipl", "#!/bin/sh\necho I am a teapot\n")
    swipl.chmod(0o755)
    monkeypatch.setenv("PATH", f"{swipl.parent}{os.pathsep}{os.environ['PATH']}")
    for name in ("LIBSWIPL_PATH", "SWI_HOME_DIR"):
        monkeypatch.delenv(name, raising=False)
    options = ("--metaspace-sc=SC1-a", "--metaspace-mr=MR2", "--metaspace-epsilon=0.123")
    result = project.run("--metaspace-agent=truth", "runs", *options)
    assert result.ret == 0
    result.stdout.fnmatch_lines(
        [
            "judged with the slower engine wasm, because no other one works:",
            f"pyswip: metaspace: {swipl} is no SWI-Prolog that works*'I am a teapot'.",
            f"swipl: metaspace: {swipl} is no SWI-Prolog that works*'I am a teapot'.",
        ]
    )
