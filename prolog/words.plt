:- begin_tests(words).
:- use_module(library(apply)).
:- use_module(library(yall)).
:- use_module(metaspace(words)).

cut_name(Length, Name) :-
    format(atom(Name), '~`xt~*|', [Length]).

cut(How, Length, Kept, End) :-
    cut_name(Length, Name),
    call(How, Name, Text),
    string_length(Text, Kept),
    sub_string(Text, _, 3, 0, End).

worded(Words) :-
    facts:set_facts(case('MR1', sound, [], [], settings(false, spatial, [], Words), [], true)).

directions(front, [front, 'front-right', right, 'back-right', back, 'back-left', left,
                   'front-left', none]).
directions(forward, [forward, 'forward-right', right, 'backward-right', backward,
                     'backward-left', left, 'forward-left', none]).
directions(farther, [farther, 'farther-right', right, 'nearer-right', nearer, 'nearer-left', left,
                     'farther-left', none]).
directions(watched, Words) :-
    directions(farther, Words).
directions(compass, [north, northeast, east, southeast, south, southwest, west, northwest, none]).

heights(front, [above, level, below]).
heights(forward, [up, level, down]).
heights(farther, [above, level, below]).
heights(watched, [up, level, down]).
heights(compass, [above, level, below]).

test(short_names_are_themselves, Text == 'chair-1') :-
    name_text('chair-1', Text).
test(names_are_cut_behind_80_characters, Lengths-Ends == [80, 80, 80]-["xxx", "...", "..."]) :-
    maplist(cut(name_text), [80, 81, 300], Lengths, Ends).
test(reasons_are_cut_behind_400_characters, Lengths-Ends == [400, 400]-["xxx", "..."]) :-
    maplist(cut(reason_text), [400, 401], Lengths, Ends).
test(what_a_cut_name_keeps_is_its_start, Text == "abxxx") :-
    cut_name(81, Name),
    atom_concat(ab, Name, Long),
    name_text(Long, Told),
    sub_string(Told, 0, 5, _, Text).
test(controls_are_escaped, Text == "a\\nb\\u0000\\u202e") :-
    atom_codes(Name, [0'a, 10, 0'b, 0, 0x202e]),
    name_text(Name, Text).
test(every_direction_in_every_wording, Wrong == []) :-
    findall(Words,
            ( directions(Words, Right),
              worded(Words),
              \+ ( maplist(part_text(planar), [0, 1, 2, 3, 4, 5, 6, 7, none], Texts),
                   Texts == Right ) ),
            Wrong).
test(every_height_in_every_wording, Wrong == []) :-
    findall(Words,
            ( heights(Words, Right),
              worded(Words),
              \+ ( maplist(part_text(vertical), [above, level, below], Texts),
                   Texts == Right ) ),
            Wrong).
test(a_length, Text == '2 steps') :-
    part_text(length, 2, Text).
test(a_whole_without_a_height, Text == left) :-
    worded(front),
    part_text(whole, label(6, absent), Text).
test(whole, Text == 'left and below') :-
    worded(front),
    part_text(whole, label(6, below), Text).
test(ends, Text == 'front, front-right or right; or none') :-
    worded(front),
    ends_text(planar, [0, 1, 2, none], Text).
test(ends_without_none, Text == 'front or front-right') :-
    worded(front),
    ends_text(planar, [0, 1], Text).
test(one_end, Text == none) :-
    worded(front),
    ends_text(planar, [none], Text).
test(one_step, Text == '1 step') :-
    steps_text(1, Text).
test(no_steps, Text == '0 steps') :-
    steps_text(0, Text).
test(numbers, Texts == [3, '0.1', '3.715', '2', '4e-05', '100', '0.001', '-0.001', '0.0009', '0',
                       '-4e-05', '-2.5', '1e+15', '-1e+15', '999999999999999']) :-
    maplist(number_text, [3, 0.1, 3.7146, 2.0, 4.0e-5, 100.0, 0.001, -0.001, 0.0009, 0.0,
                          -4.0e-5, -2.5, 1.0e15, -1.0e15, 999999999999999.0], Texts).
test(lists, Texts == [a, 'a or b', 'a, b or c']) :-
    maplist([List, Text]>>list_text(List, or, Text), [[a], [a, b], [a, b, c]], Texts).
test(options, Texts == [3, '"red cone"', '"3"']) :-
    maplist(option_text, [3, 'red cone', '3'], Texts).
test(observations_count_from_one, Text == "observation 3") :-
    observation_text(2, Text).
test(infinite, Text == 'infinitely many') :-
    number_text(inf, Text).
test(data, Texts == ['"left"', true, null, 1.5, 7, 'an object', 'a list', 'a list', 'NaN',
                     'a value of type set', 'something else']) :-
    maplist(data_text, [left, b(true), b(null), 1.5, 7, j([]), [x], [], number('NaN'), odd(set),
                        foo(x)], Texts).
test(exponents_are_written_alike_by_every_version, Texts == ['1.0e-9', '2.0e-300', '1.0e22']) :-
    maplist(data_text, [1.0e-9, 2.0e-300, 1.0e22], Texts).

:- end_tests(words).
