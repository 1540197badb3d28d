/** <module> Questions of suites, and what holds between them by construction

The kinds of observations about which nothing is known but their fields: what is chosen in answer
to a question, and what questions owe each other.
*/
:- module(constructed,
          [ constructed/3,         % ?Kind, -Fields, -Thing
            constructed_values/6,  % +Fields, +Pairs, +Index, -Values, -Problems0, ?Problems
            constructed_thing/3    % +Observation, -Thing, -Values
          ]).
:- use_module(library(lists)).
:- use_module(metaspace(fields)).

:- det(constructed_values/6).
:- det(constructed_thing/3).

%!  constructed(?Kind, -Fields, -Thing) is nondet.
%
%   Fields is a list of Key-Type in the order of the arguments of the observation; Thing lists the
%   keys that say what it is about. A thing has one value.
constructed(choice, [question-string, option-option], [question]).
constructed(becomes, [option-option, becomes-option], [option]).
constructed(if_answer, [rule-string, question-string, option-option], [rule, question]).
constructed(if_counts, [rule-string, compares-comparison, first-string, second-string],
            [rule, first, second]).
constructed(then_answer, [rule-string, question-string, option-option], [rule]).
constructed(side, [side-side, question-string], [question]).
constructed(asks_about, [question-string, option-option], [question]).

%!  constructed_values(+Fields, +Pairs, +Index, -Values, -Problems0, ?Problems) is det.
constructed_values([], _, _, Values, Problems0, Problems) =>
    Values = [],
    Problems0 = Problems.
constructed_values([Key-string|Fields], Pairs, Index, Values, Problems0, Problems) =>
    Values = [Value|Rest],
    need_string(Pairs, Key, Index, Value),
    constructed_values(Fields, Pairs, Index, Rest, Problems0, Problems).
constructed_values([Key-Type|Fields], Pairs, Index, Values, Problems0, Problems) =>
    Values = [Value|Rest],
    needed(Type, Pairs, Index, Key, Value, Problems0, Problems1),
    constructed_values(Fields, Pairs, Index, Rest, Problems1, Problems).

%!  constructed_thing(+Observation, -Thing, -Values) is det.
%
%   Thing is what Observation is about, Values is what it says of it.
constructed_thing(Observation, Thing, Values) :-
    Observation =.. [Kind|Arguments],
    constructed(Kind, Fields, Keys),
    !,
    parted(Fields, Arguments, Keys, About, Values),
    Thing =.. [Kind|About].

parted([], [], _, [], []).
parted([Key-_|Fields], [Argument|Arguments], Keys, About0, Values0) :-
    (   memberchk(Key, Keys)
    ->  About0 = [Argument|About],
        Values0 = Values
    ;   About0 = About,
        Values0 = [Argument|Values]
    ),
    parted(Fields, Arguments, Keys, About, Values).
