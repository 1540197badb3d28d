:- begin_tests(triangle).
:- use_module(law_tests).

three(M12, M23, M13, Ways, Keys, Verdict) :-
    judged('MR4', [far(a, b, M12), far(b, c, M23), far(a, c, M13)|Ways], Keys, Verdict).

test(closes, Verdict == satisfied) :-
    three(3, 2, 6, [], [], Verdict).
test(too_long, Verdict == violated) :-
    three(3, 2, 7, [], [], Verdict).
test(straight_on_in_the_plane, Verdict == violated) :-
    three(3, 2, 3, [way(a, b, left), way(b, c, left)], [distance_metric=planar], Verdict).
test(straight_on_in_space, Verdict == satisfied) :-
    three(3, 2, 3, [way(a, b, left), way(b, c, left)], [], Verdict).
test(seen_from_the_middle, Verdict == violated) :-
    three(2, 6, 8, [way(a, b, left), way(b, c, none), way(a, c, right)],
          [distance_metric=planar], Verdict).
test(exact, Verdict == violated) :-
    three(3, 4, 6, [way(a, b, left), way(b, c, front)], [exact=b(true)], Verdict).
test(paper_sum, Verdict == violated) :-
    three(3, 2, 4, [way(a, b, left), way(b, c, left)], [semantics=paper], Verdict).
test(paper_difference, Verdict == satisfied) :-
    three(3, 2, 1, [way(a, b, left), way(b, c, right)], [semantics=paper], Verdict).
test(paper_strictly_less, Verdict == violated) :-
    three(0, 1, 1, [], [semantics=paper], Verdict).
test(lacking, throws(wrong(lacks(distance(b, c))))) :-
    judged('MR4', [far(a, b, 3), far(a, c, 3)], [], _).

:- end_tests(triangle).
