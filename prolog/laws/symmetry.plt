:- begin_tests(symmetry).
:- use_module(law_tests).

test(opposite, Verdict == satisfied) :-
    judged('MR2', [way(a, b, left), way(b, a, right)], [], Verdict).
test(not_opposite, Verdict == violated) :-
    judged('MR2', [way(a, b, left), way(b, a, front)], [], Verdict).
test(height, Verdict == violated) :-
    judged('MR2', [way(a, b, left/above), way(b, a, right/level)], [], Verdict).
test(length, Verdict == violated) :-
    judged('MR2', [far(a, b, 3), far(b, a, 4)], [], Verdict).
test(tolerated_length, Verdict == satisfied) :-
    judged('MR2', [far(a, b, 3), far(b, a, 4)], [tolerance=j([steps=1])], Verdict).
test(one_way, throws(wrong(lacks(distance(b, a))))) :-
    judged('MR2', [way(a, b, left), way(b, a, right), far(a, b, 3)], [], _).
test(nothing, throws(wrong(lacks(direction_or_distance(a, b))))) :-
    judged('MR2', [], [], _).

:- end_tests(symmetry).
