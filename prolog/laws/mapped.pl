/** <module> MAP: an answer decides another

An item of a suite is put in two ways. Which option of the second follows from which of the first
is given with the case; an option that nothing follows from says nothing. Where nothing is given,
a number stays what it is.
*/
:- module(mapped,
          [ violated/1,         % -Why
            satisfied/1,        % -Why
            inconclusive/1,     % -Why
            lacks/1             % -Observation
          ]).
:- use_module(library(lists)).
:- use_module(metaspace(facts)).

:- multifile metaspace:law/3.
:- multifile metaspace:text/2.

metaspace:law('MAP', mapped, [subjects(2)]).

%!  lacks(-Observation) is nondet.
lacks(choice(Question)) :-
    subjects(A, B),
    member(Question, [A, B]),
    \+ choice(Question, _).
lacks(becomes) :-
    choice(_, Option),
    atom(Option),
    \+ becomes(_, _).

%!  violated(-Why) is nondet.
violated(otherwise(A, B, Due, Said)) :-
    subjects(A, B),
    followed(A, Due),
    choice(B, Said),
    Said \== Due.

%!  satisfied(-Why) is nondet.
satisfied(as_due(A, B, Due)) :-
    subjects(A, B),
    followed(A, Due),
    choice(B, Due).

%!  inconclusive(-Why) is nondet.
inconclusive(nothing_follows(A, Option)) :-
    subjects(A, _),
    choice(A, Option),
    \+ followed(A, _).

%   followed(+Question, -Due) is nondet: what the answer to Question makes of the other one.
followed(Question, Due) :-
    choice(Question, Option),
    becomes(Option, Due).
followed(Question, Number) :-
    choice(Question, Number),
    \+ becomes(_, _).

metaspace:text(mapped:violated(otherwise(_, B, Due, Said)),
               "when ~w, the answer had to be ~w, and it was ~w"-
               [name(B), option(Due), option(Said)]).
metaspace:text(mapped:satisfied(as_due(_, B, Due)),
               "when ~w, the answer had to be ~w, and so it was"-[name(B), option(Due)]).
metaspace:text(mapped:inconclusive(nothing_follows(A, Option)),
               "nothing follows from ~w when ~w"-[option(Option), name(A)]).
