:- begin_tests(anchor_texts).
:- use_module(metaspace(engine)).
:- use_module(metaspace(messages)).
:- use_module(metaspace(anchor_texts)).

judged_by(Relation) :-
    facts:set_facts(case(Relation, sound, [], [],
                         settings(false, spatial, [tolerance(depth, 0.1, default)], forward),
                         [], true)).

reads(frame_columns(f, o, 10, 20.5), "the box of o reaches from column 10 to 20.5 in f").
reads(principal_column(f, 320.0), "the camera looks along column 320 in f").
reads(executed(a, b, 0.5, 0, 0, 0), "from a to b 0.5 m forward").
reads(executed(a, b, -0.5, -1, -2, -30),
      "from a to b 0.5 m backward, 1 m left, 2 m down, 30 degrees turned left").
reads(executed(a, b, 0, 1, 2, 30), "from a to b 1 m right, 2 m up, 30 degrees turned right").
reads(executed(a, b, 0, 0, 0.0, 0), "from a to b nothing was done").
reads(heading_at(s), "directions are told in the heading at s").
reads(step_length(0.25), "a step is 0.25 m").
reads(true_answer(distance(a, b, 1)), "in truth, the distance from a to b is 1 step").
reads(true_answer(direction(a, b, 0)), "in truth, forward is the direction from a to b").

test(given_facts, Wrong == []) :-
    judged_by('A2'),
    findall(Text, ( reads(Fact, Expected), goal_text(facts:Fact, Text), Text \== Expected ), Wrong).
test(who_is_anchored_knows_which_answer, Texts == ["This answer cannot be true",
                                                   "This answer can be true"]) :-
    judged_by('A2'),
    maplist(judged_text, [violated, satisfied], Texts).
test(logic_does_not, Texts == ["These answers cannot all be true",
                               "These answers can all be true"]) :-
    judged_by('MR1'),
    maplist(judged_text, [violated, satisfied], Texts).
test(anchored, Relations == ['A1', 'A2', 'A3']) :-
    findall(Relation, ( metaspace:law(Relation, _, _), judged_by(Relation), anchored ), Relations).
test(epsilon_is_no_tau, Texts == ["epsilon is 0.1", "tau is 0.1"]) :-
    findall(Text, ( member(Relation, ['A3', 'MR5']), judged_by(Relation),
                    goal_text(facts:tolerance(depth, 0.1), Text) ),
            Texts).

%   says(-Goal, -Text): how the anchored laws read.
says(projection:violated(crosses(a, b, 6, right)),
     "b lies to the right of a by its box, so left cannot be the direction there").
says(projection:satisfied(keeps_to(a, b, 2, right)),
     "b lies to the right of a by its box, and right can be the direction there").
says(projection:inconclusive(not_parted(a, b)),
     "the boxes of a and b do not lie on different sides of where the camera looks").
says(projection:seen(f, a, left), "a is wholly left of where the camera looks").
says(odometry:violated(leads_elsewhere(planar, a, b, 0, 6)),
     "from a to b the executed actions lead forward, so it cannot be left").
says(odometry:violated(leads_elsewhere(length, a, b, 1, 2)),
     "from a to b the executed actions lead 1 step, so it cannot be 2 steps").
says(odometry:satisfied(leads_there(vertical, a, b, above)),
     "from a to b the executed actions lead up").
says(odometry:inconclusive(near_an_edge(a, b)),
     "from a to b the executed actions lead too near an edge to tell").
says(odometry:leg(a, b, way(-1.0, 0.5, -2.0)),
     "in steps, b lies 1 backward, 0.5 right and 2 down of a").
says(odometry:leg(a, b, way(1.0, -0.5, 2.0)),
     "in steps, b lies 1 forward, 0.5 left and 2 up of a").
says(ground_truth:violated(untrue(direction(a, b, 0), direction(a, b, 6))),
     "it is forward and not left").
says(ground_truth:violated(untrue(vertical(a, b, above), vertical(a, b, level))),
     "it is up and not level").
says(ground_truth:violated(untrue(distance(a, b, 1), distance(a, b, 2))),
     "it is 1 step and not 2 steps").
says(ground_truth:violated(untrue(distance(a, b, 1), claim(yes, exactly(a, b, 2)))),
     "yes is not the answer to \"the distance from a to b is exactly 2 steps\"").
says(ground_truth:violated(untrue(measure(depth, f, o, 2.5), measure(depth, f, o, 3))),
     "3 m is not near enough to 2.5 m").
says(ground_truth:satisfied(accurate(direction(a, b, 0), direction(a, b, 0))), "it is forward").
says(ground_truth:satisfied(accurate(measure(size, f, o, 2), measure(size, f, o, 2.0))),
     "2 m is near enough to 2 m").
says(ground_truth:satisfied(accurate(distance(a, b, 1), claim(no, exactly(a, b, 2)))),
     "no is the answer to \"the distance from a to b is exactly 2 steps\"").
says(ground_truth:off_by(3, 2, 0.5), "that is 1.5 times too much or too little").
says(facts:choice(q, x), "\"x\" is the answer when q").
says(facts:choice(q, 3), "3 is the answer when q").
says(facts:becomes(x, x), "\"x\" stays the answer").
says(facts:becomes(x, 2), "\"x\" becomes 2").
says(facts:if_answer(r, q, x), "rule r has the condition that \"x\" is the answer when q").
says(facts:if_counts(r, more, p, q),
     "rule r has the condition that the number when p is more than that when q").
says(facts:if_counts(r, equal, p, q),
     "rule r has the condition that the number when p is equal to that when q").
says(facts:if_counts(r, fewer, p, q),
     "rule r has the condition that the number when p is less than that when q").
says(facts:then_answer(r, q, x), "by rule r, where its conditions hold, \"x\" is the answer when q").
says(facts:asks_about(q, x), "when q, the question is about \"x\"").
says(ground_truth:violated(untrue(choice(q, 3), choice(q, 2))), "it is 3 and not 2").
says(ground_truth:satisfied(accurate(choice(q, x), choice(q, x))), "it is \"x\"").

test(goals_of_anchored_laws, Wrong == []) :-
    judged_by('A2'),
    findall(Text, ( says(Goal, Expected), goal_text(Goal, Text), Text \== Expected ), Wrong).

:- end_tests(anchor_texts).
