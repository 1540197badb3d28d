:- begin_tests(agreement).
:- use_module(metaspace(agreement)).

test(the_same_twice) :-
    no_disagreement([obs(0, distance(a, b, 3)), obs(1, distance(a, b, 3.0))]).
test(two_values_for_one_thing, throws(wrong(disagreement(1, 2)))) :-
    no_disagreement([ obs(0, distance(b, a, 1)), obs(1, distance(a, b, 3)),
                      obs(2, distance(a, b, 4)) ]).
test(what_is_not_allowed_disagrees_with_nothing) :-
    no_disagreement([obs(0, choice(q, bad(option))), obs(1, choice(q, x)), obs(2, choice(q, x))]).
test(a_number_and_its_digits_differ, throws(wrong(disagreement(0, 1)))) :-
    no_disagreement([obs(0, choice(q, 3)), obs(1, choice(q, '3'))]).
test(one_rule_with_two_conclusions, throws(wrong(disagreement(0, 1)))) :-
    no_disagreement([obs(0, then_answer(r, q, x)), obs(1, then_answer(r, p, x))]).

:- end_tests(agreement).
