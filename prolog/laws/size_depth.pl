/** <module> MR5 size-depth

The height of an object's box, in pixels, shrinks as its depth grows.
*/
:- module(size_depth,
          [ violated/1,         % -Why
            satisfied/1,        % -Why
            inconclusive/1,     % -Why
            lacks/1             % -Observation
          ]).
:- use_module(library(lists)).
:- use_module(metaspace(facts)).
:- use_module(metaspace(spatial)).

:- multifile metaspace:law/3.

metaspace:law('MR5', size_depth, [subjects(2), object]).

%!  lacks(-Observation) is nondet.
lacks(measure(Kind, Frame, Object)) :-
    subjects(F1, F2),
    object(Object),
    member(Kind-Frame, [size_px-F1, size_px-F2, depth-F1, depth-F2]),
    \+ measure(Kind, Frame, Object, _).

%!  violated(-Why) is nondet.
violated(drifts(Object, F1, F2, Mismatch, Tolerance)) :-
    mismatch(Object, F1, F2, Mismatch),
    tolerance(depth, Tolerance),
    beyond(Mismatch, Tolerance).

%!  satisfied(-Why) is nondet.
satisfied(keeps(Object, F1, F2, Mismatch, Tolerance)) :-
    mismatch(Object, F1, F2, Mismatch),
    tolerance(depth, Tolerance).

%!  inconclusive(-Why) is failure.
inconclusive(_) :-
    fail.

mismatch(Object, F1, F2, Mismatch) :-
    subjects(F1, F2),
    object(Object),
    measure(size_px, F1, Object, Size1),
    measure(size_px, F2, Object, Size2),
    measure(depth, F1, Object, Depth1),
    measure(depth, F2, Object, Depth2),
    compared(Size1, Size2, Depth1, Depth2, Mismatch).

%   compared(+Size1, +Size2, +Depth1, +Depth2, -Mismatch) is det.
compared(Size1, Size2, Depth1, Depth2, factor(Excess, Sizes, Depths)) :-
    semantics(sound),
    Sizes is Size1 / Size2,
    Depths is Depth2 / Depth1,
    Quotient is Sizes / Depths,
    Excess is max(Quotient, 1 / Quotient) - 1.
compared(Size1, Size2, Depth1, Depth2, gap(Gap, Sizes, Depths)) :-
    semantics(paper),
    Sizes is Size1 / Size2,
    Depths is Depth2 / Depth1,
    Gap is abs(Sizes - Depths).

%   beyond(+Mismatch, +Tolerance) is semidet.
beyond(factor(Excess, _, _), Tolerance) :-
    exceeds(Excess, Tolerance).
beyond(gap(Gap, _, _), Tolerance) :-
    reaches(Gap, Tolerance).
