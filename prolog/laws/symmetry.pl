/** <module> MR2 symmetry

The way back is opposite to the way there, and as long.
*/
:- module(symmetry,
          [ violated/1,         % -Why
            satisfied/1,        % -Why
            inconclusive/1,     % -Why
            lacks/1             % -Observation
          ]).
:- use_module(metaspace(facts)).
:- use_module(metaspace(spatial)).

:- multifile metaspace:law/3.

metaspace:law('MR2', symmetry, [subjects(2)]).

%!  lacks(-Observation) is nondet.
%
%   Each kind that appears must be answered both ways, and one kind must appear.
lacks(direction(From, To)) :-
    pair(From, To),
    direction(To, From, _),
    \+ direction(From, To, _).
lacks(distance(From, To)) :-
    pair(From, To),
    distance(To, From, _),
    \+ distance(From, To, _).
lacks(direction_or_distance(From, To)) :-
    subjects(From, To),
    \+ direction(From, To, _),
    \+ distance(From, To, _).

pair(From, To) :-
    subjects(From, To).
pair(From, To) :-
    subjects(To, From).

%!  violated(-Why) is nondet.
violated(not_opposite(Part, A, B, There, Expected, Back)) :-
    both_ways(Part, A, B, There, Expected, Back),
    Back \== Expected.
violated(uneven(A, B, There, Back, Tolerance)) :-
    both_lengths(A, B, There, Back, Tolerance),
    exceeds(abs(There - Back), Tolerance).

%!  satisfied(-Why) is nondet.
satisfied(opposite_ways(Part, A, B, There, Back)) :-
    both_ways(Part, A, B, There, Back, Back).
satisfied(even(A, B, There, Back, Tolerance)) :-
    both_lengths(A, B, There, Back, Tolerance).

%!  inconclusive(-Why) is failure.
%
%   Symmetry always says something.
inconclusive(_) :-
    fail.

both_ways(planar, A, B, There, Expected, Back) :-
    subjects(A, B),
    direction(A, B, There),
    way_back(planar, There, Expected),
    direction(B, A, Back).
both_ways(vertical, A, B, There, Expected, Back) :-
    subjects(A, B),
    vertical(A, B, There),
    way_back(vertical, There, Expected),
    vertical(B, A, Back).

way_back(planar, There, Back) :-
    opposite(There, Back).
way_back(vertical, There, Back) :-
    opposite_level(There, Back).

both_lengths(A, B, There, Back, Tolerance) :-
    subjects(A, B),
    distance(A, B, There),
    distance(B, A, Back),
    tolerance(steps, Tolerance).
