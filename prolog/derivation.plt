:- begin_tests(derivation).
:- use_module(library(lists)).
:- use_module(metaspace(derivation)).
:- use_module(metaspace(json_text)).

given(Back) :-
    facts:set_facts(case('MR2', sound, [a, b], [],
                         settings(false, spatial, [tolerance(steps, 0, default)], front),
                         [ obs(0, direction(a, b, 6, absent)),
                           obs(1, direction(b, a, Back, absent)) ], false)).

starts(Text, Start) :-
    sub_string(Text, 0, _, _, Start).

test(a_violation_starts_with_its_goal) :-
    given(6),
    derivation(violated, symmetry:violated(_), raw(Json), _),
    starts(Json, "{\"goal\":\"left from a to b and left back are not opposite\",").
test(an_answer_is_a_leaf) :-
    given(6),
    derivation(violated, symmetry:violated(_), raw(Json), _),
    sub_string(Json, _, _, _, "\"children\":[],\"source\":\"observation 2\",\"observation\":1}"),
    !.
test(the_summary_comes_last) :-
    given(2),
    derivation(satisfied, symmetry:satisfied(_), raw(Json), _),
    sub_string(Json, _, 3, 0, ".\"}").
test(what_does_not_hold_has_no_derivation, throws(wrong(no_proof))) :-
    given(2),
    derivation(violated, symmetry:violated(_), _, _).
test(each_problem_is_named, Count == 2) :-
    invalid_derivation([invalid(0, unreadable(a)), invalid(3, unreadable(b))], o(Pairs)),
    memberchk(children-l(Children), Pairs),
    length(Children, Count),
    Children = [o(Child)|_],
    memberchk(observation-n(0), Child),
    with_output_to(string(_), ( current_output(Out), write_json(Out, o(Pairs)) )).

%   bad_reason(-Goal): what cannot be written, or not alike by every engine.
bad_reason(lacks(_)).
bad_reason(violated(f(_))).
bad_reason(satisfied(X)) :-
    X = f(X).
bad_reason(violated(f(g(List)))) :-
    numlist(1, 165, List).

test(a_reason_is_written_alike_by_every_engine, Wrong == []) :-
    findall(Name/Caught,
            ( bad_reason(Goal),
              catch(( checked_reason(Goal), Caught = none ), wrong(Caught), true),
              functor(Goal, Name, _),
              Caught \== bad_reason(Name, 500) ),
            Wrong).
test(a_reason_may_be_as_long) :-
    numlist(1, 165, List),
    checked_reason(violated(f(a, List))).

:- end_tests(derivation).
