/** <module> MR3 contradiction

An open answer and a yes-or-no claim about the same pair, or two open answers to the same
question in other words, must agree.
*/
:- module(contradiction,
          [ violated/1,         % -Why
            satisfied/1,        % -Why
            inconclusive/1,     % -Why
            lacks/1             % -Observation
          ]).
:- use_module(library(lists)).
:- use_module(metaspace(facts)).

:- multifile metaspace:law/3.

metaspace:law('MR3', contradiction, [subjects(2), repeats]).

%!  lacks(-Observation) is semidet.
%
%   Of one kind there must be an open answer with a claim, or two open answers.
lacks(claim_or_repetition(A, B)) :-
    subjects(A, B),
    \+ complete(A, B).

complete(A, B) :-
    open_answer(A, B, Open),
    (   repeated(Open)
    ;   claimed(Open, _)
    ;   open_answer(A, B, Other),
        rivals(Open, Other)
    ).

open_answer(A, B, direction(A, B, Sector)) :-
    direction(A, B, Sector).
open_answer(A, B, distance(A, B, Steps)) :-
    distance(A, B, Steps).

claimed(direction(A, B, _), direction(A, B, Sector)) :-
    claim(_, direction(A, B, Sector)).
claimed(distance(A, B, _), at_least(A, B, Steps)) :-
    claim(_, at_least(A, B, Steps)).
claimed(distance(A, B, _), exactly(A, B, Steps)) :-
    claim(_, exactly(A, B, Steps)).

rivals(direction(A, B, One), direction(A, B, Other)) :-
    One \== Other.
rivals(distance(A, B, One), distance(A, B, Other)) :-
    One \== Other.                      % not by arithmetic: one of them may be unreadable

%!  violated(-Why) is nondet.
violated(claim_clashes(Open, Holds, About)) :-
    subjects(A, B),
    confronted(A, B, Open, Holds, About),
    clash(Open, Holds, About).
violated(answers_differ(planar, A, B, One, Other)) :-
    subjects(A, B),
    direction(A, B, One),
    direction(A, B, Other),
    One \== Other.
violated(answers_differ(vertical, A, B, One, Other)) :-
    subjects(A, B),
    vertical(A, B, One),
    vertical(A, B, Other),
    One \== Other.
violated(answers_differ(length, A, B, One, Other)) :-
    subjects(A, B),
    distance(A, B, One),
    distance(A, B, Other),
    One =\= Other.

%!  satisfied(-Why) is nondet.
%
%   Whatever is not violated.
satisfied(claim_agrees(Open, Holds, About)) :-
    subjects(A, B),
    confronted(A, B, Open, Holds, About).
satisfied(answers_agree(planar, A, B, Sector)) :-
    subjects(A, B),
    direction(A, B, Sector),
    repeated(direction(A, B, Sector)).
satisfied(answers_agree(length, A, B, Steps)) :-
    subjects(A, B),
    distance(A, B, Steps),
    repeated(distance(A, B, Steps)).

%!  inconclusive(-Why) is failure.
inconclusive(_) :-
    fail.

%   confronted(+A, +B, -Open, -Holds, -About) is nondet: an open answer and a claim.
confronted(A, B, direction(A, B, Answered), Holds, direction(A, B, Claimed)) :-
    direction(A, B, Answered),
    claim(Holds, direction(A, B, Claimed)).
confronted(A, B, distance(A, B, Answered), Holds, at_least(A, B, Claimed)) :-
    distance(A, B, Answered),
    claim(Holds, at_least(A, B, Claimed)).
confronted(A, B, distance(A, B, Answered), Holds, exactly(A, B, Claimed)) :-
    distance(A, B, Answered),
    claim(Holds, exactly(A, B, Claimed)).

%   clash(+Open, +Holds, +About) is semidet: under `paper` only a yes can clash.
clash(Open, yes, About) :-
    \+ entails(Open, About).
clash(Open, no, About) :-
    semantics(sound),
    entails(Open, About).

%   entails(+Open, +About) is semidet: who gave the open answer must say yes to About.
entails(direction(_, _, Sector), direction(_, _, Sector)).
entails(distance(_, _, Steps), at_least(_, _, Least)) :-
    Steps >= Least.
entails(distance(_, _, Steps), exactly(_, _, Steps)).
