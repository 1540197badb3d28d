:- begin_tests(words).
:- use_module(metaspace(words)).

worded(Words) :-
    facts:set_facts(case('MR1', sound, [], [], settings(false, spatial, [], Words), [], true)).

test(short_names_are_themselves, Text == 'chair-1') :-
    name_text('chair-1', Text).
test(long_names_are_cut, Length == 80) :-
    numlist(1, 300, Numbers),
    atomic_list_concat(Numbers, Name),
    name_text(Name, Text),
    string_length(Text, Length).
test(controls_are_escaped, Text == "a\\nb\\u0000\\u202e") :-
    atom_codes(Name, [0'a, 10, 0'b, 0, 0x202e]),
    name_text(Name, Text).
test(front, Text == 'back-left') :-
    worded(front),
    part_text(planar, 5, Text).
test(forward, Text == 'backward-left') :-
    worded(forward),
    part_text(planar, 5, Text).
test(farther, Text == 'nearer-left') :-
    worded(farther),
    part_text(planar, 5, Text).
test(compass, Text == southwest) :-
    worded(compass),
    part_text(planar, 5, Text).
test(up, Text == up) :-
    worded(forward),
    part_text(vertical, above, Text).
test(whole, Text == 'left and below') :-
    worded(front),
    part_text(whole, label(6, below), Text).
test(ends, Text == 'front, front-right or right; or none') :-
    worded(front),
    ends_text(planar, [0, 1, 2, none], Text).
test(one_end, Text == none) :-
    worded(front),
    ends_text(planar, [none], Text).
test(one_step, Text == '1 step') :-
    steps_text(1, Text).
test(no_steps, Text == '0 steps') :-
    steps_text(0, Text).
test(numbers, Texts == [3, '0.1', '3.715', '2', '4e-05', '100']) :-
    maplist(number_text, [3, 0.1, 3.7146, 2.0, 4.0e-5, 100.0], Texts).
test(infinite, Text == 'infinitely many') :-
    number_text(inf, Text).
test(data, Texts == ['"left"', 'true', 1.5, 'an object', 'a list']) :-
    maplist(data_text, [left, b(true), 1.5, j([]), [x]], Texts).

test(exponents_are_written_alike_by_every_version, Texts == ['1.0e-9', '2.0e-300', '1.0e22']) :-
    maplist(data_text, [1.0e-9, 2.0e-300, 1.0e22], Texts).

:- end_tests(words).
