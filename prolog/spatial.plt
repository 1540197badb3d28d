:- begin_tests(spatial).
:- use_module(library(aggregate)).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(yall)).
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
moves(Moves, Place) :-
    foldl([F/R/U/T, Place0, Place1]>>moved(Place0, F, R, U, T, Place1), Moves,
          place(0.0, 0.0, 0.0, 0.0), Place).

test(forward_and_right, Place == place(1.0, 2.0, 3.0, 30.0)) :-
    moves([1/2/3/30], Place).
test(after_a_turn_right, Place == place(0.0, 1.0, 0.0, 90.0)) :-
    moves([0/0/0/90, 1/0/0/0], Place).
test(sideways_after_a_turn_right, Place == place(-1.0, 0.0, 0.0, 90.0)) :-
    moves([0/0/0/90, 0/1/0/0], Place).
test(all_the_way_round, Place == place(0.0, 0.0, 0.0, 360.0)) :-
    moves([1/0/0/90, 1/0/0/90, 1/0/0/90, 1/0/0/90], Place).
test(the_way_between, Way == way(2.0, -4.0, 1.0)) :-
    way_between(place(1.0, 1.0, 0.0, 0.0), place(2.0, -1.0, 0.5, 90.0), 0.5, Way).
test(length_on_the_ground, Length =:= 5.0) :-
    way_length(planar, way(3.0, 4.0, 12.0), Length).
test(length_in_space, Length =:= 13.0) :-
    way_length(spatial, way(3.0, 4.0, 12.0), Length).
test(every_sector, Sectors == [0, 1, 2, 3, 4, 5, 6, 7]) :-
    findall(Sector, ( between(0, 7, Eighth), bearing(45 * Eighth, 2, Way),
                      clear_sector(Way, Sector) ),
            Sectors).
test(five_degrees_from_an_edge, Sectors == [0, 1, 7, 0]) :-
    findall(Sector, ( member(Degrees, [17.49, 27.51, -27.51, -17.49]), bearing(Degrees, 2, Way),
                      clear_sector(Way, Sector) ),
            Sectors).
test(nearer_to_an_edge, Sectors == []) :-
    findall(Sector, ( member(Degrees, [17.51, 22.5, 27.49, -27.49, 157.51, 202.49]),
                      bearing(Degrees, 2, Way), clear_sector(Way, Sector) ),
            Sectors).
test(at_five_degrees_it_is_not_clear, fail) :-
    bearing(27.5, 2, Way),
    clear_sector(Way, _).
test(half_a_step_less_a_tenth, Sectors == [none, none, 2]) :-
    findall(Sector, ( member(Steps, [0.0, 0.39, 0.5, 0.4, 0.6, 0.61]),
                      clear_sector(way(0.0, Steps, 9.0), Sector) ),
            Sectors).
test(levels, Levels == [above, below, level, level, level]) :-
    findall(Level, ( member(Rise, [0.61, -0.61, 0.39, 0.0, -0.39, 0.6, 0.5, 0.4, -0.4, -0.6]),
                     clear_level(way(0.0, 0.0, Rise), Level) ),
            Levels).
test(steps, Steps == [0, 0, 1, 1, 1, 2]) :-
    findall(Whole, ( member(Length, [0.0, 0.39, 0.4, 0.5, 0.6, 0.61, 1.0, 1.39, 1.4, 1.45, 1.6, 1.61]),
                     clear_steps(Length, Whole) ),
            Steps).

bearing(Degrees, Steps, way(Forward, Right, 0.0)) :-
    Forward is Steps * cos(Degrees * pi / 180),
    Right is Steps * sin(Degrees * pi / 180).

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
