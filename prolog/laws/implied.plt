:- begin_tests(implied).
:- use_module(law_tests).
:- use_module(metaspace(messages)).

%   rule(+A, +B, -Verdict): where a is x, b has to be y.
rule(A, B, Verdict) :-
    judged('IMP', [chosen(a, A), chosen(b, B), if('1', a, x), then('1', b, y)], [subjects=[a, b]],
           Verdict).

test(kept, Verdict == satisfied) :-
    rule(x, y, Verdict).
test(broken, Verdict == violated) :-
    rule(x, x, Verdict).
test(not_met, Verdict == inconclusive) :-
    rule(y, x, Verdict).

%   numbers(+Compares, +A, +B, -Verdict): where a and b compare so, c has to be y, and is not.
numbers(Compares, A, B, Verdict) :-
    judged('IMP', [ chosen(a, A), chosen(b, B), chosen(c, x), if(r, Compares, a, b),
                    then(r, c, y) ], [], Verdict).

test(more, [Verdict1, Verdict2, Verdict3] == [violated, inconclusive, inconclusive]) :-
    numbers(more, 3, 2, Verdict1),
    numbers(more, 2, 2, Verdict2),
    numbers(more, 1, 2, Verdict3).
test(equal, [Verdict1, Verdict2, Verdict3] == [inconclusive, violated, inconclusive]) :-
    numbers(equal, 3, 2, Verdict1),
    numbers(equal, 2, 2, Verdict2),
    numbers(equal, 1, 2, Verdict3).
test(fewer, [Verdict1, Verdict2, Verdict3] == [inconclusive, inconclusive, violated]) :-
    numbers(fewer, 3, 2, Verdict1),
    numbers(fewer, 2, 2, Verdict2),
    numbers(fewer, 1, 2, Verdict3).

%   all(+A, +B, +C, -Verdict): a is x, and b is more than c and no fewer than a third number.
all(Observations, Verdict) :-
    judged('IMP',
           [ if(r, a, x), if(r, more, b, c), if(r, more, b, d), if(r, fewer, c, d), then(r, e, y)
           | Observations ],
           [subjects=[a, b, c, d, e]], Verdict).

test(all_conditions_have_to_hold, Verdicts ==
     [violated, satisfied, inconclusive, inconclusive, inconclusive, inconclusive]) :-
    findall(Verdict,
            ( member([A, B, C, D, E],
                     [ [x, 3, 1, 2, x], [x, 3, 1, 2, y], [y, 3, 1, 2, x], [x, 1, 1, 2, x],
                       [x, 3, 1, 4, x], [x, 3, 1, 1, x] ]),
              all([chosen(a, A), chosen(b, B), chosen(c, C), chosen(d, D), chosen(e, E)], Verdict)
            ),
            Verdicts).

%   two(+A, +B, +C, -Verdict): where a is x, b is y; where b is y, c is z.
two(A, B, C, Verdict) :-
    judged('IMP', [ chosen(a, A), chosen(b, B), chosen(c, C),
                    if(p, a, x), then(p, b, y), if(q, b, y), then(q, c, z) ], [], Verdict).

test(one_kept_and_one_broken, [Verdict1, Verdict2, Verdict3] ==
                              [violated, violated, satisfied]) :-
    two(x, y, x, Verdict1),
    two(x, x, z, Verdict2),
    two(y, y, z, Verdict3).
test(a_rule_of_the_last_pair, Verdict == violated) :-
    judged('IMP', [ chosen(a, 1), chosen(b, 2), chosen(c, 3), if(r, more, c, b), then(r, a, 2) ],
           [], Verdict).
test(without_a_condition, [Verdict1, Verdict2] == [satisfied, violated]) :-
    judged('IMP', [chosen(a, x), then(r, a, x)], [subjects=[a]], Verdict1),
    judged('IMP', [chosen(a, y), then(r, a, x)], [subjects=[a]], Verdict2).
test(lacking_an_answer, throws(wrong(lacks(choice(b))))) :-
    judged('IMP', [chosen(a, x), if(r, a, x), then(r, b, y)], [subjects=[a, b]], _).
test(lacking_a_conclusion, throws(wrong(lacks(then_answer)))) :-
    judged('IMP', [chosen(a, x), if(r, a, x)], [subjects=[a]], _).
test(lacking_the_conclusion_of_a_rule, throws(wrong(lacks(then_answer(q))))) :-
    judged('IMP', [chosen(a, 1), chosen(b, 2), then(r, a, 1), if(q, more, a, b)],
           [subjects=[a, b]], _).
test(about_what_is_no_subject, Names == [b, b, b, b]) :-
    findall(Name,
            ( member(Rule, [ [if(r, b, x), then(r, a, x)], [then(r, b, x)],
                             [if(r, more, a, b), then(r, a, x)],
                             [if(r, more, b, a), then(r, a, x)] ]),
              catch(judged('IMP', [chosen(a, 1), chosen(b, 1)|Rule], [subjects=[a]], _),
                    wrong(lacks(subject(Name))), true)
            ),
            Names).
test(text_where_numbers_are_compared, [Name1, Name2] == [a, b]) :-
    catch(numbers(more, x, 1, _), wrong(lacks(number(Name1))), true),
    catch(numbers(more, 1, x, _), wrong(lacks(number(Name2))), true).
test(an_unreadable_number, [Verdict1, Verdict2] == [invalid, invalid]) :-
    numbers(more, unreadable(why), 1, Verdict1),
    numbers(more, 1, unreadable(why), Verdict2).
test(an_unreadable_option, Verdict == invalid) :-
    rule(unreadable(why), x, Verdict).
test(text_beside_an_unreadable_number, throws(wrong(lacks(number(b))))) :-
    numbers(more, unreadable(why), bad, _).
test(a_rule_of_two_minds, throws(wrong(disagreement(1, 2)))) :-
    judged('IMP', [chosen(a, x), then(r, a, x), then(r, a, y)], [subjects=[a]], _).

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

test(how_it_reads, Wrong == []) :-
    findall(Text, ( says(Goal, Expected), goal_text(Goal, Text), Text \== Expected ), Wrong).

:- end_tests(implied).
