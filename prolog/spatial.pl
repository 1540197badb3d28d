/** <module> The spatial vocabulary

Eight sectors of 45 degrees, numbered clockwise from 0, centred on their names; `none` for no
direction; above, level, below for the vertical. Lengths are whole numbers of steps that stand
for intervals. Everything here is geometry: it knows no relation and no answer.
*/
:- module(spatial,
          [ sector_label/3,          % ?Vocabulary, ?Sector, ?Label
            level/1,                 % ?Level
            turn/3,                  % +Sector, +Sector, -EighthsClockwise
            corner/3,                % +Sector, +Sector, -Eighths
            arc/3,                   % +Sector, +Sector, -Sectors
            half_circle/2,           % +Sector, -Sectors
            opposite/2,              % +Sector, -Opposite
            opposite_level/2,        % ?Level, ?Opposite
            signs/3,                 % ?Sector, ?Forward, ?Right
            level_sign/2,            % ?Level, ?Sign
            rounding_interval/3,     % +Whole, -Low, -High
            turning_range/4,         % +Sector, +Sector, -LowDegrees, -HighDegrees
            closing_range/6,         % +Interval, +Interval, +LowDeg, +HighDeg, -Low, -High
            closing_side/4,          % +Length, +Length, +Degrees, -Length
            moved/6,                 % +Place, +Forward, +Right, +Up, +Turn, -Place
            way_between/4,           % +Place, +Place, +StepMetres, -Way
            way_length/3,            % +Metric, +Way, -Steps
            clear_sector/2,          % +Way, -Sector
            clear_level/2,           % +Way, -Level
            clear_steps/2,           % +Length, -Steps
            exceeds/2,               % +Number, +Number
            reaches/2                % +Number, +Number
          ]).

%!  sector_label(?Vocabulary, ?Sector, ?Label) is nondet.
%
%   Vocabulary is `heading` (front, right, ...), `compass` (north, east, ...) or, for the
%   label `none`, which belongs to both, `any`. Clauses are indexed on Label as well.
sector_label(heading, 0, front).
sector_label(heading, 1, 'front-right').
sector_label(heading, 2, right).
sector_label(heading, 3, 'back-right').
sector_label(heading, 4, back).
sector_label(heading, 5, 'back-left').
sector_label(heading, 6, left).
sector_label(heading, 7, 'front-left').
sector_label(compass, 0, north).
sector_label(compass, 1, northeast).
sector_label(compass, 2, east).
sector_label(compass, 3, southeast).
sector_label(compass, 4, south).
sector_label(compass, 5, southwest).
sector_label(compass, 6, west).
sector_label(compass, 7, northwest).
sector_label(any, none, none).

%!  level(?Level) is nondet.
level(above).
level(level).
level(below).

%!  turn(+From, +To, -Eighths) is det.
%
%   Eighths of a circle, clockwise, 0 to 7.
turn(From, To, Eighths) :-
    Eighths is (To - From) mod 8.

%!  corner(+From, +To, -Eighths) is det.
%
%   Eighths of a circle either way, 0 to 4.
corner(From, To, Eighths) :-
    turn(From, To, Clockwise),
    Eighths is min(Clockwise, 8 - Clockwise).

%!  arc(+From, +To, -Sectors) is semidet.
%
%   The sectors on the shorter arc, ends included, in order; fails for opposite sectors.
arc(From, To, Sectors) :-
    turn(From, To, Eighths),
    (   Eighths < 4
    ->  sweep(Eighths, From, 1, Sectors)
    ;   Eighths > 4
    ->  Count is 8 - Eighths,
        sweep(Count, From, -1, Sectors)
    ).

sweep(0, Sector, _, [Sector]) :- !.
sweep(Count, Sector, Step, [Sector|Sectors]) :-
    Next is (Sector + Step) mod 8,
    Left is Count - 1,
    sweep(Left, Next, Step, Sectors).

%!  half_circle(+Sector, -Sectors) is det.
%
%   The five sectors from two before Sector to two after it.
half_circle(Sector, Sectors) :-
    From is (Sector - 2) mod 8,
    sweep(4, From, 1, Sectors).

%!  opposite(+Sector, -Opposite) is det.
opposite(none, Opposite) =>
    Opposite = none.
opposite(Sector, Opposite) =>
    Opposite is (Sector + 4) mod 8.

%!  opposite_level(?Level, ?Opposite) is nondet.
opposite_level(above, below).
opposite_level(level, level).
opposite_level(below, above).

%!  signs(?Sector, ?Forward, ?Right) is nondet.
%
%   The sector as a vector of signs, the reading of the paper.
signs(none, 0, 0).
signs(0, 1, 0).
signs(1, 1, 1).
signs(2, 0, 1).
signs(3, -1, 1).
signs(4, -1, 0).
signs(5, -1, -1).
signs(6, 0, -1).
signs(7, 1, -1).

%!  level_sign(?Level, ?Sign) is nondet.
%
%   `absent` (no vertical part is judged) counts as level.
level_sign(above, 1).
level_sign(level, 0).
level_sign(below, -1).
level_sign(absent, 0).

%!  rounding_interval(+Whole, -Low, -High) is det.
%
%   The lengths that round to Whole.
rounding_interval(Whole, Low, High) :-
    Low is max(Whole - 0.5, 0.0),
    High is Whole + 0.5.

%!  turning_range(+First, +Second, -Low, -High) is det.
%
%   The angles, in degrees, between two vectors in these sectors laid end to end.
turning_range(First, Second, Low, High) :-
    corner(First, Second, Eighths),
    Low is max(45 * Eighths - 45, 0),
    High is min(45 * Eighths + 45, 180).

%!  closing_side(+P, +Q, +Degrees, -Side) is det.
%
%   Third side of the triangle with legs P and Q and this turning angle. Scaled, so that huge
%   legs do not overflow.
closing_side(P, Q, Degrees, Side) :-
    Scale is float(max(P, Q)),
    (   Scale =:= 0
    ->  Side = 0.0
    ;   A is P / Scale,
        B is Q / Scale,
        cosine(Degrees, Cosine),
        Side is Scale * sqrt(max(A * A + B * B + 2 * A * B * Cosine, 0.0))
    ).

%   cosine(+Degrees, -Cosine) is det: exact where rounding would show.
cosine(Degrees, Cosine) :-
    (   Degrees =:= 90
    ->  Cosine = 0.0
    ;   Cosine is cos(Degrees * pi / 180)
    ).

%!  closing_range(+P, +Q, +LowDegrees, +HighDegrees, -Low, -High) is det.
%
%   Range of closing_side/4 over P = PLow-PHigh, Q = QLow-QHigh and the angles. Its square is a
%   convex form in the legs, so the largest value lies on a corner, at the smallest angle. It
%   shrinks with both legs, so the least lies on the edge of a least leg, at the largest angle.
closing_range(PLow-PHigh, QLow-QHigh, LowDegrees, HighDegrees, Low, High) :-
    closing_side(PHigh, QHigh, LowDegrees, High1),
    closing_side(PLow, QHigh, LowDegrees, High2),
    closing_side(PHigh, QLow, LowDegrees, High3),
    High is max(High1, max(High2, High3)),
    nearest(PLow, QLow-QHigh, HighDegrees, Low1),
    nearest(QLow, PLow-PHigh, HighDegrees, Low2),
    Low is min(Low1, Low2).

nearest(Leg, Low-High, Degrees, Side) :-
    cosine(Degrees, Cosine),
    Other is min(max(-Leg * Cosine, Low), High),
    closing_side(Leg, Other, Degrees, Side).

%!  moved(+Place, +Forward, +Right, +Up, +Turn, -Next) is det.
%
%   Place is place(Forward, Right, Up, Heading): metres and degrees clockwise, told in the heading
%   at the start. To a nanometre, so that the last digit is that of no particular library.
moved(place(F0, R0, U0, Heading0), Forward, Right, Up, Turn, place(F, R, U, Heading)) :-
    Angle is Heading0 * pi / 180,
    F is round((F0 + Forward * cos(Angle) - Right * sin(Angle)) * 1.0e9) / 1.0e9,
    R is round((R0 + Forward * sin(Angle) + Right * cos(Angle)) * 1.0e9) / 1.0e9,
    U is round((U0 + Up) * 1.0e9) / 1.0e9,
    Heading is Heading0 + Turn.

%!  way_between(+From, +To, +StepMetres, -Way) is det.
%
%   Way is way(Forward, Right, Up) in steps, which need not be whole.
way_between(place(F0, R0, U0, _), place(F1, R1, U1, _), Step, way(Forward, Right, Up)) :-
    Forward is (F1 - F0) / Step,
    Right is (R1 - R0) / Step,
    Up is (U1 - U0) / Step.

%!  way_length(+Metric, +Way, -Steps) is det.
%
%   Metric is `planar`, along the ground, or `spatial`.
way_length(planar, way(Forward, Right, _), Steps) :-
    Steps is sqrt(Forward * Forward + Right * Right).
way_length(spatial, way(Forward, Right, Up), Steps) :-
    Steps is sqrt(Forward * Forward + Right * Right + Up * Up).

%!  clear_sector(+Way, -Sector) is semidet.
%
%   Fails within 5 degrees of an edge between sectors, and within a tenth of a step of the half
%   step below which there is none.
clear_sector(Way, Sector) :-
    way_length(planar, Way, Steps),
    (   exceeds(0.4, Steps)
    ->  Sector = none
    ;   exceeds(Steps, 0.6),
        Way = way(Forward, Right, _),
        Eighths is (atan2(Right, Forward) * 180 / pi + 22.5) / 45,
        exceeds(abs(Eighths - round(Eighths)) * 45, 5),
        Sector is floor(Eighths) mod 8
    ).

%!  clear_level(+Way, -Level) is semidet.
%
%   Fails within a tenth of a step of half a step up or down.
clear_level(way(_, _, Up), Level) :-
    (   exceeds(Up, 0.6)
    ->  Level = above
    ;   exceeds(-0.6, Up)
    ->  Level = below
    ;   exceeds(0.4, abs(Up)),
        Level = level
    ).

%!  clear_steps(+Length, -Steps) is semidet.
%
%   Fails within a tenth of a step of where rounding turns.
clear_steps(Length, Steps) :-
    Raised is Length + 0.5,
    exceeds(abs(Raised - round(Raised)), 0.1),
    Steps is floor(Raised).

%!  exceeds(+A, +B) is semidet.
%
%   A > B, where numbers within 1e-9 are equal.
exceeds(A, B) :-
    A > B + 1.0e-9.

%!  reaches(+A, +B) is semidet.
%
%   A >= B, where numbers within 1e-9 are equal.
reaches(A, B) :-
    A >= B - 1.0e-9.
