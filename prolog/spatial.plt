:- begin_tests(spatial).
:- use_module(library(aggregate)).
:- use_module(library(lists)).
:- use_module(metaspace(spatial)).

test(labels_are_unique, Count == 17) :-
    aggregate_all(count, distinct(Label, sector_label(_, _, Label)), Count).
test(label_is_found_without_choice, Sector-Vocabulary == 7-heading) :-
    sector_label(Vocabulary, Sector, 'front-left').
test(clockwise, Turn == 2) :-
    turn(7, 1, Turn).
test(corner_is_the_shorter_way, Corner == 3) :-
    corner(1, 6, Corner).
test(arc_clockwise, Arc == [7, 0, 1]) :-
    arc(7, 1, Arc).
test(arc_counterclockwise, Arc == [1, 0, 7]) :-
    arc(1, 7, Arc).
test(arc_of_one, Arc == [3]) :-
    arc(3, 3, Arc).
test(no_arc_between_opposites, fail) :-
    arc(2, 6, _).
test(every_arc_is_as_long_as_its_corner) :-
    forall(( between(0, 7, I), between(0, 7, J), corner(I, J, K), K < 4 ),
           ( arc(I, J, Arc), length(Arc, Length), Length =:= K + 1,
             nth0(0, Arc, I), last(Arc, J) )).
test(half_circle, Sectors == [7, 0, 1, 2, 3]) :-
    half_circle(1, Sectors).
test(opposites, Opposites == [4, 5, 6, 7, 0, 1, 2, 3]) :-
    findall(Opposite, ( between(0, 7, Sector), opposite(Sector, Opposite) ), Opposites).
test(opposite_of_none, Opposite == none) :-
    opposite(none, Opposite).
test(signs_of_opposites_are_opposite) :-
    forall(( between(0, 7, Sector), opposite(Sector, Opposite) ),
           ( signs(Sector, X, Y), signs(Opposite, X1, Y1), X1 =:= -X, Y1 =:= -Y )).
test(zero_rounds_from_zero, Low-High == 0.0-0.5) :-
    rounding_interval(0, Low, High).
test(three_rounds_from_both_sides, Low-High == 2.5-3.5) :-
    rounding_interval(3, Low, High).
test(turning_straight_on, Low-High == 0-45) :-
    turning_range(5, 5, Low, High).
test(turning_back, Low-High == 135-180) :-
    turning_range(1, 5, Low, High).
test(turning_right_angle, Low-High == 45-135) :-
    turning_range(0, 6, Low, High).
test(right_angle, Side =:= 5.0) :-
    closing_side(3, 4, 90, Side).
test(straight_on, Side =:= 7.0) :-
    closing_side(3, 4, 0, Side).
test(no_leg, Side =:= 0.0) :-
    closing_side(0, 0, 45, Side).
test(huge_legs_do_not_overflow) :-
    closing_side(1.0e300, 1.0e300, 90, Side),
    Side < 1.5e300.
test(free_triangle, Low-High =@= 0.0-6.0) :-
    closing_range(2.5-3.5, 1.5-2.5, 0, 180, Low, High).
test(back_and_forth_can_meet) :-
    closing_range(1.5-2.5, 2.0-3.0, 180, 180, Low, High),
    Low < 1.0e-9,
    abs(High - 1.5) < 1.0e-9.
test(range_holds_every_triangle) :-
    forall(( member(Degrees, [0, 30, 45, 90, 100, 135, 180]),
             member(P, [1.5, 2.0, 2.5]), member(Q, [0.0, 0.5, 4.0]) ),
           ( closing_side(P, Q, Degrees, Side),
             closing_range(1.5-2.5, 0.0-4.0, Degrees, Degrees, Low, High),
             reaches(Side, Low), reaches(High, Side) )).
test(equal_within_a_billionth, fail) :-
    exceeds(1.0 + 1.0e-10, 1.0).
test(more_than_a_billionth) :-
    exceeds(1.0 + 1.0e-8, 1.0).
test(reaches_from_just_below) :-
    reaches(1.0 - 1.0e-10, 1.0).
test(does_not_reach, fail) :-
    reaches(1.0 - 1.0e-8, 1.0).
test(a_billionth_exceeds_nothing, fail) :-
    exceeds(1.0e-9, 0).
test(a_billionth_less_reaches) :-
    reaches(-1.0e-9, 0).

:- end_tests(spatial).
