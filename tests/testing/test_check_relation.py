"""The check of relations: passes ours and the example's, and is seen to fail on broken ones."""

from __future__ import annotations

import importlib
import itertools
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from example_project.robot import viewpoint
from pytest_metaspace import testing
from pytest_metaspace.domain import Capability, Claim, Given
from pytest_metaspace.mrs import BUILT_IN, Grounds, Relation
from tests.plugin.made import Thing, Walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_metaspace.domain import Case

DISTANCES = (Capability.OBJECT_DISTANCE,)


@pytest.fixture(scope="session")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny trajectory."""
    return Walk().write(tmp_path_factory.mktemp("runs") / "walk")


@pytest.mark.parametrize("relation", [*BUILT_IN, viewpoint.RELATION], ids=lambda one: one.name)
def test_relations_that_we_ship_pass(relation: Relation, walk: Path) -> None:
    testing.check_relation(relation, trajectories=[walk])


def test_the_trajectory_that_ships_is_taken_when_none_is_named() -> None:
    testing.check_relation(viewpoint.RELATION)


def there_and_back(grounds: Grounds, capability: Capability) -> Iterator[Case]:
    for place, (a, b) in grounds.pairs(capability):
        yield grounds.case(
            relation="OURS",
            law="MR2",
            capability=capability,
            tag=place.tag,
            subjects=(a, b),
            queries=[place.ask(capability, a, b), place.ask(capability, b, a)],
        )


def ours(change: Callable[[Case], Case] = lambda case: case, **fields: Any) -> Relation:
    """Return a sound relation, with its cases or some of its fields changed."""
    wanted: dict[str, Any] = {
        "name": "OURS",
        "title": "there and back",
        "capabilities": DISTANCES,
        "instances": lambda *given: map(change, there_and_back(*given)),
        **fields,
    }
    return Relation(**wanted)


def query(**fields: Any) -> Callable[[Case], Case]:
    """Change the first query of a case."""
    return lambda case: replace(
        case, queries=(replace(case.queries[0], **fields), *case.queries[1:])
    )


_NUMBERS = itertools.count()


def restless(grounds: Grounds, capability: Capability) -> Iterator[Case]:
    for case in there_and_back(grounds, capability):
        yield replace(case, id=f"{case.id}-{next(_NUMBERS)}")


def twice(grounds: Grounds, capability: Capability) -> Iterator[Case]:
    for case in there_and_back(grounds, capability):
        yield from (case, case)


def crashing(grounds: Grounds, capability: Capability) -> Iterator[Case]:
    nothing: dict[str, Any] = {"capability": capability}
    yield grounds.case(**nothing)


def accusing(grounds: Grounds, capability: Capability) -> Iterator[Case]:
    """Say that a thing is twice as high in the picture as it is."""
    for case in BUILT_IN[4].instances(grounds, capability):
        given, *others = case.givens
        assert isinstance(given, Given)
        wrong = replace(given, size_px=2 * given.size_px)
        yield replace(case, relation="OURS", givens=(wrong, *others))


def idle(case: Case) -> Case:
    """Ask one question twice: nothing can be wrong with it."""
    return replace(case, law="MR3", queries=(case.queries[0], case.queries[0]))


@pytest.mark.parametrize(
    ("broken", "expected"),
    [
        ("OURS", "'OURS' is no pytest_metaspace.mrs.Relation"),
        (ours(name="with space"), "field name: expected 1 to 80 ASCII letters"),
        (ours(title=" "), "field title: expected two or three words"),
        (ours(capabilities=()), "field capabilities: expected a tuple of Capability, not empty"),
        (ours(capabilities=("SC2-b",)), "field capabilities: expected a tuple of Capability"),
        (ours(capabilities=DISTANCES * 2), "field capabilities: names one twice"),
        (ours(prolog=Path("nowhere.pl")), "field prolog: nowhere.pl is no file"),
        (ours(instances=lambda *_: []), "yields no case on walk. Hand in trajectories that feed"),
        (ours(instances=crashing), r"instances raised TypeError \(test_check_relation.py:\d+\)"),
        (ours(instances=lambda *_: [1]), "yields 1, which is no Case"),
        (ours(instances=restless), "yields other cases, or in another order, when it is asked again. Sort what"),
        (ours(instances=twice), "yields the id f000-chair1-lamp1-[0-9a-f]{8} twice"),
        (ours(lambda case: replace(case, id="a b")), "case id 'a b': expected 1 to 80 ASCII"),
        (ours(lambda case: replace(case, id="a" * 81)), "case id 'a+': expected 1 to 80 ASCII"),
        (ours(lambda case: replace(case, relation="MR2")), "relation: is MR2, expected OURS"),
        (ours(lambda case: replace(case, semantics="paper")), "semantics: is paper, expected sound"),
        (ours(lambda case: replace(case, queries=())), "field queries: is empty"),
        (ours(lambda case: replace(case, subjects=("door-9",))), "'door-9' is no state and no"),
        (ours(query(trajectory="other")), "asks about the trajectory 'other', its case about walk"),
        (ours(query(b="door-9")), "queries.0: 'door-9' is no state and no tracked object of walk"),
        (ours(query(evidence=())), "queries.0: field evidence: shows no picture"),
        (ours(query(evidence=(9,))), "queries.0: frame 9 is none of walk's 4"),
        (ours(query(reference=-1)), "queries.0: frame -1 is none of walk's 4"),
        (ours(query(capability=Capability.OBJECT_DIRECTION, claim=Claim(at_least=2))), "queries.0: writing the question raised AssertionError"),
        (ours(lambda case: replace(case, law="MR22")), "field law: 'MR22' is none that the oracle"),
        (ours(instances=accusing, capabilities=(Capability.DEPTH,)), "case s.*: accuses the agent truth, which"),
        (ours(query(capability=Capability.SIZE)), "case f000-.*: the law MR2 cannot judge it .error."),
        (ours(idle), "notices no agent with a spatial fault"),
    ],
)  # fmt: skip
def test_a_broken_relation_is_told_what_is_wrong(broken: Any, expected: str, walk: Path) -> None:
    with pytest.raises(AssertionError, match=expected):
        testing.check_relation(broken, trajectories=[walk])


def test_an_order_that_is_another_in_each_process_is_told(
    walk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A set of texts: this process always finds it in one order."""
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "unsorted_relation.py").write_text(
        "from pytest_metaspace.mrs import View\n"
        "def instances(grounds, capability):\n"
        "    for name in {thing.id for thing in grounds.persistent}:\n"
        "        view = View(grounds.trajectory, 0)\n"
        "        other = 'lamp-1' if name != 'lamp-1' else 'chair-1'\n"
        "        yield grounds.case(relation='OURS', law='MR2', capability=capability, tag='f000',\n"
        "                           subjects=(name, other),\n"
        "                           queries=[view.ask(capability, name, other),\n"
        "                                    view.ask(capability, other, name)])\n"
    )
    module = importlib.import_module("unsorted_relation")
    with pytest.raises(AssertionError, match="relation OURS: yields other cases, or in another"):
        testing.check_relation(ours(instances=module.instances), trajectories=[walk])


OWN_LAW = """
:- module(own, []).
:- use_module(metaspace(facts)).
:- multifile metaspace:law/3, metaspace:text/2.
metaspace:law('OWN', own, [subjects(2)]).
metaspace:text(own:satisfied(_), "the way back is as long").
metaspace:text(own:violated(_), "the way back is not as long").
violated(uneven) :- subjects(A, B), distance(A, B, N), distance(B, A, M), N =\\= M.
satisfied(even) :- subjects(A, B), distance(A, B, N), distance(B, A, N).
inconclusive(_) :- fail.
lacks(_) :- fail.
"""


def test_a_relation_may_bring_its_own_law(walk: Path, tmp_path: Path) -> None:
    law = tmp_path / "own.pl"
    law.write_text(OWN_LAW)
    testing.check_relation(
        ours(lambda case: replace(case, law="OWN"), prolog=law), trajectories=[walk]
    )


def test_a_law_that_does_not_load_names_its_line(walk: Path, tmp_path: Path) -> None:
    law = tmp_path / "law.pl"
    law.write_text(":- module(ours, []).\nbroken(.\n")
    with pytest.raises(AssertionError, match=r"relation OURS: metaspace: .*law\.pl:2: "):
        testing.check_relation(ours(prolog=law), trajectories=[walk])


def test_a_relation_that_decides_nothing_is_told(tmp_path: Path) -> None:
    """Going right and then left may end anywhere."""
    row = (("chair-1", 1.0), ("lamp-1", -1.5), ("table-1", -0.3))
    things = tuple(Thing(name, name[:-2], (5.0, across, 1.0)) for name, across in row)
    path = Walk(things=things).write(tmp_path / "walk")

    def undecided(grounds: Grounds, capability: Capability) -> Iterator[Case]:
        for case in BUILT_IN[0].instances(grounds, capability):
            if case.id.startswith("f000-chair1-lamp1-table1"):
                yield replace(case, relation="OURS")

    relation = ours(instances=undecided, capabilities=(Capability.OBJECT_DIRECTION,))
    with pytest.raises(AssertionError, match="all of its 1 cases are inconclusive on true answers"):
        testing.check_relation(relation, trajectories=[path])


def test_a_trajectory_without_truth_cannot_tell(tmp_path: Path) -> None:
    path = Walk().write(tmp_path / "walk")
    path.with_name("truth.json").unlink()
    with pytest.raises(AssertionError, match=r"no trajectory with cases has a truth\.json"):
        testing.check_relation(ours(), trajectories=[path])


def test_a_trajectory_that_is_not_there_is_named() -> None:
    with pytest.raises(AssertionError, match="there is no file or folder 'nowhere'"):
        testing.check_relation(ours(), trajectories=["nowhere"])
