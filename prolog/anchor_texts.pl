/** <module> The sentences of anchored laws

What is given with a case, how the anchored laws read, and how a verdict begins: who holds one
answer against what is given knows which one is wrong.
*/
:- module(anchor_texts,
          [ anchored/0,
            given_text/2,          % +Fact, -Parts
            judged_text/2          % +Verdict, -Text
          ]).
:- use_module(library(lists)).
:- use_module(metaspace(metaspace)).
:- use_module(metaspace(facts)).

:- multifile metaspace:text/2.

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
given_text(choice(Question, Option), "~w is the answer when ~w"-[option(Option), name(Question)]).
given_text(becomes(Option, Option), "~w stays the answer"-[option(Option)]).
given_text(becomes(Option, Other), "~w becomes ~w"-[option(Option), option(Other)]) :-
    Option \== Other.
given_text(if_answer(Rule, Question, Option),
           "rule ~w has the condition that ~w is the answer when ~w"-
           [name(Rule), option(Option), name(Question)]).
given_text(if_counts(Rule, Compares, First, Second),
           "rule ~w has the condition that the number when ~w is ~w that when ~w"-
           [name(Rule), name(First), Words, name(Second)]) :-
    compared_words(Compares, Words).
given_text(then_answer(Rule, Question, Option),
           "by rule ~w, where its conditions hold, ~w is the answer when ~w"-
           [name(Rule), option(Option), name(Question)]).
given_text(asks_about(Question, Option),
           "when ~w, the question is about ~w"-[name(Question), option(Option)]).
given_text(true_answer(Fact), "in truth, ~w"-[goal(facts:Fact)]).

compared_words(more, 'more than').
compared_words(equal, 'equal to').
compared_words(fewer, 'less than').

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

metaspace:text(projection:violated(crosses(A, B, Sector, Side)),
               "~w lies to the ~w of ~w by its box, so ~w cannot be the direction there"-
               [name(B), Side, name(A), part(planar, Sector)]).
metaspace:text(projection:satisfied(keeps_to(A, B, Sector, Side)),
               "~w lies to the ~w of ~w by its box, and ~w can be the direction there"-
               [name(B), Side, name(A), part(planar, Sector)]).
metaspace:text(projection:inconclusive(not_parted(A, B)),
               "the boxes of ~w and ~w do not lie on different sides of where the camera looks"-
               [name(A), name(B)]).
metaspace:text(projection:seen(_, Object, Side),
               "~w is wholly ~w of where the camera looks"-[name(Object), Side]).

metaspace:text(odometry:violated(leads_elsewhere(Part, A, B, Executed, Answered)),
               "from ~w to ~w the executed actions lead ~w, so it cannot be ~w"-
               [name(A), name(B), part(Part, Executed), part(Part, Answered)]).
metaspace:text(odometry:satisfied(leads_there(Part, A, B, Answered)),
               "from ~w to ~w the executed actions lead ~w"-
               [name(A), name(B), part(Part, Answered)]).
metaspace:text(odometry:inconclusive(near_an_edge(A, B)),
               "from ~w to ~w the executed actions lead too near an edge to tell"-
               [name(A), name(B)]).
metaspace:text(odometry:leg(A, B, way(Forward, Right, Up)),
               "in steps, ~w lies ~w ~w, ~w ~w and ~w ~w of ~w"-
               [name(B), Ahead, Way, Aside, Side, Rise, Height, name(A)]) :-
    told(Forward, forward, backward, Ahead, Way),
    told(Right, right, left, Aside, Side),
    told(Up, up, down, Rise, Height).

told(Number, Name, Opposite, Size, Told) :-
    Size is abs(Number),
    (   Number < 0
    ->  Told = Opposite
    ;   Told = Name
    ).

metaspace:text(ground_truth:violated(untrue(True, Answered)), Text) :-
    untrue_text(True, Answered, Text).
metaspace:text(ground_truth:satisfied(accurate(True, Answered)), Text) :-
    accurate_text(True, Answered, Text).
metaspace:text(ground_truth:off_by(_, _, Excess),
               "that is ~w times too much or too little"-[Factor]) :-
    Factor is Excess + 1.

untrue_text(_, claim(Holds, About),
            "~w is not the answer to \"~w\""-[Holds, goal(claim:About)]).
untrue_text(choice(_, True), choice(_, Answered), "it is ~w and not ~w"-
            [option(True), option(Answered)]).
untrue_text(measure(_, _, _, True), measure(_, _, _, Answered),
            "~w m is not near enough to ~w m"-[Answered, True]).
untrue_text(True, Answered, "it is ~w and not ~w"-[part(Part, Value), part(Part, Said)]) :-
    part_of(True, Part, Value),
    part_of(Answered, Part, Said).

accurate_text(_, claim(Holds, About), "~w is the answer to \"~w\""-[Holds, goal(claim:About)]).
accurate_text(choice(_, True), choice(_, _), "it is ~w"-[option(True)]).
accurate_text(measure(_, _, _, True), measure(_, _, _, Answered),
              "~w m is near enough to ~w m"-[Answered, True]).
accurate_text(True, Answered, "it is ~w"-[part(Part, Value)]) :-
    part_of(True, Part, Value),
    part_of(Answered, Part, _).

part_of(direction(_, _, Sector), planar, Sector).
part_of(vertical(_, _, Level), vertical, Level).
part_of(distance(_, _, Steps), length, Steps).
