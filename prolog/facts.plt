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
test(what_is_given, Given == [[1-2], [320], [0.5/0/ -1/90], [s], [0.25]]) :-
    given([ obs(0, columns(f, o, 1, 2)), obs(1, principal_column(f, 320)),
            obs(2, action(a, b, 0.5, 0, -1, 90)), obs(3, heading(s)), obs(4, step_length(0.25)) ],
          true),
    findall(L-R, frame_columns(f, o, L, R), Columns),
    findall(Column, principal_column(f, Column), Principal),
    findall(F/R/U/T, executed(a, b, F, R, U, T), Moves),
    findall(State, heading_at(State), Headings),
    findall(Metres, step_length(Metres), Steps),
    Given = [Columns, Principal, Moves, Headings, Steps].
test(what_holds_by_construction, Given == [x-y, q-3, [p, r], q-y, [b, c], d-x]) :-
    given([ obs(0, becomes(x, y)), obs(1, if_answer(r, q, 3)), obs(2, if_counts(r, more, p, r)),
            obs(3, then_answer(r, q, y)), obs(4, side(left, b)), obs(5, side(left, c)),
            obs(6, asks_about(d, x)) ],
          true),
    once(becomes(X, Y)),
    once(if_answer(r, Question, Number)),
    once(if_counts(r, more, First, Second)),
    once(then_answer(r, Due, Option)),
    findall(Left, on_side(left, Left), Lefts),
    once(asks_about(Asks, About)),
    Given = [X-Y, Question-Number, [First, Second], Due-Option, Lefts, Asks-About].
test(true_answers, Facts == [ direction(a, b, 1), direction(b, a, 5), vertical(a, b, above),
                              distance(a, b, 3), measure(depth, f, o, 2) ]) :-
    given([ obs(0, true(direction(a, b, 1, above))), obs(1, true(direction(b, a, 5, absent))),
            obs(2, true(distance(a, b, 3))), obs(3, true(measure(depth, f, o, 2))) ], true),
    findall(Fact, true_answer(Fact), Facts).
test(a_true_answer_is_no_answer, Facts == []) :-
    given([obs(0, true(distance(a, b, 3)))], true),
    findall(Steps, distance(a, b, Steps), Facts).
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
