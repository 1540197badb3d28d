/** <module> DIFF: two answers must differ

An item of a suite is put in two ways that cannot have one answer.
*/
:- module(different,
          [ violated/1,         % -Why
            satisfied/1,        % -Why
            inconclusive/1,     % -Why
            lacks/1             % -Observation
          ]).
:- use_module(library(lists)).
:- use_module(metaspace(facts)).

:- multifile metaspace:law/3.
:- multifile metaspace:text/2.

metaspace:law('DIFF', different, [subjects(2)]).

%!  lacks(-Observation) is nondet.
lacks(choice(Question)) :-
    subjects(A, B),
    member(Question, [A, B]),
    \+ choice(Question, _).

%!  violated(-Why) is nondet.
violated(both(A, B, Option)) :-
    subjects(A, B),
    choice(A, Option),
    choice(B, Option).

%!  satisfied(-Why) is nondet.
satisfied(two(A, B, Option, Other)) :-
    subjects(A, B),
    choice(A, Option),
    choice(B, Other),
    Option \== Other.

%!  inconclusive(-Why) is failure.
inconclusive(_) :-
    fail.

metaspace:text(different:violated(both(A, B, Option)),
               "\"~w\" cannot be the answer both when ~w and when ~w"-[name(Option), name(A), name(B)]).
metaspace:text(different:satisfied(two(A, B, Option, Other)),
               "\"~w\" is the answer when ~w, \"~w\" when ~w"-
               [name(Option), name(A), name(Other), name(B)]).
