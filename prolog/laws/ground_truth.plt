:- begin_tests(ground_truth).
:- use_module(law_tests).

compared(Answered, True, Verdict) :-
    compared(Answered, True, [], Verdict).

compared(Answered, True, Keys, Verdict) :-
    judged('A3', [Answered, true(True)], Keys, Verdict).

test(the_true_direction, Verdict == satisfied) :-
    compared(way(a, b, left), way(a, b, left), Verdict).
test(another_direction, Verdict == violated) :-
    compared(way(a, b, left), way(a, b, right), Verdict).
test(another_height, Verdict == violated) :-
    compared(way(a, b, left/above), way(a, b, left/level), Verdict).
test(a_height_that_nobody_asked_for, Verdict == satisfied) :-
    compared(way(a, b, left), way(a, b, left/level), Verdict).
test(the_true_distance, [Verdict1, Verdict2] == [satisfied, violated]) :-
    compared(far(a, b, 3), far(a, b, 3), Verdict1),
    compared(far(a, b, 3), far(a, b, 4), Verdict2).
test(depths_within_epsilon, [Verdict1, Verdict2, Verdict3] == [satisfied, violated, violated]) :-
    True = measure(depth, f, o, 2),
    compared(measure(depth, f, o, 2.19), True, Verdict1),
    compared(measure(depth, f, o, 2.21), True, Verdict2),
    compared(measure(depth, f, o, 1.81), True, Verdict3).
test(sizes_within_delta, [Verdict1, Verdict2] == [satisfied, violated]) :-
    True = measure(size, f, o, 2),
    compared(measure(size, f, o, 2.09), True, Verdict1),
    compared(measure(size, f, o, 2.11), True, Verdict2).
test(a_given_tolerance, Verdict == satisfied) :-
    compared(measure(depth, f, o, 2.5), measure(depth, f, o, 2), [tolerance=j([depth=0.3])],
             Verdict).
test(yes_to_what_is_true, [Verdict1, Verdict2] == [satisfied, violated]) :-
    compared(yes(planar, left), way(a, b, left), Verdict1),
    compared(yes(planar, left), way(a, b, right), Verdict2).
test(no_to_what_is_true, [Verdict1, Verdict2] == [violated, satisfied]) :-
    compared(no(planar, left), way(a, b, left), Verdict1),
    compared(no(planar, left), way(a, b, right), Verdict2).
test(so_many_or_more, [Verdict1, Verdict2, Verdict3] == [satisfied, violated, violated]) :-
    compared(yes(at_least, 3), far(a, b, 3), Verdict1),
    compared(yes(at_least, 4), far(a, b, 3), Verdict2),
    compared(no(at_least, 2), far(a, b, 3), Verdict3).
test(exactly_so_many, [Verdict1, Verdict2] == [violated, satisfied]) :-
    compared(yes(exactly, 2), far(a, b, 3), Verdict1),
    compared(no(exactly, 2), far(a, b, 3), Verdict2).
test(exactly_that_many, [Verdict1, Verdict2] == [satisfied, violated]) :-
    compared(yes(exactly, 3), far(a, b, 3), Verdict1),
    compared(no(exactly, 3), far(a, b, 3), Verdict2).
test(choices, [Verdict1, Verdict2] == [satisfied, violated]) :-
    compared(chosen(q, lamp), chosen(q, lamp), Verdict1),
    compared(chosen(q, box), chosen(q, lamp), Verdict2).
test(counts, [Verdict1, Verdict2, Verdict3] == [satisfied, violated, violated]) :-
    compared(chosen(q, 3), chosen(q, 3), Verdict1),
    compared(chosen(q, 2), chosen(q, 3), Verdict2),
    compared(chosen(q, '3'), chosen(q, 3), Verdict3).
test(a_choice_in_answer_to_another_question, throws(wrong(lacks(answer)))) :-
    compared(chosen(q, lamp), chosen(r, lamp), _).
test(lacking_the_truth, throws(wrong(lacks(true_answer)))) :-
    judged('A3', [way(a, b, left)], [], _).
test(lacking_the_answer, throws(wrong(lacks(answer)))) :-
    compared(way(a, b, left), way(b, a, left), _).
test(the_other_way_is_no_answer, throws(wrong(lacks(answer)))) :-
    compared(yes(at_least, 3), far(b, a, 3), _).

:- end_tests(ground_truth).
