"""What a file of laws may hold: everything else is refused where it stands, and nothing of it ran."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_metaspace.oracle import LawError, Oracle
from tests.oracle.engines import ENGINES, needs_native

if TYPE_CHECKING:
    from pytest_metaspace.oracle.engine import EngineName

ROOT = Path(__file__).resolve().parents[2]
HEAD = """\
:- module(bad, []).
:- use_module(metaspace(facts)).
:- multifile metaspace:law/3, metaspace:text/2.
metaspace:law('BAD', bad, [subjects(2)]).
satisfied(x) :- subjects(_, _).
inconclusive(_) :- fail.
lacks(_) :- fail.
"""
CASE = {"case": "1", "relation": "BAD", "subjects": ["a", "b"], "observations": []}
CALLS = "violated/1 calls {}, which is neither defined here nor on the list of what a law may call"
UNKNOWN = "violated/1 calls a goal that is not known before it runs"
REFUSED = {
    # effects
    "violated(_) :- read(_).": CALLS.format("read/1"),
    "violated(_) :- read(user_input, _).": CALLS.format("read/2"),
    "violated(_) :- shell('touch pwned').": CALLS.format("shell/1"),
    "violated(_) :- open(pwned, write, _).": CALLS.format("open/3"),
    "violated(_) :- consult(pwned).": CALLS.format("consult/1"),
    "violated(_) :- halt.": CALLS.format("halt/0"),
    "violated(_) :- sleep(1000).": CALLS.format("sleep/1"),
    "violated(_) :- write(x).": CALLS.format("write/1"),
    "violated(_) :- format(user_output, x, []).": CALLS.format("format/3"),
    "violated(_) :- assertz(facts:direction(a, b, 0)).": CALLS.format("assertz/1"),
    "violated(_) :- nb_setval(seen, 1).": CALLS.format("nb_setval/2"),
    "violated(_) :- b_setval(metaspace_case, c).": CALLS.format("b_setval/2"),
    "violated(_) :- get_time(_).": CALLS.format("get_time/1"),
    "violated(_) :- X is random(9), X > 4.": "violated/1 computes with random",
    "violated(_) :- thread_create(halt).": CALLS.format("thread_create/1"),
    "violated(_) :- catch(true, _, true).": CALLS.format("catch/3"),
    "violated(_) :- freeze(_, halt).": CALLS.format("freeze/2"),
    "violated(X) :- X = _{a: 1}.a.": CALLS.format("('.')/3"),
    # the same in other clothes
    "violated(_) :- G = halt, call(G).": UNKNOWN,
    "violated(_) :- G =.. [halt], G.": UNKNOWN,
    "violated(_) :- M = system, M:halt.": UNKNOWN,
    "violated(_) :- maplist(call, [halt]).": UNKNOWN,
    "violated(_) :- system:halt.": CALLS.format("system:halt/0"),
    "violated(_) :- facts:set_facts(x).": CALLS.format("facts:set_facts/1"),
    "violated(_) :- engine:stack_limit(_).": CALLS.format("engine:stack_limit/1"),
    "violated(_) :- \\+ ( true, ( halt -> true ; true ) ).": CALLS.format("halt/0"),
    "violated(_) :- findall(X, ( X = 1, halt ), _).": CALLS.format("halt/0"),
    "violated(_) :- setof(X, Y^( X = Y, halt ), _).": CALLS.format("halt/0"),
    "violated(_) :- forall(true, once(ignore(call(halt)))).": CALLS.format("halt/0"),
    "violated(_) :- maplist(halt, [0]).": CALLS.format("halt/1"),
    "violated(_) :- foldl(call(system:shell), [a], _, _).": CALLS.format("system:shell/3"),
    "violated(_) :- aggregate_all(count, halt, _).": CALLS.format("halt/0"),
    "metaspace:text(bad:violated(_), T) :- shell(T).": "text/2 calls shell/1",
    # what is ours, and what rewrites
    "direction(a, b, 0).": "direction/3 means something already",
    "true.": "true/0 means something already",
    "facts:direction(a, b, 0).": "facts:direction(a,b,0) cannot be defined here",
    "spatial:opposite(_, 0).": "spatial:opposite(A,0) cannot be defined here",
    "metaspace:law('BAD2', facts, []).": "metaspace:law('BAD2',facts,[]) cannot be defined here",
    "metaspace:text(transitivity:_, x).": "metaspace:text(transitivity:A,x) cannot be defined",
    "metaspace:text(_, x).": "metaspace:text(A,x) cannot be defined here",
    "user:portray(_) :- halt.": "user:portray(A) cannot be defined here",
    "user:message_hook(_, _, _).": "user:message_hook(A,B,C) cannot be defined here",
    "prolog:message(_) --> [].": "prolog:message(A,B,C) cannot be defined here",
    "term_expansion(a, b).": "term_expansion/2 would rewrite rules",
    "goal_expansion(a, b).": "goal_expansion/2 would rewrite rules",
    "user:term_expansion(a, b).": "user:term_expansion(a,b) cannot be defined here",
    "helped(_) => true.": "Head => Body is nothing that a derivation can follow",
    "17.": "17 cannot be defined here",
    "_.": "A cannot be defined here",
    # directives
    ":- shell('touch pwned').": "the directive shell('touch pwned') is not allowed",
    "?- shell('touch pwned').": "the directive shell('touch pwned') is not allowed",
    "[( :- shell('touch pwned') )].": "a list would be loaded as the terms in it",
    "'$source_location'(f, 1):( :- halt ).": "cannot be defined here",
    ":- initialization(halt).": "the directive initialization halt is not allowed",
    ":- initialization(halt, now).": "the directive initialization(halt,now) is not allowed",
    ":- set_prolog_flag(double_quotes, codes).": "the directive set_prolog_flag",
    ":- dynamic seen/1.": "the directive dynamic seen/1 is not allowed",
    ":- dynamic facts:direction/3.": "the directive dynamic facts:direction/3 is not allowed",
    ":- table violated/1.": "the directive table violated/1 is not allowed",
    ":- op(700, xfx, beside).": "the directive op(700,xfx,beside) is not allowed",
    ":- multifile user:portray/1.": "the directive multifile user:portray/1 is not allowed",
    ":- if(shell('touch pwned')).": "the directive if(shell('touch pwned')) is not allowed",
    ":- use_module(library(process)).": "library(process) cannot be used. A law uses metaspace(",
    ":- use_module(metaspace(engine)).": "metaspace(engine) cannot be used",
    ":- use_module(absent).": "absent cannot be used",
    ":- use_module(_).": "A cannot be used",
    ":- multifile metaspace:_.": "the directive multifile metaspace:A is not allowed",
    ":- module(_, []).": "the directive module(A,[]) is not allowed",
    ":- use_module(library(lists), [member/2 as has]).": "is not a list of Name/Arity",
    ":- ensure_loaded(library(lists)).": "the directive ensure_loaded(library(lists)) is not",
}


def told(engine: str, law: Path, **options: bool) -> list[str]:
    """Load a law and return what is said against it."""
    with Oracle(engine, laws=[law], **options) as oracle:  # type: ignore[arg-type]
        try:
            oracle.describe()
        except LawError as error:
            return str(error).removeprefix("metaspace: ").splitlines()
        return []


@pytest.mark.parametrize("engine", ENGINES)
def test_what_is_not_on_the_list_is_refused_with_its_line_and_never_runs(
    engine: EngineName, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    law = tmp_path / "bad.pl"
    law.write_text(HEAD + "\n".join(REFUSED) + "\n")
    places = {}
    line = HEAD.count("\n") + 1
    for text, words in REFUSED.items():
        places[line] = words
        line += text.count("\n") + 1
    messages = told(engine, law)
    assert len(messages) == sum(words is not None for words in places.values())
    for message in messages:
        match = re.fullmatch(r"bad\.pl:(\d+): error: (.*)", message)
        assert match is not None, message
        words = places[int(match[1])]
        assert words is not None
        assert words in match[2]
    assert not (tmp_path / "pwned").exists()


@pytest.mark.parametrize("engine", ENGINES)
def test_what_a_file_of_laws_uses_is_read_as_strictly(engine: EngineName, tmp_path: Path) -> None:
    law = tmp_path / "bad.pl"
    law.write_text(HEAD + ":- use_module(helper).\nviolated(_) :- helped.\n")
    helper = tmp_path / "helper.pl"
    helper.write_text(":- module(helper, [helped/0]).\n:- use_module(bad).\nhelped :- shell(x).\n")
    (message,) = told(engine, law)
    assert message.startswith("helper.pl:3: error: helped/0 calls shell/1, which is neither")


@pytest.mark.parametrize("name", ["facts", "engine", "lists", "user", "transitivity"])
def test_no_module_takes_the_name_of_another(name: str, tmp_path: Path) -> None:
    law = tmp_path / "bad.pl"
    law.write_text(HEAD.replace("bad", name) + "violated(_) :- fail.\n")
    assert told("auto", law)[0] == (
        f"bad.pl:1: error: there is a module {name} already; name this one otherwise"
    )


@pytest.mark.parametrize("engine", ENGINES)
def test_what_is_on_the_list_is_loaded(engine: EngineName, tmp_path: Path) -> None:
    law = tmp_path / "good.pl"
    law.write_text(
        HEAD.replace("bad", "good") + ":- use_module(library(aggregate)).\n"
        ":- use_module(library(lists), [sum_list/2]).\n"
        ":- use_module(metaspace(spatial)).\n"
        ":- discontiguous helped/1.\n"
        'metaspace:text(good:violated(X), "odd ~w"-[name(X)]).\n'
        "violated(x) :-\n"
        "    ( \\+ helped(1) -> true ; helped(_) ),\n"
        "    findall(X, ( member(X, [1, 2]), X > 1 ), Xs), sum_list(Xs, _),\n"
        "    aggregate_all(count, helped(_), _), forall(member(Y, Xs), Y > 0),\n"
        "    setof(A, B^beside(A, B), _), foldl(add(1), Xs, 0, _), maplist(=(_), Xs),\n"
        "    include(call(<, 1), Xs, _), lists:last(Xs, _), good:helped(_), spatial:level(_),\n"
        "    nth0(0, Xs, _), turn(0, 1, _), atom_length(abc, _), facts:subjects(_, _), words.\n"
        "helped(1).\n"
        "words :- greeting([a], []).\n"
        "greeting --> [a], { true }.\n"
        "beside(1, 2).\n"
        "helped(2).\n"
        "add(A, B, C, D) :- D is A + B + C.\n"
    )
    assert told(engine, law) == []


def test_who_trusts_a_law_loads_it_whatever_it_holds(tmp_path: Path) -> None:
    law = tmp_path / "bad.pl"
    law.write_text(HEAD + ":- dynamic seen/1.\nviolated(_) :- catch(fail, _, true).\n")
    assert told("auto", law, trusted=True) == []
    assert len(told("auto", law)) == 2


def test_a_text_of_a_user_calls_nothing(tmp_path: Path) -> None:
    law = tmp_path / "loud.pl"
    law.write_text(
        HEAD.replace("bad", "loud") + 'metaspace:text(loud:violated(_), "~@ ~w"-[halt]).\n'
        "violated(x) :- subjects(_, _).\n"
    )
    with Oracle("swipl", laws=[law]) as oracle:
        (found,) = oracle.judge([CASE])
    assert found["derivation"]["goal"] == "~@ halt"


REASON = (
    "the argument of violated/1 must be a term without variables and cycles, of at most 500 cells"
)


SLIPS = {
    "violated(x) :- X is 1/0, X > 1.": "//2: Arithmetic: evaluation error: `zero_divisor'",
    "violated(x) :- X is 1.0e308*10, X > 1.": "Arithmetic: evaluation error: `float_overflow'",
    "violated(f(_)) :- subjects(_, _).": REASON,
    "violated(X) :- X = f(X).": REASON,
    "violated(Xs) :- findall(X, between(1, 20000, X), Xs).": REASON,
}


@pytest.mark.parametrize("engine", ENGINES)
def test_a_slip_in_a_law_of_a_user_gives_no_verdict(engine: EngineName, tmp_path: Path) -> None:
    laws = [tmp_path / f"bad{number}.pl" for number in range(len(SLIPS))]
    for law, clause in zip(laws, SLIPS):
        head = HEAD.replace("bad", law.stem).replace("BAD", law.stem.upper())
        law.write_text(head + clause + "\n")
    cases = [{**CASE, "relation": law.stem.upper()} for law in laws]
    with Oracle(engine, laws=laws) as oracle:
        found = list(oracle.judge(cases))
    assert [one["verdict"] for one in found] == ["error"] * len(SLIPS)
    for one, (clause, reason) in zip(found, SLIPS.items()):
        assert str(one["reason"]).endswith(reason), clause


def test_the_longest_reason_can_be_checked(tmp_path: Path) -> None:
    law = tmp_path / "bad.pl"
    law.write_text(HEAD + "violated(Xs) :- findall(X, between(1, 166, X), Xs).\n")
    with Oracle("swipl", laws=[law]) as oracle:
        (found,) = oracle.judge([CASE], proofs="violated")
        assert oracle.confirmed(CASE, found)["verdict"] == "violated"


TOO_LARGE = [
    ("violated(x) :- " + "true," * 60_000 + "true.", "a term of more than 1,000 goals, or"),
    ("violated(" + "f(" * 100_000 + "x" + ")" * 100_000 + ").", "more than 200 brackets are"),
    ("violated(x) :- x " + "+ x" * 100_000 + " == y.", "a term of more than 1,000 goals, or"),
]
"""Each host has stacks of its own."""
UNREADABLE = [
    ("violated(x).\nend_of_file.\nhelped :- halt.", "what follows end_of_file would not be"),
    ("violated(x).\n/* unclosed", "Syntax error: End of file in /* ... */ comment"),
    ("violated(x) :- a b.", "Syntax error: Operator expected"),
    (":- use_module('../elsewhere').", "'../elsewhere' cannot be used"),
    (":- use_module('/etc/passwd').", "'/etc/passwd' cannot be used"),
    ('metaspace:text(bad:violated(_), "~w ~w"-[x]).', "has not one argument for each ~w"),
]
"""One Prolog says so of all hosts."""


@needs_native
@pytest.mark.parametrize(("text", "words"), UNREADABLE)
def test_what_is_no_law_is_told_with_its_place(text: str, words: str, tmp_path: Path) -> None:
    is_told("swipl", tmp_path, text, words)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("text", "words"), TOO_LARGE)
def test_what_is_too_large_to_be_read_is_told_with_its_place(
    text: str, words: str, engine: EngineName, tmp_path: Path
) -> None:
    is_told(engine, tmp_path, text, words)


def is_told(engine: EngineName, folder: Path, text: str, words: str) -> None:
    (folder / "elsewhere.pl").write_text(":- module(elsewhere, []).\n")
    law = folder / "laws" / "bad.pl"
    law.parent.mkdir()
    law.write_text(HEAD + text + "\n")
    (message,) = told(engine, law)
    match = re.fullmatch(r"bad\.pl:(8|9): error: (.*)", message)
    assert match is not None, message
    assert words in match[2]


@pytest.mark.parametrize("engine", ENGINES)
def test_the_bounds_leave_room_on_each_engine(engine: EngineName, tmp_path: Path) -> None:
    law = tmp_path / "good.pl"
    deep = "(" * 199 + "true" + ")" * 199
    law.write_text(
        HEAD.replace("bad", "good") + f"violated(x) :- {'true, ' * 990}{deep}.\n"
        f"helped({'f(' * 198}x{')' * 198}).\n"
    )
    assert told(engine, law) == []


@pytest.mark.parametrize("engine", ENGINES)
def test_a_law_that_lacks_something_is_told_with_its_place(
    engine: EngineName, tmp_path: Path
) -> None:
    law = tmp_path / "bad.pl"
    law.write_text(HEAD.replace("[subjects(2)]", "[subject(2)]"))
    shape = "a list of subjects(Count), object, objects(Count), repeats and anchored"
    assert told(engine, law) == [
        f"bad.pl:4: error: the shape [subject(2)] is not {shape}",
        "bad.pl:4: error: law bad does not define violated/1",
    ]


def test_the_page_lists_what_may_be_called() -> None:
    page = (ROOT / "docs" / "rules.md").read_text()
    named = set(re.findall(r"`([^`\s]+)`", page))
    source = (ROOT / "prolog" / "allow_list.pl").read_text()
    for arity, names in re.findall(
        r"^builtins\((\d), \[(.*?)\]\)\.$", source, re.MULTILINE | re.DOTALL
    ):
        for name in names.replace("(',')", "COMMA").replace(",", " ").split():
            assert f"{name.replace('COMMA', ',')}/{arity}" in named, name
    for name in re.findall(r"^library\((\w+)\)\.$", source, re.MULTILINE):
        assert f"library({name})" in named
    for module in ("facts", "spatial"):
        exports = (ROOT / "prolog" / f"{module}.pl").read_text().split("]).")[0]
        for indicator in re.findall(r"\b([a-z_]+/\d)\b", exports):
            assert indicator in named, indicator
