/** <module> INV: the other one of the other one

Each question asks for the other one of an option, as for the face opposite to another. Who asks
about the answer, too, gets back to where it began.
*/
:- module(involution,
          [ violated/1,         % -Why
            satisfied/1,        % -Why
            inconclusive/1,     % -Why
            lacks/1             % -Observation
          ]).
:- use_module(library(lists)).
:- use_module(metaspace(facts)).

:- multifile metaspace:law/3.
:- multifile metaspace:text/2.

metaspace:law('INV', involution, [subjects(at_least(1))]).

%!  lacks(-Observation) is nondet.
lacks(choice(Question)) :-
    subjects(Questions),
    member(Question, Questions),
    \+ choice(Question, _).
lacks(asks_about(Question)) :-
    subjects(Questions),
    member(Question, Questions),
    \+ asks_about(Question, _).
lacks(subject(Question)) :-
    subjects(Questions),
    asks_about(Question, _),
    \+ memberchk(Question, Questions).

%!  violated(-Why) is nondet.
violated(elsewhere(Option, Other, Back)) :-
    twice(Option, Other, Back),
    Back \== Option.

%!  satisfied(-Why) is nondet.
%
%   Whatever is not violated, where some answer is asked about.
satisfied(back(Option, Other)) :-
    twice(Option, Other, Option).

%!  inconclusive(-Why) is nondet.
inconclusive(never_asked_about(Option, Other)) :-
    asks_about(Question, Option),
    choice(Question, Other),
    \+ twice(_, _, _).

%   twice(?Option, -Other, -Back) is nondet: Other is the answer about Option, Back that about
%   Other.
twice(Option, Other, Back) :-
    asks_about(First, Option),
    choice(First, Other),
    asks_about(Second, Other),
    choice(Second, Back).

metaspace:text(involution:violated(elsewhere(Option, Other, Back)),
               "~w is the answer about ~w, but ~w and not ~w is the answer about ~w"-
               [option(Other), option(Option), option(Back), option(Option), option(Other)]).
metaspace:text(involution:satisfied(back(Option, Option)),
               "~w is the answer about itself"-[option(Option)]).
metaspace:text(involution:satisfied(back(Option, Other)),
               "~w is the answer about ~w, and ~w is that about ~w"-
               [option(Other), option(Option), option(Option), option(Other)]) :-
    Option \== Other.
metaspace:text(involution:inconclusive(never_asked_about(Option, Other)),
               "~w is the answer about ~w, and no question is about an answer"-
               [option(Other), option(Option)]).
