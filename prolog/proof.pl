/** <module> Why a verdict holds

A small interpreter that proves a goal of a law once more, with plain Prolog's order, and keeps
the proof. It reads the clauses of law modules with clause/3, whose references give file and
line; everything else is called. A node is

    node(Module:Goal, Because, Children, Source)

where Because is rule, observation(Index) or setting(Origin) and Source is place(File, Line),
observation(Index) or setting(Name). Which goals become nodes is the caller's choice.
*/
:- module(proof,
          [ proof/3,               % :Goal, :Shown, -Nodes
            proof/4,               % :Goal, :Shown, -Nodes, -Proof
            shortest_proof/4,      % :Goal, :Shown, -Nodes, -Proof
            clause_place/2         % +Reference, -Place
          ]).
:- use_module(metaspace(metaspace)).
:- use_module(metaspace(facts)).
:- use_module(library(solution_sequences), [limit/2]).

:- meta_predicate proof(:, 1, -), proof(:, 1, -, -), shortest_proof(:, 1, -, -).

%!  proof(:Goal, :Shown, -Nodes) is semidet.
%!  proof(:Goal, :Shown, -Nodes, -Proof) is semidet.
%
%   Nodes are the topmost nodes of the first proof of Goal. call(Shown, Module:Goal) tells
%   which goals are shown; the children of others are handed up to the node above. Proof is
%   the whole of it, for whoever wants to check it, and mirrors the bodies of the clauses:
%
%     - `true`, and(A, B), then(If, Then), else(Else), left(A), right(B), not
%     - step(Module:Goal, Reference, Body): Goal is the head of a clause
%     - leaf(Module:Goal, Index), setting(Module:Goal, Name, Origin): Goal was given
%     - call(Module:Goal): Goal was called
proof(Goal, Shown, Nodes) :-
    proof(Goal, Shown, Nodes, _).

proof(Module:Goal, Shown, Nodes, Proof) :-
    prove(Goal, Module, Proof),
    !,
    nodes(Proof, Shown, Nodes, []).

%!  shortest_proof(:Goal, :Shown, -Nodes, -Proof) is semidet.
%
%   As proof/4, with the proof of the fewest steps and leaves among the first sixteen; of equally
%   short ones the first, which the order of the clauses in a law decides. Where the search for
%   others takes long it is the first.
shortest_proof(Module:Goal, Shown, Nodes, Proof) :-
    Best = best(none),
    call_with_inference_limit(keep_shortest(Goal, Module, Best), 100_000, Outcome),
    (   Outcome \== inference_limit_exceeded
    ->  arg(1, Best, found(_, Goal, Proof))
    ;   prove(Goal, Module, Proof)
    ),
    !,
    nodes(Proof, Shown, Nodes, []).

keep_shortest(Goal, Module, Best) :-
    forall(limit(16, prove(Goal, Module, Proof)), keep_shorter(Goal, Proof, Best)).

keep_shorter(Goal, Proof, Best) :-
    proof_size(Proof, 0, Size),
    (   arg(1, Best, found(Least, _, _)),
        Least =< Size
    ->  true
    ;   nb_setarg(1, Best, found(Size, Goal, Proof))
    ).

%   proof_size(+Proof, +Size0, -Size) is det: its steps and leaves.
proof_size(step(_, _, Body), Size0, Size) =>
    Size1 is Size0 + 1,
    proof_size(Body, Size1, Size).
proof_size(and(A, B), Size0, Size) =>
    proof_size(A, Size0, Size1),
    proof_size(B, Size1, Size).
proof_size(then(A, B), Size0, Size) =>
    proof_size(A, Size0, Size1),
    proof_size(B, Size1, Size).
proof_size(else(A), Size0, Size) =>
    proof_size(A, Size0, Size).
proof_size(left(A), Size0, Size) =>
    proof_size(A, Size0, Size).
proof_size(right(A), Size0, Size) =>
    proof_size(A, Size0, Size).
proof_size(leaf(_, _), Size0, Size) =>
    Size is Size0 + 1.
proof_size(setting(_, _, _), Size0, Size) =>
    Size is Size0 + 1.
proof_size(_, Size0, Size) =>
    Size = Size0.

%   prove(+Goal, +Module, -Proof) is nondet.
prove(Goal, _, _), var(Goal) =>
    instantiation_error(Goal).
prove(true, _, Proof) =>
    Proof = true.
prove((A, B), Module, Proof) =>
    Proof = and(ProofA, ProofB),
    prove(A, Module, ProofA),
    prove(B, Module, ProofB).
prove((If -> Then ; Else), Module, Proof) =>
    (   prove(If, Module, ProofIf)
    ->  Proof = then(ProofIf, ProofThen),
        prove(Then, Module, ProofThen)
    ;   Proof = else(ProofElse),
        prove(Else, Module, ProofElse)
    ).
prove((If -> Then), Module, Proof) =>
    (   prove(If, Module, ProofIf)
    ->  Proof = then(ProofIf, ProofThen),
        prove(Then, Module, ProofThen)
    ).
prove((A ; B), Module, Proof) =>
    (   Proof = left(ProofA),
        prove(A, Module, ProofA)
    ;   Proof = right(ProofB),
        prove(B, Module, ProofB)
    ).
prove(\+ A, Module, Proof) =>
    \+ Module:A,
    Proof = not.
prove(!, Module, _) =>
    throw(error(metaspace(cut_in_law(Module)), _)).
prove(Inner:Goal, _, Proof) =>
    prove(Goal, Inner, Proof).
prove(Goal, Module, Proof) =>
    (   predicate_property(Module:Goal, imported_from(Owner))
    ->  true
    ;   Owner = Module
    ),
    prove_in(Owner, Goal, Proof).

%   prove_in(+Owner, +Goal, -Proof) is nondet: Goal is defined in Owner.
prove_in(facts, Goal, Proof) =>
    prove_fact(Goal, Proof).
prove_in(Owner, Goal, Proof), law_module(Owner) =>
    Proof = step(Owner:Goal, Reference, ProofBody),
    clause(Owner:Goal, Body, Reference),
    prove(Body, Owner, ProofBody).
prove_in(Owner, Goal, Proof) =>
    Proof = call(Owner:Goal),
    call(Owner:Goal).

prove_fact(Goal, Proof), observable(Goal) =>
    Proof = leaf(facts:Goal, Index),
    facts:observed(Goal, Index).
prove_fact(tolerance(Name, Value), Proof) =>
    Proof = setting(facts:tolerance(Name, Value), Name, Origin),
    facts:setting(Name, Value, Origin).
prove_fact(Goal, Proof) =>
    Proof = call(facts:Goal),
    call(facts:Goal).

%   nodes(+Proof, :Shown, -Nodes, ?Tail) is det.
nodes(and(A, B), Shown, Nodes0, Nodes) =>
    nodes(A, Shown, Nodes0, Nodes1),
    nodes(B, Shown, Nodes1, Nodes).
nodes(then(If, Then), Shown, Nodes0, Nodes) =>
    nodes(and(If, Then), Shown, Nodes0, Nodes).
nodes(else(Else), Shown, Nodes0, Nodes) =>
    nodes(Else, Shown, Nodes0, Nodes).
nodes(left(A), Shown, Nodes0, Nodes) =>
    nodes(A, Shown, Nodes0, Nodes).
nodes(right(B), Shown, Nodes0, Nodes) =>
    nodes(B, Shown, Nodes0, Nodes).
nodes(step(Goal, Reference, Body), Shown, Nodes0, Nodes) =>
    (   call(Shown, Goal)
    ->  nodes(Body, Shown, Children, []),
        clause_place(Reference, Place),
        Nodes0 = [node(Goal, rule, Children, Place)|Nodes]
    ;   nodes(Body, Shown, Nodes0, Nodes)
    ).
nodes(leaf(Goal, Index), _, Nodes0, Nodes) =>
    Nodes0 = [node(Goal, observation(Index), [], observation(Index))|Nodes].
nodes(setting(Goal, Name, Origin), Shown, Nodes0, Nodes), call(Shown, Goal) =>
    Nodes0 = [node(Goal, setting(Origin), [], setting(Name))|Nodes].
nodes(_, _, Nodes0, Nodes) =>
    Nodes0 = Nodes.

observable(direction(_, _, _)).
observable(vertical(_, _, _)).
observable(distance(_, _, _)).
observable(claim(_, _)).
observable(measure(_, _, _, _)).
observable(repeated(_)).
observable(frame_columns(_, _, _, _)).
observable(principal_column(_, _)).
observable(executed(_, _, _, _, _, _)).
observable(heading_at(_)).
observable(step_length(_)).
observable(choice(_, _)).
observable(becomes(_, _)).
observable(if_answer(_, _, _)).
observable(if_counts(_, _, _, _)).
observable(then_answer(_, _, _)).
observable(asks_about(_, _)).
observable(true_answer(_)).

law_module(Module) :-
    metaspace:law(_, Module, _),
    !.

%!  clause_place(+Reference, -Place) is det.
%
%   Place is place(File, Line) or unknown.
clause_place(Reference, Place) :-
    (   clause_property(Reference, file(File)),
        clause_property(Reference, line_count(Line))
    ->  Place = place(File, Line)
    ;   Place = unknown
    ).
