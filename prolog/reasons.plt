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
told(lacks(a_thing('Of mine')), "lacks a_thing('Of mine')").
told(undecided, "the law came to no verdict").
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

test(every_reason_reads_as_it_should, Wrong == []) :-
    findall(Text, ( told(Reason, Text), \+ ( wrong_text(Reason, Told), Told == Text ) ), Wrong).
test(every_problem_reads_as_it_should, Wrong == []) :-
    findall(Text, ( problem(Problem, Text), \+ ( problem_text(Problem, Told), Told == Text ) ),
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
