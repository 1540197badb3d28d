:- use_module(library(plunit)).
:- use_module(library(apply)).
:- use_module(metaspace(metaspace)).
:- use_module(metaspace(clauses)).
:- use_module(metaspace(laws/symmetry), []).

row(Module, Source, Text) :-
    clause_table(l(Rows)),
    member(l([s(Module), s(Source), s(Text)]), Rows).

:- begin_tests(clauses).

%   proof_from(+Where, -Proof): a step from Where in every place where one can be.
proof_from(Where, then(and(Step, and(true, Step)), else(left(right(and(Step, and(not, Leaf))))))) :-
    Leaf = leaf(facts:distance(a, b, 1), 0),
    Step = step(symmetry:lacks(x), Where, step(symmetry:pair(a, b), Where, Leaf)).

test(a_clause_is_told_as_it_stands, Clause =@= (lacks(direction(From, To)) :- Body)) :-
    once(( row(symmetry, Source, Text), sub_string(Text, _, _, _, "lacks(direction(") )),
    string_concat("laws/symmetry.pl:", _, Source),
    term_string(Clause, Text),
    Body = ( pair(From, To), direction(To, From, _), \+ direction(From, To, _) ).
test(geometry_is_there_too) :-
    once(( row(spatial, _, Text), sub_string(Text, _, _, _, "sector_label(heading,2,right)") )).
test(directives_are_not, fail) :-
    row(_, _, Text),
    sub_string(Text, 0, _, _, ":-(module(").
test(sources_are_told_as_derivations_tell_them) :-
    once(row(symmetry, "laws/symmetry.pl:40", Text)),
    sub_string(Text, _, _, _, "violated(not_opposite("),
    !.
test(a_proof_keeps_its_shape_and_tells_its_sources, Told == Right) :-
    once(clause(symmetry:lacks(_), _, Reference)),
    clause_property(Reference, line_count(Line)),
    format(atom(Source), 'laws/symmetry.pl:~d', [Line]),
    maplist(proof_from, [Reference, Source], [Proof, Right]),
    proof_text(Proof, Text),
    term_string(Told, Text).

:- end_tests(clauses).
