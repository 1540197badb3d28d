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
                                 [obs(0, distance(a, b, bad))]-
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
     throws(wrong(unknown_kind(0, odd, [direction, distance, claim, size_px, depth, size])))) :-
    checked([j([kind=odd])], [], _, _).
test(an_unknown_kind_of_claim, throws(wrong(unknown_kind(0, depth, [direction, distance])))) :-
    checked([j([kind=claim, holds=b(true), about=j([kind=depth])])], [], _, _).
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
