:- begin_tests(monotone).
:- use_module(law_tests).
:- use_module(metaspace(messages)).

%   three(+A, +B, +C, -Verdict): A and B are no more than C.
three(A, B, C, Verdict) :-
    judged('MON', [ chosen(a, A), chosen(b, B), chosen(c, C), side(left, a), side(left, b),
                    side(right, c) ], [], Verdict).

test(fewer, Verdict == satisfied) :-
    three(1, 1, 3, Verdict).
test(equal, Verdict == satisfied) :-
    three(1, 2, 3, Verdict).
test(more, Verdict == violated) :-
    three(2, 2, 3, Verdict).
test(an_unreadable_number, Verdict == invalid) :-
    three(1, 1, unreadable(why), Verdict).
test(lacking_a_side, throws(wrong(lacks(side_of(b))))) :-
    judged('MON', [chosen(a, 1), chosen(b, 1), side(left, a)], [subjects=[a, b]], _).

says(monotone:violated(too_many(3, [p=3], 2, [q=2])), "3 (when p) is more than 2 (when q)").
says(monotone:satisfied(at_most(2, [p=2], 2, [q=2])), "2 (when p) is no more than 2 (when q)").

test(how_it_reads, Wrong == []) :-
    findall(Text, ( says(Goal, Expected), goal_text(Goal, Text), Text \== Expected ), Wrong).

:- end_tests(monotone).
