/** <module> What a law may plug into

A law is a module that adds one clause to law/3 and defines violated/1, satisfied/1,
inconclusive/1 and lacks/1; its texts are clauses of text/2. Ours and a user's do it alike:

    :- module(my_law, []).
    :- use_module(metaspace(facts)).
    :- multifile metaspace:law/3, metaspace:text/2.

    metaspace:law('MY1', my_law, [subjects(2)]).
    metaspace:text(my_law:violated(_), "these two cannot both be").
*/
:- module(metaspace, []).

%!  law(?Relation, ?Module, ?Shape) is nondet.
%
%   Module judges Relation. Shape is a list of subjects(Count), subjects(at_least(Count)), object,
%   objects(Count), repeats (one thing may be answered twice, with different values) and anchored (one answer is held
%   against what is given with the case).
:- multifile law/3.
:- dynamic law/3.

%!  text(?QualifiedGoal, -Text:string) is nondet.
%
%   How a goal of a user's law reads in a derivation. Goals without a text are left out.
:- multifile text/2.
:- dynamic text/2.

:- multifile user:file_search_path/2.
:- dynamic user:file_search_path/2.

:- prolog_load_context(directory, Directory),
   asserta(user:file_search_path(metaspace, Directory)).
