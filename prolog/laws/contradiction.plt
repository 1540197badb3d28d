:- begin_tests(contradiction).
:- use_module(law_tests).

test(yes_to_the_same, Verdict == satisfied) :-
    judged('MR3', [way(a, b, left), yes(planar, left)], [], Verdict).
test(yes_to_another, Verdict == violated) :-
    judged('MR3', [way(a, b, left), yes(planar, right)], [], Verdict).
test(no_to_the_same, Verdict == violated) :-
    judged('MR3', [way(a, b, left), no(planar, left)], [], Verdict).
test(no_to_the_same_on_paper, Verdict == satisfied) :-
    judged('MR3', [way(a, b, left), no(planar, left)], [semantics=paper], Verdict).
test(at_least, Verdict == violated) :-
    judged('MR3', [far(a, b, 3), yes(at_least, 4)], [], Verdict).
test(exactly, Verdict == violated) :-
    judged('MR3', [far(a, b, 3), yes(exactly, 2)], [], Verdict).
test(asked_twice, Verdict == violated) :-
    judged('MR3', [far(a, b, 3), far(a, b, 4)], [], Verdict).
test(alone, throws(wrong(lacks(claim_or_repetition(a, b))))) :-
    judged('MR3', [far(a, b, 3), yes(planar, left)], [], _).
test(one_answer_is_no_pair, throws(wrong(lacks(claim_or_repetition(a, b))))) :-
    judged('MR3', [way(a, b, left)], [], _).
test(one_length_is_no_pair, throws(wrong(lacks(claim_or_repetition(a, b))))) :-
    judged('MR3', [far(a, b, 3)], [], _).

:- end_tests(contradiction).
