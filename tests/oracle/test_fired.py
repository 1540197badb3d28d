"""The engine counts which clauses of the laws fire, and judges no differently for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace.oracle import Oracle
from tests.oracle.engines import ENGINES
from tests.oracle.test_rules import lengths, ways

if TYPE_CHECKING:
    from pytest_metaspace.oracle.engine import EngineName


def case(name: str, relation: str, entries: list[dict[str, Any]]) -> dict[str, Any]:
    subjects = ["a", "b"] if relation == "MR2" else ["a", "b", "c"]
    return {"case": name, "relation": relation, "subjects": subjects, "observations": entries}


CASES = [
    case("closes", "MR4", lengths("a>b 3, b>c 2, a>c 5")),
    case("open", "MR4", lengths("a>b 3, b>c 2, a>c 9")),
    case("even", "MR2", lengths("a>b 3, b>a 3")),
    case("uneven", "MR2", lengths("a>b 3, b>a 4")),
    case("free", "MR1", ways("a>b front, b>c back, a>c left")),
    case("arc", "MR1", ways("a>b front, b>c right, a>c front")),
    case("absent", "MR1", ways("a>b front")),
    case("odd", "MR1", ways("a>b front, b>c up, a>c front")),
]


def counted(engine: EngineName, **more: Any) -> tuple[list[dict[str, Any]], dict[str, int]]:
    with Oracle(engine, count_rules=True, chunk=3, **more) as oracle:
        found = list(oracle.judge(CASES))
        return found, {f"{rule.source} {rule.head}": rule.cases for rule in oracle.rules()}


def test_verdicts_and_derivations_are_those_without_counting() -> None:
    with Oracle("swipl", derivations="all") as oracle:
        plain = list(oracle.judge(CASES, proofs="all"))
    with Oracle("swipl", derivations="all", count_rules=True) as oracle:
        assert list(oracle.judge(CASES, proofs="all")) == plain


@pytest.mark.parametrize("engine", ENGINES)
def test_every_host_counts_alike(engine: EngineName) -> None:
    found, rules = counted(engine)
    assert [one["verdict"] for one in found] == [
        *("satisfied", "violated", "satisfied", "violated"),
        *("inconclusive", "satisfied", "error", "invalid"),
    ]
    fired = {rule.split(":")[0] + " " + rule.split()[1]: 0 for rule in rules}
    for rule, cases in rules.items():
        fired[rule.split(":")[0] + " " + rule.split()[1]] += cases
    assert fired["laws/triangle.pl violated/1"] == 1
    assert fired["laws/triangle.pl satisfied/1"] == 1
    assert fired["laws/symmetry.pl violated/1"] == 1
    assert fired["laws/symmetry.pl satisfied/1"] == 1
    assert fired["laws/transitivity.pl inconclusive/1"] == 1
    assert fired["laws/transitivity.pl may_end/3"] == 1
    assert fired["laws/contradiction.pl satisfied/1"] == 0
    assert not any("lacks/1" in rule or "spatial.pl" in rule for rule in rules)


def test_a_chunk_that_is_judged_again_counts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    _, rules = counted("swipl")
    monkeypatch.setattr(Oracle, "_answers", again(Oracle._answers))
    assert counted("swipl")[1] == rules


def again(answers: Any) -> Any:
    """Lose the engine before each chunk is answered."""

    def lost(oracle: Oracle, under_way: Any) -> Any:
        assert oracle._child is not None
        oracle._child._process.kill()
        return answers(oracle, under_way)

    return lost
