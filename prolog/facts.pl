/** <module> The answers of the case in hand

A law asks here for what was answered. The facts are a backtrackable global of the case being
judged: nothing is asserted, nothing is left behind. Observations are

    direction(From, To, Sector, Level)     distance(From, To, Steps)
    claim(Holds, About)                    measure(Kind, Frame, Object, Value)

with `bad` where a value was not allowed; such cases never reach a law's verdict.
*/
:- module(facts,
          [ subjects/1,            % -Subjects
            subjects/2,            % -Subject1, -Subject2
            subjects/3,            % -Subject1, -Subject2, -Subject3
            object/1,              % -Object
            objects/2,             % -Object1, -Object2
            semantics/1,           % ?Semantics
            exact_legs/0,
            distance_metric/1,     % ?Metric
            tolerance/2,           % +Name, -Value
            direction/3,           % ?From, ?To, ?Sector
            vertical/3,            % ?From, ?To, ?Level
            distance/3,            % ?From, ?To, ?Steps
            claim/2,               % ?Holds, ?About
            measure/4,             % ?Kind, ?Frame, ?Object, ?Value
            repeated/1             % ?Fact
          ]).

%!  set_facts(+Case) is det.
%
%   Makes Case, as cases:checked_case/4 built it, the case that laws see, until backtracking.
set_facts(Case) :-
    b_setval(metaspace_case, Case).

fact_case(Case) :-
    b_getval(metaspace_case, Case).

%!  case_relation(-Relation) is det.
case_relation(Relation) :-
    fact_case(Case),
    arg(1, Case, Relation).

%!  subjects(-Subjects) is det.
subjects(Subjects) :-
    fact_case(Case),
    arg(3, Case, Subjects).

%!  subjects(-Subject1, -Subject2) is semidet.
subjects(S1, S2) :-
    fact_case(Case),
    arg(3, Case, [S1, S2]).

%!  subjects(-Subject1, -Subject2, -Subject3) is semidet.
subjects(S1, S2, S3) :-
    fact_case(Case),
    arg(3, Case, [S1, S2, S3]).

%!  object(-Object) is semidet.
object(Object) :-
    fact_case(Case),
    arg(4, Case, [Object]).

%!  objects(-Object1, -Object2) is semidet.
objects(O1, O2) :-
    fact_case(Case),
    arg(4, Case, [O1, O2]).

%!  semantics(?Semantics) is semidet.
%
%   `sound` or `paper`.
semantics(Semantics) :-
    fact_case(Case),
    arg(2, Case, Semantics).

%!  exact_legs is semidet.
%
%   True when the labels of the legs are exact bearings.
exact_legs :-
    fact_case(Case),
    arg(5, Case, settings(true, _, _, _)).

%!  distance_metric(?Metric) is semidet.
%
%   `spatial` or `planar`.
distance_metric(Metric) :-
    fact_case(Case),
    arg(5, Case, settings(_, Metric, _, _)).

%!  tolerance(+Name, -Value) is semidet.
%
%   Name is steps, depth or size.
tolerance(Name, Value) :-
    setting(Name, Value, _).

%!  setting(+Name, -Value, -Origin) is semidet.
%
%   Origin is given(Parts) or default.
setting(Name, Value, Origin) :-
    fact_case(Case),
    arg(5, Case, settings(_, _, Tolerances, _)),
    memberchk(tolerance(Name, Value, Origin), Tolerances).

%!  words(-Vocabulary) is det.
%
%   The words in which directions are told: front, forward, farther, watched (farther, but up and
%   down, of a mover that a camera sees) or compass.
words(Vocabulary) :-
    fact_case(Case),
    arg(5, Case, settings(_, _, _, Vocabulary)).

%!  direction(?From, ?To, ?Sector) is nondet.
direction(From, To, Sector) :-
    observed(direction(From, To, Sector), _).

%!  vertical(?From, ?To, ?Level) is nondet.
%
%   Only where all directions of the case have a vertical part.
vertical(From, To, Level) :-
    observed(vertical(From, To, Level), _).

%!  distance(?From, ?To, ?Steps) is nondet.
distance(From, To, Steps) :-
    observed(distance(From, To, Steps), _).

%!  claim(?Holds, ?About) is nondet.
%
%   Holds is yes or no; About is direction(From, To, Sector), at_least(From, To, Steps) or
%   exactly(From, To, Steps).
claim(Holds, About) :-
    observed(claim(Holds, About), _).

%!  measure(?Kind, ?Frame, ?Object, ?Value) is nondet.
%
%   Kind is size_px, depth or size.
measure(Kind, Frame, Object, Value) :-
    observed(measure(Kind, Frame, Object, Value), _).

%!  repeated(?Fact) is nondet.
%
%   Fact is true by a second observation.
repeated(Fact) :-
    observed(repeated(Fact), _).

%!  observed(?Fact, -Index) is nondet.
%
%   Fact stands in the observation of this index, counted from 0.
observed(direction(From, To, Sector), Index) :-
    observation(Index, direction(From, To, Sector, _)).
observed(vertical(From, To, Level), Index) :-
    fact_case(Case),
    arg(7, Case, true),
    observation(Index, direction(From, To, _, Level)).
observed(distance(From, To, Steps), Index) :-
    observation(Index, distance(From, To, Steps)).
observed(claim(Holds, About), Index) :-
    observation(Index, claim(Holds, About)).
observed(measure(Kind, Frame, Object, Value), Index) :-
    observation(Index, measure(Kind, Frame, Object, Value)).
observed(repeated(Fact), Index) :-
    observed(Fact, First),
    observed(Fact, Index),
    Index > First.

observation(Index, Observation) :-
    fact_case(Case),
    arg(6, Case, Observations),
    member(obs(Index, Observation), Observations).
