/** <module> What the tests of the laws share
*/
:- module(law_tests,
          [ judged/4               % +Relation, +Observations, +Keys, -Verdict
          ]).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(metaspace(engine)).

%!  judged(+Relation, +Observations, +Keys, -Verdict) is det.
%
%   The whole way from data to verdict. Observations are in short: way(A, B, Planar),
%   way(A, B, Planar/Vertical), far(A, B, Steps), yes(Key, Value), no(Key, Value) and
%   measure(Kind, Frame, Object, Value).
judged(Relation, Short, Keys, Verdict) :-
    maplist(observation, Short, Observations),
    subjects(Relation, Subjects),
    Data = j([case=c, relation=Relation, subjects=Subjects, observations=Observations|Keys]),
    engine:judged(case(Data), options(0.1, 0.05), wanted(all, false), Result),
    memberchk(verdict-s(Verdict), Result).

subjects('MR1', [a, b, c]).
subjects('MR2', [a, b]).
subjects('MR3', [a, b]).
subjects('MR4', [a, b, c]).
subjects('MR5', [f, g]).
subjects('MR6', [f, g]).

observation(way(A, B, Planar/Vertical), Data) =>
    Data = j([kind=direction, from=A, to=B, planar=Planar, vertical=Vertical]).
observation(way(A, B, Planar), Data) =>
    Data = j([kind=direction, from=A, to=B, planar=Planar]).
observation(far(A, B, Steps), Data) =>
    Data = j([kind=distance, from=A, to=B, steps=Steps]).
observation(yes(Key, Value), Data) =>
    claim(true, Key, Value, Data).
observation(no(Key, Value), Data) =>
    claim(false, Key, Value, Data).
observation(measure(Kind, Frame, Object, Value), Data) =>
    Data = j([kind=Kind, frame=Frame, object=Object, value=Value]).

claim(Holds, Key, Value, j([kind=claim, holds=b(Holds), about=j(About)])) :-
    (   Key == planar
    ->  Kind = direction
    ;   Kind = distance
    ),
    About = [kind=Kind, from=a, to=b, Key=Value].
