"""What relations catch of mutants, as a table; and what each mutant is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from pytest_metaspace.reports.terminal import plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


class Found(Protocol):
    """What a relation found of a mutant."""

    @property
    def cases(self) -> int: ...  # noqa: D102 - as in detection.Found, like all that follow
    @property
    def decided(self) -> int: ...  # noqa: D102
    @property
    def violated(self) -> int: ...  # noqa: D102
    @property
    def new(self) -> int: ...  # noqa: D102
    @property
    def rate(self) -> float | None: ...  # noqa: D102


class Row(Protocol):
    """One mutant, or the agent itself."""

    @property
    def name(self) -> str: ...  # noqa: D102 - as in detection.Row, like all that follow
    @property
    def answers(self) -> int: ...  # noqa: D102
    @property
    def changed(self) -> int: ...  # noqa: D102
    @property
    def missing(self) -> int: ...  # noqa: D102
    @property
    def found(self) -> Mapping[tuple[str, str], Found]: ...  # noqa: D102
    @property
    def caught_by(self) -> tuple[str, ...]: ...  # noqa: D102
    def by(self, relation: str) -> Found | None: ...  # noqa: D102


class Fault(Protocol):
    """One way to fail."""

    @property
    def name(self) -> str: ...  # noqa: D102 - as in faults.Fault, like all that follow
    @property
    def does(self) -> str: ...  # noqa: D102
    @property
    def who(self) -> str: ...  # noqa: D102


def told(faults: Iterable[Fault]) -> Iterator[str]:
    """Yield what each fault is and who really fails so."""
    for fault in faults:
        yield f"{fault.name}: {fault.does}"
        yield f"    {fault.who}"


def lines(
    rows: Iterable[Row], agent: str, cases: int, relations: Sequence[str], anchors: Sequence[str]
) -> Iterator[str]:
    """Yield the table, and what stands out in it.

    Args:
        rows: the agent itself, then its mutants.
        agent: the agent's full name.
        cases: how many there are.
        relations: relations between answers, a column each.
        anchors: relations to physical facts, likewise, apart.
    """
    rows = list(rows)
    yield from table(rows, agent, relations, anchors).splitlines()
    yield ""
    yield (
        f"{plural(cases, 'case')}. Each cell: violated / decided, in percent; a dot for none, n/a "
        "where nothing was decided. Caught: a case is violated that is not for the agent itself."
    )
    yield from _verdict(rows[1:], anchors)
    lacking = [f"{row.name} {row.missing}" for row in rows[1:] if row.missing > rows[0].missing]
    if lacking:
        yield (
            f"Answers that nobody recorded, of {rows[0].answers}: {', '.join(lacking)}. Cases that "
            "need them are not decided."
        )


def table(
    rows: Sequence[Row],
    agent: str,
    relations: Sequence[str],
    anchors: Sequence[str],
    form: str = "simple",
) -> str:
    """Return the table in a format of tabulate."""
    from tabulate import tabulate

    apart = ["|"] if anchors and form == "simple" else []
    headers = ["mutant", "changed", *relations, *apart, *anchors, "caught by"]
    body = [
        [
            row.name or agent,
            f"{100 * row.changed / row.answers:.1f} %" if row.name else "",
            *(_cell(row.by(name)) for name in relations),
            *apart,
            *(_cell(row.by(name)) for name in anchors),
            _caught(row, relations, anchors),
        ]
        for row in rows
    ]
    numbers = len(headers) - 2
    return tabulate(
        body,
        headers=headers,
        tablefmt=form,
        disable_numparse=True,
        colalign=("left", *["right"] * numbers, "left"),
    )


def _cell(found: Found | None) -> str:
    if found is None or found.rate is None:
        return "n/a"
    return f"{100 * found.rate:.1f}" if found.violated else "."


def _caught(row: Row, relations: Sequence[str], anchors: Sequence[str]) -> str:
    if not row.name:
        return ""
    if not row.changed:
        return "(does not show here)"
    if not row.caught_by:
        return "nothing"
    between = " ".join(name for name in relations if name in row.caught_by)
    fixed = " ".join(name for name in anchors if name in row.caught_by)
    if not between:
        return f"anchors only: {fixed}"
    return f"{between} + {fixed}" if fixed else between


def _verdict(rows: Sequence[Row], anchors: Sequence[str]) -> Iterator[str]:
    shown = [row for row in rows if row.changed]
    caught = [row for row in shown if row.caught_by]
    unseen = [row.name for row in shown if set(row.caught_by) <= set(anchors)]
    yield _headline(len(shown), len(caught), sum(row.name not in unseen for row in caught))
    if unseen:
        yield (
            f"Not seen here by relations between answers: {', '.join(unseen)}. Relations cannot "
            "see a symmetry of the world, and anchors can (docs/mutants.md)."
        )
    hidden = [row.name for row in rows if not row.changed]
    if hidden:
        yield f"Not shown by these trajectories, as no answer changes: {', '.join(hidden)}."


def _headline(shown: int, caught: int, between: int) -> str:
    show, are = "shows" if shown == 1 else "show", "is" if caught == 1 else "are"
    how = f"{between} by relations between answers, {caught - between} by anchors only"
    return f"{plural(shown, 'mutant')} {show} here and {caught} {are} caught: {how}."


def as_json(row: Row) -> dict[str, Any]:
    """Return a row JSON-simple; the agent itself has the fault null."""
    return {
        "fault": row.name or None,
        "answers": row.answers,
        "changed": row.changed,
        "missing": row.missing,
        "caught_by": list(row.caught_by),
        "found": [
            {
                "capability": capability,
                "relation": relation,
                "cases": found.cases,
                "decided": found.decided,
                "violated": found.violated,
                "new": found.new,
                "rate": found.rate,
            }
            for (capability, relation), found in sorted(row.found.items())
        ],
    }
