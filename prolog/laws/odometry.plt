:- begin_tests(odometry).
:- use_module(law_tests).

%   went(+Answer, +Moves, +Keys, -Verdict): from a to b, steps of half a metre, told in the heading
%   at h. Each move is Forward/Right/Up/Turn; the first begins at h, the last ends at b.
went(Answer, Moves, Keys, Verdict) :-
    actions(Moves, [h, a, b], Actions),
    judged('A2', [Answer, heading(h), step(0.5)|Actions], Keys, Verdict).

actions([], _, []).
actions([Forward/Right/Up/Turn|Moves], [From, To|States],
        [action(From, To, Forward, Right, Up, Turn)|Actions]) :-
    actions(Moves, [To|States], Actions).

test(straight_on, Verdict == satisfied) :-
    went(way(a, b, front), [0/0/0/0, 0.5/0/0/0], [], Verdict).
test(straight_on_is_not_left, Verdict == violated) :-
    went(way(a, b, left), [0/0/0/0, 0.5/0/0/0], [], Verdict).
test(turned_first, Verdict == satisfied) :-
    went(way(a, b, right), [0/0/0/90, 0.5/0/0/0], [], Verdict).
test(turned_while_moving, [Verdict1, Verdict2] == [satisfied, violated]) :-
    went(way(a, b, left), [0.5/0/0/ -90, 0.5/0/0/0], [], Verdict1),
    went(way(a, b, front), [0.5/0/0/ -90, 0.5/0/0/0], [], Verdict2).
test(sideways, Verdict == satisfied) :-
    went(way(a, b, left), [0/0/0/0, 0/ -0.5/0/0], [], Verdict).
test(sideways_after_a_turn, Verdict == satisfied) :-
    went(way(a, b, back), [0/0/0/90, 0/0.5/0/0], [], Verdict).
test(there_and_back, Verdict == satisfied) :-
    went(way(b, a, back), [0/0/0/0, 0.5/0/0/0], [subjects=[b, a]], Verdict).
test(not_moved, [Verdict1, Verdict2] == [satisfied, violated]) :-
    went(way(a, b, none), [0.5/0/0/0, 0/0/0/30], [], Verdict1),
    went(way(a, b, front), [0.5/0/0/0, 0/0/0/30], [], Verdict2).
test(whole_steps, [Verdict1, Verdict2] == [satisfied, violated]) :-
    went(far(a, b, 2), [0/0/0/0, 1/0/0/0], [], Verdict1),
    went(far(a, b, 3), [0/0/0/0, 1/0/0/0], [], Verdict2).
test(height_counts_in_space, Verdict == satisfied) :-
    went(far(a, b, 5), [0/0/0/0, 1.5/0/2/0], [], Verdict).
test(height_does_not_count_on_the_ground, Verdict == satisfied) :-
    went(far(a, b, 3), [0/0/0/0, 1.5/0/2/0], [distance_metric=planar], Verdict).
test(up, [Verdict1, Verdict2] == [satisfied, violated]) :-
    went(way(a, b, none/above), [0/0/0/0, 0/0/0.5/0], [], Verdict1),
    went(way(a, b, none/level), [0/0/0/0, 0/0/0.5/0], [], Verdict2).
test(both_parts_are_judged, Verdict == violated) :-
    went(way(a, b, front/below), [0/0/0/0, 0.5/0/0.5/0], [], Verdict).
test(near_an_edge, Verdict == inconclusive) :-
    went(way(a, b, left), [0/0/0/20, 0.5/0/0/0], [], Verdict).
test(near_half_a_step, Verdict == inconclusive) :-
    went(way(a, b, left), [0/0/0/0, 0.27/0/0/0], [], Verdict).
test(near_where_rounding_turns, Verdict == inconclusive) :-
    went(far(a, b, 9), [0/0/0/0, 0.77/0/0/0], [], Verdict).
test(the_rest_is_judged, Verdict == violated) :-
    went(way(a, b, left/below), [0/0/0/20, 0.5/0/0.5/0], [], Verdict).
test(lacking_an_action, throws(wrong(lacks(executed(h, b))))) :-
    went(way(a, b, left), [0/0/0/0], [], _).
test(lacking_an_action_in_a_circle, throws(wrong(lacks(executed(h, b))))) :-
    judged('A2', [ way(a, b, left), heading(h), step(1), action(h, a, 1, 0, 0, 0),
                   action(a, h, 1, 0, 0, 0) ],
           [], _).
test(lacking_the_step, throws(wrong(lacks(step_length)))) :-
    judged('A2', [way(a, b, left), heading(a), action(a, b, 1, 0, 0, 0)], [], _).
test(lacking_the_heading, throws(wrong(lacks(heading_at)))) :-
    judged('A2', [way(a, b, left), step(1), action(a, b, 1, 0, 0, 0)], [], _).
test(lacking_the_answer, throws(wrong(lacks(direction_or_distance(a, b))))) :-
    judged('A2', [way(b, a, left), heading(a), step(1), action(a, b, 1, 0, 0, 0)], [], _).

:- end_tests(odometry).
