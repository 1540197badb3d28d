:- begin_tests(loading).
:- use_module(library(lists)).
:- use_module(metaspace(loading)).

%   loaded(+Text, -Name, -Messages): what loading a law of this text tells; Name is its file's.
loaded(Text, Name, Messages) :-
    setup_call_cleanup(
        ( tmp_file_stream(File, Out, [encoding(utf8), extension(pl)]),
          write(Out, ":- module(odd_law, []).\n:- use_module(metaspace(facts)).\n"),
          write(Out, ":- multifile metaspace:law/3.\n"),
          write(Out, Text),
          close(Out) ),
        load_laws([File], true, Messages),
        ( unload_file(File), delete_file(File) )),
    file_base_name(File, Name).

whole("metaspace:law('ODD', odd_law, [subjects(2)]).\n\c
       lacks(_) :- fail.\nviolated(x) :- subjects(_, _).\nsatisfied(_) :- fail.\n\c
       inconclusive(_) :- fail.\n").

%   told(+Text, +Line, +Kind, +End) is semidet: such a message has the line of a law's Text.
told(Text, Line, Kind, End) :-
    whole(Whole),
    string_concat(Whole, Text, Law),
    loaded(Law, Name, Messages),
    format(string(Start), '~w:~d: ~w: ', [Name, Line, Kind]),
    member(Message, Messages),
    string_concat(Start, _, Message),
    string_concat(_, End, Message),
    !.

test(an_absent_file) :-
    load_laws(['/nonexistent/law.pl'], false, [Message|_]),
    sub_string(Message, _, _, _, "does not exist"), !.
test(what_is_refused_is_told_with_its_line_and_not_loaded) :-
    setup_call_cleanup(
        tmp_file_stream(File, Out, [encoding(utf8), extension(pl)]),
        ( write(Out, ":- module(refused_law, []).\na(.\n[a].\n"),
          close(Out),
          load_laws([File], false, [Syntax, List]) ),
        delete_file(File)),
    file_base_name(File, Name),
    format(string(Start), '~w:2: error: ', [Name]),
    string_concat(Start, Told, Syntax),
    once(sub_string(Told, _, _, _, "Syntax error: ")),
    format(string(List), '~w:3: error: a list would be loaded as the terms in it; write them one \c
                          by one', [Name]),
    \+ current_module(refused_law).
test(a_good_law, Messages == []) :-
    whole(Whole),
    loaded(Whole, _, Messages).
test(a_law_that_lacks_something,
     Messages == ["error: law odd_law does not define violated/1",
                  "error: law odd_law does not define inconclusive/1"]) :-
    loaded("metaspace:law('ODD', odd_law, []).\nlacks(_) :- fail.\nsatisfied(_) :- fail.\n", _,
           Messages).
test(a_relation_of_ours, Messages == ["error: relation MR1 is judged by more than one law"]) :-
    whole(Whole),
    string_concat(Whole, "metaspace:law('MR1', odd_law, []).\n", Law),
    loaded(Law, _, Messages).
test(a_syntax_error_in_a_later_line) :-
    told("helper(x) :-\n    subjects(_,\n    b c).\n", 11, error,
         "Syntax error: Operator expected").
test(a_warning_has_the_line_of_its_clause) :-
    told("\nhelper(X) :-\n    subjects(_, _).\n", 10, warning, "Singleton variables: [X]").
test(a_cut_has_the_line_of_its_clause) :-
    told("\nhelper :-\n    !.\n", 10, error,
         "a cut in a law; write (If -> Then ; Else) instead").
test(a_cut_is_found_wherever_it_cuts, Missed == []) :-
    findall(Body,
            ( member(Body, [ !, (a, !), (!, a), (a ; !), (! ; a), (a -> !), (! -> a),
                             (a, ( b -> c ; d, ! )), (a, ( b -> c, ! ; d )) ]),
              \+ loading:has_cut(Body) ),
            Missed).
test(a_negated_cut_is_local, fail) :-
    loading:has_cut((a, \+ !, _)).

:- end_tests(loading).
