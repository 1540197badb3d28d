"""Reports full of texts that mean something to somebody: to XML, HTML, Markdown, terminals, CI."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Final

from hypothesis import strategies as st

from pytest_metaspace.domain import (
    Capability,
    Comparison,
    GateResult,
    Known,
    KnownState,
    Moves,
    Outcome,
    Report,
)
from tests.reports.samples import case, of_cases, said, shift, trajectory_of

HOSTILE: Final[tuple[str, ...]] = (
    "\ud800 lone surrogate \udfff",
    "\ufffe\uffff no characters",
    "NUL \x00, bell \x07, delete \x7f, C1 \x9b31m",
    "\x1b[31mred\x1b[0m \x1b]0;title\x07",
    "right to left \u202e\u2066 isolated \u2069\u202c",
    "]]> <![CDATA[ ]]> <!-- --> <?xml?>",
    "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "</script></style></details></textarea><svg/onload=alert(1)>",
    "\"><a href='javascript:alert(1)'>",
    "a | b | c",
    "`one` ``two`` ```three``` ~~~",
    "::error file=x,title=y::said\r\n::set-output name=a::b",
    "first line\nsecond line\r\nthird\u2028fourth\x85fifth\vsixth\fseventh",
    "@someone #123 !5 GH-7 mail@example.org http://example.org www.example.org",
    "# heading\n- list\n> quote\n---\n[link](http://example.org) ![image](http://example.org/a.png)",
    "$math$ $`x`$ ~~struck~~ **bold** _emphasis_ :tada: \\ &amp; &lt; &#x3c;",
    "%0A%0D%25 100 %",
    "[[ATTACHMENT|/etc/passwd]]",
    "../../etc/passwd",
    "/close\n/merge",
    " ",
    "",
    "x" * 100_000,
)
"""Texts that labels, answers and file names may hold."""


def hostile(text: str) -> Report:
    """Return a run in which every text from outside is this one."""
    name = text.replace("::", "") or "empty"
    bad = [
        replace(
            case(name, "SC2-a", "MR1", f"{number}-{name}", outcome, in_full=True, text=text),
            reason=text,
            excuse=text if outcome is Outcome.INVALID else "",
            objects=(text, f"{text}2"),
        )
        for number, outcome in enumerate(Outcome)
    ]
    report = of_cases(bad, [trajectory_of(name, "household", text)], titles={"MR1": text})
    gate = GateResult(name=text, value=None, threshold=0.5, passed=False, sentence=text, basis=text)
    known = Known(case=text, reason=text, owner=text, expires=date(2027, 1, 1))
    return replace(
        report,
        made_by=text,
        status=1,
        questions=tuple(
            replace(one, sentence=text, text=text, truth=text, said=said(text))
            for one in report.questions
        ),
        run=replace(
            report.run,
            agent=text,
            gates=(gate,),
            known=(
                KnownState(known=known, cases=1, broken=1, expired=True, healed=False, idle=False),
            ),
            comparison=Comparison(
                before=text,
                after=text,
                differences=(text,),
                shifts=(shift(text, 0.9, 0.4),),
                moves=Moves(newly_violated=(bad[1].address,)),
            ),
            drops={text: 3},
            failures={text: 1},
            references={text: {"SC2-a": 0.5}},
        ),
    )


def hostile_names(text: str) -> Report:
    """Return a report, as it may be read from a file, of a case whose names are all this text."""
    name = text.replace("::", "") or "empty"
    report = of_cases([], [trajectory_of(name, "household", text)])
    bad = case(name, name, name, name, Outcome.VIOLATED, in_full=True, text=text)
    return replace(report, cases=(bad,))


TEXTS: Final = st.one_of(
    st.sampled_from(HOSTILE[:-1]), st.text(st.characters(exclude_categories=()), max_size=40)
)
"""Any text at all, lone surrogates included."""
_NAMES: Final = TEXTS.filter(lambda text: "::" not in text and text != "")


@st.composite
def reports(draw: st.DrawFn) -> Report:
    """Return any report: some trajectories, some cases of each, whatever texts they hold."""
    names = draw(st.lists(_NAMES, min_size=1, max_size=3, unique=True))
    text = draw(TEXTS)
    found = draw(
        st.dictionaries(
            st.tuples(
                st.sampled_from(names),
                st.sampled_from([code.value for code in Capability]),
                st.sampled_from(["MR1", "MR2", "A2"]),
                st.integers(0, 9),
            ),
            st.sampled_from(list(Outcome)),
            max_size=12,
        )
    )
    cases = [
        case(name, capability, relation, f"{own}", outcome, in_full=True, text=text)
        for (name, capability, relation, own), outcome in found.items()
    ]
    report = of_cases(cases, [trajectory_of(name, "arm", text) for name in names])
    gates = draw(st.lists(TEXTS, max_size=2))
    return replace(
        report,
        run=replace(
            report.run,
            gates=tuple(
                GateResult(name=name, value=None, threshold=0.5, passed=False, sentence=name)
                for name in gates
            ),
        ),
    )
