/** <module> Why a case comes to no verdict

The sentences for values that are not allowed, for wrong structure, and for what a file of laws may
not hold.
*/
:- module(reasons,
          [ invalid_texts/2,       % -Goal, -Because
            problem_text/2,        % +Problem, -Text
            refusal_text/2,        % +Reason, -Text
            wrong_text/2           % +Reason, -Text
          ]).
:- use_module(library(lists)).
:- use_module(metaspace(allow_list)).
:- use_module(metaspace(messages)).
:- use_module(metaspace(words)).

:- det(problem_text/2).
:- det(refusal_text/2).
:- det(wrong_text/2).

%!  invalid_texts(-Goal, -Because) is det.
invalid_texts("these answers cannot be judged", "a value is not allowed").

%!  problem_text(+Problem, -Text) is det.
%
%   Why a case is invalid.
problem_text(invalid(case, two_vocabularies), Text) =>
    Text = "directions of two vocabularies (front, right, ... and north, east, ...) in one case".
problem_text(invalid(Index, unreadable(Reason)), Text) =>
    Number is Index + 1,
    reason_text(Reason, Told),
    format(string(Text), 'observation ~d could not be read: ~w', [Number, Told]).
problem_text(invalid(Index, not_allowed(Type, Key, Data)), Text) =>
    Number is Index + 1,
    wanted(Type, Wanted),
    said("observation ~w: ~w is ~w, which is not ~w"-[Number, Key, data(Data), Wanted], Text).

wanted(planar_label, "one of the eight directions or none").
wanted(level_label, "above, level or below").
wanted(whole, "a whole number of steps from 0").
wanted(positive, "a finite number above 0").
wanted(span, "a finite number of at most a million").
wanted(step, "a number between 0.000001 and a million").
wanted(option, "a string that stands for an option, or a whole number from 0").
wanted(comparison, "more, equal or fewer").
wanted(side, "left or right").
wanted(yes_or_no, "true or false").

%!  wrong_text(+Reason, -Text) is det.
%
%   Why a case is in error.
wrong_text(Reason, Text) :-
    (   wrong(Reason, Parts)
    ->  said(Parts, Text)
    ;   message_to_string(Reason, Text)
    ).

wrong(not_an_object(Where), "~w is not an object"-[where(Where)]).
wrong(lacks_key(Where, Key), "~w has no \"~w\""-[where(Where), Key]).
wrong(not_a_string(Where, Key), "\"~w\" of ~w is not a string"-[Key, where(Where)]).
wrong(not_a_list(Key), "\"~w\" is not a list"-[Key]).
wrong(not_distinct(Key), "\"~w\" names the same thing twice"-[Key]).
wrong(not_names(Key, any), "\"~w\" is not a list of strings"-[Key]).
wrong(not_names(Key, Count), "\"~w\" is not a list of ~w strings"-[Key, Count]) :-
    integer(Count).
wrong(not_names(Key, at_least(Least)), "\"~w\" is not a list of at least ~w"-[Key, parts(Many)]) :-
    (   Least =:= 1
    ->  Many = "1 string"
    ;   Many = "~w strings"-[Least]
    ).
wrong(not_one_of(Key, Data, Known), "\"~w\" is ~w, which is not ~w"-[Key, data(Data), all(Known)]).
wrong(bad_tolerance(Name, Data), "tolerance.~w is ~w, which is not a number from 0"-
                                 [Name, data(Data)]).
wrong(unknown_kind(Index, Kind, Known), "the kind of ~w is ~w, which is not ~w"-
                                        [where(Index), data(Kind), all(Known)]).
wrong(both_claimed(Index), "the claim of ~w has both \"at_least\" and \"exactly\""-[where(Index)]).
wrong(nothing_claimed(Index), "the claim of ~w has no \"at_least\" and no \"exactly\""-
                              [where(Index)]).
wrong(missing(Index, Reason), "~w has no answer: ~w"-[where(Index), reason(Reason)]) :-
    atom(Reason).
wrong(disagreement(Index1, Index2), "~w and ~w answer the same thing differently"-
                                    [where(Index1), where(Index2)]).
wrong(lacks(direction(A, B)), "no direction from ~w to ~w"-[name(A), name(B)]).
wrong(lacks(distance(A, B)), "no distance from ~w to ~w"-[name(A), name(B)]).
wrong(lacks(direction_or_distance(A, B)), "neither direction nor distance from ~w to ~w"-
                                          [name(A), name(B)]).
wrong(lacks(claim_or_repetition(A, B)),
      "no open answer with a claim, and no two open answers, from ~w to ~w"-[name(A), name(B)]).
wrong(lacks(measure(Kind, Frame, Object)), "no ~w of ~w in ~w"-[Kind, name(Object), name(Frame)]).
wrong(lacks(frame_columns(Object)), "no columns of ~w"-[name(Object)]).
wrong(lacks(principal_column(Frame)), "no principal_column in ~w"-[name(Frame)]).
wrong(lacks(step_length), "no step_length").
wrong(lacks(heading_at), "no heading").
wrong(lacks(executed(Start, State)), "no action or actions from ~w to ~w"-
                                     [name(Start), name(State)]).
wrong(lacks(choice(Question)), "no choice in answer to ~w"-[name(Question)]).
wrong(lacks(becomes), "no becomes").
wrong(lacks(number(Question)), "the answer to ~w is no number"-[name(Question)]).
wrong(lacks(subject(Question)), "~w is none of the subjects"-[name(Question)]).
wrong(lacks(then_answer), "no then_answer").
wrong(lacks(then_answer(Rule)), "no then_answer of rule ~w"-[name(Rule)]).
wrong(lacks(side(Side)), "no side that is ~w"-[Side]).
wrong(lacks(side_of(Question)), "no side of ~w"-[name(Question)]).
wrong(lacks(asks_about(Question)), "no asks_about of ~w"-[name(Question)]).
wrong(lacks(true_answer), "no true answer").
wrong(lacks(answer), "no answer to what the true answer is about").
wrong(lacks(Other), "lacks ~w"-[Text]) :-
    format(string(Text), '~q', [Other]).
wrong(undecided, "the law came to no verdict").
wrong(bad_reason(Name, Most),
      "the argument of ~w must be a term without variables and cycles, of at most ~w cells"-
      [Name/1, Most]).
wrong(no_proof, "the verdict could not be proved again").
wrong(budget, "the law used up its inference limit").
wrong(not_a_case, "the engine was sent something that is not a case").

%!  refusal_text(+Reason, -Text) is det.
%
%   What is wrong with a file of laws, for each Reason of law_source:refused/2.
refusal_text(unread(error(Formal, _)), Text) =>
    message_to_string(error(Formal, _), Text).
refusal_text(Reason, Text) =>
    copy_term(Reason, Copy),
    numbervars(Copy, 0, _),
    refusal(Copy, Format, Arguments),
    format(string(Text), Format, Arguments).

refusal(more_than(bytes, Most), "the file has more than ~D bytes; write shorter laws, or several",
        [Most]).
refusal(more_than(brackets, Most), "more than ~D brackets are open; write it with more predicates",
        [Most]).
refusal(more_than(goals, Most), "a term of more than ~D goals, or nested as deep; write it with more \c
                                 predicates", [Most]).
refusal(ends, "what follows end_of_file would not be loaded; leave it out", []).
refusal(text(Text), "~q has not one argument for each ~w", [Text, '~w']).
refusal(directive(Goal),
        "the directive ~q is not allowed: it would run while the file is loaded. A file of laws \c
         has module, use_module, discontiguous, and multifile for metaspace:law/3 and \c
         metaspace:text/2", [Goal]).
refusal(import(Spec), "~q cannot be used. A law uses ~w, and files of its own", [Spec, Usable]) :-
    findall(metaspace(Name), vocabulary(Name), Vocabulary),
    findall(library(Name), library(Name), Libraries),
    append(Vocabulary, Libraries, All),
    atomic_list_text(All, Usable).
refusal(imports(List), "~q is not a list of Name/Arity", [List]).
refusal(module(Name), "there is a module ~q already; name this one otherwise", [Name]).
refusal(head(Head), "~q cannot be defined here. A law defines predicates of its own module, \c
                     and metaspace:law/3 and metaspace:text/2 for that module", [Head]).
refusal(hook(PI), "~q would rewrite rules while they are loaded, but a derivation names the rules \c
                   as they stand in the file; write out what it would make", [PI]).
refusal(taken(PI), "~q means something already and cannot be defined anew; choose another name",
        [PI]).
refusal(list, "a list would be loaded as the terms in it; write them one by one", []).
refusal(commits, "Head => Body is nothing that a derivation can follow; write Head :- Body, with \c
                  the conditions in Body", []).
refusal(calls(Caller, Callee), "~q calls ~q, which is neither defined here nor on the list of \c
                                what a law may call (docs/rules.md)", [Caller, Callee]).
refusal(calls_variable(Caller), "~q calls a goal that is not known before it runs, so that nobody \c
                                 can say what it does; write the name of the predicate",
        [Caller]).
refusal(clock(Caller, Function), "~q computes with ~w, which is another number each time",
        [Caller, Function]).

atomic_list_text(Terms, Text) :-
    findall(Atom, ( member(Term, Terms), format(atom(Atom), '~q', [Term]) ), Atoms),
    atomic_list_concat(Atoms, ', ', Text).
