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
%   way(A, B, Planar/Vertical), far(A, B, Steps), yes(Key, Value), no(Key, Value),
%   chosen(Question, Option) and measure(Kind, Frame, Object, Value); given are columns(Frame, Object, Left, Right),
%   principal(Frame, Column), action(From, To, Forward, Right, Up, Turn), heading(State),
%   step(Metres), becomes(Option, Other), if(Rule, Question, Option), if(Rule, Compares, First, Second),
%   then(Rule, Question, Option), side(Side, Question), about(Question, Option) and true(Answer). Keys
%   come first, so that they may name other subjects.
judged(Relation, Short, Keys, Verdict) :-
    maplist(observation, Short, Observations),
    subjects(Relation, Subjects),
    append(Keys, [case=c, relation=Relation, subjects=Subjects, observations=Observations], Pairs),
    Data = j(Pairs),
    engine:judged(case(Data), options(0.1, 0.05), wanted(all, false), Result),
    memberchk(verdict-s(Verdict), Result).

subjects('MR1', [a, b, c]).
subjects('MR2', [a, b]).
subjects('MR3', [a, b]).
subjects('MR4', [a, b, c]).
subjects('MR5', [f, g]).
subjects('MR6', [f, g]).
subjects('A1', [a, b]).
subjects('A2', [a, b]).
subjects('A3', [a, b]).
subjects('MAP', [a, b]).
subjects('DIFF', [a, b]).
subjects('IMP', [a, b, c]).
subjects('SUM', [a, b, c]).
subjects('MON', [a, b, c]).
subjects('INV', [a, b]).

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
observation(columns(Frame, Object, Left, Right), Data) =>
    Data = j([kind=columns, frame=Frame, object=Object, left=Left, right=Right]).
observation(principal(Frame, Column), Data) =>
    Data = j([kind=principal_column, frame=Frame, column=Column]).
observation(action(From, To, Forward, Right, Up, Turn), Data) =>
    Data = j([kind=action, from=From, to=To, forward=Forward, right=Right, up=Up, turn=Turn]).
observation(heading(State), Data) =>
    Data = j([kind=heading, at=State]).
observation(step(Metres), Data) =>
    Data = j([kind=step_length, metres=Metres]).
observation(chosen(Question, Option), Data) =>
    Data = j([kind=choice, question=Question, option=Option]).
observation(becomes(Option, Other), Data) =>
    Data = j([kind=becomes, option=Option, becomes=Other]).
observation(if(Rule, Question, Option), Data) =>
    Data = j([kind=if_answer, rule=Rule, question=Question, option=Option]).
observation(if(Rule, Compares, First, Second), Data) =>
    Data = j([kind=if_counts, rule=Rule, compares=Compares, first=First, second=Second]).
observation(then(Rule, Question, Option), Data) =>
    Data = j([kind=then_answer, rule=Rule, question=Question, option=Option]).
observation(side(Side, Question), Data) =>
    Data = j([kind=side, side=Side, question=Question]).
observation(about(Question, Option), Data) =>
    Data = j([kind=asks_about, question=Question, option=Option]).
observation(true(Short), Data) =>
    Data = j([kind=true, about=About]),
    observation(Short, About).

claim(Holds, Key, Value, j([kind=claim, holds=b(Holds), about=j(About)])) :-
    (   Key == planar
    ->  Kind = direction
    ;   Kind = distance
    ),
    About = [kind=Kind, from=a, to=b, Key=Value].
