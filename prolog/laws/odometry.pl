/** <module> A2 odometry

Where an agent went follows from what it did. Anchored: the executed actions are in the log. What
lies near an edge, between sectors or where rounding turns, is not judged.
*/
:- module(odometry,
          [ violated/1,         % -Why
            satisfied/1,        % -Why
            inconclusive/1,     % -Why
            lacks/1             % -Observation
          ]).
:- use_module(library(lists)).
:- use_module(metaspace(facts)).
:- use_module(metaspace(spatial)).

:- multifile metaspace:law/3.

metaspace:law('A2', odometry, [subjects(2), anchored]).

%!  lacks(-Observation) is nondet.
lacks(step_length) :-
    \+ step_length(_).
lacks(heading_at) :-
    \+ heading_at(_).
lacks(executed(Start, State)) :-
    heading_at(Start),
    subjects(A, B),
    member(State, [A, B]),
    \+ reached(Start, State, _).
lacks(direction_or_distance(A, B)) :-
    subjects(A, B),
    \+ direction(A, B, _),
    \+ distance(A, B, _).

%!  violated(-Why) is nondet.
violated(leads_elsewhere(Part, A, B, Executed, Answered)) :-
    subjects(A, B),
    answered(Part, A, B, Answered),
    led(Part, A, B, Executed),
    Answered \== Executed.

%!  satisfied(-Why) is nondet.
satisfied(leads_there(Part, A, B, Executed)) :-
    subjects(A, B),
    answered(Part, A, B, Executed),
    led(Part, A, B, Executed).

%!  inconclusive(-Why) is semidet.
inconclusive(near_an_edge(A, B)) :-
    subjects(A, B).

answered(planar, A, B, Sector) :-
    direction(A, B, Sector).
answered(vertical, A, B, Level) :-
    vertical(A, B, Level).
answered(length, A, B, Steps) :-
    distance(A, B, Steps).

%   led(+Part, +A, +B, -Value) is semidet: what is clearly true of the way from A to B.
led(planar, A, B, Sector) :-
    leg(A, B, Way),
    clear_sector(Way, Sector).
led(vertical, A, B, Level) :-
    leg(A, B, Way),
    clear_level(Way, Level).
led(length, A, B, Steps) :-
    leg(A, B, Way),
    distance_metric(Metric),
    way_length(Metric, Way, Length),
    clear_steps(Length, Steps).

%   leg(+A, +B, -Way) is semidet: in steps, in the heading in which directions are told.
leg(A, B, Way) :-
    heading_at(Start),
    reached(Start, A, PlaceA),
    reached(Start, B, PlaceB),
    step_length(Step),
    way_between(PlaceA, PlaceB, Step, Way).

reached(Start, State, Place) :-
    walked(Start, State, [], place(0.0, 0.0, 0.0, 0.0), Place).

%   walked(+From, +To, +Seen, +Start, -Place) is semidet.
walked(To, To, _, Place, Place).
walked(From, To, Seen, Place0, Place) :-
    From \== To,
    \+ memberchk(From, Seen),
    executed(From, Next, Forward, Right, Up, Turn),
    moved(Place0, Forward, Right, Up, Turn, Place1),
    walked(Next, To, [From|Seen], Place1, Place).
