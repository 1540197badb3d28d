/** <module> Loading laws of users

A file of laws is a module. It is loaded only if nothing in it is refused. Every error and warning
is collected as "file.pl:line: text" instead of being printed.
*/
:- module(loading,
          [ load_laws/3,           % +Files, +Trusted, -Messages
            users_law/1            % ?Law
          ]).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(check), []).
:- use_module(metaspace(metaspace)).
:- use_module(metaspace(law_source)).
:- use_module(metaspace(reasons)).

:- multifile user:message_hook/3.
:- dynamic user:message_hook/3.
:- dynamic told/1, users_law/1.

:- det(load_laws/3).

%!  users_law(?Law) is nondet.
%
%   Law was loaded by load_laws/3.

%!  load_laws(+Files, +Trusted, -Messages) is det.
%
%   Loads Files and checks them: nothing that is refused (unless Trusted is true), no error, no
%   warning, no undefined predicate, no cut in a law, no relation that another law judges.
%   Messages is empty if all is well.
load_laws(Files, Trusted, Messages) :-
    retractall(told(_)),
    setup_call_cleanup(
        asserta((user:message_hook(Term, Kind, Lines) :- loading:heard(Term, Kind, Lines)),
                Reference),
        load_listened(Files, Trusted),
        erase(Reference)),
    findall(Message, retract(told(Message)), Messages).

load_listened(Files, Trusted) :-
    (   Trusted == true
    ->  true
    ;   maplist(tell_refused, Files)
    ),
    (   told(_)
    ->  true
    ;   load_checked(Files)
    ).

tell_refused(File) :-
    catch(( absolute_file_name(File, Path, [access(read)]), refused(Path, Refusals) ),
          Error, ( print_message(error, Error), Refusals = [] )),
    maplist(tell_refusal, Refusals).

tell_refusal(place(File, Line)-Reason) :-
    place_text(File, Line, Place),
    refusal_text(Reason, Text),
    tell('~werror: ~w', [Place, Text]).

load_checked(Files) :-
    findall(Relation, metaspace:law(Relation, _, _), Before),
    maplist(load_law, Files),
    check:list_undefined,
    findall(Relation, metaspace:law(Relation, _, _), After),
    append(Before, New, After),
    forall(judged_twice(After, Relation), tell_twice(Relation)),
    forall(( member(Relation, New),
             clause(metaspace:law(Relation, Law, Shape), _, Reference) ),
           check_law(Law, Shape, Reference)).

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
    placeless(Term, Line, Said),
    tell('~w~w: ~w', [Place, Kind, Said]).

%   placeless(+Term, +Line, -Said) is det: SWI-Prolog tells the place of a syntax error itself.
placeless(Term, Line, Said) :-
    (   Term = error(_, file(File, Number, Column, _)),
        format(atom(Start), '~w:~w:~w: ', [File, Number, Column]),
        atom_concat(Start, Said0, Line)
    ->  Said = Said0
    ;   Said = Line
    ).

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

%   check_law(+Law, +Shape, +Reference) is det: a proof can be kept of each clause, nothing needed
%   is absent, and Shape is one. Reference is the clause that plugs Law in.
check_law(Law, Shape, Reference) :-
    assertz(users_law(Law)),
    (   is_list(Shape),
        forall(member(Part, Shape), part(Part))
    ->  true
    ;   tell_at(Reference, 'the shape ~q is not a list of subjects(Count), object, \c
                            objects(Count), repeats and anchored', [Shape])
    ),
    forall(( member(Name, [violated, satisfied, inconclusive, lacks]),
             \+ current_predicate(Law:Name/1) ),
           tell_at(Reference, 'law ~w does not define ~w/1', [Law, Name])),
    forall(( predicate_property(Law:Head, number_of_clauses(_)),
             \+ predicate_property(Law:Head, imported_from(_)),
             \+ predicate_property(Law:Head, multifile),
             clause(Law:Head, Body, Cutting),
             has_cut(Body) ),
           tell_at(Cutting, 'a cut in a law; write (If -> Then ; Else) instead', [])).

part(Part) :-
    ground(Part),
    (   memberchk(Part, [object, repeats, anchored])
    ->  true
    ;   memberchk(Part, [subjects(at_least(Count)), subjects(Count), objects(Count)]),
        integer(Count),
        Count > 0
    ).

%   tell_at(+Reference, +Format, +Arguments) is det: an error in the clause of Reference.
tell_at(Reference, Format, Arguments) :-
    clause_property(Reference, file(File)),
    clause_property(Reference, line_count(Line)),
    place_text(File, Line, Place),
    format(string(Text), Format, Arguments),
    tell('~werror: ~w', [Place, Text]).

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
