:- begin_tests(reasons).
:- use_module(metaspace(reasons)).

%   told(-Reason, -Text): why a case is in error.
told(not_an_object(case), "the case is not an object").
told(not_an_object(tolerance), "\"tolerance\" is not an object").
told(not_an_object(observation(0)), "observation 1 is not an object").
told(not_an_object(about(1)), "\"about\" of observation 2 is not an object").
told(lacks_key(case, subjects), "the case has no \"subjects\"").
told(lacks_key(2, planar), "observation 3 has no \"planar\"").
told(not_a_string(case, relation), "\"relation\" of the case is not a string").
told(not_a_string(0, from), "\"from\" of observation 1 is not a string").
told(not_a_list(observations), "\"observations\" is not a list").
told(not_distinct(subjects), "\"subjects\" names the same thing twice").
told(not_names(subjects, any), "\"subjects\" is not a list of strings").
told(not_names(subjects, 3), "\"subjects\" is not a list of 3 strings").
told(not_one_of(semantics, x, [sound, paper]),
     "\"semantics\" is \"x\", which is not sound or paper").
told(not_one_of(relation, x, ['MR1', 'MR2', 'MR3']),
     "\"relation\" is \"x\", which is not MR1, MR2 or MR3").
told(bad_tolerance(steps, -1), "tolerance.steps is -1, which is not a number from 0").
told(unknown_kind(0, x, [direction, distance]),
     "the kind of observation 1 is \"x\", which is not direction or distance").
told(both_claimed(0), "the claim of observation 1 has both \"at_least\" and \"exactly\"").
told(nothing_claimed(0), "the claim of observation 1 has no \"at_least\" and no \"exactly\"").
told(missing(0, why), "observation 1 has no answer: why").
told(disagreement(0, 2), "observation 1 and observation 3 answer the same thing differently").
told(lacks(direction(a, b)), "no direction from a to b").
told(lacks(distance(a, b)), "no distance from a to b").
told(lacks(direction_or_distance(a, b)), "neither direction nor distance from a to b").
told(lacks(claim_or_repetition(a, b)),
     "no open answer with a claim, and no two open answers, from a to b").
told(lacks(measure(size, f, o)), "no size of o in f").
told(lacks(frame_columns(o)), "no columns of o").
told(lacks(principal_column(f)), "no principal_column in f").
told(lacks(step_length), "no step_length").
told(lacks(heading_at), "no heading").
told(lacks(executed(a, b)), "no action or actions from a to b").
told(lacks(true_answer), "no true answer").
told(lacks(answer), "no answer to what the true answer is about").
told(lacks(a_thing('Of mine')), "lacks a_thing('Of mine')").
told(undecided, "the law came to no verdict").
told(bad_reason(lacks, 9),
     "the argument of lacks/1 must be a term without variables and cycles, of at most 9 cells").
told(no_proof, "the verdict could not be proved again").
told(budget, "the law used up its inference limit").
told(not_a_case, "the engine was sent something that is not a case").

%   problem(-Problem, -Text): why a case is invalid.
problem(invalid(case, two_vocabularies),
        "directions of two vocabularies (front, right, ... and north, east, ...) in one case").
problem(invalid(0, unreadable(why)), "observation 1 could not be read: why").
problem(invalid(1, not_allowed(planar_label, planar, x)),
        "observation 2: planar is \"x\", which is not one of the eight directions or none").
problem(invalid(1, not_allowed(level_label, vertical, x)),
        "observation 2: vertical is \"x\", which is not above, level or below").
problem(invalid(1, not_allowed(whole, steps, -1)),
        "observation 2: steps is -1, which is not a whole number of steps from 0").
problem(invalid(1, not_allowed(positive, size, 0.0)),
        "observation 2: size is 0.0, which is not a finite number above 0").
problem(invalid(1, not_allowed(yes_or_no, holds, x)),
        "observation 2: holds is \"x\", which is not true or false").

%   refused(-Reason, -Text): why a file of laws is not loaded.
refused(directive(halt),
        "the directive halt is not allowed: it would run while the file is loaded. A file of laws \c
         has module, use_module, discontiguous, and multifile for metaspace:law/3 and \c
         metaspace:text/2").
refused(import(x),
        "x cannot be used. A law uses metaspace(facts), metaspace(spatial), library(aggregate), \c
         library(apply), library(assoc), library(lists), library(ordsets), library(pairs), and \c
         files of its own").
refused(imports([a/1 as b]), "[a/1 as b] is not a list of Name/Arity").
refused(module(lists), "there is a module lists already; name this one otherwise").
refused(head(A:b(A, _)),
        "A:b(A,B) cannot be defined here. A law defines predicates of its own module, and \c
         metaspace:law/3 and metaspace:text/2 for that module").
refused(hook(term_expansion/2),
        "term_expansion/2 would rewrite rules while they are loaded, but a derivation names the \c
         rules as they stand in the file; write out what it would make").
refused(taken(direction/3),
        "direction/3 means something already and cannot be defined anew; choose another name").
refused(list, "a list would be loaded as the terms in it; write them one by one").
refused(commits,
        "Head => Body is nothing that a derivation can follow; write Head :- Body, with the \c
         conditions in Body").
refused(calls(a/0, 'A b'/0),
        "a/0 calls 'A b'/0, which is neither defined here nor on the list of what a law may call \c
         (docs/rules.md)").
refused(calls_variable(a/0),
        "a/0 calls a goal that is not known before it runs, so that nobody can say what it does; \c
         write the name of the predicate").
refused(unread(error(syntax_error(operator_expected), file(f, 1, 2, 3))),
        "Syntax error: Operator expected").
refused(more_than(bytes, 1000),
        "the file has more than 1,000 bytes; write shorter laws, or several").
refused(more_than(brackets, 9), "more than 9 brackets are open; write it with more predicates").
refused(more_than(goals, 9),
        "a term of more than 9 goals, or nested as deep; write it with more predicates").
refused(ends, "what follows end_of_file would not be loaded; leave it out").
refused(text("~w"-[]), "\"~w\"-[] has not one argument for each ~w").
refused(clock(a/1, random), "a/1 computes with random, which is another number each time").

test(every_reason_reads_as_it_should, Wrong == []) :-
    findall(Text, ( told(Reason, Text), \+ ( wrong_text(Reason, Told), Told == Text ) ), Wrong).
test(every_problem_reads_as_it_should, Wrong == []) :-
    findall(Text, ( problem(Problem, Text), \+ ( problem_text(Problem, Told), Told == Text ) ),
            Wrong).
test(every_refusal_reads_as_it_should, Wrong == []) :-
    findall(Text, ( refused(Reason, Text), \+ ( refusal_text(Reason, Told), Told == Text ) ),
            Wrong).
test(a_reason_of_prolog) :-
    catch(atom_length(_, _), Error, true),
    wrong_text(Error, Text),
    sub_string(Text, _, _, _, "instantiated").
test(a_missing_answer_has_a_reason_of_words, Text == "Unknown message: missing(0,f(x))") :-
    wrong_text(missing(0, f(x)), Text).
test(an_unknown_reason) :-
    wrong_text(ball, Text),
    sub_string(Text, _, _, _, "ball").

:- end_tests(reasons).
