:- begin_tests(law_source).
:- use_module(metaspace(law_source)).

refusals(Text, Refusals) :-
    setup_call_cleanup(
        tmp_file_stream(File, Out, [encoding(utf8), extension(pl)]),
        ( write(Out, Text), close(Out), refused(File, Refusals) ),
        delete_file(File)).

test(nothing_is_wrong, Refusals == []) :-
    refusals(":- module(mine, [a/1]).\na(X) :- X = 1.\n", Refusals).
test(each_term_has_its_line, Reasons == [2-directive(halt), 4-calls(a/0, halt/0)]) :-
    refusals(":- module(mine, []).\n:- halt.\n\na :-\n    halt.\n", Refusals),
    findall(Line-Reason, member(place(_, Line)-Reason, Refusals), Reasons).
test(what_follows_a_syntax_error_is_read, [Line, Reason] == [3, directive(halt)]) :-
    refusals(":- module(mine, []).\na(.\n:- halt.\n", Refusals),
    Refusals = [_-unread(_), place(_, Line)-Reason].
test(a_grammar_is_clauses, Reasons == [calls(a/2, halt/0)]) :-
    refusals("a --> [x], { halt }.\n", Refusals),
    findall(Reason, member(_-Reason, Refusals), Reasons).
test(a_function_on_dicts_is_a_call, Reasons == [calls(a/1, ('.')/3)]) :-
    refusals("a(X) :- X = _{b: 1}.b.\n", Refusals),
    findall(Reason, member(_-Reason, Refusals), Reasons).
test(an_absent_file_is_not_usable, fail) :-
    law_source:usable(absent, '/tmp/x.pl').
test(only_own_laws_and_texts_plug_in) :-
    law_source:plugs_in(metaspace:law(a, mine, []), mine),
    law_source:plugs_in(metaspace:text(mine:_, t), mine),
    \+ law_source:plugs_in(metaspace:law(a, facts, []), mine),
    \+ law_source:plugs_in(metaspace:text(_, t), mine),
    \+ law_source:plugs_in(other:law(a, mine, []), mine).

:- end_tests(law_source).
