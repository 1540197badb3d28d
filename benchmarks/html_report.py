"""The HTML report of 30,300 cases, half of them violated: its size, first paint, and filters.

``python benchmarks/html_report.py`` prints what it measures beside what is promised, and exits
with 1 where a promise is broken. Every case has questions, answers and a derivation of its own.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from PIL import Image

from pytest_metaspace.domain import (
    Capability,
    Derivation,
    Outcome,
    Report,
    Said,
    Step,
    ToldCase,
    ToldQuestion,
    ToldTrajectory,
)
from pytest_metaspace.reports.html import HTML
from tests.reports.browser.conftest import FLAGS
from tests.reports.browser.webdriver import Browser
from tests.reports.samples import of_cases, trajectory_of

if TYPE_CHECKING:
    from collections.abc import Iterator

TRAJECTORIES: Final = 60
STATES: Final = 12
WORDS: Final = ("left", "front-left", "front", "front-right", "right", "back-right", "none")
GROUPS: Final = [(code.value, mr) for code in Capability for mr in ("MR1", "MR2", "MR4")]
FIRST_PAINT: Final = "return performance.getEntriesByName('first-contentful-paint')[0].startTime"
TIMED: Final = """
const done = arguments[arguments.length - 1];
const box = document.querySelector(arguments[0]);
const start = performance.now();
if (box.type === 'checkbox') box.checked = !box.checked; else box.value = arguments[1];
box.dispatchEvent(new Event('input', {bubbles: true}));
requestAnimationFrame(() => setTimeout(() => done(performance.now() - start), 0));
"""


def main() -> int:
    """Print the measures; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=30_300)
    parser.add_argument("--keep", type=Path, help="write the page here and leave it")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = options.keep or Path(folder) / "report.html"
        report = synthetic(options.cases, Path(folder))
        started = time.perf_counter()
        lines = HTML.write(report, path)
        seconds = time.perf_counter() - started
        print(f"{options.cases:,} cases, {len(report.questions):,} questions: {seconds:.1f} s")
        print(*lines, sep="\n")
        megabytes = path.stat().st_size / 1e6
        found = [("file", megabytes, 30.0, "MB"), *measured(path, Path(folder) / "profile")]
    for name, value, most, unit in found:
        print(f"{name:<32}{value:>9.1f} {unit:<3} promised: under {most:g} {unit}")
    return int(any(value >= most for _, value, most, _ in found))


def measured(path: Path, profile: Path) -> Iterator[tuple[str, float, float, str]]:
    """Yield what a person waits for, in a browser that has nothing in it."""
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or driver is None:
        sys.exit("needs Debian's packages chromium and chromium-driver")
    browser = Browser(driver, chromium, (*FLAGS, f"--user-data-dir={profile}"))
    try:
        browser.get(path.as_uri())
        yield "first paint", browser.run(FIRST_PAINT), 2000.0, "ms"
        yield "everything is read", browser.run("return performance.now()"), 10_000.0, "ms"
        browser.run("location.hash = '#cases'")
        for name, css, value in (
            ("filter: verdict", "#verdict-violated", ""),
            ("filter: capability", "#by-capability", "SC2-a"),
            ("filter: object", "#by-object", "chair-1"),
            ("filter: all again", "#by-capability", ""),
            ("search: the first", "#text", "house-017"),
            ("search: the next", "#text", "f01"),
        ):
            yield name, browser.run_until_called(TIMED, css, value), 200.0, "ms"
    finally:
        browser.quit()


def synthetic(number: int, folder: Path) -> Report:
    """Return a run whose every second case is violated and told in full."""
    names = [f"house-{index:03d}" for index in range(TRAJECTORIES)]
    cases, questions = [], []
    for index in range(number):
        capability, relation = GROUPS[index % len(GROUPS)]
        name = names[index // len(GROUPS) % TRAJECTORIES]
        asked = [len(questions) + way for way in range(2)]
        questions += [question(name, capability, index, way) for way in range(2)]
        cases.append(case(name, capability, relation, index, tuple(asked)))
    told = [trajectory(name, folder, index) for index, name in enumerate(names)]
    report = of_cases(cases, told)
    return replace(report, questions=tuple(questions))


def case(
    trajectory: str, capability: str, relation: str, index: int, asked: tuple[int, ...]
) -> ToldCase:
    """Return one; every second is violated."""
    bad = index // len(GROUPS) % 2 == 0
    return ToldCase(
        address=f"{trajectory}::{capability}::{relation}::f{index:05d}-chair1-table2-{index:08x}",
        outcome=Outcome.VIOLATED if bad else Outcome.SATISFIED,
        objects=("chair-1", f"table-{index % 9}"),
        states=(index % STATES,),
        derivation=derivation(index) if bad else None,
        questions=asked,
    )


def derivation(index: int) -> Derivation:
    """Return one of five steps, each about this case."""
    there, back = WORDS[index % 7], WORDS[index // 7 % 7]
    pair = f"chair-1 to table-{index % 9} in state {index % STATES} of case {index}"
    steps = (
        Step(goal=f"{there} is the direction from {pair}", because="observation 1",
             source="observation 1", observation=0),
        Step(goal=f"the way back from {there} is opposite", because="the way back is opposite",
             source="laws/symmetry.pl:70"),
        Step(goal=f"{back} is the direction back from {pair}", because="observation 2",
             source="observation 2", observation=1),
    )  # fmt: skip
    root = Step(
        goal=f"{there} from {pair} and {back} back are not opposite",
        because="MR2, read as sound",
        source="laws/symmetry.pl:40",
        children=steps,
    )
    return Derivation(
        summary=f"These answers cannot all be true: {there} and {back}, {pair}.", root=root
    )


def question(trajectory: str, capability: str, index: int, way: int) -> ToldQuestion:
    """Return one of a case's two, with a prompt of which most lines are like those of others."""
    sentence = f"In which direction does table-{index % 9} lie from chair-1 ({index}-{way})?"
    value = WORDS[(index + way) % 7]
    raw = f"Reasoning about case {index}: the table is seen beyond the chair.\nAnswer: {value}"
    return ToldQuestion(
        trajectory=trajectory,
        capability=capability,
        sentence=sentence,
        frames=(index % STATES,),
        said=Said(raw=raw, length=len(raw), value=value),
        text=f"You are a household robot.\n\nDirections are sectors of 45 degrees.\n\n{sentence}\n",
        truth=WORDS[index % 7],
    )


def trajectory(name: str, folder: Path, number: int) -> ToldTrajectory:
    """Return one with frames of its own."""
    told = trajectory_of(name, "household")
    frames = []
    for state in range(STATES):
        path = folder / f"{name}-{state}.jpg"
        source = Image.open(told.frames[state % len(told.frames)])
        source.rotate(number + 60 * state).convert("RGB").save(path)
        frames.append(str(path))
    return replace(told, frames=tuple(frames), actions=("move_forward",) * STATES)


if __name__ == "__main__":
    sys.exit(main())
