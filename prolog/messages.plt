:- begin_tests(messages).
:- use_module(library(lists)).
:- use_module(metaspace(messages)).

worded :-
    facts:set_facts(case('MR1', sound, [], [], settings(false, spatial, [], front), [], true)).

test(a_goal_with_a_text, Text == "left is the direction from a to b") :-
    worded,
    goal_text(facts:direction(a, b, 6), Text).
test(a_goal_without_a_text, Text == "foo('X',1)") :-
    goal_text(nowhere:foo('X', 1), Text).
test(only_goals_with_a_text_are_shown, fail) :-
    shown(facts:subjects(_, _)).
test(no_tolerance_no_node, fail) :-
    shown(facts:tolerance(steps, 0)).
test(our_files_are_told_from_the_folder, Text == "laws/x.pl:7") :-
    once(file_search_path(metaspace, Folder)),
    atom_concat(Folder, '/laws/x.pl', File),
    source_text(place(File, 7), Text).
test(other_files_by_name, Text == "mine.pl:7") :-
    source_text(place('/elsewhere/mine.pl', 7), Text).
test(observations_count_from_one, Text == "observation 1") :-
    source_text(observation(0), Text).

%   Every verdict that a law of ours can give has a text of its own.
test(each_verdict_of_ours_has_a_text, Bare == []) :-
    findall(Law:Head,
            ( metaspace:law(_, Law, _),
              \+ memberchk(Law, [test_proof, test_reader]),
              member(Head, [violated(_), satisfied(_)]),
              clause(Law:Head, _),
              arg(1, Head, Why),
              nonvar(Why),
              functor(Why, Name, Arity),
              \+ ( clause(messages:text(Law:Told, _), _),
                   nonvar(Told),
                   Told =.. [_, Known],
                   functor(Known, Name, Arity) ) ),
            Bare).

:- end_tests(messages).
