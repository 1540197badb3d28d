/** <module> DIFF: all answers must differ

An item of a suite is put in ways of which no two can have the same answer.
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

metaspace:law('DIFF', different, [subjects(at_least(2))]).

%!  lacks(-Observation) is nondet.
lacks(choice(Question)) :-
    subjects(Questions),
    member(Question, Questions),
    \+ choice(Question, _).

%!  violated(-Why) is nondet.
%
%   The first two that are the same come first.
violated(both(A, B, Option)) :-
    subjects(Questions),
    append(_, [A|Later], Questions),
    choice(A, Option),
    member(B, Later),
    choice(B, Option).

%!  satisfied(-Why) is nondet.
%
%   Whatever is not violated.
satisfied(all_different(Options)) :-
    subjects(Questions),
    chosen(Questions, Options).

%!  inconclusive(-Why) is failure.
inconclusive(_) :-
    fail.

%   chosen(+Questions, -Options) is semidet.
chosen([], []).
chosen([Question|Questions], [Option|Options]) :-
    choice(Question, Option),
    chosen(Questions, Options).

metaspace:text(different:violated(both(A, B, Option)),
               "~w cannot be the answer both when ~w and when ~w"-
               [option(Option), name(A), name(B)]).
metaspace:text(different:satisfied(all_different(Options)),
               "~w are different"-[listed(Options)]).
