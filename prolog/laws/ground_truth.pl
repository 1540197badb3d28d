/** <module> A3 ground truth

An answer is compared with the true one: accuracy. Anchored: the true answer is given.
*/
:- module(ground_truth,
          [ violated/1,         % -Why
            satisfied/1,        % -Why
            inconclusive/1,     % -Why
            lacks/1             % -Observation
          ]).
:- use_module(metaspace(facts)).
:- use_module(metaspace(spatial)).

:- multifile metaspace:law/3.

metaspace:law('A3', ground_truth, [anchored]).

%!  lacks(-Observation) is nondet.
lacks(true_answer) :-
    \+ true_answer(_).
lacks(answer) :-
    true_answer(_),
    \+ compared(_, _).

%!  violated(-Why) is nondet.
violated(untrue(True, Answered)) :-
    compared(True, Answered),
    misses(Answered, True).

%!  satisfied(-Why) is nondet.
%
%   Whatever is not violated.
satisfied(accurate(True, Answered)) :-
    compared(True, Answered).

%!  inconclusive(-Why) is failure.
inconclusive(_) :-
    fail.

%   compared(-True, -Answered) is nondet: a true answer, and what was answered there.
compared(True, Answered) :-
    true_answer(True),
    answered(True, Answered).

answered(direction(A, B, _), direction(A, B, Sector)) :-
    direction(A, B, Sector).
answered(vertical(A, B, _), vertical(A, B, Level)) :-
    vertical(A, B, Level).
answered(distance(A, B, _), distance(A, B, Steps)) :-
    distance(A, B, Steps).
answered(measure(Kind, Frame, Object, _), measure(Kind, Frame, Object, Value)) :-
    measure(Kind, Frame, Object, Value).
answered(choice(Question, _), choice(Question, Option)) :-
    choice(Question, Option).
answered(direction(A, B, _), claim(Holds, direction(A, B, Sector))) :-
    claim(Holds, direction(A, B, Sector)).
answered(distance(A, B, _), claim(Holds, at_least(A, B, Steps))) :-
    claim(Holds, at_least(A, B, Steps)).
answered(distance(A, B, _), claim(Holds, exactly(A, B, Steps))) :-
    claim(Holds, exactly(A, B, Steps)).

%   misses(+Answered, +True) is semidet.
misses(direction(_, _, Answered), direction(_, _, True)) :-
    Answered \== True.
misses(vertical(_, _, Answered), vertical(_, _, True)) :-
    Answered \== True.
misses(distance(_, _, Answered), distance(_, _, True)) :-
    Answered =\= True.
misses(measure(Kind, _, _, Answered), measure(Kind, _, _, True)) :-
    off_by(Answered, True, Excess),
    tolerance(Kind, Tolerance),
    exceeds(Excess, Tolerance).
misses(choice(_, Answered), choice(_, True)) :-
    Answered \== True.
misses(claim(yes, About), True) :-
    \+ entails(True, About).
misses(claim(no, About), True) :-
    entails(True, About).

%   off_by(+Answered, +True, -Excess) is det.
off_by(Answered, True, Excess) :-
    Excess is max(Answered / True, True / Answered) - 1.

%   entails(+True, +About) is semidet: About is true.
entails(direction(_, _, Sector), direction(_, _, Sector)).
entails(distance(_, _, Steps), at_least(_, _, Least)) :-
    Steps >= Least.
entails(distance(_, _, Steps), exactly(_, _, Steps)).
