"""The score table of a run with several trajectories and scenarios: rows, intervals, references."""

from __future__ import annotations

import re

import pytest

from pytest_metaspace import scoring
from pytest_metaspace.domain import Cluster, Outcome, Semantics, Settings
from pytest_metaspace.reports import scores
from pytest_metaspace.summary import summarise

CLUSTERS = {
    **{f"room-{number}": Cluster(scenario="household", objects=4) for number in range(3)},
    **{f"flight-{number}": Cluster(scenario="drone", objects=2) for number in range(4)},
}
RIGHT, WRONG = Outcome.SATISFIED, Outcome.VIOLATED


def counted() -> scoring.Counts:
    """Return a run in which drones do worse, MR1 worst, and one answer is invalid."""
    counts = scoring.Counts()
    for number, (name, cluster) in enumerate(sorted(CLUSTERS.items())):
        wrong = 2 if cluster.scenario == "household" else 5
        for code in ("SC1-a", "SC2-a"):
            counts[name, code, "MR1", RIGHT] += 20 - 2 * wrong
            counts[name, code, "MR1", WRONG] += 2 * wrong - number % 2
            counts[name, code, "MR2", RIGHT] += 20 - wrong
            counts[name, code, "MR2", WRONG] += wrong
    counts["room-0", "SC1-a", "MR1", Outcome.INVALID] += 1
    return counts


def table(*, verbose: bool, semantics: Semantics = "sound") -> list[str]:
    run = summarise(
        agent="me",
        settings=Settings(semantics=semantics),
        titles={"MR1": "transitivity", "MR2": "symmetry"},
        trajectories=tuple(CLUSTERS),
        outcomes=counted().elements(),
        drops={},
        questions=0,
        clusters=CLUSTERS,
        references={"random": {"SC1-a": 0.2, "SC2-a": 0.3, "total": 0.25}},
    )
    return list(scores.tables(run, verbose=verbose))


def row(lines: list[str], name: str) -> list[str]:
    return next(line for line in lines if line.startswith(f"{name} ")).split()


def test_each_scenario_has_a_row_with_its_own_total_and_interval() -> None:
    lines = table(verbose=False)
    assert lines[0].endswith("decided    score    95 % interval")
    names = [line.split()[0] for line in lines[2:]]
    assert names == ["SC1-a", "SC2-a", "drone", "household", "total"]
    for name in names:
        *_, score, interval = row(lines, name)
        low, high = map(float, interval.split("-"))
        assert low < float(score) < high
    assert float(row(lines, "drone")[-2]) < float(row(lines, "household")[-2])


def test_verbose_has_relations_and_the_capabilities_of_scenarios() -> None:
    names = [line.split()[0] for line in table(verbose=True)[2:15]]
    both = ["SC1-a", "SC2-a"]
    relations = ["SC1-a", "MR1", "MR2", "SC2-a", "MR1", "MR2"]
    assert names == [*relations, "drone", *both, "household", *both, "total"]


def test_verbose_tells_violations_by_what_they_are_counted_in() -> None:
    lines = table(verbose=True)
    at = next(i for i, line in enumerate(lines) if "violated per case" in line)
    found = {line.split()[0]: re.split(r"\s{2,}", line) for line in lines[at + 2 : at + 7]}
    # SC2-a: 75 violations of 277 cases, in 7 trajectories with 3 x 4 + 4 x 2 objects
    assert found["SC2-a"][2:] == ["0 %", "0 %", "0.271", "10.7", "3.75", "MR1 65 %, MR2 35 %"]
    assert found["SC1-a"][-2] == "n/a"  # movements are of no object
    assert found["drone"][4:] == ["0.367", "29", "14.5"]


@pytest.mark.parametrize(("semantics", "shown"), [("paper", True), ("sound", False)])
def test_what_is_published_stands_beside_paper_scores_only(
    semantics: Semantics, shown: bool
) -> None:
    text = "\n".join(table(verbose=True, semantics=semantics))
    assert ("people, as published" in text) == ("0.44-0.52" in text) == shown
    assert ("of other trajectories, the paper's own 158" in text) == shown
    assert "random" in text
    assert "published" not in "\n".join(table(verbose=False, semantics=semantics))
