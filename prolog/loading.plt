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

%   misshapen(+Shape) is semidet: a law of this shape is told, with its line.
misshapen(Shape) :-
    whole(Whole),
    format(string(Law), "metaspace:law('SHAPE', odd_law, ~w).\n~w", [Shape, Whole]),
    loaded(Law, Name, [Message]),
    format(string(Start), '~w:4: error: the shape ', [Name]),
    string_concat(Start, Rest, Message),
    string_concat(_, " is not a list of subjects(Count), object, objects(Count), repeats and anchored", Rest).

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
    string_concat("Syntax error: ", _, Told),
    format(string(List), '~w:3: error: a list would be loaded as the terms in it; write them one \c
                          by one', [Name]),
    \+ current_module(refused_law).
test(a_good_law, Messages == []) :-
    whole(Whole),
    loaded(Whole, _, Messages).
test(a_law_that_lacks_something, Messages == [One, Two]) :-
    loaded("metaspace:law('ODD', odd_law, []).\nlacks(_) :- fail.\nsatisfied(_) :- fail.\n", Name,
           Messages),
    format(string(One), '~w:4: error: law odd_law does not define violated/1', [Name]),
    format(string(Two), '~w:4: error: law odd_law does not define inconclusive/1', [Name]).
test(a_law_of_a_user_is_known, nondet) :-
    whole(Whole),
    loaded(Whole, _, _),
    users_law(odd_law),
    \+ users_law(symmetry).
test(a_shape_is_a_list_of_its_parts, Wrong == []) :-
    findall(Shape,
            ( member(Shape, ["[subject(4)]", "subjects", "[subjects(at_least(0))]", "[objects(at_least(2))]",
                             "[subjects(_)]", "[subjects(0)]",
                             "[objects(x)]", "[object, subjects(2)|_]", "_"]),
              \+ misshapen(Shape) ),
            Wrong).
test(a_shape_may_have_each_part) :-
    forall(member(Part, [subjects(1), subjects(at_least(2)), object, objects(2), repeats, anchored]), loading:part(Part)).
test(a_relation_of_ours, Messages == ["error: relation MR1 is judged by more than one law"]) :-
    whole(Whole),
    string_concat(Whole, "metaspace:law('MR1', odd_law, []).\n", Law),
    loaded(Law, _, Messages).
test(a_syntax_error_in_a_later_line) :-
    told("helper(x) :-\n    subjects(_,\n    b c).\n", 11, error,
         "error: Syntax error: Operator expected").
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
