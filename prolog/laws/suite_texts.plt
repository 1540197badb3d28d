:- begin_tests(suite_texts).
:- use_module(metaspace(messages)).

says(mapped:violated(otherwise(p, q, 3, 2)), "when q, the answer had to be 3, and it was 2").
says(mapped:satisfied(as_due(p, q, x)), "when q, the answer had to be \"x\", and so it was").
says(mapped:inconclusive(nothing_follows(q, x)), "nothing follows from \"x\" when q").
says(different:violated(both(p, q, x)), "\"x\" cannot be the answer both when p and when q").
says(different:satisfied(all_different([x, y])), "\"x\" and \"y\" are different").
says(different:satisfied(all_different([x, 2, z])), "\"x\", 2 and \"z\" are different").
says(implied:violated(broken([], q, x, y)),
     "when q the answer had to be \"x\", and it was \"y\"").
says(implied:violated(broken([answer(p, x), counts(more, r, 3, s, 2)], q, 1, 2)),
     "\"x\" is the answer when p, and 3 when r is more than 2 when s, so when q the answer had to \c
      be 1, and it was 2").
says(implied:satisfied(kept([counts(equal, r, 2, s, 2)], q, x)),
     "2 when r is equal to 2 when s, so when q the answer had to be \"x\", and so it was").
says(implied:satisfied(kept([counts(fewer, r, 1, s, 2)], q, x)),
     "1 when r is less than 2 when s, so when q the answer had to be \"x\", and so it was").
says(implied:inconclusive(no_rule_applies), "the conditions of no rule hold").
says(sum:violated(uneven(3, [p=3], 6, [q=4, r=2])), "3 (when p) is not 4 (when q) + 2 (when r) = 6").
says(sum:satisfied(even(3, [p=1, q=1, r=1], 3, [s=3])),
     "1 (when p) + 1 (when q) + 1 (when r) = 3 is 3 (when s)").
says(sum:total(left, 3, [p=1, q=2]), "the sum on the left is 1 (when p) + 2 (when q) = 3").
says(monotone:violated(too_many(3, [p=3], 2, [q=2])), "3 (when p) is more than 2 (when q)").
says(monotone:satisfied(at_most(2, [p=2], 2, [q=2])), "2 (when p) is no more than 2 (when q)").
says(involution:violated(elsewhere(x, y, z)),
     "\"y\" is the answer about \"x\", but \"z\" and not \"x\" is the answer about \"y\"").
says(involution:satisfied(back(x, y)),
     "\"y\" is the answer about \"x\", and \"x\" is that about \"y\"").
says(involution:satisfied(back(x, x)), "\"x\" is the answer about itself").
says(involution:inconclusive(never_asked_about(x, y)),
     "\"y\" is the answer about \"x\", and no question is about an answer").

test(how_laws_of_suites_read, Wrong == []) :-
    findall(Text-Expected, ( says(Goal, Expected), goal_text(Goal, Text), Text \== Expected ),
            Wrong).

:- end_tests(suite_texts).
