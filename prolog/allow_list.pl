/** <module> What a law may call

A law looks at answers and computes; it needs no files, no streams, no database and no clock. Each
goal in it must be known by name and stand on a list. What is left can loop or use up memory, which
the limits of the engine catch, and can do nothing else.

SWI-Prolog's library(sandbox) was not enough: it holds output, global variables and the database
of the own module for safe, with which a verdict could depend on the cases before; its list is
another in each version, so that a law would load with one host and not with the next; and it
looks at what is loaded already, when directives have run.
*/
:- module(allow_list,
          [ vocabulary/1,          % ?Module
            library/1,             % ?Library
            builtin/1,             % ?PredicateIndicator
            exports/3,             % +Kind, ?Module, ?PredicateIndicator
            unfit_body/4           % +Goal, +Caller, +Known, -Reason
          ]).
:- use_module(library(lists)).
:- use_module(metaspace(metaspace)).
:- use_module(metaspace(facts), []).
:- use_module(metaspace(spatial), []).

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

%!  exports(+Kind, ?Module, ?PredicateIndicator) is nondet.
%
%   Kind is vocabulary or library; libraries count once they are loaded.
exports(vocabulary, Module, PI) :-
    vocabulary(Module),
    module_property(Module, exports(List)),
    memberchk(PI, List).
exports(library, Module, PI) :-
    library(Module),
    module_property(Module, exports(List)),
    memberchk(PI, List).

%!  unfit_body(+Goal, +Caller, +Known, -Reason) is nondet.
%
%   Known is known(Module, Defined, Imported): what Module defines and what it has of other files
%   of the user. Reason is calls(Caller, Callee), calls_variable(Caller) or clock(Caller, Function).
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

sub_term(Term, Term).
sub_term(Part, Term) :-
    compound(Term),
    arg(_, Term, Argument),
    sub_term(Part, Argument).
