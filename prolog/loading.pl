/** <module> Loading laws of users

A file of laws is a module. Every error and warning that loading gives is collected as
"file.pl:line: text" instead of being printed.
*/
:- module(loading,
          [ load_laws/2            % +Files, -Messages
          ]).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(check), []).
:- use_module(metaspace(metaspace)).

:- multifile user:message_hook/3.
:- dynamic user:message_hook/3.
:- dynamic told/1.

:- det(load_laws/2).

%!  load_laws(+Files, -Messages) is det.
%
%   Loads Files and checks them: no error, no warning, no undefined predicate, no cut in a
%   law, no relation that another law judges. Messages is empty if all is well.
load_laws(Files, Messages) :-
    retractall(told(_)),
    findall(Relation, metaspace:law(Relation, _, _), Before),
    setup_call_cleanup(
        asserta((user:message_hook(Term, Kind, Lines) :- loading:heard(Term, Kind, Lines)),
                Reference),
        ( maplist(load_law, Files), check:list_undefined ),
        erase(Reference)),
    findall(Relation, metaspace:law(Relation, _, _), After),
    append(Before, New, After),
    forall(judged_twice(After, Relation), tell_twice(Relation)),
    forall(( member(Relation, New), metaspace:law(Relation, Law, _) ), check_law(Law)),
    findall(Message, retract(told(Message)), Messages).

load_law(File) :-
    catch(load_files(user:File, [encoding(utf8), imports([]), must_be_module(true)]),
          Error, print_message(error, Error)).

heard(Term, Kind, Lines) :-
    memberchk(Kind, [error, warning]),
    place(Term, Place),
    with_output_to(string(Text), print_message_lines(current_output, '', Lines)),
    split_string(Text, "\n\t", " ", Pieces0),
    exclude(==(""), Pieces0, Pieces),
    atomic_list_concat(Pieces, ' ', Line),
    tell('~w~w: ~w', [Place, Kind, Line]).

place(error(_, file(File, Line, _, _)), Place) =>
    place_text(File, Line, Place).
place(_, Place), source_location(File, Line) =>
    place_text(File, Line, Place).
place(_, Place) =>
    Place = ''.

place_text(File, Line, Place) :-
    file_base_name(File, Name),
    format(atom(Place), '~w:~w: ', [Name, Line]).

judged_twice(Relations, Relation) :-
    msort(Relations, Sorted),
    append(_, [Relation, Relation|_], Sorted).

tell_twice(Relation) :-
    tell('error: relation ~w is judged by more than one law', [Relation]).

%   check_law(+Law) is det: a proof can be kept of each clause, and nothing needed is absent.
check_law(Law) :-
    forall(( member(Name, [violated, satisfied, inconclusive, lacks]),
             \+ current_predicate(Law:Name/1) ),
           tell('error: law ~w does not define ~w/1', [Law, Name])),
    forall(( predicate_property(Law:Head, number_of_clauses(_)),
             \+ predicate_property(Law:Head, imported_from(_)),
             \+ predicate_property(Law:Head, multifile),
             clause(Law:Head, Body, Reference),
             has_cut(Body) ),
           tell_cut(Reference)).

tell_cut(Reference) :-
    clause_property(Reference, file(File)),
    clause_property(Reference, line_count(Line)),
    place_text(File, Line, Place),
    tell('~werror: a cut in a law; write (If -> Then ; Else) instead', [Place]).

has_cut(!) =>
    true.
has_cut((A, B)) =>
    ( has_cut(A) -> true ; has_cut(B) ).
has_cut((A ; B)) =>
    ( has_cut(A) -> true ; has_cut(B) ).
has_cut((A -> B)) =>
    ( has_cut(A) -> true ; has_cut(B) ).
has_cut(_) =>
    fail.

tell(Format, Arguments) :-
    format(string(Message), Format, Arguments),
    assertz(told(Message)).
