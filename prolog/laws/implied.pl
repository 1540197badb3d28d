/** <module> IMP: answers imply an answer

Rules are given with the case: conditions on the answers to questions, and the answer that another
question must have where they all hold. A rule of which a condition does not hold says nothing.
*/
:- module(implied,
          [ violated/1,         % -Why
            satisfied/1,        % -Why
            inconclusive/1,     % -Why
            lacks/1             % -Observation
          ]).
:- use_module(library(lists)).
:- use_module(metaspace(facts)).

:- multifile metaspace:law/3.
:- multifile metaspace:text/2.

metaspace:law('IMP', implied, [subjects(at_least(1))]).

%!  lacks(-Observation) is nondet.
lacks(choice(Question)) :-
    subjects(Questions),
    member(Question, Questions),
    \+ choice(Question, _).
lacks(subject(Question)) :-
    subjects(Questions),
    named(_, Question),
    \+ memberchk(Question, Questions).
lacks(number(Question)) :-
    if_counts(_, _, First, Second),
    member(Question, [First, Second]),
    choice(Question, Option),
    atom(Option).
lacks(then_answer) :-
    \+ then_answer(_, _, _).
lacks(then_answer(Rule)) :-
    named(Rule, _),
    \+ then_answer(Rule, _, _).

%!  violated(-Why) is nondet.
violated(broken(Conditions, Question, Due, Said)) :-
    then_answer(Rule, Question, Due),
    met(Rule, Conditions),
    choice(Question, Said),
    Said \== Due.

%!  satisfied(-Why) is nondet.
%
%   Whatever is not violated, where some rule applies.
satisfied(kept(Conditions, Question, Due)) :-
    then_answer(Rule, Question, Due),
    met(Rule, Conditions),
    choice(Question, Due).

%!  inconclusive(-Why) is semidet.
inconclusive(no_rule_applies) :-
    \+ applies(_),
    subjects(Questions),
    answered(Questions).

%   named(?Rule, -Question) is nondet: Rule speaks of Question.
named(Rule, Question) :-
    if_answer(Rule, Question, _).
named(Rule, Question) :-
    if_counts(Rule, _, Question, _).
named(Rule, Question) :-
    if_counts(Rule, _, _, Question).
named(Rule, Question) :-
    then_answer(Rule, Question, _).

%   answered(+Questions) is semidet.
answered([]).
answered([Question|Questions]) :-
    choice(Question, _),
    answered(Questions).

applies(Rule) :-
    then_answer(Rule, _, _),
    met(Rule, _).

%   met(+Rule, -Conditions) is semidet: all conditions of Rule hold.
met(Rule, Conditions) :-
    subjects(Questions),
    answers_met(Questions, Rule, Answers),
    counts_met(Questions, Questions, Rule, Counts),
    append(Answers, Counts, Conditions).

answers_met([], _, []).
answers_met([Question|Questions], Rule, Met) :-
    (   if_answer(Rule, Question, Option)
    ->  choice(Question, Option),
        Met = [answer(Question, Option)|Rest]
    ;   Met = Rest
    ),
    answers_met(Questions, Rule, Rest).

%   counts_met(+Firsts, +Questions, +Rule, -Met) is semidet: those that begin with one of Firsts.
counts_met([], _, _, []).
counts_met([First|Firsts], Questions, Rule, Met) :-
    counts_of(Questions, First, Rule, Some),
    counts_met(Firsts, Questions, Rule, Others),
    append(Some, Others, Met).

counts_of([], _, _, []).
counts_of([Second|Seconds], First, Rule, Met) :-
    (   if_counts(Rule, Compares, First, Second)
    ->  choice(First, One),
        choice(Second, Other),
        compared(Compares, One, Other),
        Met = [counts(Compares, First, One, Second, Other)|Rest]
    ;   Met = Rest
    ),
    counts_of(Seconds, First, Rule, Rest).

compared(more, One, Other) :-
    One > Other.
compared(equal, One, Other) :-
    One =:= Other.
compared(fewer, One, Other) :-
    One < Other.

metaspace:text(implied:violated(broken(Conditions, Question, Due, Said)),
               "~wwhen ~w the answer had to be ~w, and it was ~w"-
               [parts(Met), name(Question), option(Due), option(Said)]) :-
    met_text(Conditions, Met).
metaspace:text(implied:satisfied(kept(Conditions, Question, Due)),
               "~wwhen ~w the answer had to be ~w, and so it was"-
               [parts(Met), name(Question), option(Due)]) :-
    met_text(Conditions, Met).
metaspace:text(implied:inconclusive(no_rule_applies), "the conditions of no rule hold").

met_text([], "").
met_text([Condition], "~w, so "-[parts(Text)]) :-
    condition_text(Condition, Text).
met_text([Condition, Next|Rest], "~w, and ~w"-[parts(Text), parts(Others)]) :-
    condition_text(Condition, Text),
    met_text([Next|Rest], Others).

condition_text(answer(Question, Option),
               "~w is the answer when ~w"-[option(Option), name(Question)]).
condition_text(counts(Compares, First, One, Second, Other),
               "~w when ~w ~w ~w when ~w"-[One, name(First), Words, Other, name(Second)]) :-
    compared_words(Compares, Words).

compared_words(more, 'is more than').
compared_words(equal, 'is equal to').
compared_words(fewer, 'is less than').
