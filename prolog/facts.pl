/** <module> The answers of the case in hand

A law asks here for what was answered. The facts are a backtrackable global of the case being
judged: nothing is asserted, nothing is left behind. Observations are

    direction(From, To, Sector, Level)     distance(From, To, Steps)
    claim(Holds, About)                    measure(Kind, Frame, Object, Value)
    choice(Question, Option)

and, of what is not answered but given with the case,

    columns(Frame, Object, Left, Right)    principal_column(Frame, Column)
    action(From, To, Forward, Right, Up, Turn)
    heading(State)                         step_length(Metres)
    becomes(Option, Other)
    if_answer(Rule, Question, Option)      if_counts(Rule, Compares, First, Second)
    then_answer(Rule, Question, Option)
    side(Side, Question)                   asks_about(Question, Option)
    true(Answer), a direction, distance, measure or choice as above

with bad(Key) where a value was not allowed; such cases never reach a law's verdict.
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
            repeated/1,            % ?Fact
            frame_columns/4,       % ?Frame, ?Object, ?Left, ?Right
            principal_column/2,    % ?Frame, ?Column
            executed/6,            % ?From, ?To, ?Forward, ?Right, ?Up, ?Turn
            heading_at/1,          % ?State
            step_length/1,         % ?Metres
            choice/2,              % ?Question, ?Option
            becomes/2,             % ?Option, ?Other
            if_answer/3,           % ?Rule, ?Question, ?Option
            if_counts/4,           % ?Rule, ?Compares, ?First, ?Second
            then_answer/3,         % ?Rule, ?Question, ?Option
            on_side/2,             % ?Side, ?Question
            asks_about/2,          % ?Question, ?Option
            true_answer/1          % ?Fact
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

%!  frame_columns(?Frame, ?Object, ?Left, ?Right) is nondet.
%
%   The columns of pixels between which the box of Object lies.
frame_columns(Frame, Object, Left, Right) :-
    observed(frame_columns(Frame, Object, Left, Right), _).

%!  principal_column(?Frame, ?Column) is nondet.
%
%   The column of pixels along which the camera looks.
principal_column(Frame, Column) :-
    observed(principal_column(Frame, Column), _).

%!  executed(?From, ?To, ?Forward, ?Right, ?Up, ?Turn) is nondet.
%
%   What was done between two states: metres in the mover's own frame, degrees clockwise.
executed(From, To, Forward, Right, Up, Turn) :-
    observed(executed(From, To, Forward, Right, Up, Turn), _).

%!  heading_at(?State) is nondet.
%
%   Directions are told in the heading at State.
heading_at(State) :-
    observed(heading_at(State), _).

%!  step_length(?Metres) is nondet.
step_length(Metres) :-
    observed(step_length(Metres), _).

%!  choice(?Question, ?Option) is nondet.
%
%   Option was chosen in answer to Question, one way of putting an item of a suite.
choice(Question, Option) :-
    observed(choice(Question, Option), _).

%!  becomes(?Option, ?Other) is nondet.
%
%   Who chooses Option in answer to the first question has to choose Other in answer to the second.
becomes(Option, Other) :-
    observed(becomes(Option, Other), _).

%!  if_answer(?Rule, ?Question, ?Option) is nondet.
%
%   A condition of Rule: Option is chosen in answer to Question.
if_answer(Rule, Question, Option) :-
    observed(if_answer(Rule, Question, Option), _).

%!  if_counts(?Rule, ?Compares, ?First, ?Second) is nondet.
%
%   A condition of Rule: the number in answer to First is more than, equal to or fewer than that in
%   answer to Second.
if_counts(Rule, Compares, First, Second) :-
    observed(if_counts(Rule, Compares, First, Second), _).

%!  then_answer(?Rule, ?Question, ?Option) is nondet.
%
%   Where all conditions of Rule hold, Option has to be chosen in answer to Question.
then_answer(Rule, Question, Option) :-
    observed(then_answer(Rule, Question, Option), _).

%!  on_side(?Side, ?Question) is nondet.
%
%   The number in answer to Question counts on the left or on the right of a comparison of sums.
on_side(Side, Question) :-
    observed(on_side(Side, Question), _).

%!  asks_about(?Question, ?Option) is nondet.
%
%   Question asks for the other one of Option.
asks_about(Question, Option) :-
    observed(asks_about(Question, Option), _).

%!  true_answer(?Fact) is nondet.
%
%   Fact is direction(From, To, Sector), vertical(From, To, Level), distance(From, To, Steps),
%   measure(Kind, Frame, Object, Value) or choice(Question, Option), as a perfect agent answers.
true_answer(Fact) :-
    observed(true_answer(Fact), _).

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
observed(frame_columns(Frame, Object, Left, Right), Index) :-
    observation(Index, columns(Frame, Object, Left, Right)).
observed(principal_column(Frame, Column), Index) :-
    observation(Index, principal_column(Frame, Column)).
observed(executed(From, To, Forward, Right, Up, Turn), Index) :-
    observation(Index, action(From, To, Forward, Right, Up, Turn)).
observed(heading_at(State), Index) :-
    observation(Index, heading(State)).
observed(step_length(Metres), Index) :-
    observation(Index, step_length(Metres)).
observed(choice(Question, Option), Index) :-
    observation(Index, choice(Question, Option)).
observed(becomes(Option, Other), Index) :-
    observation(Index, becomes(Option, Other)).
observed(if_answer(Rule, Question, Option), Index) :-
    observation(Index, if_answer(Rule, Question, Option)).
observed(if_counts(Rule, Compares, First, Second), Index) :-
    observation(Index, if_counts(Rule, Compares, First, Second)).
observed(then_answer(Rule, Question, Option), Index) :-
    observation(Index, then_answer(Rule, Question, Option)).
observed(on_side(Side, Question), Index) :-
    observation(Index, side(Side, Question)).
observed(asks_about(Question, Option), Index) :-
    observation(Index, asks_about(Question, Option)).
observed(true_answer(choice(Question, Option)), Index) :-
    observation(Index, true(choice(Question, Option))).
observed(true_answer(direction(From, To, Sector)), Index) :-
    observation(Index, true(direction(From, To, Sector, _))).
observed(true_answer(vertical(From, To, Level)), Index) :-
    observation(Index, true(direction(From, To, _, Level))),
    Level \== absent.
observed(true_answer(distance(From, To, Steps)), Index) :-
    observation(Index, true(distance(From, To, Steps))).
observed(true_answer(measure(Kind, Frame, Object, Value)), Index) :-
    observation(Index, true(measure(Kind, Frame, Object, Value))).
observed(repeated(Fact), Index) :-
    observed(Fact, First),
    observed(Fact, Index),
    Index > First.

observation(Index, Observation) :-
    fact_case(Case),
    arg(6, Case, Observations),
    member(obs(Index, Observation), Observations).
