:- begin_tests(law_source).
:- use_module(metaspace(law_source)).

refusals(Text, Refusals) :-
    setup_call_cleanup(
        tmp_file_stream(File, Out, [encoding(utf8), extension(pl)]),
        ( write(Out, Text), close(Out), refused(File, Refusals) ),
        delete_file(File)).

reasons(Text, Reasons) :-
    string_concat(":- module(mine, []).\n", Text, Whole),
    refusals(Whole, Refusals),
    findall(Reason, member(_-Reason, Refusals), Reasons).

%   because(Text, Reasons): a file that holds Text is refused for Reasons.
because("?- halt.\n", [directive(halt)]).
because("[b].\n", [list]).
because("a(_) => true.\n", [commits]).
because("17.\n", [head(17)]).
because("X.\n", [head(_)]).
because(":- X.\n", [directive(_)]).
because(":- use_module(X).\n", [import(_)]).
because(":- use_module(a/_).\n", [import(a/_)]).
because(":- use_module(library(process)).\n", [import(library(process))]).
because(":- use_module(metaspace(engine)).\n", [import(metaspace(engine))]).
because(":- use_module(library(process), []).\n", [import(library(process))]).
because(":- use_module(library(lists), [member/2 as has]).\n", [imports([member/2 as has])]).
because(":- multifile metaspace:_.\n", [directive(multifile(metaspace:_))]).
because(":- module(_, []).\n", [directive(module(_, []))]).
because(":- module(lists, []).\n", [module(lists)]).
because(":- multifile metaspace:law/3, a/1.\n", [directive(multifile(a/1))]).
because(":- discontiguous a/1, b:c/1.\n", [directive(discontiguous(b:c/1))]).
because("user:portray(_).\n", [head(user:portray(_))]).
because("metaspace:law('A', facts, []).\n", [head(metaspace:law('A', facts, []))]).
because("metaspace:text(mine:a, _) :- halt.\n", [calls(text/2, halt/0)]).
because("term_expansion(a, b).\n", [hook(term_expansion/2)]).
because("direction(a, b, 0).\n", [taken(direction/3)]).
because("metaspace:text(mine:a, \"~w\"-[]).\n", [text("~w"-[])]).
because("metaspace:text(mine:a, \"\"-[b]).\n", [text(""-[b])]).
because(":- use_module('/etc/passwd').\n", [import('/etc/passwd')]).
because("a.\nend_of_file.\nb.\n", [ends]).
%   What is refused is not defined by it, either.
because(":- b.\na :- (:- c).\n", [directive(b), calls(a/0, (:-)/1)]).
because("?- b.\na :- (?- c).\n", [directive(b), calls(a/0, (?-)/1)]).
because("[b].\na :- [c].\n", [list, calls(a/0, '[|]'/2)]).
because("b(.\na :- unread(c).\n", [unread(_), calls(a/0, unread/1)]).
because("other:b.\na :- b.\n", [head(other:b), calls(a/0, b/0)]).

fit("a :- b, mine:b.\nb.\n").
fit("metaspace:text(mine:a, \"~w ~w\"-[b, c]).\n").
fit("metaspace:text(mine:a, Text) :- Text = \"b\".\n").
fit("metaspace:text(mine:a, Format-[b]) :- Format = \"~w\".\n").
fit("metaspace:text(mine:a, \"~w\"-List) :- List = [b].\n").
fit("a(b:text(c, \"~w\"-[])).\n").
fit(":- use_module(library(lists)).\n:- use_module(library(lists), [last/2]).\n").
fit(":- use_module(metaspace(facts)).\n:- use_module(metaspace(spatial)).\n").
fit(":- multifile metaspace:law/3, metaspace:text/2.\n:- discontiguous a/1, b/2.\n").
fit("metaspace:law('A', mine, []).\nmetaspace:text(mine:a, \"a\").\n").

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
test(what_is_refused_and_why, Wrong == []) :-
    findall(Text-Reasons,
            ( because(Text, Right), reasons(Text, Reasons), \+ subsumes_term(Right, Reasons) ),
            Wrong).
test(what_is_not_refused, Wrong == []) :-
    findall(Text, ( fit(Text), \+ reasons(Text, []) ), Wrong).
test(a_file_that_is_used_is_read_once_and_may_be_called,
     Reasons == [6-calls(a/0, hidden/0), 2-calls(hidden/0, halt/0)]) :-
    setup_call_cleanup(
        tmp_file_stream(File, Out, [encoding(utf8), extension(pl)]),
        ( write(Out, ":- module(helper, [helped/0]).\nhidden :- halt.\nhelped.\n"),
          close(Out),
          format(string(Text), ":- module(mine, []).\n:- use_module('~w').\n\c
                                :- use_module('~w', [helped/0]).\n\c
                                :- use_module(library(lists)).\na :- helped.\na :- hidden.\n",
                 [File, File]),
          refusals(Text, Refusals) ),
        delete_file(File)),
    findall(Line-Reason, member(place(_, Line)-Reason, Refusals), Reasons).
test(either_way_of_using_a_file_counts, Wrong == []) :-
    setup_call_cleanup(
        tmp_file_stream(File, Out, [encoding(utf8), extension(pl)]),
        ( write(Out, ":- module(helper, [helped/0]).\nhelped.\n"),
          close(Out),
          findall(Format,
                  ( member(Format, [":- use_module('~w').\na :- helped.\n",
                                    ":- use_module('~w', [helped/0]).\na :- helped.\n"]),
                    format(string(Text), Format, [File]),
                    \+ refusals(Text, []) ),
                  Wrong) ),
        delete_file(File)).
test(a_file_elsewhere_is_not_usable_and_not_read, Wrong == []) :-
    tmp_file(law, Folder),
    atom_concat(Folder, '/sub', Sub),
    atom_concat(Sub, '/mine.pl', Mine),
    setup_call_cleanup(
        ( make_directory(Folder), make_directory(Sub),
          forall(member(Name, ['/other.pl', '/sub/near.pl', '/sub/near.txt']),
                 ( atom_concat(Folder, Name, File), open(File, write, Out), close(Out) )) ),
        findall(Spec,
                ( member(Spec-Right, [ near-true, 'near.pl'-true, '../sub/near'-true,
                                       '../other'-false, '../other.pl'-false, 'near.txt'-false,
                                       (..)/other-false, '.'-false ]),
                  ( law_source:usable(Spec, Mine) -> Found = true ; Found = false ),
                  Found \== Right ),
                Wrong),
        delete_directory_and_contents(Folder)).
test(an_absent_file_is_not_usable, fail) :-
    law_source:usable(absent, '/tmp/x.pl').
test(only_own_laws_and_texts_plug_in) :-
    law_source:plugs_in(metaspace:law(a, mine, []), mine),
    law_source:plugs_in(metaspace:text(mine:_, t), mine),
    \+ law_source:plugs_in(metaspace:law(a, facts, []), mine),
    \+ law_source:plugs_in(metaspace:text(_, t), mine),
    \+ law_source:plugs_in(other:law(a, mine, []), mine).

:- end_tests(law_source).
