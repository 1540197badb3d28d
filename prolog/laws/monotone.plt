:- begin_tests(monotone).
:- use_module(law_tests).

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
test(lacking_a_side, throws(wrong(lacks(side_of(b))))) :-
    judged('MON', [chosen(a, 1), chosen(b, 1), side(left, a)], [subjects=[a, b]], _).

:- end_tests(monotone).
