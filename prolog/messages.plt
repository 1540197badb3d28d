:- use_module(library(plunit)).
:- use_module(metaspace(metaspace)).

:- multifile metaspace:text/2.

metaspace:text(law_of_a_user:seen(A), "~w was seen"-[name(A)]).

:- begin_tests(messages).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(metaspace(messages)).

worded :-
    given(sound, false, []).

reason_to_end(First-Second, Text) :-
    because_text(rule, transitivity:may_end(First, Second, _), Text).

reason_of(Because, Text) :-
    because_text(Because, facts:anything, Text).

given(Semantics, Exact, Tolerances) :-
    facts:set_facts(case('MR1', Semantics, [], [], settings(Exact, spatial, Tolerances, front),
                         [], true)).

%   reads(-Goal, -Text): every goal that has a text, in the words that people read.
reads(facts:direction(a, b, 6), "left is the direction from a to b").
reads(facts:vertical(a, b, above), "above is the height of b as seen from a").
reads(facts:distance(a, b, 1), "the distance from a to b is 1 step").
reads(facts:claim(yes, direction(a, b, 2)), "yes to \"right is the direction from a to b\"").
reads(facts:measure(size_px, f, o, 100), "the box of o is 100 px high in f").
reads(facts:measure(depth, f, o, 2.5), "o is 2.5 m away in f").
reads(facts:measure(size, f, o, 0.5), "o is 0.5 m high in f").
reads(facts:repeated(distance(a, b, 2)), "in other words, the distance from a to b is 2 steps").
reads(facts:tolerance(steps, 1), "a difference of 1 step is allowed").
reads(facts:tolerance(depth, 0.25), "tau is 0.25 = 0.1 (epsilon) + 0.15 (x)").
reads(facts:tolerance(size, 0.05), "delta is 0.05").
reads(claim:direction(a, b, 4), "back is the direction from a to b").
reads(claim:at_least(a, b, 3), "the distance from a to b is 3 steps or more").
reads(claim:exactly(a, b, 3), "the distance from a to b is exactly 3 steps").
reads(transitivity:violated(ends_elsewhere(planar, a, c, 0, 2, [0, 1, 2, none], 4)),
      "back cannot be the direction from a to c").
reads(transitivity:satisfied(ends_well(planar, a, c, 0, 2, [0, 1, 2, none], 1)),
      "front-right can be the direction from a to c").
reads(transitivity:inconclusive(free(planar, a, c, 0, 4)),
      "nothing follows for the direction from a to c").
reads(transitivity:inconclusive(free(whole, a, c, label(0, level), label(4, level))),
      "nothing follows for the direction from a to c").
reads(transitivity:inconclusive(free(vertical, a, c, above, below)),
      "nothing follows for the height from a to c").
reads(transitivity:may_end(0, 2, [0, 1, 2, none]),
      "front then right can only end front, front-right or right; or none").
reads(transitivity:may_rise(above, level, [above, level]),
      "above then level can only end above or level").
reads(transitivity:sign_sum(label(0, absent), label(2, above), label(1, above)),
      "front then right and above can only end front-right and above").
reads(symmetry:violated(not_opposite(planar, a, b, 0, 4, 3)),
      "front from a to b and back-right back are not opposite").
reads(symmetry:satisfied(opposite_ways(vertical, a, b, above, below)),
      "above from a to b and below back are opposite").
reads(symmetry:way_back(planar, 1, 5), "the way back from front-right is back-left").
reads(symmetry:violated(uneven(a, b, 1, 3, 0)), "1 step from a to b cannot be 3 steps back").
reads(symmetry:satisfied(even(a, b, 1, 1, 0)), "1 step from a to b can be 1 step back").
reads(contradiction:violated(claim_clashes(distance(a, b, 2), yes, at_least(a, b, 3))),
      "yes cannot be the answer to \"the distance from a to b is 3 steps or more\"").
reads(contradiction:satisfied(claim_agrees(distance(a, b, 2), no, exactly(a, b, 3))),
      "no can be the answer to \"the distance from a to b is exactly 3 steps\"").
reads(contradiction:violated(answers_differ(planar, a, b, 0, 1)),
      "front and front-right cannot both be the direction from a to b").
reads(contradiction:satisfied(answers_agree(length, a, b, 2)),
      "2 steps is the distance from a to b both times").
reads(contradiction:violated(answers_differ(vertical, a, b, above, level)),
      "above and level cannot both be the height from a to b").
reads(triangle:violated(cannot_close(side(a, c), triangle(1, 2, 0, 45, 0.7, 2.3), 5)),
      "the distance from a to c cannot be 5 steps").
reads(triangle:satisfied(closes(side(a, c), triangle(1, 2, 0, 45, 0.7, 2.3), 2)),
      "the distance from a to c can be 2 steps").
reads(triangle:violated(misses_sum(a, c, equal(3, rounded(2.83), 2, 2), 4)),
      "the distance from a to c cannot be 4 steps").
reads(triangle:satisfied(meets_sum(a, c, equal(3, rounded(2.83), 2, 2), 3)),
      "the distance from a to c can be 3 steps").
reads(triangle:span(x, x, x, x, triangle(1, 2, 0, 45, 0.7, 2.3)),
      "1 step (0.5 .. 1.5) then 2 steps (1.5 .. 2.5) straight on close to 0.7 .. 2.3 steps").
reads(triangle:span(x, x, x, x, triangle(1, 2, 0, 180, 0, 3)),
      "1 step (0.5 .. 1.5) then 2 steps (1.5 .. 2.5) in any direction close to 0 .. 3 steps").
reads(triangle:span(x, x, x, x, triangle(1, 2, 0, 90, 0, 3)),
      "1 step (0.5 .. 1.5) then 2 steps (1.5 .. 2.5) turning 0 to 90 degrees close to 0 .. 3 steps").
reads(triangle:span(x, x, x, x, triangle(1, 2, 45, 135, 0, 3)),
      "1 step (0.5 .. 1.5) then 2 steps (1.5 .. 2.5) turning 45 to 135 degrees close to 0 .. 3 \c
       steps").
reads(triangle:span(x, x, x, x, triangle(1, 2, 90, 180, 0, 3)),
      "1 step (0.5 .. 1.5) then 2 steps (1.5 .. 2.5) turning 90 to 180 degrees close to 0 .. 3 \c
       steps").
reads(triangle:span(x, x, x, x, triangle(1, 2, 135, 180, 0, 3)),
      "1 step (0.5 .. 1.5) then 2 steps (1.5 .. 2.5) straight back close to 0 .. 3 steps").
reads(triangle:exact_end(2, 0, 2, 2, equal(3, rounded(2.83), 2, 2)),
      "2 steps then 2 steps along these bearings end 2.83 steps away, rounded 3 steps").
reads(triangle:paper_sum(same, 1, 2, equal(3, same, 1, 2)),
      "1 step then 2 steps in one direction are 3 steps").
reads(triangle:paper_sum(opposite, 1, 2, equal(1, opposite, 1, 2)),
      "1 step then 2 steps back are 1 step").
reads(triangle:paper_sum(other, 1, 2, less_than(3, 1, 2)),
      "1 step then 2 steps end less than 3 steps away").
reads(size_depth:violated(drifts(o, f1, f2, factor(0.5, 2, 3.0), 0.1)),
      "the boxes and the depths of o in f1 and f2 do not fit").
reads(size_depth:satisfied(keeps(o, f1, f2, factor(0.05, 2, 2.1), 0.1)),
      "the boxes and the depths of o in f1 and f2 fit").
reads(size_depth:compared(f1, f2, o, x, factor(0.5, 2, 3.0)),
      "by its boxes the second depth is 2 times the first, answered was 3 times: off by 0.5 (50 %)").
reads(size_depth:compared(f1, f2, o, x, gap(1.0, 2, 3.0)),
      "by its boxes the second depth is 2 times the first, answered was 3 times: a difference of 1").
reads(size_ratio:violated(drifts(o1, o2, factor(0.5, 2, 3.0), 0.05)),
      "the sizes of o1 and o2 do not keep their ratio").
reads(size_ratio:satisfied(keeps(o1, o2, factor(0.01, 2, 2.02), 0.05)),
      "the sizes of o1 and o2 keep their ratio").
reads(size_ratio:ratio(f1, o1, o2, 2.5), "o1 is 2.5 times as high as o2 in f1").
reads(size_ratio:compared(f1, f2, gap(1.0, 2, 3.0)), "the ratios are 2 and 3: a difference of 1").

%   summed(-Verdict, -Goal, -Text): the sentence of every verdict that has one of its own.
summed(violated, transitivity:violated(ends_elsewhere(planar, a, c, 0, 2, [0, 1, 2, none], 4)),
       "These answers cannot all be true: front then right can only end front, front-right or \c
        right; or none, but back was answered.").
summed(inconclusive, transitivity:inconclusive(free(planar, a, c, 0, 4)),
       "The relation says nothing about these answers: after front then back any direction may \c
        follow.").
summed(inconclusive, symmetry:inconclusive(x),
       "The relation says nothing about these answers: inconclusive(x).").
summed(satisfied, transitivity:satisfied(ends_well(planar, a, c, 0, 2, [0, 1, 2, none], 1)),
       "These answers can all be true: front-right can be the direction from a to c.").
summed(violated, symmetry:violated(not_opposite(planar, a, b, 0, 4, 3)),
       "These answers cannot all be true: the way back from front is back, but back-right was \c
        answered.").
summed(violated, symmetry:violated(uneven(a, b, 1, 3, 0)),
       "These answers cannot all be true: the way there is 1 step, but 3 steps \c
        back was answered.").
summed(violated, symmetry:violated(uneven(a, b, 1, 4, 2)),
       "These answers cannot all be true: the way there is 1 step, but 4 steps \c
        back was answered, and a difference of 2 steps is allowed.").
summed(violated, contradiction:violated(claim_clashes(distance(a, b, 2), yes, at_least(a, b, 3))),
       "These answers cannot all be true: asked openly, the distance from a to b is 2 steps; \c
        but yes was answered to \"the distance from a to b is 3 steps or more\".").
summed(violated, contradiction:violated(answers_differ(planar, a, b, 0, 1)),
       "These answers cannot all be true: asked first, front was answered; but asked \c
        again, front-right.").
summed(violated, triangle:violated(cannot_close(side(a, c), triangle(1, 2, 0, 45, 0.7, 2.3), 5)),
       "These answers cannot all be true: 1 step (0.5 .. 1.5) then 2 steps (1.5 .. 2.5) \c
        straight on close to 0.7 .. 2.3 steps; answered 5 (4.5 .. 5.5).").
summed(violated, triangle:violated(misses_sum(a, c, equal(3, rounded(2.83), 2, 2), 4)),
       "These answers cannot all be true: 2 steps then 2 steps along these bearings end 2.83 \c
        steps away, rounded 3 steps; answered 4.").
summed(violated, size_depth:violated(drifts(o, f1, f2, factor(0.5, 2, 3.0), 0.1)),
       "These answers cannot all be true: by its boxes the second depth is 2 times the first, \c
        answered was 3 times: off by 0.5 (50 %), and tau allows 0.1.").
summed(violated, size_depth:violated(drifts(o, f1, f2, gap(1.0, 2, 3.0), 0.1)),
       "These answers cannot all be true: by its boxes the second depth is 2 times the first, \c
        answered was 3 times: a difference of 1, and less than 0.1 is allowed.").
summed(violated, size_ratio:violated(drifts(o1, o2, factor(0.5, 2, 3.0), 0.05)),
       "These answers cannot all be true: the ratios are 2 and 3: off by 0.5 (50 %), and delta \c
        allows 0.05.").
summed(violated, size_ratio:violated(drifts(o1, o2, gap(1.0, 2, 3.0), 0.05)),
       "These answers cannot all be true: the ratios are 2 and 3: a difference of 1, and less \c
        than 0.05 is allowed.").

%   because(-Goal, -Text): why every rule holds, for legs that are not exact.
because(symmetry:violated(x), "MR1, read as sound").
because(symmetry:satisfied(x), "MR1, read as sound").
because(symmetry:inconclusive(x), "MR1, read as sound").
because(transitivity:may_end(none, none, x), "exact legs that do not move lead nowhere").
because(transitivity:may_end(0, none, x),
        "a leg of no length turns the other by two sectors at most").
because(transitivity:may_end(none, 0, x),
        "a leg of no length turns the other by two sectors at most").
because(transitivity:may_end(0, 1, x), "two directions end on the shorter arc between them").
because(transitivity:may_rise(x, x, x), "two heights add up").
because(transitivity:sign_sum(x, x, x), "the signs of the two directions add up").
because(symmetry:way_back(x, x, x), "the way back is opposite").
because(triangle:span(x, x, x, x, x), "the third side of a triangle").
because(triangle:exact_end(x, x, x, x, x), "exact legs").
because(triangle:paper_sum(same, x, x, x), "same direction").
because(triangle:paper_sum(opposite, x, x, x), "opposite directions").
because(triangle:paper_sum(other, x, x, x), "different directions").
because(size_depth:compared(x, x, x, x, x), "twice as near is twice as high").
because(size_ratio:ratio(x, x, x, x), "the quotient of the answered sizes").
because(size_ratio:compared(x, x, x), "sizes do not change with the view").
because(mine:goal, "rule").

test(a_goal_with_a_text, Text == "left is the direction from a to b") :-
    worded,
    goal_text(facts:direction(a, b, 6), Text).
test(every_goal_reads_as_it_should, Wrong == []) :-
    given(sound, false, [tolerance(depth, 0.25, given([epsilon=0.1, x=0.15]))]),
    findall(Text, ( reads(Goal, Text), \+ ( goal_text(Goal, Told), Told == Text ) ), Wrong).
test(every_goal_with_a_text_is_shown, Hidden == []) :-
    given(sound, false, [tolerance(depth, 0.25, default)]),
    findall(Goal, ( reads(Goal, _), \+ shown(Goal) ), Hidden).
test(every_summary_reads_as_it_should, Wrong == []) :-
    worded,
    findall(Text,
            ( summed(Verdict, Goal, Text),
              \+ ( summary_text(Verdict, Goal, Told), Told == Text ) ),
            Wrong).
test(every_reason_reads_as_it_should, Wrong == []) :-
    worded,
    findall(Text,
            ( because(Goal, Text), \+ ( because_text(rule, Goal, Told), Told == Text ) ),
            Wrong).
test(exact_legs_have_a_reason_of_their_own,
     Reasons == [ "exact legs that do not move lead nowhere",
                  "exact legs end between their bearings",
                  "exact legs end between their bearings" ]) :-
    given(sound, true, []),
    maplist(reason_to_end, [none-none, none-0, 0-1], Reasons).
test(given_things_have_reasons,
     Reasons == ["observation 3", "the default", "given with the case"]) :-
    maplist(reason_of, [observation(2), setting(default), setting(given([]))], Reasons).
test(the_paper_calls_its_tolerance_epsilon, Text == "epsilon is 0.1") :-
    given(paper, false, [tolerance(depth, 0.1, default)]),
    goal_text(facts:tolerance(depth, 0.1), Text).
test(a_relation_is_told_with_its_reading, Text == "MR1, read as paper") :-
    given(paper, false, []),
    because_text(rule, mine:violated(_), Text).
test(sources, Texts == ["the case", "tolerance.depth", "unknown"]) :-
    maplist(source_text, [case, setting(depth), unknown], Texts).
test(a_goal_of_a_user, Text == "lamp was seen") :-
    goal_text(law_of_a_user:seen(lamp), Text).
test(a_goal_without_a_text, Text == "foo('X',1)") :-
    goal_text(nowhere:foo('X', 1), Text).
test(an_argument_of_no_kind_is_told_as_it_stands, Text == "it is f('A b')") :-
    messages:said("it is ~w"-[f('A b')], Text).
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
              \+ ( ( clause(messages:text(Law:Told, _), _)
                   ; clause(metaspace:text(Law:Told, _), _) ),
                   nonvar(Told),
                   Told =.. [_, Known],
                   functor(Known, Name, Arity) ) ),
            Bare).

:- end_tests(messages).
