"""Cases of the laws of suites, made up; and an independent reading of what they demand."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterable, Sequence

    Case = dict[str, Any]
    Option = str | float

WORDS: list[Option] = ["red cone", "it's", "3"]
NUMBERS: list[Option] = [0, 1, 2, 3]


# --- made up -----------------------------------------------------------------------------------


def made(rng: random.Random, relation: str, names: Sequence[str]) -> Case:
    """Return a well-formed case about some of the names, its observations in any order."""
    subjects, entries = _MAKERS[relation](rng, list(names))
    rng.shuffle(entries)
    return {"case": "c", "relation": relation, "subjects": subjects, "observations": entries}


def choice(question: str, option: Option) -> Case:
    return {"kind": "choice", "question": question, "option": option}


def _mapping(rng: random.Random, names: list[str]) -> tuple[list[str], list[Case]]:
    subjects = rng.sample(names, 2)
    if rng.random() < 0.3:
        return subjects, [choice(name, rng.choice([1, 2, 2.0])) for name in subjects]
    options = [*WORDS, *NUMBERS[:2]]
    entries = [choice(name, rng.choice(options)) for name in subjects]
    entries += [
        {"kind": "becomes", "option": option, "becomes": rng.choice(options)}
        for option in rng.sample(options, rng.randrange(1, 5))
    ]
    return subjects, entries


def _apart(rng: random.Random, names: list[str]) -> tuple[list[str], list[Case]]:
    subjects = rng.sample(names, rng.randrange(2, 5))
    return subjects, [choice(name, rng.choice([*WORDS, *NUMBERS])) for name in subjects]


def _rules(rng: random.Random, names: list[str]) -> tuple[list[str], list[Case]]:
    """One rule or more about two words and two numbers."""
    subjects = rng.sample(names, 4)
    words, numbers = subjects[:2], subjects[2:]
    entries = [choice(name, rng.choice(WORDS[:2])) for name in words]
    entries += [choice(name, rng.choice(NUMBERS[:3])) for name in numbers]
    for rule in ("1", "it's")[: rng.randrange(1, 3)]:
        for name in rng.sample(words, rng.randrange(3)):
            option = rng.choice(WORDS[:2])
            entries.append({"kind": "if_answer", "rule": rule, "question": name, "option": option})
        for pair in rng.sample(list(itertools.permutations(numbers)), rng.randrange(3)):
            compares = rng.choice(["more", "equal", "fewer"])
            ends = dict(zip(("first", "second"), pair))
            entries.append({"kind": "if_counts", "rule": rule, "compares": compares, **ends})
        name = rng.choice(subjects)
        due = rng.choice(WORDS[:2] if name in words else NUMBERS[:3])
        entries.append({"kind": "then_answer", "rule": rule, "question": name, "option": due})
    return subjects, entries


def _sides(rng: random.Random, names: list[str]) -> tuple[list[str], list[Case]]:
    subjects = rng.sample(names, rng.randrange(2, 5))
    sides = ["left", "right", *rng.choices(["left", "right"], k=len(subjects) - 2)]
    entries = [choice(name, rng.choice([*NUMBERS, 2.0])) for name in subjects]
    entries += [
        {"kind": "side", "side": one, "question": name} for one, name in zip(sides, subjects)
    ]
    return subjects, entries


def _others(rng: random.Random, names: list[str]) -> tuple[list[str], list[Case]]:
    subjects = rng.sample(names, rng.randrange(1, 5))
    options = [*WORDS, *NUMBERS]
    entries = [choice(name, rng.choice(options)) for name in subjects]
    entries += [
        {"kind": "asks_about", "question": name, "option": rng.choice(options)} for name in subjects
    ]
    return subjects, entries


def _truths(rng: random.Random, names: list[str]) -> tuple[list[str], list[Case]]:
    options: list[Option] = [2, 2.0, 3, "2"]
    true, said = (choice(names[0], rng.choice(options)) for _ in range(2))
    return names[:1], [said, {"kind": "true", "about": true}]


_MAKERS: dict[str, Callable[[random.Random, list[str]], tuple[list[str], list[Case]]]] = {
    "MAP": _mapping,
    "DIFF": _apart,
    "IMP": _rules,
    "SUM": _sides,
    "MON": _sides,
    "INV": _others,
    "A3": _truths,
}
LAWS = tuple(_MAKERS)


# --- the reference -----------------------------------------------------------------------------


def reference(case: Case) -> str:
    """Judge a well-formed case."""
    parts = list(_RULES[case["relation"]](case))
    if False in parts:
        return "violated"
    return "satisfied" if True in parts else "inconclusive"


def _of(case: Case, kind: str) -> list[Case]:
    return [entry for entry in case["observations"] if entry["kind"] == kind]


def _said(case: Case) -> dict[str, Any]:
    return {entry["question"]: entry["option"] for entry in _of(case, "choice")}


def mapping(case: Case) -> Iterable[bool]:
    first, second = (_said(case)[name] for name in case["subjects"])
    follows = {entry["option"]: entry["becomes"] for entry in _of(case, "becomes")}
    if not follows:
        yield first == second
    elif first in follows:
        yield follows[first] == second


def apart(case: Case) -> Iterable[bool]:
    said = _said(case)
    yield len({said[name] for name in case["subjects"]}) == len(case["subjects"])


def rules(case: Case) -> Iterable[bool]:
    said = _said(case)
    compared = {"more": (1,), "equal": (0,), "fewer": (-1,)}
    for then in _of(case, "then_answer"):
        answers = [one for one in _of(case, "if_answer") if one["rule"] == then["rule"]]
        counts = [one for one in _of(case, "if_counts") if one["rule"] == then["rule"]]
        applies = all(said[one["question"]] == one["option"] for one in answers)
        for one in counts:
            gap = said[one["first"]] - said[one["second"]]
            applies = applies and (gap > 0) - (gap < 0) in compared[one["compares"]]
        if applies:
            yield said[then["question"]] == then["option"]


def _totals(case: Case) -> Counter[str]:
    said = _said(case)
    totals: Counter[str] = Counter()
    for one in _of(case, "side"):
        totals[one["side"]] += said[one["question"]]
    return totals


def sums(case: Case) -> Iterable[bool]:
    totals = _totals(case)
    yield totals["left"] == totals["right"]


def at_most(case: Case) -> Iterable[bool]:
    totals = _totals(case)
    yield totals["left"] <= totals["right"]


def others(case: Case) -> Iterable[bool]:
    said = _said(case)
    about = {entry["question"]: entry["option"] for entry in _of(case, "asks_about")}
    for one, other in itertools.product(about, repeat=2):
        if said[one] == about[other]:
            yield said[other] == about[one]


def truths(case: Case) -> Iterable[bool]:
    (true,) = _of(case, "true")
    (said,) = _of(case, "choice")
    yield true["about"]["option"] == said["option"]


_RULES: dict[str, Callable[[Case], Iterable[bool]]] = {
    "MAP": mapping,
    "DIFF": apart,
    "IMP": rules,
    "SUM": sums,
    "MON": at_most,
    "INV": others,
    "A3": truths,
}
