:- begin_tests(allow_list).
:- use_module(metaspace(allow_list)).

known(known(mine, [own/1], [helped/0])).

unfit(Body, Reasons) :-
    known(Known),
    findall(Reason, allow_list:unfit_body(Body, caller/0, Known, Reason), Reasons).

test(all_that_is_built_in_exists) :-
    forall(builtin(Name/Arity),
           ( functor(Head, Name, Arity), predicate_property(system:Head, defined) )).
test(libraries_are_there) :-
    forall(library(Library), exists_source(library(Library))).
test(what_may_be_used, Modules-Libraries ==
                       [facts, spatial]-[aggregate, apply, assoc, lists, ordsets, pairs]) :-
    findall(Module, vocabulary(Module), Modules),
    findall(Library, library(Library), Libraries).
test(what_is_built_in_may_be_called, Reasons == []) :-
    unfit(( true, fail, atom(_), findall(_, true, _, []), sort(0, @>=, [], _),
            sub_atom(_, _, _, _, _), between(1, 2, _), call(own, _) ), Reasons).
test(the_vocabulary_may_be_called_with_and_without_its_module, Reasons == []) :-
    unfit(( subjects(_, _), facts:subjects(_, _), level(_), spatial:level(_) ), Reasons).
test(what_the_vocabulary_keeps_to_itself, Reasons == [calls(caller/0, facts:set_facts/1)]) :-
    unfit(facts:set_facts(_), Reasons).
test(a_variable_is_no_goal, Reasons == [calls_variable(caller/0), calls_variable(caller/0)]) :-
    unfit(( _ ; lists:_ ), Reasons).
test(a_goal_in_what_a_predicate_of_other_kinds_takes, Reasons == [calls_variable(caller/0)]) :-
    known(Known),
    findall(Reason,
            ( member(Kind, [?, +, -, :]),
              allow_list:unfit_argument(Kind, own(_), caller/0, Known, Reason) ),
            Reasons).
test(own_and_imported_goals, Reasons == []) :-
    unfit(( own(_), helped, mine:own(_) ), Reasons).
test(a_goal_in_another_module, Reasons == [calls(caller/0, system:halt/0)]) :-
    unfit(system:halt, Reasons).
test(a_goal_in_no_known_module, Reasons == [calls_variable(caller/0)]) :-
    unfit(_:halt, Reasons).
test(goals_in_every_branch, Reasons == [calls(caller/0, a/0), calls(caller/0, b/0),
                                        calls(caller/0, c/0), calls(caller/0, d/0)]) :-
    unfit(( a -> b ; \+ c, d ), Reasons).
test(a_closure_takes_more_arguments, Reasons == [calls(caller/0, near/2)]) :-
    unfit(maplist(near(1), [2]), Reasons).
test(a_closure_of_a_variable, Reasons == [calls_variable(caller/0)]) :-
    unfit(maplist(_, [2]), Reasons).
test(variables_of_bagof_are_no_goals, Reasons == [calls(caller/0, b/1)]) :-
    unfit(bagof(A, B^b(B), A), Reasons).
test(a_number_is_no_goal, Reasons == [calls(caller/0, 3)]) :-
    unfit(3, Reasons).
test(time_is_no_number, Reasons == [clock(caller/0, cputime)]) :-
    unfit(1 < 2 + cputime, Reasons).

:- end_tests(allow_list).
