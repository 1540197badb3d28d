:- begin_tests(size_depth).
:- use_module(law_tests).

boxes(Depth, Keys, Verdict) :-
    judged('MR5', [ measure(size_px, f, o, 100), measure(size_px, g, o, 50),
                    measure(depth, f, o, 2), measure(depth, g, o, Depth) ],
           [object=o|Keys], Verdict).

test(fits, Verdict == satisfied) :-
    boxes(4.4, [], Verdict).
test(too_deep, Verdict == violated) :-
    boxes(4.5, [], Verdict).
test(too_near, Verdict == violated) :-
    boxes(3.6, [], Verdict).
test(given_tolerance, Verdict == satisfied) :-
    boxes(4.5, [tolerance=j([depth=0.2])], Verdict).
test(paper, Verdict == violated) :-
    boxes(4.2, [semantics=paper], Verdict).
test(lacking, throws(wrong(lacks(measure(size_px, f, o))))) :-
    judged('MR5', [], [object=o], _).

:- end_tests(size_depth).
