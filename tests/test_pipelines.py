"""The pipelines of the example project: valid, safe, and their scripts do what they say."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
PROJECT = ROOT / "example_project"
GITLAB = PROJECT / ".gitlab-ci.yml"
WORKFLOWS = sorted((PROJECT / ".github" / "workflows").glob("*.yml"))
SCHEMAS = {"vendor.gitlab-ci": [GITLAB], "vendor.github-workflows": WORKFLOWS}
# Of zizmor's rules: what GitHub itself publishes may be named by its major version.
ZIZMOR = "rules: {unpinned-uses: {config: {policies: {'actions/*': ref-pin, '*': hash-pin}}}}"
INSTALLERS = ("apt-get", "pip", "sudo", "curl")


def read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return found


def steps(path: Path) -> list[dict[str, Any]]:
    return [step for job in read(path)["jobs"].values() for step in job["steps"]]


def told(*command: str | Path) -> str:
    done = subprocess.run(
        [Path(sys.executable).parent / command[0], *command[1:]],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return "" if done.returncode == 0 else done.stdout + done.stderr


# ------------------------------------------------------------------------------- as files


@pytest.mark.parametrize("schema", SCHEMAS)
def test_pipelines_are_valid_by_the_schemas_of_those_who_run_them(schema: str) -> None:
    transform = ["--data-transform", "gitlab-ci"] if "gitlab" in schema else []
    assert not told("check-jsonschema", "--builtin-schema", schema, *transform, *SCHEMAS[schema])


def test_workflows_have_nothing_that_an_auditor_of_workflows_finds_unsafe(tmp_path: Path) -> None:
    (tmp_path / "rules.yml").write_text(ZIZMOR)
    assert len(WORKFLOWS) == 2
    assert not told("zizmor", "--offline", "--config", tmp_path / "rules.yml", *WORKFLOWS)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_may_only_read_and_puts_nothing_into_a_script_but_by_variables(
    path: Path,
) -> None:
    assert read(path)["permissions"] == {"contents": "read"}
    assert not any("permissions" in job for job in read(path)["jobs"].values())
    assert not any("${{" in step.get("run", "") for step in steps(path))
    used = [step["uses"] for step in steps(path) if "uses" in step]
    assert all(re.fullmatch(r"actions/[\w/-]+@v\d+", name) for name in used)


# ----------------------------------------------------------------------------- as scripts


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A copy of the example project, as a robot's repository, with little to ask."""
    left_out = shutil.ignore_patterns(".*_cache", "__pycache__", "reports")
    shutil.copytree(PROJECT, tmp_path / "robot", ignore=left_out)
    shutil.copytree(ROOT / "fixtures" / "household" / "study-01", tmp_path / "robot/runs/study-01")
    for name in INSTALLERS:
        stub = tmp_path / "stubs" / name
        stub.parent.mkdir(exist_ok=True)
        stub.write_text(f'#!/bin/sh\necho {name} "$@" >>"{tmp_path}/called"\n')
        stub.chmod(0o755)
    return tmp_path / "robot"


def configure(repository: Path, agent: str) -> None:
    (repository / "pyproject.toml").write_text(
        "[tool.pytest.ini_options]\n"
        'pythonpath = ["."]\n'
        f'metaspace_agent = "{agent}"\n'
        'metaspace_trajectories = ["runs"]\n'
        'metaspace_fail_under = ["0.9"]\n'
        'metaspace_sc = ["SC1-b"]\n'
        'metaspace_mr = ["MR2", "MR3"]\n'
    )


def run(repository: Path, script: str | list[str], **variables: str) -> tuple[int, str]:
    """Run a script as a runner does: line by line, until one fails."""
    places = (repository.parent / "stubs", Path(sys.executable).parent, os.environ["PATH"])
    alone = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": "-p metaspace"}
    text = script if isinstance(script, str) else "\n".join(script)
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", text],
        cwd=repository,
        env={**os.environ, **alone, **variables, "PATH": os.pathsep.join(map(str, places))},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    return done.returncode, done.stdout + done.stderr


def job(path: Path, name: str) -> dict[str, Any]:
    """A job of GitLab's as its runner takes it, with what it extends."""
    jobs = read(path)
    base = jobs[jobs[name]["extends"]]
    return {**base, **jobs[name], "artifacts": {**base["artifacts"], **jobs[name].get("artifacts", {})}}


def commands(path: Path, name: str) -> list[dict[str, Any]]:
    """The steps of a workflow's job that type something."""
    return [step for step in read(path)["jobs"][name]["steps"] if "run" in step]


def test_the_job_of_gitlab_leaves_its_reports_and_one_note(repository: Path) -> None:
    configure(repository, "truth")
    spatial = job(GITLAB, "spatial")
    status, output = run(repository, [*spatial["before_script"], *spatial["script"]])
    assert status == 0, output
    assert "gate passed: total is 1.000" in output
    assert (repository / spatial["artifacts"]["paths"][0]).is_file()
    assert list(repository.glob(spatial["artifacts"]["reports"]["junit"]))
    merge_request = {"CI_API_V4_URL": "https://gitlab.example/api/v4", "CI_PROJECT_ID": "7"}
    status, output = run(
        repository, spatial["after_script"], METASPACE_NOTE="k", CI_MERGE_REQUEST_IID="9", **merge_request
    )
    called = (repository.parent / "called").read_text().splitlines()
    assert status == 0, output
    assert called[:2] == ["apt-get update -qq", "apt-get install -qq --no-install-recommends swi-prolog-nox curl"]
    assert called[2] == "pip install --quiet pytest-metaspace[vision]"
    assert called[3].endswith("https://gitlab.example/api/v4/projects/7/merge_requests/9/notes")
    assert "body=<reports/metaspace.md" in called[3]
    assert (repository / "reports/metaspace.md").is_file()


def test_without_a_token_no_note_is_left(repository: Path) -> None:
    assert run(repository, job(GITLAB, "spatial")["after_script"], METASPACE_NOTE="")[0] == 0
    assert not (repository.parent / "called").exists()


def test_the_job_of_github_fails_by_its_gate_and_shows_why(repository: Path) -> None:
    configure(repository, "mutant:mirrored:truth")
    summary = repository.parent / "summary.md"
    install, ask = commands(PROJECT / ".github/workflows/metaspace.yml", "spatial")
    assert run(repository, install["run"])[0] == 0
    status, output = run(repository, ask["run"], GITHUB_STEP_SUMMARY=str(summary))
    assert status == 1, output
