:- begin_tests(involution).
:- use_module(law_tests).
:- use_module(metaspace(messages)).

%   two(+A, +B, -Verdict): a asks about x, b about y.
two(A, B, Verdict) :-
    judged('INV', [chosen(a, A), chosen(b, B), about(a, x), about(b, y)], [], Verdict).

test(back, Verdict == satisfied) :-
    two(y, x, Verdict).
test(elsewhere, [Verdict1, Verdict2] == [violated, violated]) :-
    two(y, z, Verdict1),
    two(z, x, Verdict2).
test(itself, Verdict == satisfied) :-
    two(x, z, Verdict).
test(never_asked_about, Verdict == inconclusive) :-
    two(z, z, Verdict).
test(one_pair_closed_and_one_broken, Verdict == violated) :-
    judged('INV', [ chosen(a, y), chosen(b, x), chosen(c, x), about(a, x), about(b, y),
                    about(c, z) ], [subjects=[a, b, c]], Verdict).
test(unreadable, Verdict == invalid) :-
    two(y, unreadable(why), Verdict).
test(lacking_an_answer, throws(wrong(lacks(choice(b))))) :-
    judged('INV', [chosen(a, y), about(a, x), about(b, y)], [], _).
test(lacking_what_is_asked_about, throws(wrong(lacks(asks_about(b))))) :-
    judged('INV', [chosen(a, y), chosen(b, x), about(a, x)], [], _).
test(about_what_is_no_subject, throws(wrong(lacks(subject(b))))) :-
    judged('INV', [chosen(a, y), chosen(b, x), about(a, x), about(b, y)], [subjects=[a]], _).
test(a_question_of_two_minds, throws(wrong(disagreement(1, 2)))) :-
    judged('INV', [chosen(a, y), about(a, x), about(a, z)], [subjects=[a]], _).

says(involution:violated(elsewhere(x, y, z)),
     "\"y\" is the answer about \"x\", but \"z\" and not \"x\" is the answer about \"y\"").
says(involution:satisfied(back(x, y)),
     "\"y\" is the answer about \"x\", and \"x\" is that about \"y\"").
says(involution:satisfied(back(x, x)), "\"x\" is the answer about itself").
says(involution:inconclusive(never_asked_about(x, y)),
     "\"y\" is the answer about \"x\", and no question is about an answer").

test(how_it_reads, Wrong == []) :-
    findall(Text, ( says(Goal, Expected), goal_text(Goal, Text), Text \== Expected ), Wrong).

:- end_tests(involution).
