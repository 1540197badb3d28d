/** <module> The sentences for what is given with a case

And for how a verdict begins: who holds an answer against what is given knows which one is wrong.
*/
:- module(given_texts,
          [ anchored/0,
            given_text/2,          % +Fact, -Parts
            judged_text/2          % +Verdict, -Text
          ]).
:- use_module(library(lists)).
:- use_module(metaspace(metaspace)).
:- use_module(metaspace(facts)).

:- det(judged_text/2).

%!  anchored is semidet.
%
%   True where the law of the case holds one answer against what is given.
anchored :-
    facts:case_relation(Relation),
    metaspace:law(Relation, _, Shape),
    memberchk(anchored, Shape),
    !.

%!  judged_text(+Verdict, -Text) is det.
judged_text(violated, Text) =>
    (   anchored
    ->  Text = "This answer cannot be true"
    ;   Text = "These answers cannot all be true"
    ).
judged_text(satisfied, Text) =>
    (   anchored
    ->  Text = "This answer can be true"
    ;   Text = "These answers can all be true"
    ).

%!  given_text(+Fact, -Parts) is nondet.
given_text(frame_columns(Frame, Object, Left, Right),
           "the box of ~w reaches from column ~w to ~w in ~w"-
           [name(Object), Left, Right, name(Frame)]).
given_text(principal_column(Frame, Column),
           "the camera looks along column ~w in ~w"-[Column, name(Frame)]).
given_text(executed(From, To, Forward, Right, Up, Turn),
           "from ~w to ~w ~w"-[name(From), name(To), parts(Done)]) :-
    findall(Part, done(Forward, Right, Up, Turn, Part), Parts),
    done_text(Parts, Done).
given_text(heading_at(State), "directions are told in the heading at ~w"-[name(State)]).
given_text(step_length(Metres), "a step is ~w m"-[Metres]).
given_text(true_answer(Fact), "in truth, ~w"-[goal(facts:Fact)]).

done(Forward, _, _, _, Part) :-
    amount(Forward, 'm forward', 'm backward', Part).
done(_, Right, _, _, Part) :-
    amount(Right, 'm right', 'm left', Part).
done(_, _, Up, _, Part) :-
    amount(Up, 'm up', 'm down', Part).
done(_, _, _, Turn, Part) :-
    amount(Turn, 'degrees turned right', 'degrees turned left', Part).

amount(Number, _, Words, part(Size, Words)) :-
    Number < 0,
    Size is -Number.
amount(Number, Words, _, part(Number, Words)) :-
    Number > 0.

done_text([], Parts) =>
    Parts = "nothing was done".
done_text([part(Size, Words)], Parts) =>
    Parts = "~w ~w"-[Size, Words].
done_text([part(Size, Words)|Rest], Parts) =>
    Parts = "~w ~w, ~w"-[Size, Words, parts(More)],
    done_text(Rest, More).
