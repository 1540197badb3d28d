/** <module> MR6 size ratio

Two objects keep the ratio of their sizes from frame to frame.
*/
:- module(size_ratio,
          [ violated/1,         % -Why
            satisfied/1,        % -Why
            inconclusive/1,     % -Why
            lacks/1             % -Observation
          ]).
:- use_module(library(lists)).
:- use_module(metaspace(facts)).
:- use_module(metaspace(spatial)).

:- multifile metaspace:law/3.

metaspace:law('MR6', size_ratio, [subjects(2), objects(2)]).

%!  lacks(-Observation) is nondet.
lacks(measure(size, Frame, Object)) :-
    subjects(F1, F2),
    objects(O1, O2),
    member(Frame, [F1, F2]),
    member(Object, [O1, O2]),
    \+ measure(size, Frame, Object, _).

%!  violated(-Why) is nondet.
violated(drifts(O1, O2, Mismatch, Tolerance)) :-
    mismatch(O1, O2, Mismatch),
    tolerance(size, Tolerance),
    beyond(Mismatch, Tolerance).

%!  satisfied(-Why) is nondet.
satisfied(keeps(O1, O2, Mismatch, Tolerance)) :-
    mismatch(O1, O2, Mismatch),
    tolerance(size, Tolerance).

%!  inconclusive(-Why) is failure.
inconclusive(_) :-
    fail.

mismatch(O1, O2, Mismatch) :-
    subjects(F1, F2),
    objects(O1, O2),
    ratio(F1, O1, O2, Ratio1),
    ratio(F2, O1, O2, Ratio2),
    compared(Ratio1, Ratio2, Mismatch).

%   ratio(+Frame, +O1, +O2, -Ratio) is semidet.
ratio(Frame, O1, O2, Ratio) :-
    measure(size, Frame, O1, Size1),
    measure(size, Frame, O2, Size2),
    Ratio is Size1 / Size2.

%   compared(+Ratio1, +Ratio2, -Mismatch) is det.
compared(Ratio1, Ratio2, factor(Excess, Ratio1, Ratio2)) :-
    semantics(sound),
    Quotient is Ratio1 / Ratio2,
    Excess is max(Quotient, 1 / Quotient) - 1.
compared(Ratio1, Ratio2, gap(Gap, Ratio1, Ratio2)) :-
    semantics(paper),
    Gap is abs(Ratio1 - Ratio2).

%   beyond(+Mismatch, +Tolerance) is semidet.
beyond(factor(Excess, _, _), Tolerance) :-
    exceeds(Excess, Tolerance).
beyond(gap(Gap, _, _), Tolerance) :-
    reaches(Gap, Tolerance).
