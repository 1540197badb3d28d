"""The Prolog sources load without a complaint, and their own tests pass."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.oracle.engines import needs_native

pytestmark = needs_native
PROLOG = Path(__file__).resolve().parents[2] / "prolog"
UNITS = sorted(str(file.relative_to(PROLOG)) for file in PROLOG.rglob("*.plt"))
SOURCES = sorted(
    str(file.relative_to(PROLOG))
    for file in PROLOG.rglob("*.pl")
    if file.name not in ("serve.pl", "init.pl")
)
UNTESTED = {"metaspace.pl", "serve.pl", "laws/law_tests.pl", "config/swi-prolog/init.pl"}

#  Either flag alone lets some failures pass as status 0.
STRICT = ["swipl", "-q", "-f", "none", "--no-packs", "--on-error=status", "--on-warning=status"]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*STRICT, *arguments, "-t", "halt"],
        cwd=PROLOG,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        timeout=60,
    )


def test_units_of_prolog_pass() -> None:
    loads = [f"load_files('{unit}', [encoding(utf8)])" for unit in UNITS]
    goals = ", ".join(["use_module(engine)", "use_module(library(plunit))", *loads, "run_tests"])
    done = run("-g", goals)
    assert done.returncode == 0, done.stdout + done.stderr
    written = sum(
        line.startswith("test(")
        for unit in UNITS
        for line in (PROLOG / unit).read_text().splitlines()
    )
    assert done.stderr.count(".") == written  # a test with a mistake is silently dropped


@pytest.mark.parametrize("source", ["engine.pl", "serve.pl"])
def test_the_engine_loads_and_checks_clean(source: str) -> None:
    goal = "check" if source == "engine.pl" else "true"
    load = ["-g", "use_module(engine)"] if source == "engine.pl" else []
    done = run(*load, "-g", goal, *([source] if source == "engine.pl" else []))
    assert done.returncode == 0, done.stderr
    assert "Warning" not in done.stderr


def test_every_module_has_its_tests_beside_it() -> None:
    modules = {str(file.relative_to(PROLOG)) for file in PROLOG.rglob("*.pl")} - UNTESTED
    assert {unit.removesuffix("t") for unit in UNITS} == modules


@pytest.mark.parametrize("source", SOURCES)
def test_each_file_loads_on_its_own(source: str) -> None:
    done = run("-g", f"use_module(metaspace), use_module('{source}')")
    assert done.returncode == 0, done.stderr
