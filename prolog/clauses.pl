/** <module> The clauses as they stand in the files

What a checker of proofs needs, read anew from the files of the laws: nothing here is shared with
the interpreter that finds proofs. Terms are told as canonical text.
*/
:- module(clauses,
          [ clause_table/1,        % -Json
            proof_text/2           % +Proof, -Text
          ]).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(metaspace(metaspace)).
:- use_module(metaspace(messages)).
:- use_module(metaspace(proof)).

:- det(clause_table/1).
:- det(proof_text/2).

%!  clause_table(-Json) is det.
%
%   Json lists [Module, Source, Clause] for each clause in the files of the laws and of module
%   spatial; Source is written as derivations write it.
clause_table(l(Rows)) :-
    findall(Module, metaspace:law(_, Module, _), Laws),
    sort([spatial|Laws], Modules),
    maplist(module_rows, Modules, Lists),
    append(Lists, Rows).

module_rows(Module, Rows) :-
    module_property(Module, file(File)),
    setup_call_cleanup(
        open(File, read, In, [encoding(utf8)]),
        file_rows(In, Module, File, Rows),
        close(In)).

file_rows(In, Module, File, Rows) :-
    read_term(In, Term, [module(Module), term_position(Position)]),
    (   Term == end_of_file
    ->  Rows = []
    ;   Term = (:- _)
    ->  file_rows(In, Module, File, Rows)
    ;   stream_position_data(line_count, Position, Line),
        source_text(place(File, Line), Source),
        (   Term = (_ --> _)
        ->  dcg_translate_rule(Term, Clause)
        ;   Clause = Term
        ),
        canonical_text(Clause, Text),
        Rows = [l([s(Module), s(Source), s(Text)])|Rest],
        file_rows(In, Module, File, Rest)
    ).

%!  proof_text(+Proof, -Text) is det.
%
%   Proof as proof:proof/4 found it, with sources in place of references.
proof_text(Proof0, Text) :-
    sourced(Proof0, Proof),
    canonical_text(Proof, Text).

canonical_text(Term, Text) :-
    with_output_to(string(Text), write_canonical(Term)).

sourced(and(A0, B0), Proof) =>
    Proof = and(A, B),
    sourced(A0, A),
    sourced(B0, B).
sourced(then(A0, B0), Proof) =>
    Proof = then(A, B),
    sourced(A0, A),
    sourced(B0, B).
sourced(else(A0), Proof) =>
    Proof = else(A),
    sourced(A0, A).
sourced(left(A0), Proof) =>
    Proof = left(A),
    sourced(A0, A).
sourced(right(A0), Proof) =>
    Proof = right(A),
    sourced(A0, A).
sourced(step(Goal, Reference, Body0), Proof) =>
    Proof = step(Goal, Source, Body),
    clause_place(Reference, Place),
    source_text(Place, Text),
    atom_string(Source, Text),
    sourced(Body0, Body).
sourced(Proof0, Proof) =>
    Proof = Proof0.
