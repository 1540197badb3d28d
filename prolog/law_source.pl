/** <module> What a file of laws may hold

The files of users are read before they are loaded, term by term, and nothing in them is run: each
directive must stand on a list, and each goal on that of module allow_list.
*/
:- module(law_source,
          [ refused/2              % +File, -Refusals
          ]).
:- use_module(library(lists)).
:- use_module(metaspace(allow_list)).
:- use_module(metaspace(law_text)).

:- det(refused/2).

%!  refused(+File, -Refusals) is det.
%
%   Refusals are place(File, Line)-Reason for File and the files that it uses, for each file first
%   what cannot be read, then what was, both in order. Reason is one of
%
%     - unread(Error), more_than(What, Most), ends
%     - directive(Goal), import(Spec), imports(List)
%     - list, head(Head), hook(PredicateIndicator), taken(PredicateIndicator), commits
%     - calls(Caller, Callee), calls_variable(Caller), clock(Caller, Function)
%     - module(Module), text(Text)
refused(File, Refusals) :-
    forall(library(Library), load_files(library(Library), [if(not_loaded), imports([])])),
    file_refused(File, [], _, _, Refusals).

%   file_refused(+File, +Seen0, -Seen, -Exported, -Refusals) is det.
file_refused(File, Seen, Seen, Exported, []) :-
    memberchk(File-Exported, Seen),
    !.
file_refused(File, Seen0, Seen, Exported, Refusals) :-
    law_terms(File, Terms, Unread),
    findall(PI, ( member(Term-_, Terms), exported(Term, PI) ), Exported),
    findall(Spec-Line, ( member((:- Goal)-Line, Terms), imported(Goal, Spec) ), Specs),
    used(Specs, File, [File-Exported|Seen0], Seen, Imported, Inner),
    findall(PI, ( member(Term-_, Terms), defined(Term, PI) ), Unsorted),
    sort(Unsorted, Defined),
    (   member(First-_, Terms),
        subsumes_term((:- module(_, _)), First)
    ->  First = (:- module(Module, _))
    ;   Module = []
    ),
    Known = known(Module, Defined, Imported),
    findall(place(File, Line)-Reason,
            ( member(Term-Line, Terms), once_each(Reason, unfit(Term, File, Known, Reason)) ),
            Own),
    append([Unread, Own, Inner], Refusals).

once_each(Reason, Goal) :-
    findall(Reason, Goal, Reasons),
    list_to_set(Reasons, Set),
    member(Reason, Set).

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

%   own_file(+Spec, +File, -Used) is semidet: Spec names a .pl file in the folder of File. What
%   is elsewhere is not even read; WebAssembly has nothing else.
own_file(Spec, File, Used) :-
    ground(Spec),
    ( atom(Spec) ; Spec = _/_ ),
    !,
    file_directory_name(File, Folder),
    absolute_file_name(Spec, Used, [ extensions([pl]), access(read), relative_to(Folder),
                                     file_errors(fail), solutions(first) ]),
    file_directory_name(Used, Folder).

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
clause_of([_|_], _, _) =>
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
unfit((:- Goal), File, _, Reason) =>
    unfit_directive(Goal, File, Reason).
unfit((?- Goal), _, _, Reason) =>
    Reason = directive(Goal).
unfit([_|_], _, _, Reason) =>
    Reason = list.
unfit((_ => _), _, _, Reason) =>
    Reason = commits.
unfit(Term, _, Known, Reason) =>
    (   clause_of(Term, Head, Body)
    ->  (   unfit_head(Head, Known, Reason)
        *-> true
        ;   unfit_text(Head),
            Head = _:text(_, Text),
            Reason = text(Text)
        ;   caller(Head, Caller),
            (   unfit_body(Body, Caller, Known, Reason)
            ;   dict_call(Term),
                Reason = calls(Caller, ('.')/3)
            )
        )
    ;   Reason = head(Term)
    ).

unfit_directive(module(Name, List), File, Reason), atom(Name) =>
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
    \+ ( ground(Spec), memberchk(Spec, [metaspace:law/3, metaspace:text/2]) ),
    Reason = directive(multifile(Spec)).
unfit_directive(discontiguous(Specs), _, Reason) =>
    conjunct(Specs, Spec),
    \+ indicators([Spec]),
    Reason = directive(discontiguous(Spec)).
unfit_directive(Goal, _, Reason) =>
    Reason = directive(Goal).

usable(Spec, File) :-
    ground(Spec),
    (   Spec = metaspace(Name),
        vocabulary(Name)
    ;   Spec = library(Name),
        library(Name)
    ;   own_file(Spec, File, _)
    ).

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

%   unfit_text(+Head) is semidet: a text that has not one argument for each ~w; what a body binds
%   is not known yet.
unfit_text(metaspace:text(_, Format-Arguments)) :-
    string(Format),
    is_list(Arguments),
    atomic_list_concat(Pieces, '~w', Format),
    \+ same_length(Pieces, [_|Arguments]).

caller(_:Head, Caller) =>
    caller(Head, Caller).
caller(Head, Caller) =>
    functor(Head, Name, Arity),
    Caller = Name/Arity.

%   dict_call(+Term) is semidet: Term has a function on dicts, which loading turns into a call.
dict_call(Term) :-
    compound(Term),
    (   compound_name_arity(Term, '.', 2)
    ->  true
    ;   arg(_, Term, Argument),
        dict_call(Argument)
    ),
    !.
