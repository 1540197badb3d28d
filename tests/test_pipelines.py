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
    """A copy of the example project with little to ask, where nothing is really installed."""
    left_out = shutil.ignore_patterns(".*_cache", "__pycache__", "reports")
    shutil.copytree(PROJECT, tmp_path / "robot", ignore=left_out)
    (tmp_path / "fixtures").symlink_to(ROOT / "fixtures")
    (tmp_path / "stubs").mkdir()
    for name in INSTALLERS:
        stub = tmp_path / "stubs" / name
        stub.write_text(f'#!/bin/sh\necho {name} "$@" >>"{tmp_path}/called"\n')
        stub.chmod(0o755)
    return tmp_path / "robot"


def configure(repository: Path, agent: str) -> None:
    (repository / "pyproject.toml").write_text(
        "[tool.pytest.ini_options]\n"
        'pythonpath = ["."]\n'
        'testpaths = ["tests"]\n'
        f'metaspace_agent = "{agent}"\n'
        'metaspace_trajectories = ["../fixtures/household/study-01"]\n'
        'metaspace_fail_under = ["0.9"]\n'
        'metaspace_sc = ["SC1-a", "SC1-b"]\n'
        'metaspace_mr = ["MR2"]\n'
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


def job(name: str) -> dict[str, Any]:
    """A job of GitLab's as its runner takes it, with what it extends."""
    jobs = read(GITLAB)
    own, base = jobs[name], jobs[jobs[name]["extends"]]
    return {**base, **own, "artifacts": {**base["artifacts"], **own.get("artifacts", {})}}


def typed(workflow: str, name: str) -> list[str]:
    """What the steps of a workflow's job type."""
    path = PROJECT / ".github" / "workflows" / workflow
    return [step["run"] for step in read(path)["jobs"][name]["steps"] if "run" in step]


def called(repository: Path) -> list[str]:
    log = repository.parent / "called"
    return log.read_text().splitlines() if log.exists() else []


def test_the_job_of_gitlab_leaves_its_reports_and_one_note(repository: Path) -> None:
    configure(repository, "truth")
    spatial = job("spatial")
    status, output = run(repository, [*spatial["before_script"], *spatial["script"]])
    assert status == 0, output
    assert "gate passed: total is 1.000, at least 0.9" in output
    assert "tests/spatial.txt" in output, "the notice that there is no baseline"
    assert [*map(str, spatial["artifacts"]["paths"])] == ["reports/metaspace.html"]
    assert (repository / "reports/metaspace.html").is_file()
    assert [*repository.glob(spatial["artifacts"]["reports"]["junit"])]
    assert called(repository) == [
        "apt-get update -qq",
        "apt-get install -qq --no-install-recommends swi-prolog-nox curl",
        "pip install --quiet pytest-metaspace[vision]",
    ]
    of_merge_request = {
        "CI_API_V4_URL": "https://gitlab.example/api/v4",
        "CI_PROJECT_ID": "7",
        "CI_MERGE_REQUEST_IID": "9",
    }
    status, output = run(repository, spatial["after_script"], METASPACE_NOTE="", **of_merge_request)
    assert (status, len(called(repository))) == (0, 3), "there is no token, so there is no note"
    status, output = run(
        repository, spatial["after_script"], METASPACE_NOTE="k", **of_merge_request
    )
    assert status == 0, output
    (note,) = called(repository)[3:]
    assert "body=<reports/metaspace.md" in note
    assert note.endswith("https://gitlab.example/api/v4/projects/7/merge_requests/9/notes")
    assert (repository / "reports/metaspace.md").is_file()


def test_the_job_of_github_fails_by_its_gate_and_says_so_in_each_report(repository: Path) -> None:
    configure(repository, "random")
    summary = repository.parent / "summary.md"
    install, ask = typed("metaspace.yml", "spatial")
    assert run(repository, install) == (0, "")
    status, output = run(repository, ask, GITHUB_STEP_SUMMARY=str(summary))
    assert status == 1, output
    assert "GATE FAILED: total" in output
    assert "\n::error title=metaspace" in output
    assert "FAILED" in summary.read_text(encoding="utf-8")
    made = {path.name for path in (repository / "reports").iterdir()}
    assert made == {"metaspace.xml", "metaspace.html", "metaspace.json", "annotations.txt"}


def test_shards_of_a_schedule_are_put_together_and_decide(repository: Path) -> None:
    configure(repository, "random")
    for index in ("1", "2"):
        status, output = run(
            repository, job("shard")["script"], CI_NODE_INDEX=index, CI_NODE_TOTAL="2"
        )
        assert status == 0, output
    status, output = run(repository, job("merged")["script"])
    assert status == 1, output
    assert "GATE FAILED: total" in output
    made = {path.name for path in (repository / "reports").iterdir()}
    shards = {f"shard-{index}.{kind}" for index in "12" for kind in ("jsonl", "html", "xml")}
    assert made == shards | {"run.jsonl"}


def test_both_services_run_the_same_shards() -> None:
    (_, shard), (_, merged) = (
        typed("metaspace-nightly.yml", "shard"),
        typed("metaspace-nightly.yml", "merged"),
    )
    of_github = shard.replace("$SHARDS", "$CI_NODE_TOTAL").replace("$SHARD", "$CI_NODE_INDEX")
    assert [of_github] == job("shard")["script"]
    assert [merged] == job("merged")["script"]
