/** <module> MR1 transitivity

Two directions laid end to end bound the direction from the first place to the last.
*/
:- module(transitivity,
          [ violated/1,         % -Why
            satisfied/1,        % -Why
            inconclusive/1,     % -Why
            lacks/1             % -Observation
          ]).
:- use_module(library(lists)).
:- use_module(metaspace(facts)).
:- use_module(metaspace(spatial)).

:- multifile metaspace:law/3.

metaspace:law('MR1', transitivity, [subjects(3)]).

%!  lacks(-Observation) is nondet.
lacks(direction(From, To)) :-
    subjects(S1, S2, S3),
    member(From-To, [S1-S2, S2-S3, S1-S3]),
    \+ direction(From, To, _).

%!  violated(-Why) is nondet.
violated(ends_elsewhere(Part, A, C, First, Second, Ends, Answered)) :-
    constrained(Part, A, C, First, Second, Ends, Answered),
    \+ memberchk(Answered, Ends).

%!  satisfied(-Why) is nondet.
satisfied(ends_well(Part, A, C, First, Second, Ends, Answered)) :-
    constrained(Part, A, C, First, Second, Ends, Answered).

%!  inconclusive(-Why) is nondet.
inconclusive(free(planar, A, C, First, Second)) :-
    semantics(sound),
    subjects(A, B, C),
    direction(A, B, First),
    direction(B, C, Second).
inconclusive(free(whole, A, C, First, Second)) :-
    semantics(paper),
    subjects(A, B, C),
    label(A, B, First),
    label(B, C, Second).

%   constrained(-Part, -A, -C, -First, -Second, -Ends, -Answered) is nondet: First and Second
%   leave only Ends for the direction from A to C.
constrained(planar, A, C, First, Second, Ends, Answered) :-
    subjects(A, B, C),
    direction(A, B, First),
    direction(B, C, Second),
    may_end(First, Second, Ends),
    direction(A, C, Answered).
constrained(vertical, A, C, First, Second, Ends, Answered) :-
    semantics(sound),
    subjects(A, B, C),
    vertical(A, B, First),
    vertical(B, C, Second),
    may_rise(First, Second, Ends),
    vertical(A, C, Answered).
constrained(whole, A, C, First, Second, [Sum], Answered) :-
    semantics(paper),
    subjects(A, B, C),
    label(A, B, First),
    label(B, C, Second),
    sign_sum(First, Second, Sum),
    label(A, C, Answered).

%   may_end(+First, +Second, -Ends) is semidet: one clause for each rule.
may_end(First, Second, Ends) :-
    reading(sound),
    integer(First),
    integer(Second),
    arc(First, Second, Arc),
    corner(First, Second, Eighths),
    (   Eighths >= 2
    ->  append(Arc, [none], Ends)
    ;   Ends = Arc
    ).
may_end(none, Second, Ends) :-
    reading(sound),
    integer(Second),
    half_circle(Second, Sectors),
    append(Sectors, [none], Ends).
may_end(First, none, Ends) :-
    reading(sound),
    integer(First),
    half_circle(First, Sectors),
    append(Sectors, [none], Ends).
may_end(none, none, [none]) :-
    reading(exact).
may_end(none, Second, [Second]) :-
    reading(exact),
    integer(Second).
may_end(First, none, [First]) :-
    reading(exact),
    integer(First).
may_end(First, Second, Arc) :-
    reading(exact),
    integer(First),
    integer(Second),
    arc(First, Second, Arc).
may_end(First, Second, [First, Second, none]) :-
    reading(exact),
    integer(First),
    integer(Second),
    corner(First, Second, 4).

%   may_rise(+First, +Second, -Ends) is semidet.
may_rise(above, above, [above]).
may_rise(above, level, [above, level]).
may_rise(level, above, [above, level]).
may_rise(below, below, [below]).
may_rise(below, level, [below, level]).
may_rise(level, below, [below, level]).

%   sign_sum(+First, +Second, -Sum) is semidet: fails where an axis has opposite signs.
sign_sum(label(P1, L1), label(P2, L2), label(P, L)) :-
    signs(P1, X1, Y1),
    signs(P2, X2, Y2),
    level_sign(L1, Z1),
    level_sign(L2, Z2),
    axis_sum(X1, X2, X),
    axis_sum(Y1, Y2, Y),
    axis_sum(Z1, Z2, Z),
    signs(P, X, Y),
    (   L1 == absent
    ->  L = absent
    ;   level(L),
        level_sign(L, Z)
    ).

axis_sum(A, B, Sum) :-
    A * B >= 0,
    Sum is sign(A + B).

%   label(?From, ?To, -Label) is nondet: the planar part with the vertical part, if judged.
label(From, To, label(Sector, Level)) :-
    direction(From, To, Sector),
    (   vertical(From, To, Found)
    ->  Level = Found
    ;   Level = absent
    ).

%   reading(?Reading) is nondet: sound or exact; the paper has no arcs.
reading(exact) :-
    semantics(sound),
    exact_legs.
reading(sound) :-
    semantics(sound),
    \+ exact_legs.
