:- begin_tests(cases).
:- use_module(metaspace(cases)).

data(Observations, Keys, j([case=c, relation='MR2', subjects=[a, b],
                            observations=Observations|Keys])).

checked(Observations, Keys, Case, Problems) :-
    data(Observations, Keys, Data),
    checked_case(Data, options(0.1, 0.05), Case, Problems).

way(Planar, j([kind=direction, from=a, to=b, planar=Planar])).
far(Steps, j([kind=distance, from=a, to=b, steps=Steps])).

test(a_direction, Observations-Problems == [obs(0, direction(a, b, 6, absent))]-[]) :-
    way(left, Way),
    checked([Way], [], Case, Problems),
    arg(6, Case, Observations).
test(a_whole_float_is_whole, Observations == [obs(0, distance(a, b, 3))]) :-
    far(3.0, Far),
    checked([Far], [], Case, []),
    arg(6, Case, Observations).
test(a_bad_value_is_kept_as_bad, Observations-Problems ==
                                 [obs(0, distance(a, b, bad(steps)))]-
                                 [invalid(0, not_allowed(whole, steps, -1))]) :-
    far(-1, Far),
    checked([Far], [], Case, Problems),
    arg(6, Case, Observations).
test(an_unreadable_answer, Problems == [invalid(0, unreadable(why))]) :-
    way(unreadable(why), Way),
    checked([Way], [], _, Problems).
test(a_missing_answer, throws(wrong(missing(0, why)))) :-
    way(missing(why), Way),
    checked([Way], [], _, _).
test(two_vocabularies, Problems == [invalid(case, two_vocabularies)]) :-
    checked([ j([kind=direction, from=a, to=b, planar=left]),
              j([kind=direction, from=b, to=a, planar=east]) ], [], _, Problems).
test(none_belongs_to_both, Problems == []) :-
    checked([ j([kind=direction, from=a, to=b, planar=none]),
              j([kind=direction, from=b, to=a, planar=east]) ], [], _, Problems).
test(disagreement, throws(wrong(disagreement(0, 1)))) :-
    far(1, Far1),
    far(2, Far2),
    checked([Far1, Far2], [], _, _).
test(bad_values_do_not_disagree, Problems = [_]) :-
    far(1, Far1),
    far(x, Far2),
    checked([Far1, Far2], [], _, Problems).
test(directions_that_differ_disagree, throws(wrong(disagreement(0, 1)))) :-
    way(left, Way1),
    way(right, Way2),
    checked([Way1, Way2], [], _, _).
test(heights_that_differ_disagree, throws(wrong(disagreement(0, 1)))) :-
    Way = [kind=direction, from=a, to=b, planar=left],
    checked([j([vertical=above|Way]), j([vertical=level|Way])], [], _, _).
test(an_absent_height_does_not_disagree, [Problems1, Problems2] == [[], []]) :-
    Way = [kind=direction, from=a, to=b, planar=left],
    checked([j([vertical=above|Way]), j(Way)], [], _, Problems1),
    checked([j(Way), j([vertical=above|Way])], [], _, Problems2).
test(claims_that_differ_disagree, throws(wrong(disagreement(0, 1)))) :-
    About = j([kind=distance, from=a, to=b, at_least=2]),
    checked([ j([kind=claim, holds=b(true), about=About]),
              j([kind=claim, holds=b(false), about=About]) ], [], _, _).
test(an_unknown_kind,
     throws(wrong(unknown_kind(0, odd, [ direction, distance, claim, size_px, depth, size, choice,
                                         columns, principal_column, action, heading, step_length,
                                         becomes, if_answer, if_counts, then_answer, side,
                                         asks_about, true ])))) :-
    checked([j([kind=odd])], [], _, _).
test(an_unknown_kind_of_claim, throws(wrong(unknown_kind(0, depth, [direction, distance])))) :-
    checked([j([kind=claim, holds=b(true), about=j([kind=depth])])], [], _, _).
test(what_is_given, Observations-Problems ==
                    [ obs(0, columns(f, o, 1, 2.5)), obs(1, principal_column(f, 320)),
                      obs(2, action(a, b, 0.5, 0, -1, 90)), obs(3, heading(a)),
                      obs(4, step_length(0.5)), obs(5, true(measure(depth, f, o, 2))),
                      obs(6, true(direction(a, b, 6, above))) ]-[]) :-
    checked([ j([kind=columns, frame=f, object=o, left=1, right=2.5]),
              j([kind=principal_column, frame=f, column=320]),
              j([kind=action, from=a, to=b, forward=0.5, right=0, up= -1, turn=90]),
              j([kind=heading, at=a]),
              j([kind=step_length, metres=0.5]),
              j([kind=true, about=j([kind=depth, frame=f, object=o, value=2])]),
              j([kind=true, about=j([kind=direction, from=a, to=b, planar=left,
                                     vertical=above])]) ], [], Case, Problems),
    arg(6, Case, Observations).
test(a_truth_has_a_vocabulary, Problems == [invalid(case, two_vocabularies)]) :-
    way(left, Way),
    checked([Way, j([kind=true, about=j([kind=direction, from=a, to=b, planar=east])])], [], _,
            Problems).
test(a_truth_of_an_unknown_kind,
     throws(wrong(unknown_kind(0, claim, [direction, distance, size, depth, choice])))) :-
    checked([j([kind=true, about=j([kind=claim])])], [], _, _).
test(what_is_given_is_checked, Problems ==
                               [ invalid(0, not_allowed(span, left, x)),
                                 invalid(0, not_allowed(span, right, y)),
                                 invalid(1, not_allowed(span, turn, 1.0e7)),
                                 invalid(2, not_allowed(step, metres, 0)),
                                 invalid(3, not_allowed(whole, steps, 1.5)) ]) :-
    checked([ j([kind=columns, frame=f, object=o, left=x, right=y]),
              j([kind=action, from=a, to=b, forward=0.5, right=0, up=1, turn=1.0e7]),
              j([kind=step_length, metres=0]),
              j([kind=true, about=j([kind=distance, from=a, to=b, steps=1.5])]) ], [], _,
            Problems).
test(what_is_given_twice_must_agree, Taken == []) :-
    findall(One, ( twice(One, Other),
                   catch(checked([One, Other], [], _, _), wrong(disagreement(0, 1)), fail) ),
            Taken).
test(what_is_given_twice_alike_agrees, Refused == []) :-
    findall(One, ( twice(One, _), \+ checked([One, One], [], _, []) ), Refused).

%   twice(-One, -Other): the same thing, said differently.
twice(j([kind=heading, at=a]), j([kind=heading, at=b])).
twice(j([kind=step_length, metres=1]), j([kind=step_length, metres=2])).
twice(j([kind=principal_column, frame=f, column=1]), j([kind=principal_column, frame=f, column=2])).
twice(j([left=1, right=2|Box]), j([left=1, right=3|Box])) :-
    Box = [kind=columns, frame=f, object=o].
twice(j([left=1, right=2|Box]), j([left=0, right=2|Box])) :-
    Box = [kind=columns, frame=f, object=o].
twice(j([to=b, turn=0|Move]), j([to=c, turn=0|Move])) :-
    Move = [kind=action, from=a, forward=0, right=0, up=0].
twice(j([to=b, turn=0|Move]), j([to=b, turn=1|Move])) :-
    Move = [kind=action, from=a, forward=0, right=0, up=0].
twice(j([kind=true, about=j([steps=1|Way])]), j([kind=true, about=j([steps=2|Way])])) :-
    Way = [kind=distance, from=a, to=b].

test(a_truth_does_not_disagree_with_an_answer, Problems == []) :-
    far(1, Far),
    checked([Far, j([kind=true, about=j([kind=distance, from=a, to=b, steps=2])])], [], _, Problems).
test(nothing_is_no_size, Problems == [invalid(0, not_allowed(positive, depth, 0.0))]) :-
    checked([j([kind=depth, frame=f, object=o, value=0.0])], [], _, Problems).
test(the_largest_float_is_finite, Problems == []) :-
    checked([j([kind=depth, frame=f, object=o, value=1.7976931348623157e308])], [], _, Problems).
test(no_number_is_more_than_the_largest_float,
     Problems == [ invalid(0, not_allowed(positive, depth, Huge)),
                   invalid(1, not_allowed(positive, depth, inf)) ]) :-
    Huge is 10 ** 400,
    checked([ j([kind=depth, frame=f, object=o, value=Huge]),
              j([kind=depth, frame=g, object=o, value=inf]) ], [], _, Problems).
test(default_settings, Settings == settings(false, spatial,
                                            [ tolerance(steps, 0, default),
                                              tolerance(depth, 0.1, default),
                                              tolerance(size, 0.05, default) ], front)) :-
    checked([], [], Case, _),
    arg(5, Case, Settings).
test(given_settings, Settings == settings(true, planar,
                                          [ tolerance(steps, 2, given([])),
                                            tolerance(depth, 0.1, default),
                                            tolerance(size, 0.05, default) ], forward)) :-
    checked([], [exact=b(true), distance_metric=planar, tolerance=j([steps=2]),
                 wording=forward], Case, _),
    arg(5, Case, Settings).
test(parts_are_told_of_depth_alone,
     Tolerances == [ tolerance(steps, 0, given([])),
                     tolerance(depth, 0, given([epsilon=0.1])),
                     tolerance(size, 0, given([])) ]) :-
    checked([], [tolerance=j([steps=0, depth=0, size=0, depth_parts=j([epsilon=0.1])])], Case, _),
    arg(5, Case, settings(_, _, Tolerances, _)).
test(less_than_nothing_is_no_tolerance, throws(wrong(bad_tolerance(steps, -0.5)))) :-
    checked([], [tolerance=j([steps= -0.5])], _, _).
test(subjects_are_as_many_as_the_law_says, throws(wrong(not_names(subjects, 2)))) :-
    checked_case(j([case=c, relation='MR2', subjects=[a, b, c], observations=[]]),
                 options(0.1, 0.05), _, _).
test(a_string_is_no_boolean, throws(wrong(not_one_of(exact, true, _)))) :-
    checked([], [exact=true], _, _).
test(not_an_object, throws(wrong(not_an_object(case)))) :-
    checked_case([], options(0.1, 0.05), _, _).

:- end_tests(cases).
