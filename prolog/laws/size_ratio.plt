:- begin_tests(size_ratio).
:- use_module(law_tests).

ratios(Size, Keys, Verdict) :-
    judged('MR6', [ measure(size, f, o, 2), measure(size, f, p, 1),
                    measure(size, g, o, Size), measure(size, g, p, 1) ],
           [objects=[o, p]|Keys], Verdict).

test(kept, Verdict == satisfied) :-
    ratios(2.1, [], Verdict).
test(grown, Verdict == violated) :-
    ratios(2.2, [], Verdict).
test(shrunk, Verdict == violated) :-
    ratios(1.8, [], Verdict).
test(given_tolerance, Verdict == satisfied) :-
    ratios(2.2, [tolerance=j([size=0.2])], Verdict).
test(paper, Verdict == violated) :-
    ratios(2.05, [semantics=paper], Verdict).
test(lacking, throws(wrong(lacks(measure(size, f, o))))) :-
    judged('MR6', [], [objects=[o, p]], _).

:- end_tests(size_ratio).
