/** <module> Derivations as JSON

A derivation is the proof of a verdict with its texts: {"goal", "because", "children", "source"},
with "observation" at the leaves that are answers and "summary" at the root.
*/
:- module(derivation,
          [ derivation/4,          % +Verdict, :Goal, -Json, -Proof
            checked_reason/1,      % +Goal
            invalid_derivation/2   % +Problems, -Json
          ]).
:- use_module(library(apply)).
:- use_module(metaspace(json_text)).
:- use_module(metaspace(messages)).
:- use_module(metaspace(proof)).
:- use_module(metaspace(reasons)).

:- det(derivation/4).
:- det(checked_reason/1).
:- det(invalid_derivation/2).

%!  derivation(+Verdict, :Goal, -Json, -Proof) is det.
%
%   Json is raw(Text), the proof of Goal, which gives Verdict; Proof is all of it. Of a violation
%   it is the shortest proof there is, for whichever reason.
%
%   @throws wrong(no_proof) if Goal cannot be proved.
derivation(Verdict, Module:Goal0, raw(Json), Proof) :-
    (   Verdict == violated
    ->  Goal = violated(_),
        Found = shortest_proof(Module:Goal, root_or_shown, Nodes, Proof)
    ;   Goal = Goal0,
        Found = proof(Module:Goal, root_or_shown, Nodes, Proof)
    ),
    (   call(Found),
        Nodes = [Root|_]
    ->  true
    ;   throw(wrong(no_proof))
    ),
    checked_reason(Goal),
    summary_text(Verdict, Module:Goal, Summary),
    with_output_to(string(Json),
                   ( current_output(Out), write_node(Root, [summary-s(Summary)], Out) )).

%!  checked_reason(+Goal) is det.
%
%   Goal is violated(Why) and the like; Why can be written, alike by every engine, and checked.
%
%   @throws wrong(bad_reason(Name, Most)) if not.
checked_reason(Goal) :-
    most_cells(Most),
    (   acyclic_term(Goal),
        ground(Goal),
        term_size(Goal, Cells),
        Cells =< Most
    ->  true
    ;   functor(Goal, Name, _),
        throw(wrong(bad_reason(Name, Most)))
    ).

%   The checker in Python recurs with the nesting of a term, and a list nests.
most_cells(500).

root_or_shown(_:Goal), verdict_goal(Goal) =>
    true.
root_or_shown(Goal) =>
    shown(Goal).

write_node(node(Goal, Because, Children, Source), Rest0, Out) :-
    goal_text(Goal, GoalText),
    because_text(Because, Goal, BecauseText),
    source_text(Source, SourceText),
    (   Source = observation(Index)
    ->  Rest = [observation-n(Index)|Rest0]
    ;   Rest = Rest0
    ),
    write_node(GoalText, BecauseText, Children, SourceText, Rest, Out).

%   write_node(+Goal, +Because, +Children, +Source, +Rest, +Out) is det: with few calls, for
%   speed.
write_node(Goal, Because, Children, Source, Rest, Out) :-
    maplist(json_safe, [Goal, Because, Source], [GoalJson, BecauseJson, SourceJson]),
    format(Out, '{"goal":"~w","because":"~w","children":[', [GoalJson, BecauseJson]),
    write_nodes(Children, '', Out),
    format(Out, '],"source":"~w"', [SourceJson]),
    write_members(Rest, ',', Out),
    put_char(Out, '}').

write_nodes([], _, _).
write_nodes([Node|Nodes], Separator, Out) :-
    write(Out, Separator),
    write_node(Node, [], Out),
    write_nodes(Nodes, ',', Out).

%!  invalid_derivation(+Problems, -Json) is det.
%
%   Names each value that is not allowed.
invalid_derivation(Problems, o(Pairs)) :-
    maplist(problem_node, Problems, Children),
    Problems = [First|_],
    problem_text(First, Reason),
    invalid_texts(Goal, Because),
    string_concat(Reason, ".", Summary),
    node_pairs(Goal, Because, Children, "cases.pl", [summary-s(Summary)], Pairs).

problem_node(Problem, o(Pairs)) :-
    Problem = invalid(Where, _),
    problem_text(Problem, Text),
    (   integer(Where)
    ->  Source = observation(Where),
        Rest = [observation-n(Where)]
    ;   Source = case,
        Rest = []
    ),
    source_text(Source, SourceText),
    node_pairs(Text, SourceText, [], SourceText, Rest, Pairs).

node_pairs(Goal, Because, Children, Source, Rest,
           [ goal-s(Goal), because-s(Because), children-l(Children), source-s(Source)|Rest ]).
