"""A user's repository in a temporary folder, and pytest run in it with nothing but our plugin."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING, Any

# Imported before any inner run in this process: what an inner run imports first is dropped after
# it, and numpy cannot be imported twice.
import diskcache
import numpy as np
import PIL.Image
import pydantic
import pytest
import tabulate

import pytest_metaspace.oracle
import pytest_metaspace.session
import pytest_metaspace.trajectories.native
from pytest_metaspace import cli, pipeline
from tests.plugin.company import SELECTION, TESTS
from tests.plugin.made import MOODY, Walk
from tests.plugin.report_support import EPOCH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytest_metaspace.domain import Settings
    from pytest_metaspace.oracle import Oracle
    from pytest_metaspace.pipeline import Registries
    from tests.plugin.stored_support import Command, Said

_IMPORTED = (diskcache, np, PIL.Image, pydantic, tabulate, pytest_metaspace)
_OURS = ("-p", "metaspace")
_PATIENCE_S = 60


@dataclass
class Project:
    """A user's repository: files, and pytest run in it."""

    pytester: pytest.Pytester

    @property
    def path(self) -> Path:
        """The root folder."""
        return self.pytester.path

    def walk(self, folder: str = "runs/walk", **fields: Any) -> Path:
        """Write a tiny trajectory; return its ``trajectory.json``."""
        return Walk(**fields).write(self.path / folder)

    def write(self, name: str, text: str) -> Path:
        """Write a file of the project."""
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def brain(self, body: str, name: str = "brain") -> str:
        """Write an agent, the body of ``answer(prompt, images)``; return its full name."""
        lines = "\n".join(f"    {line}" for line in body.strip("\n").splitlines())
        self.write(f"{name}.py", f"def answer(prompt, images):\n{lines}\n")
        self.write("pytest.ini", "[pytest]\npythonpath = .\n")
        return f"--metaspace-agent=python:{name}:answer"

    def run(self, *arguments: str | Path) -> pytest.RunResult:
        """Run pytest in this process."""
        return self.pytester.runpytest_inprocess(*_OURS, *arguments)

    def run_apart(self, *arguments: str | Path) -> pytest.RunResult:
        """Run pytest in a process of its own."""
        return self.pytester.runpytest_subprocess(*_OURS, *arguments, timeout=_PATIENCE_S)

    def run_workers(self, *arguments: str | Path) -> pytest.RunResult:
        """Run pytest in this process with two workers, which are processes of their own."""
        return self.run("-p", "xdist", "-n2", *arguments)

    def interrupt(
        self,
        when: Callable[[], bool],
        *arguments: str | Path,
        by: signal.Signals = signal.SIGINT,
    ) -> tuple[int, str]:
        """Run pytest, press Ctrl-C as soon as something is true; return status and output."""
        command = [sys.executable, "-m", "pytest", *_OURS, *map(str, arguments)]
        with subprocess.Popen(
            command,
            cwd=self.path,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            # A run in the background may have been told to ignore Ctrl-C; this one listens.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
        ) as process:
            deadline = time.monotonic() + _PATIENCE_S
            while not when() and process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.02)
            process.send_signal(by)
            output, _ = process.communicate(timeout=_PATIENCE_S)
        return process.returncode, output


@pytest.fixture(scope="session")
def _engines_stay_up() -> Iterator[None]:
    """Start each kind of engine once for all runs in this process: most of a run is its start.

    Runs in processes of their own start and stop theirs as users' runs do.
    """
    kept: dict[tuple[object, ...], Oracle] = {}

    @contextmanager
    def oracle_for(registries: Registries, settings: Settings, **more: Any) -> Iterator[Oracle]:
        laws = tuple(relation.prolog for relation in registries.relations if relation.prolog)
        wanted = (settings.engine, settings.epsilon, settings.delta, laws, *sorted(more.items()))
        if wanted not in kept:
            kept[wanted] = engines.enter_context(started(registries, settings, **more))
        yield kept[wanted]

    started = pipeline.oracle_for
    with ExitStack() as engines, pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "oracle_for", oracle_for)
        yield


@pytest.fixture
def project(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, _engines_stay_up: None
) -> Project:
    """An empty repository; plugins are loaded only when they are named."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    return Project(pytester)


@pytest.fixture
def walk(project: Project) -> Path:
    """The tiny trajectory in ``runs/walk``."""
    return project.walk()


@pytest.fixture
def suite(project: Project, walk: Path) -> Project:
    """A repository with everything: a trajectory, tests of both kinds, a moody agent."""
    project.brain(MOODY)
    project.write("pytest.ini", f"[pytest]\npythonpath = .\n{SELECTION}")
    project.write("tests/test_it.py", TESTS)
    return project


@pytest.fixture
def answers(
    project: Project, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Command:
    """Type ``metaspace answers ...`` in the project; return status, output and complaints."""

    def typed(*words: str, stdin: str = "") -> Said:
        monkeypatch.setattr(sys, "stdin", StringIO(stdin))
        try:
            status = cli.main(["answers", *words])
        except SystemExit as left:
            status = int(left.code or 0)
        said = capsys.readouterr()
        return status, said.out, said.err

    return typed


@pytest.fixture
def cache(project: Project) -> Path:
    return project.path / ".metaspace_cache"


@pytest.fixture
def moody(project: Project, walk: Path) -> str:
    """An agent that is wrong at times."""
    return project.brain(MOODY)


@pytest.fixture
def same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports say that each run ended then, so that they can be equal."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(EPOCH))
