:- module(test_reader, []).
:- use_module(library(plunit)).
:- use_module(metaspace(metaspace)).

:- multifile metaspace:law/3.

metaspace:law('TEST-READ', test_reader, [subjects(2)]).

lacks(_) :-
    fail.
violated(_) :-
    fail.
satisfied(nothing) :-
    read(Term),
    Term == end_of_file.

:- begin_tests(engine).
:- use_module(engine).
:- use_module(library(lists)).

options("options([epsilon=0.1,delta=0.05,derivations=unsatisfied]).\n").

symmetric(Back, Text) :-
    format(string(Text),
           "case(j([case=c,relation='MR2',subjects=[a,b],observations=[\c
            j([kind=direction,from=a,to=b,planar=left]),\c
            j([kind=direction,from=b,to=a,planar=~w])]])).~n", [Back]).

answered(Terms, Lines) :-
    options(Options),
    atomics_to_string([Options|Terms], Text),
    check_chunk(Text, Reply),
    split_string(Reply, "\n", "", Found),
    once(append(Lines, [""], Found)).

starts(Line, Start) :-
    string_concat(Start, _, Line).

test(satisfied, Lines == ["{\"n\":0,\"verdict\":\"satisfied\"}"]) :-
    symmetric(right, Case),
    answered([Case], Lines).
test(one_line_each_in_order) :-
    symmetric(right, Good),
    symmetric(left, Bad),
    symmetric(up, Ugly),
    answered([Good, Bad, Ugly, Good], [One, Two, Three, Four]),
    starts(One, "{\"n\":0,\"verdict\":\"satisfied\"}"),
    starts(Two, "{\"n\":1,\"verdict\":\"violated\",\"derivation\":{"),
    starts(Three, "{\"n\":2,\"verdict\":\"invalid\",\"reason\":"),
    starts(Four, "{\"n\":3,\"verdict\":\"satisfied\"}").
test(no_cases, Lines == []) :-
    answered([], Lines).
test(a_syntax_error_is_one_case) :-
    symmetric(right, Good),
    answered(["case(j([case=).\n", Good], [One, Two]),
    starts(One, "{\"n\":0,\"verdict\":\"error\",\"reason\":"),
    starts(Two, "{\"n\":1,\"verdict\":\"satisfied\"}").
test(something_else_is_an_error) :-
    answered(["halt.\n", "X.\n", ":- halt.\n"], Lines),
    length(Lines, 3),
    forall(( nth0(Index, Lines, Line), format(string(Start), "{\"n\":~d,\"verdict\":\"error\"", [Index]) ),
           starts(Line, Start)).
test(input_and_output_are_as_before, In-Out == In1-Out1) :-
    current_input(In),
    current_output(Out),
    symmetric(right, Case),
    answered([Case], _),
    current_input(In1),
    current_output(Out1).
test(no_case_is_left_behind, Streams == Streams1) :-
    symmetric(left, Case),
    answered([Case], _),
    findall(S, stream_property(S, mode(_)), Streams),
    answered([Case], _),
    findall(S, stream_property(S, mode(_)), Streams1).
test(a_law_that_reads_finds_nothing, Lines == ["{\"n\":0,\"verdict\":\"satisfied\"}"]) :-
    setup_call_cleanup(
        ( current_input(Before), open_string("secret.", In), set_input(In) ),
        answered(["case(j([case=c,relation='TEST-READ',subjects=[a,b],observations=[]])).\n"],
                 Lines),
        ( set_input(Before), close(In) )).
test(describe) :-
    check_chunk("describe.\n", Reply),
    sub_string(Reply, _, _, _, "\"relations\":[\"MR1\","), !.
test(an_unknown_request_is_an_error, error(_)) :-
    check_chunk("nonsense.\n", _).

:- end_tests(engine).
