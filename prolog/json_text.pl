/** <module> Writing JSON

Control characters are escaped, everything else beyond ASCII is written as it is.
*/
:- module(json_text,
          [ write_json/2,          % +Stream, +Value
            write_members/3,       % +Pairs, +Separator, +Stream
            json_safe/2,           % +Text, -Escaped
            free_of/2              % +Text, +Characters
          ]).
:- use_module(library(lists)).

:- det(write_json/2).

%!  write_json(+Stream, +Value) is det.
%
%   Value is o([Key-Value, ...]) (an object, keys plain atoms), l(Values), s(Text), n(Number),
%   raw(Json) or one of true, false, null.
write_json(Out, o(Pairs)) =>
    put_char(Out, '{'),
    write_members(Pairs, '', Out),
    put_char(Out, '}').
write_json(Out, l(Values)) =>
    put_char(Out, '['),
    write_items(Values, '', Out),
    put_char(Out, ']').
write_json(Out, s(Text)) =>
    json_safe(Text, Escaped),
    format(Out, '"~w"', [Escaped]).
write_json(Out, raw(Json)) =>
    write(Out, Json).
write_json(Out, n(Number)) =>
    write(Out, Number).
write_json(Out, Name), memberchk(Name, [true, false, null]) =>
    write(Out, Name).

%!  write_members(+Pairs, +Separator, +Stream) is det.
%
%   Writes the members of an object, Separator before the first.
write_members([], _, _).
write_members([Key-Value|Pairs], Separator, Out) :-
    format(Out, '~w"~w":', [Separator, Key]),
    write_json(Out, Value),
    write_members(Pairs, ',', Out).

write_items([], _, _).
write_items([Value|Values], Separator, Out) :-
    write(Out, Separator),
    write_json(Out, Value),
    write_items(Values, ',', Out).

%!  json_safe(+Text, -Escaped) is det.
%
%   Escaped is what stands between the quotes of a JSON string.
json_safe(Text, Escaped) :-
    escaped_characters(Characters),
    (   free_of(Text, Characters)
    ->  Escaped = Text
    ;   string_codes(Text, Codes),
        with_output_to(string(Escaped),
                       ( current_output(Out), write_codes(Codes, Out) ))
    ).

:- dynamic escaped_characters/1.

:- numlist(1, 31, Controls),
   append(Controls, [0'", 0'\\, 127], Codes),
   string_codes(Characters, Codes),
   asserta(escaped_characters(Characters)),
   compile_predicates([escaped_characters/1]).

%!  free_of(+Text, +Characters:string) is semidet.
%
%   None of Characters, nor a zero, is in Text. Found out in C, for speed; split_string/4 takes
%   a zero for a separator, but strips it at the ends.
free_of(Text, Characters) :-
    split_string(Text, Characters, "", [Whole]),
    string_length(Text, Length),
    string_length(Whole, Length).

write_codes([], _).
write_codes([Code|Codes], Out) :-
    write_code(Code, Out),
    write_codes(Codes, Out).

write_code(0'", Out) =>
    write(Out, '\\"').
write_code(0'\\, Out) =>
    write(Out, '\\\\').
write_code(Code, Out), Code >= 0'\s, Code =\= 127 =>
    put_code(Out, Code).
write_code(Code, Out) =>
    format(Out, '\\u~|~`0t~16r~4+', [Code]).
