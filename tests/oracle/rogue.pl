/** <module> A law that does what no law should

The first subject names the deed. Only tests load this.
*/
:- module(rogue,
          [ violated/1,         % -Why
            satisfied/1,        % -Why
            inconclusive/1,     % -Why
            lacks/1             % -Observation
          ]).
:- use_module(metaspace(facts)).

:- multifile metaspace:law/3, metaspace:text/2.

metaspace:law('ROGUE', rogue, [subjects(2)]).

metaspace:text(rogue:satisfied(Why), "all is well with ~w"-[name(Why)]).

lacks(_) :-
    fail.

violated(broken) :-
    subjects(violated, _).

satisfied(Deed) :-
    subjects(Deed, _),
    done(Deed).

inconclusive(_) :-
    fail.

done(well).
done(violated).
done(endless) :-
    repeat,
    fail.
done(asleep) :-
    sleep(1000).
done(halted) :-
    halt.
done(flood) :-
    forall(between(1, 10_000, _),
           ( format("flood ~n"), format(user_output, "99~nflood ~n", []),
             format(user_error, "flood ~n", []) )).
done(greedy) :-
    read(_),
    read(user_input, _).
done(deep) :-
    length(_, 20_000_000).
done(recursive) :-
    longer([]).
done(thrown) :-
    throw(ball).
done(undefined) :-
    atom_concat(no_such_, predicate, Goal),
    call(Goal).
done(unbound) :-
    _ is _ + 1.

longer(List) :-
    length(Block, 2_000_000),
    longer([Block|List]),
    is_list(List).
