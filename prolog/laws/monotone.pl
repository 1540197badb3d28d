/** <module> MON: no more than the whole

The numbers in answer to some questions sum up to no more than those in answer to others, as those
of a part of a walk and of all of it.
*/
:- module(monotone,
          [ violated/1,         % -Why
            satisfied/1,        % -Why
            inconclusive/1,     % -Why
            lacks/1             % -Observation
          ]).
:- use_module(metaspace(laws/sum), [total/3, total_text/3, uncounted/1]).

:- multifile metaspace:law/3.
:- multifile metaspace:text/2.

metaspace:law('MON', monotone, [subjects(at_least(2))]).

%!  lacks(-Observation) is nondet.
lacks(Observation) :-
    uncounted(Observation).

%!  violated(-Why) is nondet.
violated(too_many(Left, LeftParts, Right, RightParts)) :-
    total(left, Left, LeftParts),
    total(right, Right, RightParts),
    Left > Right.

%!  satisfied(-Why) is nondet.
satisfied(at_most(Left, LeftParts, Right, RightParts)) :-
    total(left, Left, LeftParts),
    total(right, Right, RightParts),
    Left =< Right.

%!  inconclusive(-Why) is failure.
inconclusive(_) :-
    fail.

metaspace:text(monotone:violated(too_many(Left, LeftParts, Right, RightParts)),
               "~w is more than ~w"-[parts(One), parts(Other)]) :-
    total_text(Left, LeftParts, One),
    total_text(Right, RightParts, Other).
metaspace:text(monotone:satisfied(at_most(Left, LeftParts, Right, RightParts)),
               "~w is no more than ~w"-[parts(One), parts(Other)]) :-
    total_text(Left, LeftParts, One),
    total_text(Right, RightParts, Other).
