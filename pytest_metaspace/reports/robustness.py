"""How verdicts and scores change when boxes are perturbed, as a table and as a curve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

from pytest_metaspace.reports.terminal import number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pytest_metaspace.domain import Score

_HEADERS: Final = (
    "perturbation",
    "relation",
    "cases",
    "paired",
    "changed",
    "score",
    "violated",
    "new violations",
)
_BAR: Final = 40


class Change(Protocol):
    """How the verdicts of some relations differ from the clean run."""

    @property
    def clean(self) -> Score: ...  # noqa: D102 - as in robustness.Change, like all that follow
    @property
    def noisy(self) -> Score: ...  # noqa: D102
    @property
    def paired(self) -> int: ...  # noqa: D102
    @property
    def changed(self) -> int: ...  # noqa: D102
    @property
    def new(self) -> int: ...  # noqa: D102
    @property
    def share(self) -> float: ...  # noqa: D102


class Level(Protocol):
    """What one perturbation did."""

    @property
    def name(self) -> str: ...  # noqa: D102 - as in robustness.Level, like all that follow
    @property
    def kind(self) -> str: ...  # noqa: D102
    @property
    def by_relation(self) -> Mapping[str, Change]: ...  # noqa: D102
    @property
    def but_mr5(self) -> Change: ...  # noqa: D102
    @property
    def total(self) -> tuple[float | None, float | None]: ...  # noqa: D102


def lines(levels: Sequence[Level], agent: str) -> Iterator[str]:
    """Yield the table, what it comes to, and the curve of MR5.

    Args:
        levels: one for each perturbation.
        agent: the agent's full name.
    """
    yield from table(levels).splitlines()
    yield ""
    yield (
        "Clean -> perturbed; one figure where they are equal, a dot for none. Paired: cases that "
        "both runs have; changed: those with another verdict. Violated: of the decided cases. New: "
        "violations that the clean run lacks, also in cases that it lacks."
    )
    yield ""
    for level in levels:
        yield (
            f"{agent}, {level.name}: {100 * level.but_mr5.share:.2f} % of the verdicts change and "
            f"{level.but_mr5.new} violations are new, MR5 apart; total "
            f"{_from_to(*map(number, level.total))}"
        )
    yield from _curve(levels)


def table(levels: Sequence[Level], form: str = "simple") -> str:
    """Return the table in a format of tabulate: each relation under each perturbation."""
    from tabulate import tabulate

    rows = [
        _row("" if i else level.name, name, change)
        for level in levels
        for i, (name, change) in enumerate(
            (*level.by_relation.items(), ("all but MR5", level.but_mr5))
        )
    ]
    return tabulate(
        rows,
        headers=_HEADERS,
        tablefmt=form,
        disable_numparse=True,
        colalign=("left", "left", *["right"] * (len(_HEADERS) - 2)),
    )


def _row(perturbation: str, relation: str, change: Change) -> list[str]:
    return [
        perturbation,
        relation,
        _from_to(str(change.clean.cases), str(change.noisy.cases)),
        str(change.paired),
        f"{change.changed} ({100 * change.share:.2f} %)" if change.changed else ".",
        _from_to(number(change.clean.value), number(change.noisy.value)),
        _from_to(_percent(change.clean), _percent(change.noisy)),
        str(change.new or "."),
    ]


def _from_to(before: str, after: str) -> str:
    return before if before == after else f"{before} -> {after}"


def _rate(score: Score) -> float | None:
    decided = score.satisfied + score.violated
    return score.violated / decided if decided else None


def _percent(score: Score) -> str:
    rate = _rate(score)
    return "n/a" if rate is None else f"{100 * rate:.1f} %"


def _curve(levels: Sequence[Level]) -> Iterator[str]:
    """Yield the share of MR5 that is violated, over the levels."""
    points = [(level.name, found) for level in levels if (found := level.by_relation.get("MR5"))]
    if not points:
        return
    yield ""
    yield "MR5, violated of decided:"
    wide = max(len(name) for name, _ in points)
    for name, score in [("clean", points[0][1].clean), *((n, c.noisy) for n, c in points)]:
        bar = "#" * round(_BAR * (_rate(score) or 0))
        yield f"  {name:<{wide}}  {_percent(score):>7}  {bar}".rstrip()


def as_json(level: Level) -> dict[str, Any]:
    """Return a level JSON-simple."""
    return {
        "perturbation": level.name,
        "kind": level.kind,
        "total": list(level.total),
        "all_but_mr5": _json_of(level.but_mr5),
        "by_relation": {name: _json_of(change) for name, change in level.by_relation.items()},
    }


def _json_of(change: Change) -> dict[str, Any]:
    return {
        "paired": change.paired,
        "changed": change.changed,
        "new": change.new,
        **{
            side: {
                "cases": score.cases,
                "satisfied": score.satisfied,
                "violated": score.violated,
                "score": score.value,
            }
            for side, score in (("clean", change.clean), ("perturbed", change.noisy))
        },
    }
