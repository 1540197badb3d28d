:- begin_tests(mapped).
:- use_module(law_tests).
:- use_module(metaspace(messages)).

test(as_due, Verdict == satisfied) :-
    judged('MAP', [chosen(a, x), chosen(b, y), becomes(x, y), becomes(y, x)], [], Verdict).
test(otherwise, Verdict == violated) :-
    judged('MAP', [chosen(a, x), chosen(b, x), becomes(x, y), becomes(y, x)], [], Verdict).
test(what_stays, [Verdict1, Verdict2] == [satisfied, violated]) :-
    judged('MAP', [chosen(a, x), chosen(b, x), becomes(x, x)], [], Verdict1),
    judged('MAP', [chosen(a, x), chosen(b, y), becomes(x, x)], [], Verdict2).
test(nothing_follows, Verdict == inconclusive) :-
    judged('MAP', [chosen(a, z), chosen(b, y), becomes(x, y)], [], Verdict).
test(the_answers_do_not_change_places, Verdict == violated) :-
    judged('MAP', [chosen(b, x), chosen(a, y), becomes(x, y), becomes(y, y)], [], Verdict).
test(lacking_an_answer, throws(wrong(lacks(choice(b))))) :-
    judged('MAP', [chosen(a, x), becomes(x, y)], [], _).
test(lacking_a_map, throws(wrong(lacks(becomes)))) :-
    judged('MAP', [chosen(a, x), chosen(b, y)], [], _).
test(a_map_of_two_minds, throws(wrong(disagreement(2, 3)))) :-
    judged('MAP', [chosen(a, x), chosen(b, y), becomes(x, y), becomes(x, z)], [], _).

test(a_number_stays, [Verdict1, Verdict2] == [satisfied, violated]) :-
    judged('MAP', [chosen(a, 3), chosen(b, 3)], [], Verdict1),
    judged('MAP', [chosen(a, 3), chosen(b, 2)], [], Verdict2).
test(a_number_is_mapped_where_that_is_given, [Verdict1, Verdict2, Verdict3] ==
                                             [satisfied, violated, inconclusive]) :-
    judged('MAP', [chosen(a, 3), chosen(b, 2), becomes(3, 2)], [], Verdict1),
    judged('MAP', [chosen(a, 3), chosen(b, 3), becomes(3, 2)], [], Verdict2),
    judged('MAP', [chosen(a, 4), chosen(b, 4), becomes(3, 2)], [], Verdict3).
test(digits_are_no_number, throws(wrong(lacks(becomes)))) :-
    judged('MAP', [chosen(a, '3'), chosen(b, '3')], [], _).
test(text_in_answer_to_the_other_one, throws(wrong(lacks(becomes)))) :-
    judged('MAP', [chosen(a, 3), chosen(b, x)], [], _).

test(an_unreadable_number, Verdict == invalid) :-
    judged('MAP', [chosen(a, unreadable(why)), chosen(b, 3)], [], Verdict).
test(two_unreadable_options, Verdict == invalid) :-
    judged('MAP', [chosen(a, unreadable(why)), chosen(b, unreadable(why)), becomes(x, y)], [],
           Verdict).
test(text_beside_an_unreadable_answer, throws(wrong(lacks(becomes)))) :-
    judged('MAP', [chosen(a, unreadable(why)), chosen(b, bad)], [], _).

says(mapped:violated(otherwise(p, q, 3, 2)), "when q, the answer had to be 3, and it was 2").
says(mapped:satisfied(as_due(p, q, x)), "when q, the answer had to be \"x\", and so it was").
says(mapped:inconclusive(nothing_follows(q, x)), "nothing follows from \"x\" when q").

test(how_it_reads, Wrong == []) :-
    findall(Text, ( says(Goal, Expected), goal_text(Goal, Text), Text \== Expected ), Wrong).

:- end_tests(mapped).
