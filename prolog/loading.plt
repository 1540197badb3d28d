:- begin_tests(loading).
:- use_module(metaspace(loading)).

test(an_absent_file) :-
    load_laws(['/nonexistent/law.pl'], false, [Message|_]),
    sub_string(Message, _, _, _, "does not exist"), !.
test(a_cut_is_found) :-
    loading:has_cut((a, ( b -> c ; d, ! ))).
test(a_negated_cut_is_local, fail) :-
    loading:has_cut((a, \+ !, _)).

:- end_tests(loading).
