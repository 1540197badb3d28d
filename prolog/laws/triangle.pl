/** <module> MR4 triangle

Two distances, and the turn between them, bound the third.
*/
:- module(triangle,
          [ violated/1,         % -Why
            satisfied/1,        % -Why
            inconclusive/1,     % -Why
            lacks/1             % -Observation
          ]).
:- use_module(library(lists)).
:- use_module(metaspace(facts)).
:- use_module(metaspace(spatial)).

:- multifile metaspace:law/3.

metaspace:law('MR4', triangle, [subjects(3)]).

%!  lacks(-Observation) is nondet.
lacks(distance(From, To)) :-
    subjects(S1, S2, S3),
    member(From-To, [S1-S2, S2-S3, S1-S3]),
    \+ distance(From, To, _).

%!  violated(-Why) is nondet.
violated(cannot_close(Side, Triangle, Steps)) :-
    semantics(sound),
    \+ exact_case,
    closing(Side, Triangle),
    side_length(Side, Steps),
    outside(Steps, Triangle).
violated(misses_sum(A, C, Expected, Answered)) :-
    subjects(A, _, C),
    expected(Expected),
    distance(A, C, Answered),
    misses(Answered, Expected).

%!  satisfied(-Why) is nondet.
%
%   Whatever is not violated.
satisfied(closes(Side, Triangle, Steps)) :-
    semantics(sound),
    \+ exact_case,
    closing(Side, Triangle),
    side_length(Side, Steps).
satisfied(meets_sum(A, C, Expected, Answered)) :-
    subjects(A, _, C),
    expected(Expected),
    distance(A, C, Answered).

%!  inconclusive(-Why) is failure.
inconclusive(_) :-
    fail.

%   closing(-Side, -Triangle) is nondet: the three checks. The second and the third look along
%   the direction from first to last, and are made only when it was answered. Triangle is
%   triangle(Steps1, Steps2, LowDegrees, HighDegrees, Low, High).
closing(side(A, C), Triangle) :-
    subjects(A, B, C),
    closing_legs(leg(A, B), leg(B, C), Triangle).
closing(side(B, C), Triangle) :-
    subjects(A, B, C),
    direction(A, C, _),
    closing_legs(leg(B, A), leg(A, C), Triangle).
closing(side(A, B), Triangle) :-
    subjects(A, B, C),
    direction(A, C, _),
    closing_legs(leg(A, C), leg(C, B), Triangle).

closing_legs(Leg1, Leg2, Triangle) :-
    leg_length(Leg1, Steps1),
    leg_length(Leg2, Steps2),
    turning(Leg1, Leg2, LowDegrees, HighDegrees),
    span(Steps1, Steps2, LowDegrees, HighDegrees, Triangle).

%   span(+Steps1, +Steps2, +LowDegrees, +HighDegrees, -Triangle) is det.
span(Steps1, Steps2, LowDegrees, HighDegrees,
     triangle(Steps1, Steps2, LowDegrees, HighDegrees, Low, High)) :-
    rounding_interval(Steps1, Low1, High1),
    rounding_interval(Steps2, Low2, High2),
    closing_range(Low1-High1, Low2-High2, LowDegrees, HighDegrees, Low, High).

%   leg_length(+Leg, -Steps) is semidet: in whichever direction it was asked.
leg_length(leg(From, To), Steps) :-
    subjects(S1, S2, S3),
    (   memberchk(From-To, [S1-S2, S2-S3, S1-S3])
    ->  distance(From, To, Steps)
    ;   distance(To, From, Steps)
    ).

side_length(side(From, To), Steps) :-
    distance(From, To, Steps).

%   turning(+Leg1, +Leg2, -LowDegrees, -HighDegrees) is det: known only from two sectors in
%   the plane in which distances are measured.
turning(Leg1, Leg2, LowDegrees, HighDegrees) :-
    (   distance_metric(planar),
        bearing(Leg1, Sector1),
        bearing(Leg2, Sector2)
    ->  turning_range(Sector1, Sector2, LowDegrees, HighDegrees)
    ;   LowDegrees = 0,
        HighDegrees = 180
    ).

bearing(leg(From, To), Sector) :-
    subjects(S1, S2, S3),
    (   memberchk(From-To, [S1-S2, S2-S3, S1-S3])
    ->  direction(From, To, Sector)
    ;   direction(To, From, Back),
        opposite(Back, Sector)
    ),
    integer(Sector).

%   outside(+Steps, +Triangle) is semidet: no length that rounds to Steps can close it.
outside(Steps, triangle(_, _, _, _, Low, High)) :-
    rounding_interval(Steps, Least, Most),
    (   exceeds(Low, Most)
    ;   exceeds(Least, High)
    ).

%   exact_case is semidet: both labels of exact legs were answered.
exact_case :-
    exact_legs,
    subjects(A, B, C),
    direction(A, B, _),
    direction(B, C, _).

%   expected(-Expected) is semidet: Expected is equal(Steps, How, Steps1, Steps2) or
%   less_than(Sum, Steps1, Steps2).
expected(Expected) :-
    semantics(sound),
    exact_case,
    subjects(A, B, C),
    moved(A, B, Steps1, Sector1),
    moved(B, C, Steps2, Sector2),
    exact_end(Steps1, Sector1, Steps2, Sector2, Expected).
expected(Expected) :-
    semantics(paper),
    subjects(A, B, C),
    distance(A, B, Steps1),
    distance(B, C, Steps2),
    paper_legs(A, B, C, Legs),
    paper_sum(Legs, Steps1, Steps2, Expected).

moved(From, To, Steps, Sector) :-
    distance(From, To, Answered),
    direction(From, To, Sector),
    (   Sector == none
    ->  Steps = 0
    ;   Steps = Answered
    ).

%   exact_end(+Steps1, +Sector1, +Steps2, +Sector2, -Expected) is det: rounded half up.
exact_end(Steps1, Sector1, Steps2, Sector2, equal(Steps, rounded(Length), Steps1, Steps2)) :-
    (   integer(Sector1),
        integer(Sector2)
    ->  corner(Sector1, Sector2, Eighths),
        Degrees is 45 * Eighths
    ;   Degrees = 0
    ),
    closing_side(Steps1, Steps2, Degrees, Length),
    Steps is floor(Length + 0.5 + 1.0e-9).

%   paper_legs(+A, +B, +C, -Legs) is det: same, opposite or other, the vertical part included
%   where it is judged.
paper_legs(A, B, C, Legs) :-
    (   direction(A, B, Sector1),
        direction(B, C, Sector2)
    ->  (   vertical(A, B, Level1),
            vertical(B, C, Level2)
        ->  true
        ;   Level1 = level,
            Level2 = level
        ),
        compared(Sector1, Level1, Sector2, Level2, Legs)
    ;   Legs = other
    ).

compared(Sector, Level, Sector, Level, same).
compared(Sector1, Level1, Sector2, Level2, Legs) :-
    \+ (Sector1 == Sector2, Level1 == Level2),
    (   opposite(Sector1, Sector2),
        opposite_level(Level1, Level2)
    ->  Legs = opposite
    ;   Legs = other
    ).

paper_sum(same, Steps1, Steps2, equal(Sum, same, Steps1, Steps2)) :-
    Sum is Steps1 + Steps2.
paper_sum(opposite, Steps1, Steps2, equal(Difference, opposite, Steps1, Steps2)) :-
    Difference is abs(Steps1 - Steps2).
paper_sum(other, Steps1, Steps2, less_than(Sum, Steps1, Steps2)) :-
    Sum is Steps1 + Steps2.

misses(Answered, equal(Steps, _, _, _)) :-
    Answered =\= Steps.
misses(Answered, less_than(Sum, _, _)) :-
    Answered >= Sum.
