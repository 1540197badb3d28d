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
way(chosen) :- ( kept(1) -> fail ; unused ).
way(every) :- ( kept(_) *-> fail ; unused ).
way(either) :- ( fail ; true ), once(alone), fail.
way(qualified) :- kept_elsewhere:there, test_fired:there, maplist(test_fired:nearer(2), [2]), fail.
way(closures) :-
    call(sum(0), 1), call(sum, 1, 2), call(sum, 1, 2, 3), call(sum, 1, 2, 3, 4),
    call(sum, 1, 2, 3, 4, 5), call(sum, 1, 2, 3, 4, 5, 6), call(sum, 1, 2, 3, 4, 5, 6, 7), fail.
way(grouped) :- setof(X, Y^beside(X, Y), _).
way(never).

no(1).
helped(1).
helped(2) :- fail.
kept(1).
near(A, A).
nearer(A, A).
beside(1, 2).
alone.
unused.
kept_elsewhere:there.
there.
sum(_, _).
sum(_, _, _).
sum(_, _, _, _).
sum(_, _, _, _, _).
sum(_, _, _, _, _, _).
sum(_, _, _, _, _, _, _).

:- begin_tests(fired).

test(clauses_that_were_true, Heads == [alone/0, beside/2, helped/1, kept/1, near/2, nearer/2, no/1,
                                       satisfied/1, sum/2, sum/3, sum/4, sum/5, sum/6, sum/7,
                                       there/0, way/1]) :-
    setup_call_cleanup(
        assertz(metaspace:law('TEST-FIRED', test_fired, []), Reference),
        heads(Heads),
        erase(Reference)).
test(each_is_told_once_with_its_line, Count == 16) :-
    setup_call_cleanup(
        assertz(metaspace:law('TEST-FIRED', test_fired, []), Reference),
        ( fired(test_fired, Sources), length(Sources, Count) ),
        erase(Reference)).

test(no_goal, error(instantiation_error)) :-
    fired:run(( true, _ ), test_fired).

heads(Heads) :-
    fired(test_fired, Sources),
    findall(Name/Arity,
            ( current_predicate(test_fired:Name/Arity),
              functor(Head, Name, Arity),
              \+ predicate_property(test_fired:Head, imported_from(_)),
              clause(test_fired:Head, _, Clause),
              fired:written(Clause, Source),
              memberchk(Source, Sources) ),
            Names),
    sort(Names, Heads).

:- end_tests(fired).
