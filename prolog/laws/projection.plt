:- begin_tests(projection).
:- use_module(law_tests).

%   seen(+Planar, +LeftOfA-RightOfA, +LeftOfB-RightOfB, -Verdict): where the camera looks is 100.
seen(Planar, Left1-Right1, Left2-Right2, Verdict) :-
    judged('A1', [ way(a, b, Planar), columns(f, a, Left1, Right1), columns(f, b, Left2, Right2),
                   principal(f, 100) ],
           [], Verdict).

test(left_of_what_is_right, Verdict == violated) :-
    seen(left, 10-90, 110-190, Verdict).
test(front_left_of_what_is_right, Verdict == violated) :-
    seen('front-left', 10-90, 110-190, Verdict).
test(right_of_what_is_left, Verdict == violated) :-
    seen('back-right', 110-190, 10-90, Verdict).
test(the_right_way, Verdict == satisfied) :-
    seen('front-right', 10-90, 110-190, Verdict).
test(the_right_way_back, Verdict == satisfied) :-
    seen(left, 110-190, 10-90, Verdict).
test(straight_ahead_is_to_neither_side, Verdict == satisfied) :-
    seen(front, 10-90, 110-190, Verdict).
test(no_direction_is_to_neither_side, Verdict == satisfied) :-
    seen(none, 10-90, 110-190, Verdict).
test(up_to_the_edge, Verdict == violated) :-
    seen(left, 10-100, 100-190, Verdict).
test(one_reaches_over, Verdict == inconclusive) :-
    seen(left, 10-101, 110-190, Verdict).
test(the_other_reaches_over, Verdict == inconclusive) :-
    seen(left, 10-90, 99-190, Verdict).
test(both_on_one_side, Verdict == inconclusive) :-
    seen(left, 10-50, 60-90, Verdict).
test(in_two_frames, Verdict == inconclusive) :-
    judged('A1', [ way(a, b, left), columns(f, a, 10, 90), columns(g, b, 110, 190),
                   principal(f, 100), principal(g, 100) ],
           [], Verdict).
test(lacking_a_box, throws(wrong(lacks(frame_columns(b))))) :-
    judged('A1', [way(a, b, left), columns(f, a, 10, 90), principal(f, 100)], [], _).
test(lacking_where_it_looks, throws(wrong(lacks(principal_column(f))))) :-
    judged('A1', [ way(a, b, left), columns(f, a, 10, 90), columns(f, b, 110, 190),
                   principal(g, 100) ],
           [], _).
test(lacking_the_answer, throws(wrong(lacks(direction(a, b))))) :-
    judged('A1', [ way(b, a, left), columns(f, a, 10, 90), columns(f, b, 110, 190),
                   principal(f, 100) ],
           [], _).

:- end_tests(projection).
