:- begin_tests(different).
:- use_module(law_tests).

test(two, Verdict == satisfied) :-
    judged('DIFF', [chosen(a, x), chosen(b, y)], [], Verdict).
test(one, Verdict == violated) :-
    judged('DIFF', [chosen(a, x), chosen(b, x)], [], Verdict).
test(lacking_an_answer, throws(wrong(lacks(choice(a))))) :-
    judged('DIFF', [chosen(b, x)], [], _).

:- end_tests(different).
