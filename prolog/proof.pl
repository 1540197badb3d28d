/** <module> Why a verdict holds

A small interpreter that proves a goal of a law once more, with plain Prolog's order, and keeps
the proof. It reads the clauses of law modules with clause/3, whose references give file and
line; everything else is called. A node is

    node(Module:Goal, Because, Children, Source)

where Because is rule, observation(Index) or setting(Origin) and Source is place(File, Line),
observation(Index) or setting(Name). Which goals become nodes is the caller's choice.
*/
:- module(proof,
          [ proof/3                % :Goal, :Shown, -Nodes
          ]).
:- use_module(library(lists)).
:- use_module(metaspace(metaspace)).
:- use_module(metaspace(facts)).

:- meta_predicate proof(:, 1, -).

%!  proof(:Goal, :Shown, -Nodes) is semidet.
%
%   Nodes are the topmost nodes of the first proof of Goal. call(Shown, Module:Goal) tells
%   which goals are shown; the children of others are handed up to the node above.
proof(Module:Goal, Shown, Nodes) :-
    prove(Goal, Module, Shown, Nodes, []),
    !.

prove(Goal, _, _, _, _), var(Goal) =>
    instantiation_error(Goal).
prove(true, _, _, Nodes0, Nodes) =>
    Nodes0 = Nodes.
prove((A, B), Module, Shown, Nodes0, Nodes) =>
    prove(A, Module, Shown, Nodes0, Nodes1),
    prove(B, Module, Shown, Nodes1, Nodes).
prove((If -> Then ; Else), Module, Shown, Nodes0, Nodes) =>
    (   prove(If, Module, Shown, Nodes0, Nodes1)
    ->  prove(Then, Module, Shown, Nodes1, Nodes)
    ;   prove(Else, Module, Shown, Nodes0, Nodes)
    ).
prove((If -> Then), Module, Shown, Nodes0, Nodes) =>
    (   prove(If, Module, Shown, Nodes0, Nodes1)
    ->  prove(Then, Module, Shown, Nodes1, Nodes)
    ).
prove((A ; B), Module, Shown, Nodes0, Nodes) =>
    (   prove(A, Module, Shown, Nodes0, Nodes)
    ;   prove(B, Module, Shown, Nodes0, Nodes)
    ).
prove(\+ A, Module, _, Nodes0, Nodes) =>
    \+ Module:A,
    Nodes0 = Nodes.
prove(!, Module, _, _, _) =>
    throw(error(metaspace(cut_in_law(Module)), _)).
prove(Inner:Goal, _, Shown, Nodes0, Nodes) =>
    prove(Goal, Inner, Shown, Nodes0, Nodes).
prove(Goal, Module, Shown, Nodes0, Nodes) =>
    (   predicate_property(Module:Goal, imported_from(Owner))
    ->  true
    ;   Owner = Module
    ),
    prove_in(Owner, Goal, Shown, Nodes0, Nodes).

%   prove_in(+Owner, +Goal, :Shown, -Nodes, ?Tail) is nondet: Goal is defined in Owner.
prove_in(facts, Goal, Shown, Nodes0, Nodes) =>
    prove_fact(Goal, Shown, Nodes0, Nodes).
prove_in(Owner, Goal, Shown, Nodes0, Nodes), law_module(Owner) =>
    clause(Owner:Goal, Body, Reference),
    prove(Body, Owner, Shown, Children, []),
    (   call(Shown, Owner:Goal)
    ->  clause_place(Reference, Place),
        Nodes0 = [node(Owner:Goal, rule, Children, Place)|Nodes]
    ;   append(Children, Nodes, Nodes0)
    ).
prove_in(Owner, Goal, _, Nodes0, Nodes) =>
    call(Owner:Goal),
    Nodes0 = Nodes.

prove_fact(Goal, _, Nodes0, Nodes), observable(Goal) =>
    facts:observed(Goal, Index),
    Nodes0 = [node(facts:Goal, observation(Index), [], observation(Index))|Nodes].
prove_fact(tolerance(Name, Value), Shown, Nodes0, Nodes) =>
    facts:setting(Name, Value, Origin),
    (   call(Shown, facts:tolerance(Name, Value))
    ->  Nodes0 = [node(facts:tolerance(Name, Value), setting(Origin), [], setting(Name))|Nodes]
    ;   Nodes0 = Nodes
    ).
prove_fact(Goal, _, Nodes0, Nodes) =>
    call(facts:Goal),
    Nodes0 = Nodes.

observable(direction(_, _, _)).
observable(vertical(_, _, _)).
observable(distance(_, _, _)).
observable(claim(_, _)).
observable(measure(_, _, _, _)).
observable(repeated(_)).

law_module(Module) :-
    metaspace:law(_, Module, _),
    !.

clause_place(Reference, Place) :-
    (   clause_property(Reference, file(File)),
        clause_property(Reference, line_count(Line))
    ->  Place = place(File, Line)
    ;   Place = unknown
    ).
