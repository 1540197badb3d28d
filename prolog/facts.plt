:- begin_tests(facts).
:- use_module(metaspace(facts)).

given(Observations, Vertical) :-
    facts:set_facts(case('MR2', sound, [a, b], [o],
                         settings(false, spatial, [tolerance(steps, 1, default)], front),
                         Observations, Vertical)).

test(directions_in_order, Sectors == [1, 2]) :-
    given([obs(0, direction(a, b, 1, level)), obs(1, direction(a, b, 2, above))], true),
    findall(Sector, direction(a, b, Sector), Sectors).
test(verticals_where_judged, Levels == [level]) :-
    given([obs(0, direction(a, b, 1, level))], true),
    findall(Level, vertical(a, b, Level), Levels).
test(no_verticals_where_not, Levels == []) :-
    given([obs(0, direction(a, b, 1, level)), obs(1, direction(b, a, 1, absent))], false),
    findall(Level, vertical(a, b, Level), Levels).
test(where_it_stands, Indices == [0, 2]) :-
    given([obs(0, distance(a, b, 3)), obs(1, distance(b, a, 3)), obs(2, distance(a, b, 3))], true),
    findall(Index, facts:observed(distance(a, b, 3), Index), Indices).
test(repeated, Indices == [2]) :-
    given([obs(0, distance(a, b, 3)), obs(1, distance(a, b, 4)), obs(2, distance(a, b, 3))], true),
    findall(Index, facts:observed(repeated(distance(a, b, 3)), Index), Indices).
test(settings, [Subjects, Object, Steps] == [a-b, o, 1]) :-
    given([], true),
    subjects(A, B),
    Subjects = A-B,
    object(Object),
    tolerance(steps, Steps).
test(subjects_as_a_list, Subjects == [a, b]) :-
    given([], true),
    subjects(Subjects).
test(three_subjects_are_not_two, fail) :-
    given([], true),
    subjects(_, _, _).
test(nothing_is_left_behind, Steps == []) :-
    \+ \+ given([obs(0, distance(a, b, 3))], true),
    given([], true),
    findall(Step, distance(_, _, Step), Steps).

:- end_tests(facts).
