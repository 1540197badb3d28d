:- module(test_fired, []).
:- use_module(library(lists)).
:- use_module(metaspace(metaspace)).
:- use_module(metaspace(fired)).

:- multifile metaspace:law/3.
:- dynamic metaspace:law/3.

lacks(_) :- fail.
violated(_) :- fail.
satisfied(Way) :- way(Way).
inconclusive(_).

way(if) :- ( fail -> true ; no(_), fail ).
way(negated) :- \+ \+ helped(1), fail.
way(found) :- findall(X, helped(X), _), forall(kept(_), true), maplist(near(1), [1]), fail.
way(grouped) :- setof(X, Y^beside(X, Y), _).
way(never).

no(1).
helped(1).
helped(2) :- fail.
kept(1).
near(A, A).
beside(1, 2).

:- begin_tests(fired).

test(clauses_that_were_true, Heads == [beside, helped, kept, near, no, satisfied, way]) :-
    setup_call_cleanup(
        assertz(metaspace:law('TEST-FIRED', test_fired, []), Reference),
        heads(Heads),
        erase(Reference)).
test(each_is_told_once_with_its_line, Count == 7) :-
    setup_call_cleanup(
        assertz(metaspace:law('TEST-FIRED', test_fired, []), Reference),
        ( fired(test_fired, Sources), length(Sources, Count) ),
        erase(Reference)).

heads(Heads) :-
    fired(test_fired, Sources),
    findall(Name,
            ( member(Name/Arity, [no/1, helped/1, kept/1, near/2, beside/2, way/1, satisfied/1,
                                  inconclusive/1, violated/1, lacks/1]),
              functor(Head, Name, Arity),
              clause(test_fired:Head, _, Clause),
              fired:written(Clause, Source),
              memberchk(Source, Sources) ),
            Names),
    sort(Names, Heads).

:- end_tests(fired).
