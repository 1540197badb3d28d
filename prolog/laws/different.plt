:- begin_tests(different).
:- use_module(law_tests).
:- use_module(metaspace(messages)).

test(two, Verdict == satisfied) :-
    judged('DIFF', [chosen(a, x), chosen(b, y)], [], Verdict).
test(one, Verdict == violated) :-
    judged('DIFF', [chosen(a, x), chosen(b, x)], [], Verdict).
test(unreadable, Verdict == invalid) :-
    judged('DIFF', [chosen(a, unreadable(why)), chosen(b, unreadable(why))], [], Verdict).
test(lacking_an_answer, throws(wrong(lacks(choice(a))))) :-
    judged('DIFF', [chosen(b, x)], [], _).

test(three, [Verdict1, Verdict2, Verdict3, Verdict4] ==
            [satisfied, violated, violated, violated]) :-
    three(x, y, z, Verdict1),
    three(x, x, z, Verdict2),
    three(x, y, x, Verdict3),
    three(x, y, y, Verdict4).
test(numbers, Verdict == violated) :-
    judged('DIFF', [chosen(a, 2), chosen(b, 2)], [], Verdict).
test(a_number_is_not_its_digits, Verdict == satisfied) :-
    judged('DIFF', [chosen(a, 2), chosen(b, '2')], [], Verdict).
test(lacking_the_last_answer, throws(wrong(lacks(choice(c))))) :-
    judged('DIFF', [chosen(a, x), chosen(b, y)], [subjects=[a, b, c]], _).
test(one_alone, throws(wrong(not_names(subjects, at_least(2))))) :-
    judged('DIFF', [chosen(a, x)], [subjects=[a]], _).

three(One, Two, Three, Verdict) :-
    judged('DIFF', [chosen(a, One), chosen(b, Two), chosen(c, Three)], [subjects=[a, b, c]],
           Verdict).

says(different:violated(both(p, q, x)), "\"x\" cannot be the answer both when p and when q").
says(different:satisfied(all_different([x, y])), "\"x\" and \"y\" are different").
says(different:satisfied(all_different([x, 2, z])), "\"x\", 2 and \"z\" are different").

test(how_it_reads, Wrong == []) :-
    findall(Text, ( says(Goal, Expected), goal_text(Goal, Text), Text \== Expected ), Wrong).

:- end_tests(different).
