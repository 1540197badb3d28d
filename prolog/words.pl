/** <module> The words of the messages

Names, directions, numbers and lists as they stand in sentences.
*/
:- module(words,
          [ name_text/2,           % +Atom, -Text
            option_text/2,         % +Option, -Text
            reason_text/2,         % +Atom, -Text
            part_text/3,           % +Part, +Value, -Text
            ends_text/3,           % +Part, +Values, -Text
            steps_text/2,          % +Steps, -Text
            number_text/2,         % +Number, -Text
            list_text/3,           % +Texts, +Conjunction, -Text
            data_text/2,           % +Data, -Text
            observation_text/2     % +Index, -Text
          ]).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(metaspace(facts)).
:- use_module(metaspace(json_text)).
:- use_module(metaspace(spatial)).

:- det(name_text/2).
:- det(option_text/2).
:- det(reason_text/2).
:- det(part_text/3).
:- det(ends_text/3).
:- det(steps_text/2).
:- det(number_text/2).
:- det(list_text/3).
:- det(data_text/2).
:- det(observation_text/2).

%!  name_text(+Atom, -Text) is det.
%
%   An identifier for display: at most 80 characters, control characters and those that turn
%   the writing direction as escapes.
name_text(Atom, Text) :-
    shown_text(Atom, 80, Text).

%!  option_text(+Option, -Text) is det.
%
%   What is chosen in answer to a question: a number, or an option in quotes.
option_text(Number, Text), number(Number) =>
    number_text(Number, Text).
option_text(Option, Text) =>
    name_text(Option, Name),
    format(atom(Text), '"~w"', [Name]).

%!  reason_text(+Atom, -Text) is det.
%
%   Why there is no answer, for display: as a name, but long enough for a sentence or three.
reason_text(Atom, Text) :-
    shown_text(Atom, 400, Text).

%   shown_text(+Atom, +Longest, -Text) is det.
shown_text(Atom, Longest, Text) :-
    atom_length(Atom, Length),
    (   Length > Longest
    ->  Kept is Longest - 3,
        sub_atom(Atom, 0, Kept, _, Start),
        atom_concat(Start, '...', Short)
    ;   Short = Atom
    ),
    (   unprintable_characters(Characters),
        free_of(Short, Characters)
    ->  Text = Short
    ;   atom_codes(Short, Codes),
        maplist(printable, Codes, Parts),
        atomics_to_string(Parts, Text)
    ).

:- dynamic unprintable_characters/1.

:- findall(Code,
           ( between(1, 31, Code)
           ; between(127, 159, Code)
           ; member(Code, [0x200E, 0x200F, 0x2028, 0x2029])
           ; between(0x202A, 0x202E, Code)
           ; between(0x2066, 0x2069, Code)
           ),
           Codes),
   string_codes(Characters, Codes),
   asserta(unprintable_characters(Characters)),
   compile_predicates([unprintable_characters/1]).

unprintable(0).
unprintable(Code) :-
    unprintable_characters(Characters),
    char_code(Character, Code),
    sub_string(Characters, _, 1, _, Character),
    !.

printable(0'\n, Text) =>
    Text = '\\n'.
printable(Code, Text), unprintable(Code) =>
    format(atom(Text), '\\u~|~`0t~16r~4+', [Code]).
printable(Code, Text) =>
    char_code(Text, Code).

%!  part_text(+Part, +Value, -Text) is det.
%
%   An answer in the words of the case. Part is planar, vertical, whole (both) or length.
part_text(planar, Sector, Text) =>
    facts:words(Words),
    sector_text(Words, Sector, Text).
part_text(vertical, Level, Text) =>
    facts:words(Words),
    level_text(Words, Level, Text).
part_text(length, Steps, Text) =>
    steps_text(Steps, Text).
part_text(whole, label(Sector, Level), Text) =>
    part_text(planar, Sector, Planar),
    (   Level == absent
    ->  Text = Planar
    ;   part_text(vertical, Level, Vertical),
        format(atom(Text), '~w and ~w', [Planar, Vertical])
    ).

sector_text(_, none, Text) =>
    Text = none.
sector_text(compass, Sector, Text) =>
    once(sector_label(compass, Sector, Text)).
sector_text(front, Sector, Text) =>
    once(sector_label(heading, Sector, Text)).
sector_text(watched, Sector, Text) =>
    once(worded(farther, Sector, Text)).
sector_text(Words, Sector, Text) =>
    once(worded(Words, Sector, Text)).

worded(forward, 0, forward).
worded(forward, 1, 'forward-right').
worded(forward, 2, right).
worded(forward, 3, 'backward-right').
worded(forward, 4, backward).
worded(forward, 5, 'backward-left').
worded(forward, 6, left).
worded(forward, 7, 'forward-left').
worded(farther, 0, farther).
worded(farther, 1, 'farther-right').
worded(farther, 2, right).
worded(farther, 3, 'nearer-right').
worded(farther, 4, nearer).
worded(farther, 5, 'nearer-left').
worded(farther, 6, left).
worded(farther, 7, 'farther-left').

level_text(Words, above, Text), memberchk(Words, [forward, watched]) =>
    Text = up.
level_text(Words, below, Text), memberchk(Words, [forward, watched]) =>
    Text = down.
level_text(_, Level, Text) =>
    Text = Level.

%!  ends_text(+Part, +Values, -Text) is det.
%
%   "front, front-right or right; or none".
ends_text(Part, Values, Text) :-
    (   append(Known, [none], Values),
        Known = [_|_]
    ->  maplist(part_text(Part), Known, Names),
        list_text(Names, or, Start),
        format(atom(Text), '~w; or none', [Start])
    ;   maplist(part_text(Part), Values, Names),
        list_text(Names, or, Text)
    ).

%!  steps_text(+Steps, -Text) is det.
steps_text(1, Text) =>
    Text = '1 step'.
steps_text(Steps, Text) =>
    number_text(Steps, Number),
    format(atom(Text), '~w steps', [Number]).

%!  number_text(+Number, -Text) is det.
%
%   Three decimals at most, four significant digits below one thousandth.
number_text(Number, Text), integer(Number) =>
    Text = Number.
number_text(Number, Text), Number =:= inf =>
    Text = 'infinitely many'.
number_text(Number, Text), abs(Number) >= 1.0e15 =>
    format(atom(Text), '~4g', [Number]).
number_text(Number, Text), abs(Number) < 0.001, Number =\= 0 =>
    format(atom(Text), '~4g', [Number]).
number_text(Number, Text) =>
    format(atom(Long), '~3f', [Number]),
    atom_codes(Long, Codes),
    reverse(Codes, Reversed),
    trimmed(Reversed, Kept),
    reverse(Kept, Short),
    atom_codes(Text, Short).

trimmed([0'0|Codes], Kept) =>
    trimmed(Codes, Kept).
trimmed([0'.|Codes], Kept) =>
    Kept = Codes.
trimmed(Codes, Kept) =>
    Kept = Codes.

%!  list_text(+Texts, +Conjunction, -Text) is det.
list_text([Text], _, List) =>
    List = Text.
list_text(Texts, Conjunction, List) =>
    once(append(Start, [Last], Texts)),
    atomic_list_concat(Start, ', ', Commas),
    format(atom(List), '~w ~w ~w', [Commas, Conjunction, Last]).

%!  data_text(+Data, -Text) is det.
%
%   A value of a case as its author wrote it, near enough to be recognised.
data_text(Data, Text), atom(Data) =>
    name_text(Data, Name),
    format(atom(Text), '"~w"', [Name]).
data_text(Data, Text), float(Data) =>
    float_text(Data, Text).
data_text(Data, Text), number(Data) =>
    Text = Data.
data_text(b(Name), Text) =>
    Text = Name.
data_text(number(What), Text) =>
    Text = What.
data_text(odd(What), Text) =>
    format(atom(Text), 'a value of type ~w', [What]).
data_text(j(_), Text) =>
    Text = 'an object'.
data_text(Data, Text), is_list(Data) =>
    Text = 'a list'.
data_text(_, Text) =>
    Text = 'something else'.

%!  observation_text(+Index, -Text) is det.
observation_text(Index, Text) :-
    Number is Index + 1,
    format(string(Text), 'observation ~d', [Number]).

%   float_text(+Float, -Text) is det: 1.0e-9, where other versions write 1.0e-09.
float_text(Float, Text) :-
    atom_string(Float, Long),
    split_string(Long, "e", "", Parts),
    (   Parts = [Digits, Exponent]
    ->  split_string(Exponent, "+", "+", Unsigned),
        atomic_list_concat(Unsigned, Plain),
        atom_number(Plain, Number),
        format(atom(Text), '~we~d', [Digits, Number])
    ;   Text = Float
    ).
