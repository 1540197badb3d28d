:- begin_tests(sum).
:- use_module(law_tests).
:- use_module(metaspace(messages)).

%   three(+A, +B, +C, -Verdict): A and B make C.
three(A, B, C, Verdict) :-
    judged('SUM', [ chosen(a, A), chosen(b, B), chosen(c, C), side(left, a), side(left, b),
                    side(right, c) ], [], Verdict).

test(even, Verdict == satisfied) :-
    three(1, 2, 3, Verdict).
test(too_few, Verdict == violated) :-
    three(1, 2, 2, Verdict).
test(too_many, Verdict == violated) :-
    three(1, 2, 4, Verdict).
test(sides_change_places, Verdict == satisfied) :-
    judged('SUM', [ chosen(a, 5), chosen(b, 2), chosen(c, 3), side(right, b), side(right, c),
                    side(left, a) ], [], Verdict).
test(lacking_an_answer, throws(wrong(lacks(choice(b))))) :-
    judged('SUM', [chosen(a, 1), side(left, a), side(right, b)], [subjects=[a, b]], _).
test(lacking_a_number, throws(wrong(lacks(number(b))))) :-
    three(1, x, 1, _).
test(an_unreadable_number, Verdict == invalid) :-
    three(1, unreadable(why), 1, Verdict).
test(text_beside_an_unreadable_answer, throws(wrong(lacks(number(b))))) :-
    three(unreadable(why), bad, 1, _).
test(a_subject_without_a_side, throws(wrong(lacks(side_of(b))))) :-
    judged('SUM', [chosen(a, 1), chosen(b, 1), side(left, a)], [subjects=[a, b]], _).
test(a_side_without_a_subject, throws(wrong(lacks(subject(c))))) :-
    judged('SUM', [chosen(a, 1), chosen(b, 1), chosen(c, 1), side(left, a), side(right, b),
                   side(left, c)], [subjects=[a, b]], _).
test(nothing_on_one_side, [Side1, Side2] == [right, left]) :-
    one_sided(left, Side1),
    one_sided(right, Side2).
test(on_both_sides, throws(wrong(disagreement(2, 3)))) :-
    judged('SUM', [chosen(a, 1), chosen(b, 1), side(left, a), side(right, a)], [subjects=[a, b]],
           _).

one_sided(Side, Lacking) :-
    catch(judged('SUM', [chosen(a, 1), chosen(b, 1), side(Side, a), side(Side, b)],
                 [subjects=[a, b]], _),
          wrong(lacks(side(Lacking))), true).

says(sum:violated(uneven(3, [p=3], 6, [q=4, r=2])), "3 (when p) is not 4 (when q) + 2 (when r) = 6").
says(sum:satisfied(even(3, [p=1, q=1, r=1], 3, [s=3])),
     "1 (when p) + 1 (when q) + 1 (when r) = 3 is 3 (when s)").
says(sum:total(left, 3, [p=1, q=2]), "the sum on the left is 1 (when p) + 2 (when q) = 3").

test(how_it_reads, Wrong == []) :-
    findall(Text, ( says(Goal, Expected), goal_text(Goal, Text), Text \== Expected ), Wrong).

:- end_tests(sum).
