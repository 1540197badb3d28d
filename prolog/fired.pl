/** <module> Which clauses of laws fire

Judges a case once more, only to see which clauses of its law are true on the way, whether in a
condition, under a negation or in the end. What comes out here decides nothing.
*/
:- module(fired,
          [ fired/2                % +Law, -Sources
          ]).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(metaspace(metaspace)).
:- use_module(metaspace(messages)).
:- use_module(metaspace(proof)).

:- dynamic seen/1, known/3.

:- det(fired/2).

%!  fired(+Law, -Sources) is det.
%
%   Sources are the places, written as derivations write them, of the clauses of Law whose bodies
%   were true while the case in hand was judged.
fired(Law, Sources) :-
    retractall(seen(_)),
    (   run(lacks(_), Law)
    ->  true
    ;   member(Goal, [violated(_), satisfied(_), inconclusive(_)]),
        run(Goal, Law)
    ->  true
    ;   true
    ),
    findall(Source, ( retract(seen(Reference)), written(Reference, Source) ), Unsorted),
    sort(Unsorted, Sources).

written(Reference, Source) :-
    clause_place(Reference, Place),
    source_text(Place, Source).

%   run(+Goal, +Module) is nondet: as call(Module:Goal); clauses that were true are kept.
run(Goal, _), var(Goal) =>
    instantiation_error(Goal).
run(true, _) =>
    true.
run((A, B), Module) =>
    run(A, Module),
    run(B, Module).
run((If -> Then ; Else), Module) =>
    (   run(If, Module)
    ->  run(Then, Module)
    ;   run(Else, Module)
    ).
run((If *-> Then ; Else), Module) =>
    (   run(If, Module)
    *-> run(Then, Module)
    ;   run(Else, Module)
    ).
run((A ; B), Module) =>
    (   run(A, Module)
    ;   run(B, Module)
    ).
run(\+ Goal, Module) =>
    \+ run(Goal, Module).
run(Inner:Goal, _) =>
    run(Goal, Inner).
run(Goal, Module) =>
    (   known(Goal, Module, Kind)
    ->  true
    ;   functor(Goal, Name, Arity),
        functor(General, Name, Arity),
        kind(General, Module, Kind),
        assertz(known(General, Module, Kind))
    ),
    run(Kind, Goal, Module).

run(law(Owner), Goal, _) =>
    clause(Owner:Goal, Body, Reference),
    run(Body, Owner),
    see(Reference).
run(meta(Kinds), Goal0, Module) =>
    Goal0 =.. [Name|Arguments0],
    maplist(watched(Module), Kinds, Arguments0, Arguments),
    Goal =.. [Name|Arguments],
    call(Module:Goal).
run(other, Goal, Module) =>
    call(Module:Goal).

%   kind(+Goal, +Module, -Kind) is det: law(Owner) for what a law defines, meta(Kinds) for what
%   calls its arguments.
kind(Goal, Module, Kind) :-
    (   predicate_property(Module:Goal, imported_from(Owner))
    ->  true
    ;   Owner = Module
    ),
    (   metaspace:law(_, Owner, _),
        predicate_property(Owner:Goal, number_of_clauses(_))
    ->  Kind = law(Owner)
    ;   predicate_property(Module:Goal, meta_predicate(Head))
    ->  Head =.. [_|Kinds],
        Kind = meta(Kinds)
    ;   Kind = other
    ).

see(Reference) :-
    (   seen(Reference)
    ->  true
    ;   assertz(seen(Reference))
    ).

%   watched(+Module, +Kind, +Argument, -Watched) is det: a goal among the arguments of another.
watched(Module, 0, Goal, Watched) =>
    Watched = fired:run(Goal, Module).
watched(Module, Kind, Closure, Watched), integer(Kind) =>
    Watched = fired:extended(Module, Closure).
watched(Module, ^, Variable^Goal, Watched) =>
    Watched = Variable^Inner,
    watched(Module, ^, Goal, Inner).
watched(Module, ^, Goal, Watched) =>
    Watched = fired:run(Goal, Module).
watched(_, _, Argument, Watched) =>
    Watched = Argument.

extended(Module, Closure, A) :-
    extended_by([A], Closure, Module).
extended(Module, Closure, A, B) :-
    extended_by([A, B], Closure, Module).
extended(Module, Closure, A, B, C) :-
    extended_by([A, B, C], Closure, Module).
extended(Module, Closure, A, B, C, D) :-
    extended_by([A, B, C, D], Closure, Module).
extended(Module, Closure, A, B, C, D, E) :-
    extended_by([A, B, C, D, E], Closure, Module).
extended(Module, Closure, A, B, C, D, E, F) :-
    extended_by([A, B, C, D, E, F], Closure, Module).
extended(Module, Closure, A, B, C, D, E, F, G) :-
    extended_by([A, B, C, D, E, F, G], Closure, Module).

extended_by(More, Inner:Closure, _) =>
    extended_by(More, Closure, Inner).
extended_by(More, Closure, Module) =>
    Closure =.. List0,
    append(List0, More, List),
    Goal =.. List,
    run(Goal, Module).
