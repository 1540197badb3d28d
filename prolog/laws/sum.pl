/** <module> SUM: numbers add up

The numbers in answer to some questions sum up to those in answer to others.
*/
:- module(sum,
          [ violated/1,         % -Why
            satisfied/1,        % -Why
            inconclusive/1,     % -Why
            lacks/1,            % -Observation
            total/3,            % ?Side, -Sum, -Parts
            uncounted/1,        % -Observation
            total_text/3        % +Sum, +Parts, -Text
          ]).
:- use_module(library(lists)).
:- use_module(metaspace(facts)).

:- multifile metaspace:law/3.
:- multifile metaspace:text/2.

metaspace:law('SUM', sum, [subjects(at_least(2))]).

%!  lacks(-Observation) is nondet.
lacks(Observation) :-
    uncounted(Observation).

%!  violated(-Why) is nondet.
violated(uneven(Left, LeftParts, Right, RightParts)) :-
    total(left, Left, LeftParts),
    total(right, Right, RightParts),
    Left =\= Right.

%!  satisfied(-Why) is nondet.
satisfied(even(Left, LeftParts, Right, RightParts)) :-
    total(left, Left, LeftParts),
    total(right, Right, RightParts),
    Left =:= Right.

%!  inconclusive(-Why) is failure.
inconclusive(_) :-
    fail.

%!  uncounted(-Observation) is nondet.
%
%   What is missing for sums on both sides.
uncounted(choice(Question)) :-
    subjects(Questions),
    member(Question, Questions),
    \+ choice(Question, _).
uncounted(number(Question)) :-
    choice(Question, Option),
    atom(Option).
uncounted(side_of(Question)) :-
    subjects(Questions),
    member(Question, Questions),
    \+ on_side(_, Question).
uncounted(subject(Question)) :-
    subjects(Questions),
    on_side(_, Question),
    \+ memberchk(Question, Questions).
uncounted(side(Side)) :-
    member(Side, [left, right]),
    \+ on_side(Side, _).

%!  total(+Side, -Sum, -Parts) is semidet.
%
%   Parts lists Question=Number for each question on Side.
total(Side, Sum, Parts) :-
    subjects(Questions),
    added(Questions, Side, Sum, Parts).

added([], _, 0, []).
added([Question|Questions], Side, Sum, Parts) :-
    (   on_side(Side, Question)
    ->  choice(Question, Number),
        added(Questions, Side, Others, Rest),
        Sum is Number + Others,
        Parts = [Question=Number|Rest]
    ;   added(Questions, Side, Sum, Parts)
    ).

metaspace:text(sum:violated(uneven(Left, LeftParts, Right, RightParts)),
               "~w is not ~w"-[parts(One), parts(Other)]) :-
    total_text(Left, LeftParts, One),
    total_text(Right, RightParts, Other).
metaspace:text(sum:satisfied(even(Left, LeftParts, Right, RightParts)),
               "~w is ~w"-[parts(One), parts(Other)]) :-
    total_text(Left, LeftParts, One),
    total_text(Right, RightParts, Other).
metaspace:text(sum:total(Side, Sum, Parts), "the sum on the ~w is ~w"-[Side, parts(Text)]) :-
    total_text(Sum, Parts, Text).

%!  total_text(+Sum, +Parts, -Text) is det.
%
%   "3 (when ...) + 2 (when ...) = 5", or "3 (when ...)".
total_text(_, [Question=Number], "~w (when ~w)"-[Number, name(Question)]).
total_text(Sum, [First, Second|Rest], "~w = ~w"-[parts(Text), Sum]) :-
    addends([First, Second|Rest], Text).

addends([Question=Number], "~w (when ~w)"-[Number, name(Question)]).
addends([Question=Number, Next|Rest], "~w (when ~w) + ~w"-[Number, name(Question), parts(Text)]) :-
    addends([Next|Rest], Text).
