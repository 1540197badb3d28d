/** <module> The fields of a case as data

Objects, keys and values, with the types that a value may have. See module cases.
*/
:- module(fields,
          [ object_pairs/3,        % +Data, +Where, -Pairs
            need/3,                % +Pairs, +Key, -Value
            need/4,                % +Pairs, +Key, +Index, -Value
            need_string/3,         % +Pairs, +Key, -Value
            need_string/4,         % +Pairs, +Key, +Where, -Value
            ends/4,                % +Pairs, +Index, -From, -To
            sector_value/7,        % +Pairs, +Index, -Sector, -Vocabularies0, ...
            allowed/7,             % +Type, +Data, +Index, +Key, -Value, -Problems0, ?Problems
            needed/7,              % +Type, +Pairs, +Index, +Key, -Value, -Problems0, ?Problems
            finite_number/1        % +Data
          ]).
:- use_module(library(lists)).
:- use_module(metaspace(spatial)).

%!  ends(+Pairs, +Index, -From, -To) is det.
ends(Pairs, Index, From, To) :-
    need_string(Pairs, from, Index, From),
    need_string(Pairs, to, Index, To).

%!  sector_value(+Pairs, +Index, -Sector, -Vocabularies0, ?Vocabularies, -Problems0, ?Problems) is det.
%
%   The vocabulary of the label is added to the list.
sector_value(Pairs, Index, Sector, Vocabularies0, Vocabularies, Problems0, Problems) :-
    need(Pairs, planar, Index, Value),
    allowed(planar_label, Value, Index, planar, Found, Problems0, Problems),
    (   Found = Vocabulary:Sector
    ->  Vocabularies0 = [Vocabulary|Vocabularies]
    ;   Sector = Found,
        Vocabularies0 = Vocabularies
    ).

%!  allowed(+Type, +Data, +Index, +Key, -Value, -Problems0, ?Problems) is det.
allowed(Type, Data, Index, Key, Value, Problems0, Problems) :-
    (   Data = unreadable(Reason)
    ->  Value = bad(Key),
        Problems0 = [invalid(Index, unreadable(Reason))|Problems]
    ;   value(Type, Data, Found)
    ->  Value = Found,
        Problems0 = Problems
    ;   Value = bad(Key),
        Problems0 = [invalid(Index, not_allowed(Type, Key, Data))|Problems]
    ).

%!  needed(+Type, +Pairs, +Index, +Key, -Value, -Problems0, ?Problems) is det.
needed(Type, Pairs, Index, Key, Value, Problems0, Problems) :-
    need(Pairs, Key, Index, Data),
    allowed(Type, Data, Index, Key, Value, Problems0, Problems).

%   value(+Type, +Data, -Value) is semidet.
value(planar_label, Label, Vocabulary:Sector) :-
    atom(Label),
    sector_label(Vocabulary, Sector, Label).
value(level_label, Label, Label) :-
    atom(Label),
    level(Label).
value(whole, Number, Whole) :-
    finite_number(Number),
    Number >= 0,
    Whole is truncate(Number),
    Whole =:= Number.
value(positive, Number, Number) :-
    finite_number(Number),
    Number > 0.
value(span, Number, Number) :-
    finite_number(Number),
    abs(Number) =< 1.0e6.
value(step, Number, Number) :-
    finite_number(Number),
    Number >= 1.0e-6,
    Number =< 1.0e6.
value(option, Option, Value) :-
    (   atom(Option)
    ->  Value = Option
    ;   value(whole, Option, Value)
    ).
value(comparison, Word, Word) :-
    atom(Word),
    memberchk(Word, [more, equal, fewer]).
value(side, Word, Word) :-
    atom(Word),
    memberchk(Word, [left, right]).
value(yes_or_no, b(true), yes).
value(yes_or_no, b(false), no).

%!  finite_number(+Data) is semidet.
%
%   Also small enough to be computed with.
finite_number(Number) :-
    number(Number),
    abs(Number) =< 1.7976931348623157e308.

%!  object_pairs(+Data, +Where, -Pairs) is det.
object_pairs(Data, Where, Pairs) :-
    (   Data = j(Pairs)
    ->  true
    ;   throw(wrong(not_an_object(Where)))
    ).

need(Pairs, Key, Value) :-
    (   memberchk(Key=Found, Pairs)
    ->  Value = Found
    ;   throw(wrong(lacks_key(case, Key)))
    ).

need(Pairs, Key, Index, Value) :-
    (   memberchk(Key=Found, Pairs)
    ->  Value = Found
    ;   throw(wrong(lacks_key(Index, Key)))
    ).

need_string(Pairs, Key, Value) :-
    need_string(Pairs, Key, case, Value).

need_string(Pairs, Key, Where, Value) :-
    need(Pairs, Key, Where, Value),
    (   atom(Value)
    ->  true
    ;   throw(wrong(not_a_string(Where, Key)))
    ).
