:- module(test_proof, []).
:- use_module(library(plunit)).
:- use_module(metaspace(metaspace)).
:- use_module(metaspace(facts)).
:- use_module(metaspace(proof)).

:- multifile metaspace:law/3.

metaspace:law('TEST-PROOF', test_proof, [subjects(2)]).

shown(_:top(_)).
shown(_:step(_)).

top(X) :-
    hidden(X),
    step(X).
top(9) :-
    cut(_).

hidden(X) :-
    distance(a, b, X),
    X > 2.

step(X) :-
    (   X =:= 3
    ->  true
    ;   X =:= 4
    ->  distance(b, a, _)
    ;   fail
    ),
    \+ X =:= 5.
step(X) :-
    ( X =:= 6 ; X =:= 7 ).

cut(_) :-
    !.

chosen(X) :-
    (   X > 0
    ->  X > 5
    ;   true
    ).

ranked(long) :-
    hidden(_),
    hidden(_).
ranked(short) :-
    hidden(_).
ranked(late) :-
    hidden(_).

longer(1) :-
    chosen(6).
longer(2) :-
    repeat,
    fail.

inside :-
    (   true
    ->  step(3)
    ).

every_fact :-
    (   fail
    ;   direction(a, b, 1),
        vertical(a, b, level)
    ),
    (   distance(a, b, 3),
        claim(yes, at_least(a, b, 2))
    ;   fail
    ),
    measure(size, f, o, 2),
    repeated(distance(a, b, 3)),
    tolerance(steps, 1).

all_shown(_).

given(Observations) :-
    facts:set_facts(case('TEST-PROOF', sound, [a, b], [],
                         settings(false, spatial, [tolerance(steps, 1, default)], front),
                         Observations, true)).

goals([], []).
goals([node(_:Goal, _, Children, _)|Nodes], [Goal-Below|Goals]) :-
    goals(Children, Below),
    goals(Nodes, Goals).

proved(Observations, Goals) :-
    given(Observations),
    proof(test_proof:top(_), test_proof:shown, Nodes),
    goals(Nodes, Goals).

:- begin_tests(proof).

test(hidden_goals_hand_their_facts_up,
     Goals == [top(3)-[distance(a, b, 3)-[], step(3)-[]]]) :-
    test_proof:proved([obs(0, distance(a, b, 3))], Goals).
test(the_first_proof_in_order_of_the_answers,
     Goals == [top(4)-[distance(a, b, 4)-[], step(4)-[distance(b, a, 1)-[]]]]) :-
    test_proof:proved([ obs(0, distance(a, b, 1)), obs(1, distance(a, b, 4)),
                        obs(2, distance(b, a, 1)) ], Goals).
test(the_shortest_proof_and_of_equals_the_first, Rank-Facts == short-[distance(a, b, 7)]) :-
    test_proof:given([obs(0, distance(a, b, 7)), obs(1, distance(a, b, 8))]),
    shortest_proof(test_proof:ranked(Rank), test_proof:shown, Nodes, _),
    findall(Fact, member(node(_:Fact, _, _, _), Nodes), Facts).
test(the_size_of_a_proof_is_its_steps_and_leaves, Size == 7) :-
    Leaf = leaf(_, 0),
    Step = step(_, _, and(then(not, Leaf), else(Leaf))),
    proof:proof_size(and(left(Step), right(and(then(Leaf, call(_)), step(_, _, setting(_, _, _))))),
                     1, Size).
test(no_shortest_proof_of_nothing, fail) :-
    test_proof:given([]),
    shortest_proof(test_proof:hidden(_), test_proof:shown, _, _).
test(the_first_proof_where_others_take_long, X == 1) :-
    test_proof:given([]),
    shortest_proof(test_proof:longer(X), test_proof:shown, _, _).
test(a_disjunction, Goals == [top(7)-[distance(a, b, 7)-[], step(7)-[]]]) :-
    test_proof:proved([obs(0, distance(a, b, 7))], Goals).
test(no_proof_but_a_cut, error(metaspace(cut_in_law(test_proof)))) :-
    test_proof:proved([], _).
test(a_node_tells_file_and_line, File-Text == 'proof.plt'-"top(X) :-") :-
    test_proof:given([obs(0, distance(a, b, 3))]),
    proof(test_proof:top(_), test_proof:shown, [node(_, rule, _, place(Path, Line))]),
    file_base_name(Path, File),
    read_file_to_string(Path, All, []),
    split_string(All, "\n", "", Lines),
    nth1(Line, Lines, Text).
test(a_leaf_tells_its_observation, Leaf =@= node(_, observation(1), [], observation(1))) :-
    test_proof:given([obs(0, distance(a, b, 1)), obs(1, distance(a, b, 3))]),
    proof(test_proof:top(_), test_proof:shown, [node(_, _, [Found|_], _)]),
    Found = node(_, Because, Children, Source),
    Leaf = node(_, Because, Children, Source).
test(every_answer_and_every_tolerance_is_a_leaf,
     Sources == [ observation(0), observation(0), observation(1), observation(2), observation(3),
                  observation(4), setting(steps) ]) :-
    test_proof:given([ obs(0, direction(a, b, 1, level)), obs(1, distance(a, b, 3)),
                       obs(2, claim(yes, at_least(a, b, 2))), obs(3, measure(size, f, o, 2)),
                       obs(4, distance(a, b, 3)) ]),
    proof(test_proof:every_fact, test_proof:all_shown, [node(_, rule, Children, _)]),
    findall(Source, member(node(_, _, _, Source), Children), Sources).
test(the_same_answers_as_prolog) :-
    forall(between(0, 8, X),
           ( test_proof:given([obs(0, distance(a, b, X)), obs(1, distance(b, a, 1))]),
             (   test_proof:hidden(Y),
                 test_proof:step(Y)
             ->  proof(test_proof:top(Z), test_proof:shown, _),
                 Y == Z
             ;   \+ catch(proof(test_proof:top(_), test_proof:shown, _), error(_, _), fail)
             ) )).
test(a_condition_that_holds_shuts_the_other_way, fail) :-
    test_proof:given([]),
    proof(test_proof:chosen(3), test_proof:shown, _).
test(what_a_condition_leads_to_is_shown, Goals == [step(3)-[]]) :-
    test_proof:given([]),
    proof(test_proof:inside, test_proof:shown, Nodes),
    test_proof:goals(Nodes, Goals).
test(a_goal_with_its_module_is_shown, Goals == [step(3)-[]]) :-
    test_proof:given([]),
    proof(test_proof:(true, test_proof:step(3)), test_proof:shown, Nodes),
    test_proof:goals(Nodes, Goals).
test(no_goal_no_proof, error(instantiation_error)) :-
    test_proof:given([]),
    proof(test_proof:(true, _), test_proof:shown, _).
test(the_whole_proof_mirrors_the_clause,
     Proof = step(_, _, then(call(system:(3 =:= 3)), true)) ) :-
    test_proof:given([]),
    proof(test_proof:step(3), test_proof:shown, _, Whole),
    Whole = step(Head, Reference, and(Proof0, not)),
    Proof = step(Head, Reference, Proof0).

:- end_tests(proof).
