:- begin_tests(transitivity).
:- use_module(law_tests).

three(D12, D23, D13, Keys, Verdict) :-
    judged('MR1', [way(a, b, D12), way(b, c, D23), way(a, c, D13)], Keys, Verdict).

test(on_the_arc, Verdict == satisfied) :-
    three(front, right, 'front-right', [], Verdict).
test(off_the_arc, Verdict == violated) :-
    three(front, right, left, [], Verdict).
test(none_across_two_sectors, Verdict == satisfied) :-
    three(front, right, none, [], Verdict).
test(no_none_across_one, Verdict == violated) :-
    three(front, 'front-right', none, [], Verdict).
test(opposites_say_nothing, Verdict == inconclusive) :-
    three(front, back, left, [], Verdict).
test(one_none, Verdict == violated) :-
    three(none, left, right, [], Verdict).
test(vertical, Verdict == violated) :-
    three(none/above, none/level, none/below, [], Verdict).
test(exact_opposites, Verdict == violated) :-
    three(front, back, left, [exact=b(true)], Verdict).
test(paper, Verdict == violated) :-
    three(front, right, right, [semantics=paper], Verdict).
test(paper_with_opposite_signs, Verdict == inconclusive) :-
    three('front-left', right, right, [semantics=paper], Verdict).
test(lacking, throws(wrong(lacks(direction(a, c))))) :-
    judged('MR1', [way(a, b, left), way(b, c, left)], [], _).

:- end_tests(transitivity).
