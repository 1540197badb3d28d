:- module(test_reader, []).
:- use_module(library(plunit)).
:- use_module(metaspace(metaspace)).

:- multifile metaspace:law/3.

metaspace:law('TEST-READ', test_reader, [subjects(2)]).

lacks(_) :-
    facts:subjects(lost, b).
violated(_) :-
    fail.
satisfied(nothing) :-
    facts:subjects(a, b),
    read(Term),
    Term == end_of_file.
satisfied(_) :-
    facts:subjects(vague, b).
inconclusive(_) :-
    fail.

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
    answered(Options, Terms, Lines).

answered(Options, Terms, Lines) :-
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
test(derivations_and_proofs_of_all) :-
    symmetric(right, Case),
    answered("options([epsilon=0.1,delta=0.05,derivations=all,proofs=all]).\n", [Case], [Line]),
    starts(Line, "{\"n\":0,\"verdict\":\"satisfied\",\"derivation\":{\"goal\":\"left from a"),
    once(sub_string(Line, _, _, _, "},\"proof\":\"step(:(symmetry,satisfied(")).
test(no_proof_unless_asked_for, fail) :-
    symmetric(left, Case),
    answered([Case], [Line]),
    sub_string(Line, _, _, _, "\"proof\"").
test(clauses_that_fired_if_asked_for) :-
    symmetric(right, Good),
    symmetric(up, Ugly),
    answered("options([epsilon=0.1,delta=0.05,derivations=unsatisfied,fired=true]).\n",
             [Good, Ugly], [One, Two]),
    starts(One, "{\"n\":0,\"verdict\":\"satisfied\",\"fired\":[\"laws/symmetry.pl:"),
    starts(Two, "{\"n\":1,\"verdict\":\"invalid\","),
    \+ sub_string(Two, _, _, _, "\"fired\"").
test(a_verdict_without_a_text_is_told_as_it_stands) :-
    answered("options([epsilon=0.1,delta=0.05,derivations=all]).\n",
             ["case(j([case=c,relation='TEST-READ',subjects=[a,b],observations=[]])).\n"], [Line]),
    starts(Line, "{\"n\":0,\"verdict\":\"satisfied\",\"derivation\":{\"goal\":\"satisfied(nothing)\",").
test(a_law_that_says_nothing_is_an_error,
     Lines == ["{\"n\":0,\"verdict\":\"error\",\"reason\":\"the law came to no verdict\"}"]) :-
    answered(["case(j([case=c,relation='TEST-READ',subjects=[mute,b],observations=[]])).\n"], Lines).
%   of_a_user(:Goal): once, while TEST-READ is judged by a law of a user.
:- meta_predicate of_a_user(0).
of_a_user(Goal) :-
    setup_call_cleanup(
        assertz(loading:users_law(test_reader)),
        once(Goal),
        retract(loading:users_law(test_reader))).

read_case(Subject, Case) :-
    format(string(Case), "case(j([case=c,relation='TEST-READ',subjects=[~w,b],~w])).\n",
           [Subject, "observations=[]"]).

overflows(Modes) :-
    findall(Mode, ( member(Flag, [float_zero_div, float_overflow]),
                    current_prolog_flag(Flag, Mode) ), Modes).

test(only_a_law_of_a_user_may_not_divide_by_zero,
     Modes == [[error, error], [infinity, infinity]]) :-
    symmetric(right, Ours),
    read_case(a, Users),
    of_a_user(answered([Ours, Users], _)),
    overflows(After),
    answered([Ours], _),
    overflows(Again),
    Modes = [After, Again].
test(a_reason_of_a_user_is_checked_though_it_is_not_shown, Lines == [Line]) :-
    read_case(vague, Case),
    of_a_user(answered([Case], Lines)),
    Line = "{\"n\":0,\"verdict\":\"error\",\"reason\":\"the argument of satisfied/1 must be a \c
            term without variables and cycles, of at most 500 cells\"}".
test(a_reason_of_ours_is_checked_where_it_is_shown, Verdicts == [satisfied, error]) :-
    read_case(vague, Case),
    findall(Verdict,
            ( member(Wanted, [unsatisfied, all]),
              format(string(Options), "options([epsilon=0.1,delta=0.05,derivations=~w]).~n",
                     [Wanted]),
              answered(Options, [Case], [Line]),
              member(Verdict, [satisfied, error]),
              format(string(Start), "{\"n\":0,\"verdict\":\"~w\"", [Verdict]),
              starts(Line, Start) ),
            Verdicts).
test(what_is_lacking_is_checked, Lines == [Line]) :-
    read_case(lost, Case),
    answered([Case], Lines),
    Line = "{\"n\":0,\"verdict\":\"error\",\"reason\":\"the argument of lacks/1 must be a \c
            term without variables and cycles, of at most 500 cells\"}".
test(no_cases, Lines == []) :-
    answered([], Lines).
test(a_syntax_error_is_one_case) :-
    symmetric(right, Good),
    answered(["case(j([case=).\n", Good], [One, Two]),
    starts(One, "{\"n\":0,\"verdict\":\"error\",\"reason\":"),
    once(sub_string(One, _, _, _, "yntax error")),
    starts(Two, "{\"n\":1,\"verdict\":\"satisfied\"}").
test(something_else_is_an_error, Wrong == []) :-
    answered(["halt.\n", "X.\n", ":- halt.\n"], Lines),
    length(Lines, 3),
    Reason = "the engine was sent something that is not a case",
    findall(Line,
            ( nth0(Index, Lines, Line),
              format(string(Right), "{\"n\":~d,\"verdict\":\"error\",\"reason\":\"~w\"}",
                     [Index, Reason]),
              Line \== Right ),
            Wrong).
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
test(load) :-
    check_chunk("load(['/nonexistent/law.pl'],false).\n", Reply),
    string_concat("{\"messages\":[\"", _, Reply),
    once(sub_string(Reply, _, _, _, "does not exist")).
test(clauses) :-
    check_chunk("clauses.\n", Reply),
    string_concat("[[\"contradiction\",\"laws/contradiction.pl:", _, Reply).
test(an_unknown_request_is_an_error, error(_)) :-
    check_chunk("nonsense.\n", _).

:- end_tests(engine).
