:- begin_tests(reasons).
:- use_module(metaspace(reasons)).

test(a_reason, Text == "no direction from a to b") :-
    wrong_text(lacks(direction(a, b)), Text).
test(a_reason_of_prolog) :-
    catch(atom_length(_, _), Error, true),
    wrong_text(Error, Text),
    sub_string(Text, _, _, _, "instantiated").
test(an_unknown_reason) :-
    wrong_text(ball, Text),
    sub_string(Text, _, _, _, "ball").
test(a_problem, Text == "observation 2: steps is -1, which is not a whole number of steps from 0") :-
    problem_text(invalid(1, not_allowed(whole, steps, -1)), Text).
test(an_unreadable_answer, Text == "observation 1 could not be read: why") :-
    problem_text(invalid(0, unreadable(why)), Text).

:- end_tests(reasons).
