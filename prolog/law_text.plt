:- begin_tests(law_text).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(metaspace(law_text)).

%   read_law(+Pieces, -Terms, -Refusals): of a file that holds Pieces, one after another; Refusals
%   are Line-Reason.
read_law(Pieces, Terms, Refusals) :-
    setup_call_cleanup(
        tmp_file_stream(File, Out, [encoding(utf8), extension(pl)]),
        ( maplist(write(Out), Pieces), close(Out), law_terms(File, Terms, Placed) ),
        delete_file(File)),
    findall(Line-Reason, member(place(File, Line)-Reason, Placed), Refusals),
    same_length(Placed, Refusals).

%   times(+Count, +Text, -Texts)
times(Count, Text, Texts) :-
    length(Texts, Count),
    maplist(=(Text), Texts).

%   body(+Count, -Pieces): a clause of so many goals.
body(Count, Pieces) :-
    Others is Count - 1,
    times(Others, "b,", Goals),
    append(["a :- "|Goals], ["b.\n"], Pieces).

test(terms_have_their_lines, Read == [[a-1, (b :- c)-3], []]) :-
    read_law(["a.\n\nb :-\n    c.\n"], Terms, Refusals),
    Read = [Terms, Refusals].
test(a_file_has_a_most_of_bytes, Read == [[a-1], [], [], [1-more_than(bytes, 1_000_000)]]) :-
    times(999_997, " ", Spaces),
    read_law(["a.\n"|Spaces], Terms, Refusals),
    read_law(["a.\n "|Spaces], Terms1, Refusals1),
    Read = [Terms, Refusals, Terms1, Refusals1].
test(brackets_have_a_most, Wrong == []) :-
    findall(Open-Close,
            ( member(Open-Close, ["("-")", "["-"]", "{"-"}"]),
              \+ ( nested(200, Open, Close, [_], []),
                   nested(201, Open, Close, [], [2-more_than(brackets, 200)]) ) ),
            Wrong).
test(brackets_that_are_closed_are_over, Refusals == []) :-
    times(300, "a(b).\n", Facts),
    read_law(Facts, _, Refusals).
test(a_bracket_too_few_counts_for_nothing, Refusals == [[], [3-more_than(brackets, 200)]]) :-
    commented(200, Fits),
    commented(201, Deep),
    Refusals = [Fits, Deep].
test(goals_have_a_most, Read == [[], [1-more_than(goals, 1_000)], [c-2]]) :-
    body(1_000, Fits),
    read_law(Fits, [_], Refusals),
    body(1_001, Long),
    append(Long, ["c.\n"], More),
    read_law(More, Terms, Refusals1),
    Read = [Refusals, Refusals1, Terms].
test(a_list_may_be_long, Refusals == []) :-
    times(2_000, "X,", Elements),
    append([["a(["], Elements, ["X])."]], Pieces),
    read_law(Pieces, [_], Refusals).
test(an_element_may_not_be_deep, Refusals == [1-more_than(goals, 1_000)]) :-
    times(2_000, "- ", Signs),
    append([["a([b, "], Signs, ["c])."]], Pieces),
    read_law(Pieces, [], Refusals).
test(what_follows_a_syntax_error_is_read, Terms-Line == [a-1, c-4]-3) :-
    read_law(["a.\nb(\n d e).\nc.\n"], Terms, [Line-unread(_)]).
test(a_comment_without_end_has_the_line_that_it_follows, Terms-Line == [a-1]-2) :-
    read_law(["a.\n/* b\n\nc.\n"], Terms, [Line-unread(_)]).
test(what_follows_an_end_of_file_is_told, Read == [[a-1], [2-ends]]) :-
    read_law(["a.\nend_of_file.\nb.\n"], Terms, Refusals),
    Read = [Terms, Refusals].
test(nothing_follows_the_end, Read == [[a-1], []]) :-
    read_law(["a.\nend_of_file.\n"], Terms, Refusals),
    Read = [Terms, Refusals].

%   commented(+Count, -Refusals): of a comment that closes nine brackets and opens so many.
commented(Count, Refusals) :-
    times(9, ")", Closing),
    times(Count, "(", Opening),
    append([["/*\n"], Closing, ["\n"], Opening, ["*/\n"]], Pieces),
    read_law(Pieces, [], Refusals).

%   nested(+Count, +Open, +Close, -Terms, -Refusals): of a term in so many brackets.
nested(Count, Open, Close, Terms, Refusals) :-
    times(Count, Open, Opening),
    times(Count, Close, Closing),
    append([["\n"], Opening, ["a"], Closing, [".\n"]], Pieces),
    read_law(Pieces, Terms, Refusals).

:- end_tests(law_text).
