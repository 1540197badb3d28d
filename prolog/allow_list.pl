/** <module> What a file of laws may hold

A law looks at answers and computes; it needs no files, no streams, no database and no clock. So
the files of users are read before they are loaded, term by term, and nothing in them is run: each
directive and each goal must stand on a list. What is left can loop or use up memory, which the
limits of the engine catch, and can do nothing else.

SWI-Prolog's library(sandbox) was not enough: it holds output, global variables and the database
of the own module for safe, with which a verdict could depend on the cases before; its list is
another in each version, so that a law would load with one host and not with the next; and it
looks at what is loaded already, when directives have run.
*/
:- module(allow_list,
          [ refused/2,             % +File, -Refusals
            vocabulary/1,          % ?Module
            library/1,             % ?Library
            builtin/1              % ?PredicateIndicator
          ]).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(metaspace(metaspace)).
:- use_module(metaspace(facts), []).
:- use_module(metaspace(spatial), []).

:- det(refused/2).

%!  vocabulary(?Module) is nondet.
%
%   What metaspace(Module) exports may be called.
vocabulary(facts).
vocabulary(spatial).

%!  library(?Library) is nondet.
%
%   What library(Library) exports may be called. None of it has effects.
library(aggregate).
library(apply).
library(assoc).
library(lists).
library(ordsets).
library(pairs).

%!  builtin(?PredicateIndicator) is nondet.
%
%   What may be called of what is built in.
builtin(Name/Arity) :-
    builtins(Arity, Names),
    member(Name, Names).
builtin(call/Arity) :-
    between(1, 8, Arity).

builtins(0, [true, fail, false, !]).
builtins(1, [ \+, once, ignore, var, nonvar, atom, atomic, number, integer, float, string,
              compound, callable, ground, is_list ]).
builtins(2, [ (','), ;, ->, =, \=, ==, \==, @<, @>, @=<, @>=, =@=, \=@=, is, =:=, =\=, <, >, =<,
              >=, =.., forall, length, sort, msort, keysort, succ, copy_term, subsumes_term,
              unify_with_occurs_check, term_variables, atom_length, atom_chars, atom_codes,
              atom_number, atom_string, number_codes, number_string, string_length, string_chars,
              string_codes, string_lower, string_upper, char_code, upcase_atom, downcase_atom,
              atomic_list_concat ]).
builtins(3, [ between, compare, plus, functor, arg, findall, bagof, setof,
              atom_concat, string_concat, atomic_list_concat ]).
builtins(4, [ findall, sort, split_string ]).
builtins(5, [ sub_atom, sub_string ]).

%!  refused(+File, -Refusals) is det.
%
%   Refusals are place(File, Line)-Reason, in order, for File and the files that it uses; a syntax
%   error is told as it is. Reason is one of
%
%     - unread(Error)
%     - directive(Goal), import(Spec), imports(List)
%     - head(Head), hook(PredicateIndicator), taken(PredicateIndicator), commits
%     - calls(Caller, Callee), calls_variable(Caller), clock(Caller, Function)
%     - module(Module)
refused(File, Refusals) :-
    forall(library(Library), load_files(library(Library), [if(not_loaded), imports([])])),
    file_refused(File, [], _, _, Refusals).

%   file_refused(+File, +Seen0, -Seen, -Exported, -Refusals) is det.
file_refused(File, Seen, Seen, Exported, []) :-
    memberchk(File-Exported, Seen),
    !.
file_refused(File, Seen0, Seen, Exported, Refusals) :-
    file_terms(File, Terms),
    findall(PI, ( member(Term-_, Terms), exported(Term, PI) ), Exported),
    findall(Spec-Line, ( member((:- Goal)-Line, Terms), imported(Goal, Spec) ), Specs),
    used(Specs, File, [File-Exported|Seen0], Seen, Imported, Inner),
    findall(PI, ( member(Term-_, Terms), defined(Term, PI) ), Unsorted),
    sort(Unsorted, Defined),
    (   member((:- module(Module, _))-_, Terms)
    ->  true
    ;   Module = []
    ),
    Known = known(Module, Defined, Imported),
    findall(place(File, Line)-Reason,
            ( member(Term-Line, Terms), once_each(Reason, unfit(Term, File, Known, Reason)) ),
            Own),
    append(Own, Inner, Refusals).

once_each(Reason, Goal) :-
    findall(Reason, Goal, Reasons),
    list_to_set(Reasons, Set),
    member(Reason, Set).

%   file_terms(+File, -Terms) is det: Term-Line for each term; unread(Error)-Line in place of
%   what cannot be read.
file_terms(File, Terms) :-
    setup_call_cleanup(
        open(File, read, In, [encoding(utf8)]),
        stream_terms(In, Terms),
        close(In)).

stream_terms(In, Terms) :-
    catch(read_term(In, Term, [module(metaspace_data), term_position(Position)]), Error,
          ( Term = unread(Error), stream_property(In, position(Position)) )),
    (   Term == end_of_file
    ->  Terms = []
    ;   stream_position_data(line_count, Position, Line),
        Terms = [Term-Line|Rest],
        stream_terms(In, Rest)
    ).

%   used(+Specs, +File, +Seen0, -Seen, -Imported, -Refusals) is det: what files of the user, which
%   File uses, export and hold.
used([], _, Seen, Seen, [], []).
used([Spec-_|Specs], File, Seen0, Seen, Imported, Refusals) :-
    (   own_file(Spec, File, Used)
    ->  file_refused(Used, Seen0, Seen1, Exported, Inner)
    ;   Seen1 = Seen0,
        Exported = [],
        Inner = []
    ),
    used(Specs, File, Seen1, Seen, Others, More),
    append(Exported, Others, Imported),
    append(Inner, More, Refusals).

own_file(Spec, File, Used) :-
    ( atom(Spec) ; Spec = _/_ ),
    !,
    file_directory_name(File, Folder),
    absolute_file_name(Spec, Used, [ file_type(prolog), access(read), relative_to(Folder),
                                     file_errors(fail), solutions(first) ]).

exported((:- module(_, List)), PI) :-
    is_list(List),
    member(PI, List).

imported(use_module(Spec), Spec).
imported(use_module(Spec, _), Spec).

defined(Term, Name/Arity) :-
    clause_of(Term, Head, _),
    callable(Head),
    Head \= _:_,
    functor(Head, Name, Arity).

%   clause_of(+Term, -Head, -Body) is semidet.
clause_of((:- _), _, _) =>
    fail.
clause_of((?- _), _, _) =>
    fail.
clause_of(unread(_), _, _) =>
    fail.
clause_of((Head0 --> Body0), Head, Body) =>
    catch(dcg_translate_rule((Head0 --> Body0), (Head :- Body)), _, fail).
clause_of((Head0 :- Body0), Head, Body) =>
    Head = Head0,
    Body = Body0.
clause_of(Head0, Head, Body) =>
    Head = Head0,
    Body = true.

%   unfit(+Term, +File, +Known, -Reason) is nondet.
unfit(unread(Error), _, _, Reason) =>
    Reason = unread(Error).
unfit((:- Goal), File, _, Reason) =>
    unfit_directive(Goal, File, Reason).
unfit((?- Goal), _, _, Reason) =>
    Reason = directive(Goal).
unfit((_ => _), _, _, Reason) =>
    Reason = commits.
unfit(Term, _, Known, Reason) =>
    (   clause_of(Term, Head, Body)
    ->  (   unfit_head(Head, Known, Reason)
        *-> true
        ;   caller(Head, Caller),
            (   unfit_body(Body, Caller, Known, Reason)
            ;   dict_call(Term),
                Reason = calls(Caller, ('.')/3)
            )
        )
    ;   Reason = head(Term)
    ).

unfit_directive(module(Name, List), File, Reason) =>
    (   current_module(Name),
        \+ module_property(Name, file(File)),
        Reason = module(Name)
    ;   \+ indicators(List),
        Reason = imports(List)
    ).
unfit_directive(use_module(Spec), File, Reason) =>
    \+ usable(Spec, File),
    Reason = import(Spec).
unfit_directive(use_module(Spec, List), File, Reason) =>
    (   \+ usable(Spec, File),
        Reason = import(Spec)
    ;   \+ indicators(List),
        Reason = imports(List)
    ).
unfit_directive(multifile(Specs), _, Reason) =>
    conjunct(Specs, Spec),
    \+ memberchk(Spec, [metaspace:law/3, metaspace:text/2]),
    Reason = directive(multifile(Spec)).
unfit_directive(discontiguous(Specs), _, Reason) =>
    conjunct(Specs, Spec),
    \+ indicators([Spec]),
    Reason = directive(discontiguous(Spec)).
unfit_directive(Goal, _, Reason) =>
    Reason = directive(Goal).

usable(metaspace(Name), _) :-
    vocabulary(Name).
usable(library(Name), _) :-
    library(Name).
usable(Spec, File) :-
    own_file(Spec, File, _).

indicators(List) :-
    is_list(List),
    forall(member(PI, List), ( ground(PI), PI = Name/Arity, atom(Name), integer(Arity) )).

conjunct(Specs, Spec) :-
    (   nonvar(Specs),
        Specs = (A, B)
    ->  (   conjunct(A, Spec)
        ;   conjunct(B, Spec)
        )
    ;   Spec = Specs
    ).

%   unfit_head(+Head, +Known, -Reason) is nondet.
unfit_head(Head, _, Reason), \+ callable(Head) =>
    Reason = head(Head).
unfit_head(Module:Head, known(Own, _, _), Reason) =>
    \+ plugs_in(Module:Head, Own),
    Reason = head(Module:Head).
unfit_head(Head, _, Reason) =>
    functor(Head, Name, Arity),
    (   memberchk(Name, [term_expansion, goal_expansion]),
        Reason = hook(Name/Arity)
    ;   ( builtin(Name/Arity) ; exports(vocabulary, _, Name/Arity) ),
        Reason = taken(Name/Arity)
    ).

%   plugs_in(+Head, +Own) is semidet: a law or a text of this module, of no other.
plugs_in(Module:Head, Own) :-
    Module == metaspace,
    nonvar(Head),
    (   Head = law(Relation, Law, _)
    ->  atom(Relation),
        Law == Own
    ;   Head = text(Goal, _),
        nonvar(Goal),
        Goal = Owner:_,
        Owner == Own
    ).

caller(_:Head, Caller) =>
    caller(Head, Caller).
caller(Head, Caller), callable(Head) =>
    functor(Head, Name, Arity),
    Caller = Name/Arity.
caller(_, Caller) =>
    Caller = (?).

%   exports(+Kind, ?Module, ?PredicateIndicator) is nondet.
exports(vocabulary, Module, PI) :-
    vocabulary(Module),
    module_property(Module, exports(List)),
    memberchk(PI, List).
exports(library, Module, PI) :-
    library(Module),
    module_property(Module, exports(List)),
    memberchk(PI, List).

%   unfit_body(+Goal, +Caller, +Known, -Reason) is nondet.
unfit_body(Goal, Caller, _, Reason), var(Goal) =>
    Reason = calls_variable(Caller).
unfit_body(Goal, Caller, _, Reason), \+ callable(Goal) =>
    Reason = calls(Caller, Goal).
unfit_body(Module:Goal, Caller, Known, Reason), atom(Module), callable(Goal) =>
    functor(Goal, Name, Arity),
    (   qualified(Module, Name/Arity, Known)
    ->  unfit_arguments(Goal, Caller, Known, Reason)
    ;   Reason = calls(Caller, Module:Name/Arity)
    ).
unfit_body(_:_, Caller, _, Reason) =>
    Reason = calls_variable(Caller).
unfit_body(Goal, Caller, Known, Reason) =>
    functor(Goal, Name, Arity),
    (   callee(Name/Arity, Known)
    ->  unfit_arguments(Goal, Caller, Known, Reason)
    ;   Reason = calls(Caller, Name/Arity)
    ).

qualified(Module, PI, known(Own, Defined, _)) :-
    (   Module == Own
    ->  memberchk(PI, Defined)
    ;   exports(_, Module, PI)
    ).

callee(PI, known(_, Defined, Imported)) :-
    (   memberchk(PI, Defined)
    ;   memberchk(PI, Imported)
    ;   builtin(PI)
    ;   exports(_, _, PI)
    ),
    !.

%   unfit_arguments(+Goal, +Caller, +Known, -Reason) is nondet: goals among the arguments, and
%   numbers that are not the same each time.
unfit_arguments(Goal, Caller, Known, Reason) :-
    functor(Goal, Name, Arity),
    (   Known = known(_, Defined, _),
        \+ memberchk(Name/Arity, Defined),
        meta_arguments(Name/Arity, Kinds)
    ->  arg(Position, Kinds, Kind),
        arg(Position, Goal, Argument),
        unfit_argument(Kind, Argument, Caller, Known, Reason)
    ;   memberchk(Name/Arity, [is/2, (=:=)/2, (=\=)/2, (<)/2, (>)/2, (=<)/2, (>=)/2]),
        arg(_, Goal, Expression),
        unsteady(Expression, Function),
        Reason = clock(Caller, Function)
    ).

%   meta_arguments(+PredicateIndicator, -Kinds) is semidet.
meta_arguments(Name/Arity, Kinds) :-
    functor(Head, Name, Arity),
    (   exports(library, Module, Name/Arity)
    ->  true
    ;   Module = system
    ),
    predicate_property(Module:Head, meta_predicate(Kinds)).

unfit_argument(Kind, Goal, Caller, Known, Reason), integer(Kind) =>
    (   Kind =:= 0
    ->  unfit_body(Goal, Caller, Known, Reason)
    ;   extended(Goal, Kind, Extended)
    ->  unfit_body(Extended, Caller, Known, Reason)
    ;   Reason = calls_variable(Caller)
    ).
unfit_argument(^, Goal, Caller, Known, Reason) =>
    unbound_part(Goal, Inner),
    unfit_body(Inner, Caller, Known, Reason).
unfit_argument(Kind, _, Caller, _, Reason), memberchk(Kind, [:, //]) =>
    Reason = calls_variable(Caller).
unfit_argument(_, _, _, _, _) =>
    fail.

unbound_part(Goal, Inner) :-
    (   nonvar(Goal),
        Goal = _^Goal1
    ->  unbound_part(Goal1, Inner)
    ;   Inner = Goal
    ).

%   extended(+Closure, +Count, -Goal) is semidet: as call/N would call it.
extended(Closure, Count, Goal) :-
    nonvar(Closure),
    (   Closure = Module:Inner
    ->  nonvar(Inner),
        extended(Inner, Count, Goal0),
        Goal = Module:Goal0
    ;   callable(Closure),
        length(More, Count),
        Closure =.. List0,
        append(List0, More, List),
        Goal =.. List
    ).

unsteady(Expression, Function) :-
    sub_term(Part, Expression),
    callable(Part),
    functor(Part, Function, _),
    memberchk(Function, [random, random_float, cputime, realtime]).

%   dict_call(+Term) is semidet: Term has a function on dicts, which loading turns into a call.
dict_call(Term) :-
    sub_term(Part, Term),
    compound(Part),
    compound_name_arity(Part, '.', 2),
    !.

sub_term(Term, Term).
sub_term(Part, Term) :-
    compound(Term),
    arg(_, Term, Argument),
    sub_term(Part, Argument).
