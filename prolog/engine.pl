/** <module> The oracle's one entry

Text in, text out. The first term of the text says what is wanted:

  - options([epsilon=E, delta=D, derivations=all|unsatisfied|none, proofs=all|violated,
    fired=true]) and one case(Data) for each case: one line of JSON for each case, in order,
    {"n": Index, "verdict": ..., ...}, with the whole proof of its derivation where `proofs` asks
    for it, and the places of the clauses that fired if `fired` is there;
  - clauses: one line with the clauses of the laws as they stand in their files;
  - describe: one line with versions, relations and vocabulary;
  - load(Files, Trusted): loads laws of users, whatever they hold if Trusted is true; one line with
    the messages that loading gave.

Whatever goes wrong with a case is the error of that case, never a pass.
*/
:- module(engine,
          [ check_chunk/2,         % +Text, -Text
            give_back/0
          ]).
:- multifile user:file_search_path/2.
:- dynamic user:file_search_path/2.

:- prolog_load_context(directory, Directory),
   asserta(user:file_search_path(metaspace, Directory)).

:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(metaspace(metaspace)).
:- use_module(metaspace(cases)).
:- use_module(metaspace(clauses)).
:- use_module(metaspace(derivation)).
:- use_module(metaspace(facts)).
:- use_module(metaspace(fired)).
:- use_module(metaspace(json_text)).
:- use_module(metaspace(loading)).
:- use_module(metaspace(reasons)).
:- use_module(metaspace(spatial)).
:- use_module(metaspace(laws/transitivity), []).
:- use_module(metaspace(laws/symmetry), []).
:- use_module(metaspace(laws/contradiction), []).
:- use_module(metaspace(laws/triangle), []).
:- use_module(metaspace(laws/size_depth), []).
:- use_module(metaspace(laws/size_ratio), []).
:- use_module(metaspace(laws/projection), []).
:- use_module(metaspace(laws/odometry), []).
:- use_module(metaspace(laws/ground_truth), []).
:- use_module(metaspace(laws/mapped), []).
:- use_module(metaspace(laws/different), []).
:- use_module(metaspace(laws/implied), []).
:- use_module(metaspace(laws/sum), []).
:- use_module(metaspace(laws/monotone), []).
:- use_module(metaspace(laws/involution), []).

:- det(check_chunk/2).

%   A case needs some hundred inferences, with its derivation a few thousand.
inference_limit(1_000_000).

stack_limit(134_217_728).

%!  check_chunk(+Text:string, -Reply:string) is det.
check_chunk(Text, Reply) :-
    settle,
    setup_call_cleanup(
        open_string(Text, In),
        with_output_to(string(Reply), answer(In)),
        close(In)).

%!  give_back is det.
%
%   To be called by a host when it is done with a chunk and its reply: collects what a large one
%   left on the stacks. The collector chooses its moments by the clock, so left alone it could come
%   too late for a case of the next chunk, which would then overflow for no fault of its own.
give_back :-
    statistics(globalused, Used),
    (   Used > 8_000_000
    ->  garbage_collect,
        trim_stacks
    ;   true
    ).

%   settle is det: what must hold whichever host loaded us.
settle :-
    stack_limit(Limit),
    set_prolog_flag(stack_limit, Limit),
    set_prolog_flag(debug_on_error, false).

answer(In) :-
    read_data(In, Term),
    answer(Term, In).

answer(options(List), In) =>
    memberchk(epsilon=Epsilon, List),
    memberchk(delta=Delta, List),
    memberchk(derivations=Wanted, List),
    (   memberchk(proofs=Proofs, List)
    ->  true
    ;   Proofs = none
    ),
    (   memberchk(fired=true, List)
    ->  All = counted(wanted(Wanted, Proofs))
    ;   All = wanted(Wanted, Proofs)
    ),
    judge_all(In, options(Epsilon, Delta), All).
answer(describe, _) =>
    description(Description),
    write_line(Description).
answer(clauses, _) =>
    clause_table(Table),
    write_line(Table).
answer(load(Files, Trusted), _) =>
    load_laws(Files, Trusted, Messages),
    maplist(json_string, Messages, Strings),
    write_line(o([messages-l(Strings)])).

%   read_data(+In, -Term) is det: only data; whatever stands there is never called.
read_data(In, Term) :-
    read_term(In, Term, [module(metaspace_data)]).

judge_all(In, Options, Wanted) :-
    current_output(Out),
    setup_call_cleanup(
        ( open_null_stream(Sink), open_string("", Empty), current_input(Before) ),
        ( set_input(Empty), judge_next(0, In, Out, Sink, Options, Wanted) ),
        ( set_input(Before), close(Sink), close(Empty) )).

judge_next(Index, In, Out, Sink, Options, Wanted) :-
    (   \+ \+ ( next_term(In, Term), judge_term(Term, Index, Out, Sink, Options, Wanted) )
    ->  Next is Index + 1,
        judge_next(Next, In, Out, Sink, Options, Wanted)
    ;   true
    ).

%   next_term(+In, -Term) is semidet.
next_term(In, Term) :-
    catch(read_data(In, Term), Error, Term = unreadable(Error)),
    Term \== end_of_file.

:- det(judge_term/6).

%   judge_term(+Term, +Index, +Out, +Sink, +Options, +Wanted) is det: what a law prints goes
%   to Sink.
judge_term(Term, Index, Out, Sink, Options, Wanted) :-
    setup_call_cleanup(
        set_output(Sink),
        guarded(Term, Options, Wanted, Result),
        set_output(Out)),
    write_line(Out, o([n-n(Index)|Result])).

%   guarded(+Term, +Options, +Wanted, -Result) is det.
guarded(Term, Options, Wanted, Result) :-
    inference_limit(Limit),
    catch(limited(Limit, Term, Options, Wanted, Result0), Error, true),
    (   nonvar(Error)
    ->  error_result(Error, Result)
    ;   Result = Result0
    ).

limited(Limit, Term, Options, Wanted, Result) :-
    call_with_inference_limit(judged(Term, Options, Wanted, Found), Limit, Outcome),
    !,
    (   Outcome == inference_limit_exceeded
    ->  throw(wrong(budget))
    ;   Result = Found
    ).
limited(_, _, _, _, _) :-
    throw(wrong(undecided)).

error_result(Error, [verdict-s(error), reason-s(Text)]) :-
    (   Error = wrong(Reason)
    ->  true
    ;   Reason = Error
    ),
    catch(wrong_text(Reason, Text), _, Text = "unknown error").

judged(Term, Options, counted(Wanted), Result) =>
    judged(Term, Options, Wanted, Result0),
    (   memberchk(verdict-s(invalid), Result0)
    ->  Result = Result0
    ;   facts:case_relation(Relation),
        once(metaspace:law(Relation, Law, _)),
        fired(Law, Sources),
        maplist(json_string, Sources, Strings),
        append(Result0, [fired-l(Strings)], Result)
    ).
judged(case(Data), Options, Wanted, Result) =>
    overflow(infinity),
    checked_case(Data, Options, Case, Problems),
    facts:set_facts(Case),
    facts:case_relation(Relation),
    metaspace:law(Relation, Law, _),
    !,
    (   users_law(Law)
    ->  overflow(error)
    ;   true
    ),
    (   Law:lacks(What)
    ->  checked_reason(lacks(What)),
        throw(wrong(lacks(What)))
    ;   Problems = [First|_]
    ->  problem_text(First, Reason),
        invalid_derivation(Problems, Derivation),
        Result = [verdict-s(invalid), reason-s(Reason), derivation-Derivation]
    ;   decided(Law, Verdict, Goal),
        (   users_law(Law)
        ->  checked_reason(Goal)
        ;   true
        ),
        Wanted = wanted(Derivations, Proofs),
        (   wanted(Derivations, Verdict)
        ->  derivation(Verdict, Law:Goal, Derivation, Proof),
            proved(Proofs, Verdict, Proof, Proved),
            Result = [verdict-s(Verdict), derivation-Derivation|Proved]
        ;   Result = [verdict-s(Verdict)]
        )
    ).
judged(unreadable(Error), _, _, _) =>
    throw(Error).
judged(_, _, _, _) =>
    throw(wrong(not_a_case)).

%   overflow(+Mode) is det: what comes of dividing by zero and of numbers that are too large. With
%   `infinity` our own laws compare; in a law of a user it is a mistake more likely than not, which
%   must give no verdict.
overflow(Mode) :-
    (   current_prolog_flag(float_zero_div, Mode)
    ->  true
    ;   set_prolog_flag(float_zero_div, Mode),
        set_prolog_flag(float_overflow, Mode)
    ).

proved(Proofs, Verdict, Proof, [proof-s(Text)]) :-
    memberchk(Proofs, [all, Verdict]),
    !,
    proof_text(Proof, Text).
proved(_, _, _, []).

wanted(all, _).
wanted(unsatisfied, Verdict) :-
    Verdict \== satisfied.

%   decided(+Law, -Verdict, -Goal) is semidet: Goal is what holds, with its Why bound.
decided(Law, Verdict, Goal) :-
    (   Law:violated(Why)
    ->  Verdict = violated,
        Goal = violated(Why)
    ;   Law:satisfied(Why)
    ->  Verdict = satisfied,
        Goal = satisfied(Why)
    ;   Law:inconclusive(Why)
    ->  Verdict = inconclusive,
        Goal = inconclusive(Why)
    ).

%   description(-Json) is det: versions, relations and vocabulary, for whoever speaks to us.
description(o([ swi_prolog-s(Version),
                relations-l(Relations),
                heading-l(Heading),
                compass-l(Compass),
                none-s(none),
                vertical-l(Levels),
                kinds-l(Kinds)
              ])) :-
    current_prolog_flag(version, Number),
    Major is Number // 10000,
    Minor is Number // 100 mod 100,
    Patch is Number mod 100,
    format(string(Version), '~d.~d.~d', [Major, Minor, Patch]),
    findall(s(Relation), metaspace:law(Relation, _, _), Relations),
    findall(s(Label), sector_label(heading, _, Label), Heading),
    findall(s(Label), sector_label(compass, _, Label), Compass),
    findall(s(Level), level(Level), Levels),
    findall(s(Kind), observation_kind(Kind), Kinds).

json_string(Text, s(Text)).

write_line(Json) :-
    current_output(Out),
    write_line(Out, Json).

write_line(Out, Json) :-
    write_json(Out, Json),
    nl(Out).
