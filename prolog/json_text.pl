/** <module> Writing JSON

Only ASCII is written, so that no encoding can matter to whoever reads it.
*/
:- module(json_text,
          [ write_json/2           % +Stream, +Value
          ]).
:- use_module(library(lists)).

:- det(write_json/2).

%!  write_json(+Stream, +Value) is det.
%
%   Value is o([Key-Value, ...]) (an object, keys plain atoms), l(Values), s(Text), n(Number)
%   or one of true, false, null.
write_json(Out, o(Pairs)) =>
    put_char(Out, '{'),
    write_members(Pairs, '', Out),
    put_char(Out, '}').
write_json(Out, l(Values)) =>
    put_char(Out, '['),
    write_items(Values, '', Out),
    put_char(Out, ']').
write_json(Out, s(Text)) =>
    write_text(Text, Out).
write_json(Out, n(Number)) =>
    write(Out, Number).
write_json(Out, Name), memberchk(Name, [true, false, null]) =>
    write(Out, Name).

write_members([], _, _).
write_members([Key-Value|Pairs], Separator, Out) :-
    write(Out, Separator),
    put_char(Out, '"'),
    write(Out, Key),
    write(Out, '":'),
    write_json(Out, Value),
    write_members(Pairs, ',', Out).

write_items([], _, _).
write_items([Value|Values], Separator, Out) :-
    write(Out, Separator),
    write_json(Out, Value),
    write_items(Values, ',', Out).

write_text(Text, Out) :-
    put_char(Out, '"'),
    string_codes(Text, Codes),
    (   plain(Codes)
    ->  write(Out, Text)
    ;   write_codes(Codes, Out)
    ),
    put_char(Out, '"').

plain([]).
plain([Code|Codes]) :-
    Code >= 0'\s,
    Code < 127,
    Code =\= 0'",
    Code =\= 0'\\,
    plain(Codes).

write_codes([], _).
write_codes([Code|Codes], Out) :-
    write_code(Code, Out),
    write_codes(Codes, Out).

write_code(0'", Out) =>
    write(Out, '\\"').
write_code(0'\\, Out) =>
    write(Out, '\\\\').
write_code(Code, Out), Code >= 0'\s, Code < 127 =>
    put_code(Out, Code).
write_code(Code, Out), Code < 0x10000 =>
    format(Out, '\\u~|~`0t~16r~4+', [Code]).
write_code(Code, Out) =>
    High is 0xD800 + ((Code - 0x10000) >> 10),
    Low is 0xDC00 + ((Code - 0x10000) /\ 0x3FF),
    write_code(High, Out),
    write_code(Low, Out).
