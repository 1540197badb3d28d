"""Every block of README and docs is executed.

``<!-- file: NAME -->`` before a block writes it to a file. In a ``console`` block each line that
begins with ``$`` is run, and what stands below it must come out, in order; a line of three dots
stands for anything. Commands that install something are not run. ``bash`` blocks are run.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from pytest_metaspace.agents.faults import FAULTS
from pytest_metaspace.options import OPTIONS

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
_BLOCK = re.compile(
    r"(?:<!-- file: (?P<file>[\w./-]+) -->\n+)?```(?P<kind>\w*)\n(?P<body>.*?)\n```",
    re.DOTALL,
)
_INSTALLS = re.compile(r"^\s*(sudo |apt-get |brew |pip |git )")


class Block(NamedTuple):
    """A fenced block: its language, its text, and the file that it is to be written to."""

    kind: str
    body: str
    file: str | None


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [Block(m["kind"], m["body"], m["file"]) for m in _BLOCK.finditer(text)]


def commands(body: str) -> list[tuple[str, list[str]]]:
    """Split a console block into commands with the lines expected of each."""
    found: list[tuple[str, list[str]]] = []
    for line in body.splitlines():
        if line.startswith("$ "):
            found.append((line[2:].split("   #")[0].rstrip(), []))
        elif found:
            found[-1][1].append(line)
    return found


def run(command: str, folder: Path) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    alone = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": "-p metaspace"}
    env = {**os.environ, **alone, "PATH": path, "COLUMNS": "100"}
    env.pop("PYTEST_CURRENT_TEST", None)
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=env,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return done.stdout + done.stderr


def missing_line(expected: list[str], output: str) -> str | None:
    """Return the first expected line that does not come, in order, or None."""
    lines = iter(output.splitlines())
    for wanted in expected:
        if wanted.strip() in ("", "..."):
            continue
        if not any(line.rstrip() == wanted.rstrip() for line in lines):
            return wanted
    return None


def check_out(folder: Path) -> None:
    """Put into a folder what a tutorial in a checkout of this repository works on."""
    (folder / "fixtures").symlink_to(ROOT / "fixtures")
    left_out = shutil.ignore_patterns(".*_cache", "__pycache__")
    shutil.copytree(ROOT / "example_project", folder / "example_project", ignore=left_out)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_block_of_a_page_does_what_it_says(page: Path, tmp_path: Path) -> None:
    if page.name == "tutorial-regression.md":
        check_out(tmp_path)
    for block in blocks(page):
        if block.file is not None:
            target = tmp_path / block.file
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(block.body + "\n", encoding="utf-8")
        elif block.kind == "bash" and not _INSTALLS.match(block.body):
            run(block.body, tmp_path)
        elif block.kind == "console":
            for command, expected in commands(block.body):
                if _INSTALLS.match(command):
                    continue
                output = run(command, tmp_path)
                missing = missing_line(expected, output)
                assert missing is None, f"{command}\nmisses: {missing}\n{output}"


def test_readme_has_something_to_run() -> None:
    kinds = [block.kind for block in blocks(ROOT / "README.md")]
    assert "console" in kinds
    assert any(block.file for block in blocks(ROOT / "README.md"))


def written_by(tool: str) -> str:
    script = f"import runpy; print(runpy.run_path('tools/{tool}.py')['page'](), end='')"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_the_options_page_is_what_the_options_say() -> None:
    written = written_by("options_page")
    assert (ROOT / "docs" / "options.md").read_text(encoding="utf-8") == written
    assert all(f"--metaspace-{option.name}" in written for option in OPTIONS)


def test_the_derivations_page_is_what_the_laws_derive() -> None:
    written = written_by("derivations_page")
    assert (ROOT / "docs" / "derivations.md").read_text(encoding="utf-8") == written
    assert written.count("cannot all be true:") == 3 * 6
    assert written.count("This answer cannot be true:") == 3 * 3


def test_the_mutants_page_tells_the_faults_as_they_are() -> None:
    written = written_by("mutants_page")
    assert (ROOT / "docs" / "mutants.md").read_text(encoding="utf-8") == written
    assert all(f"| {name} " in written for name in FAULTS)


def test_links_between_pages_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_page_of_the_report_json_has_every_field() -> None:
    written = written_by("report_page")
    assert (ROOT / "docs" / "reports-json.md").read_text(encoding="utf-8") == written
    for name in ("Report", "Run", "Kept", "ToldCase", "Step", "ToldQuestion", "Said"):
        assert f"\n### {name}\n" in written
