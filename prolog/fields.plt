:- begin_tests(fields).
:- use_module(metaspace(fields)).

fits(Type, Data) :-
    allowed(Type, Data, 0, key, Value, [], []),
    Value == Data.

test(a_value) :-
    needed(positive, [value=2.5], 0, value, 2.5, [], []).
test(a_value_that_is_not_there, throws(wrong(lacks_key(4, value)))) :-
    needed(positive, [], 4, value, _, [], _).
test(a_value_that_is_not_allowed,
     Value-Problems == bad(up)-[invalid(1, not_allowed(span, up, far))]) :-
    needed(span, [up=far], 1, up, Value, Problems, []).
test(a_span_may_be_negative) :-
    fits(span, -0.5),
    fits(span, -1.0e6),
    fits(span, 1.0e6).
test(a_span_has_an_end, fail) :-
    fits(span, 1000001).
test(a_span_has_an_end_below, fail) :-
    fits(span, -1000001).
test(a_step_may_be_short) :-
    fits(step, 1.0e-6),
    fits(step, 1.0e6).
test(a_step_is_not_nothing, fail) :-
    fits(step, 1.0e-7).
test(a_step_has_an_end, fail) :-
    fits(step, 1000001).
test(a_step_is_a_number, fail) :-
    fits(step, number(inf)).
test(a_span_is_a_number, fail) :-
    fits(span, number(inf)).
test(a_string, Text == b) :-
    need_string([a=b], a, Text).
test(no_string, throws(wrong(not_a_string(2, a)))) :-
    need_string([a=1], a, 2, _).
test(no_object, throws(wrong(not_an_object(case)))) :-
    object_pairs([], case, _).

:- end_tests(fields).
