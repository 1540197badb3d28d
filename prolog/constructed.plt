:- begin_tests(constructed).
:- use_module(metaspace(constructed)).

read(Kind, Pairs, Values, Problems) :-
    constructed(Kind, Fields, _),
    constructed_values(Fields, Pairs, 4, Values, Problems, []).

test(values_in_order, Values-Problems == [r, more, a, b]-[]) :-
    read(if_counts, [second=b, first=a, compares=more, rule=r], Values, Problems).
test(a_whole_number_is_an_option, Values-Problems == [q, 3]-[]) :-
    read(choice, [question=q, option=3.0], Values, Problems).
test(what_is_not_allowed, Values-Problems ==
                          [bad(option), bad(becomes)]-
                          [ invalid(4, not_allowed(option, option, -1)),
                            invalid(4, not_allowed(option, becomes, 2.5)) ]) :-
    read(becomes, [option= -1, becomes=2.5], Values, Problems).
test(no_comparison, Problems == [invalid(4, not_allowed(comparison, compares, most))]) :-
    read(if_counts, [rule=r, compares=most, first=a, second=b], _, Problems).
test(no_side, Problems == [invalid(4, not_allowed(side, side, middle))]) :-
    read(side, [side=middle, question=q], _, Problems).
test(a_rule_is_named_by_a_string, throws(wrong(not_a_string(4, rule)))) :-
    read(then_answer, [rule=1, question=q, option=x], _, _).
test(things, Things == [ choice(q)-[x], becomes(x)-[y], if_answer(r, q)-[x],
                         if_counts(r, a, b)-[more], then_answer(r)-[q, x], side(q)-[left],
                         asks_about(q)-[x] ]) :-
    findall(Thing-Values,
            ( member(Observation, [ choice(q, x), becomes(x, y), if_answer(r, q, x),
                                    if_counts(r, more, a, b), then_answer(r, q, x),
                                    side(left, q), asks_about(q, x) ]),
              constructed_thing(Observation, Thing, Values)
            ),
            Things).

:- end_tests(constructed).
