/** <module> What derivations read like

The sentences for goals, proofs and verdicts. The reasons of cases that come to no verdict are in
module reasons; no other module holds a sentence.
*/
:- module(messages,
          [ shown/1,               % :Goal
            verdict_goal/1,        % ?Goal
            goal_text/2,           % :Goal, -Text
            because_text/3,        % +Because, :Goal, -Text
            source_text/2,         % +Source, -Text
            summary_text/3,        % +Verdict, :Goal, -Text
            said/2                 % +Parts, -Text
          ]).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(metaspace(metaspace)).
:- use_module(metaspace(facts)).
:- use_module(metaspace(anchor_texts)).
:- use_module(metaspace(spatial)).
:- use_module(metaspace(words)).

:- det(goal_text/2).
:- det(because_text/3).
:- det(source_text/2).
:- det(summary_text/3).
:- det(said/2).

%!  shown(:Goal) is semidet.
%
%   True if Goal has a text, so that it becomes a node of a derivation.
shown(Goal) :-
    text(Goal, _),
    !.

%!  goal_text(:Goal, -Text) is det.
goal_text(Goal, Text) :-
    text(Goal, Parts),
    !,
    said(Parts, Text).
goal_text(_:Goal, Text) :-
    format(string(Text), '~q', [Goal]).

%!  said(+Parts, -Text) is det.
%
%   Parts is Format-TypedArguments or a string. Each ~w in Format stands for an argument, and
%   nothing else does: format/3 would call what a text of a user names after ~@.
said(Format-Arguments, Text) =>
    maplist(argument, Arguments, Texts),
    atomic_list_concat(Pieces, '~w', Format),
    (   laid(Pieces, Texts, All)
    ->  atomic_list_concat(All, Joined),
        atom_string(Joined, Text)
    ;   throw(error(format('a text has not as many arguments as ~w'), _))
    ).
said(Text0, Text) =>
    Text = Text0.

laid([Piece], [], [Piece]).
laid([Piece|Pieces], [Text|Texts], [Piece, Text|Rest]) :-
    laid(Pieces, Texts, Rest).

%   argument(+Typed, -Text) is det: how an argument of a sentence is written.
argument(name(Atom), Text) =>
    name_text(Atom, Text).
argument(option(Option), Text) =>
    option_text(Option, Text).
argument(reason(Atom), Text) =>
    reason_text(Atom, Text).
argument(part(Part, Value), Text) =>
    part_text(Part, Value, Text).
argument(ends(Part, Values), Text) =>
    ends_text(Part, Values, Text).
argument(steps(Steps), Text) =>
    steps_text(Steps, Text).
argument(data(Data), Text) =>
    data_text(Data, Text).
argument(all(Names), Text) =>
    maplist(name_text, Names, Texts),
    list_text(Texts, or, Text).
argument(listed(Options), Text) =>
    maplist(option_text, Options, Texts),
    list_text(Texts, and, Text).
argument(goal(Goal), Text) =>
    goal_text(Goal, Text).
argument(parts(Parts), Text) =>
    said(Parts, Text).
argument(rounded(Steps), Text) =>
    rounding_interval(Steps, Low, High),
    maplist(number_text, [Low, High], Ends),
    format(string(Text), '~w .. ~w', Ends).
argument(off(factor(Excess)), Text) =>
    Percent is Excess * 100,
    maplist(number_text, [Excess, Percent], Texts),
    format(string(Text), 'off by ~w (~w %)', Texts).
argument(off(gap(Gap)), Text) =>
    number_text(Gap, Number),
    format(string(Text), 'a difference of ~w', [Number]).
argument(sum([]), Text) =>
    Text = ''.
argument(sum(Parts), Text) =>
    maplist(addend, Parts, Addends),
    atomic_list_concat(Addends, ' + ', Sum),
    format(string(Text), ' = ~w', [Sum]).
argument(where(case), Text) =>
    Text = "the case".
argument(where(observation(Index)), Text) =>
    observation_text(Index, Text).
argument(where(about(Index)), Text) =>
    observation_text(Index, Observation),
    format(string(Text), '"about" of ~w', [Observation]).
argument(where(Index), Text), integer(Index) =>
    observation_text(Index, Text).
argument(where(Key), Text) =>
    format(string(Text), '"~w"', [Key]).
argument(Number, Text), number(Number) =>
    number_text(Number, Text).
argument(Word, Text), atomic(Word) =>
    Text = Word.
argument(Term, Text) =>
    format(string(Text), '~q', [Term]).

addend(Name=Number, Text) :-
    number_text(Number, Shown),
    name_text(Name, Named),
    format(string(Text), '~w (~w)', [Shown, Named]).

%   text(?Goal, -Parts) is nondet: Parts is Format-TypedArguments or a string.
text(facts:direction(A, B, Sector),
     "~w is the direction from ~w to ~w"-[part(planar, Sector), name(A), name(B)]).
text(facts:vertical(A, B, Level),
     "~w is the height of ~w as seen from ~w"-[part(vertical, Level), name(B), name(A)]).
text(facts:distance(A, B, Steps),
     "the distance from ~w to ~w is ~w"-[name(A), name(B), steps(Steps)]).
text(facts:claim(Holds, About), "~w to \"~w\""-[Holds, goal(claim:About)]).
text(facts:measure(size_px, Frame, Object, Value),
     "the box of ~w is ~w px high in ~w"-[name(Object), Value, name(Frame)]).
text(facts:measure(depth, Frame, Object, Value),
     "~w is ~w m away in ~w"-[name(Object), Value, name(Frame)]).
text(facts:measure(size, Frame, Object, Value),
     "~w is ~w m high in ~w"-[name(Object), Value, name(Frame)]).
text(facts:repeated(Fact), "in other words, ~w"-[goal(facts:Fact)]).
text(facts:Given, Text) :-
    given_text(Given, Text).
text(facts:tolerance(steps, Value), "a difference of ~w is allowed"-[steps(Value)]) :-
    Value =\= 0.
text(facts:tolerance(depth, Value), "~w is ~w~w"-[Name, Value, sum(Parts)]) :-
    facts:setting(depth, Value, Origin),
    (   Origin = given(Parts)
    ->  true
    ;   Parts = []
    ),
    (   ( semantics(paper) ; Origin == default, anchored )
    ->  Name = epsilon
    ;   Name = tau
    ).
text(facts:tolerance(size, Value), "delta is ~w"-[Value]).
text(claim:direction(A, B, Sector),
     "~w is the direction from ~w to ~w"-[part(planar, Sector), name(A), name(B)]).
text(claim:at_least(A, B, Steps),
     "the distance from ~w to ~w is ~w or more"-[name(A), name(B), steps(Steps)]).
text(claim:exactly(A, B, Steps),
     "the distance from ~w to ~w is exactly ~w"-[name(A), name(B), steps(Steps)]).

text(transitivity:violated(ends_elsewhere(Part, A, C, _, _, _, Answered)),
     "~w cannot be the direction from ~w to ~w"-[part(Part, Answered), name(A), name(C)]).
text(transitivity:satisfied(ends_well(Part, A, C, _, _, _, Answered)),
     "~w can be the direction from ~w to ~w"-[part(Part, Answered), name(A), name(C)]).
text(transitivity:inconclusive(free(Part, A, C, _, _)),
     "nothing follows for the ~w from ~w to ~w"-[What, name(A), name(C)]) :-
    part_name(Part, What).
text(transitivity:may_end(First, Second, Ends), Text) :-
    end_sentence(planar, First, Second, Ends, Text).
text(transitivity:may_rise(First, Second, Ends), Text) :-
    end_sentence(vertical, First, Second, Ends, Text).
text(transitivity:sign_sum(First, Second, Sum), Text) :-
    end_sentence(whole, First, Second, [Sum], Text).

text(symmetry:violated(not_opposite(Part, A, B, There, _, Back)),
     "~w from ~w to ~w and ~w back are not opposite"-
     [part(Part, There), name(A), name(B), part(Part, Back)]).
text(symmetry:satisfied(opposite_ways(Part, A, B, There, Back)),
     "~w from ~w to ~w and ~w back are opposite"-
     [part(Part, There), name(A), name(B), part(Part, Back)]).
text(symmetry:way_back(Part, There, Back), Text) :-
    back_sentence(Part, There, Back, Text).
text(symmetry:violated(uneven(A, B, There, Back, _)),
     "~w from ~w to ~w cannot be ~w back"-[steps(There), name(A), name(B), steps(Back)]).
text(symmetry:satisfied(even(A, B, There, Back, _)),
     "~w from ~w to ~w can be ~w back"-[steps(There), name(A), name(B), steps(Back)]).

text(contradiction:violated(claim_clashes(_, Holds, About)),
     "~w cannot be the answer to \"~w\""-[Holds, goal(claim:About)]).
text(contradiction:satisfied(claim_agrees(_, Holds, About)),
     "~w can be the answer to \"~w\""-[Holds, goal(claim:About)]).
text(contradiction:violated(answers_differ(Part, A, B, One, Other)),
     "~w and ~w cannot both be the ~w from ~w to ~w"-
     [part(Part, One), part(Part, Other), What, name(A), name(B)]) :-
    part_name(Part, What).
text(contradiction:satisfied(answers_agree(Part, A, B, Value)),
     "~w is the ~w from ~w to ~w both times"-[part(Part, Value), What, name(A), name(B)]) :-
    part_name(Part, What).

text(triangle:violated(cannot_close(side(A, B), _, Steps)),
     "the distance from ~w to ~w cannot be ~w"-[name(A), name(B), steps(Steps)]).
text(triangle:satisfied(closes(side(A, B), _, Steps)),
     "the distance from ~w to ~w can be ~w"-[name(A), name(B), steps(Steps)]).
text(triangle:violated(misses_sum(A, C, _, Answered)),
     "the distance from ~w to ~w cannot be ~w"-[name(A), name(C), steps(Answered)]).
text(triangle:satisfied(meets_sum(A, C, _, Answered)),
     "the distance from ~w to ~w can be ~w"-[name(A), name(C), steps(Answered)]).
text(triangle:span(_, _, _, _, Triangle), Text) :-
    close_sentence(Triangle, Text).
text(triangle:exact_end(_, _, _, _, Expected), Text) :-
    sum_sentence(Expected, Text).
text(triangle:paper_sum(_, _, _, Expected), Text) :-
    sum_sentence(Expected, Text).

text(size_depth:violated(drifts(Object, F1, F2, _, _)),
     "the boxes and the depths of ~w in ~w and ~w do not fit"-
     [name(Object), name(F1), name(F2)]).
text(size_depth:satisfied(keeps(Object, F1, F2, _, _)),
     "the boxes and the depths of ~w in ~w and ~w fit"-[name(Object), name(F1), name(F2)]).
text(size_depth:compared(_, _, _, _, Mismatch), Text) :-
    boxes_sentence(Mismatch, Text).
text(size_ratio:violated(drifts(O1, O2, _, _)),
     "the sizes of ~w and ~w do not keep their ratio"-[name(O1), name(O2)]).
text(size_ratio:satisfied(keeps(O1, O2, _, _)),
     "the sizes of ~w and ~w keep their ratio"-[name(O1), name(O2)]).
text(size_ratio:ratio(Frame, O1, O2, Ratio),
     "~w is ~w times as high as ~w in ~w"-[name(O1), Ratio, name(O2), name(Frame)]).
text(size_ratio:compared(_, _, Mismatch), Text) :-
    ratios_sentence(Mismatch, Text).
text(Module:Goal, Text) :-
    metaspace:text(Module:Goal, Text).

part_name(planar, direction).
part_name(whole, direction).
part_name(vertical, height).
part_name(length, distance).

end_sentence(Part, First, Second, Ends,
             "~w then ~w can only end ~w"-
             [part(Part, First), part(Part, Second), ends(Part, Ends)]).

back_sentence(Part, There, Back,
              "the way back from ~w is ~w"-[part(Part, There), part(Part, Back)]).

close_sentence(triangle(P, Q, LowDegrees, HighDegrees, Low, High),
               "~w (~w) then ~w (~w) ~w close to ~w .. ~w steps"-
               [ steps(P), rounded(P), steps(Q), rounded(Q), Turn, Low, High ]) :-
    turn_words(LowDegrees, HighDegrees, Turn).

turn_words(0, 180, "in any direction").
turn_words(0, 45, "straight on").
turn_words(0, 90, "turning 0 to 90 degrees").
turn_words(45, 135, "turning 45 to 135 degrees").
turn_words(90, 180, "turning 90 to 180 degrees").
turn_words(135, 180, "straight back").

sum_sentence(equal(Steps, rounded(Length), P, Q),
             "~w then ~w along these bearings end ~w steps away, rounded ~w"-
             [steps(P), steps(Q), Length, steps(Steps)]).
sum_sentence(equal(Steps, same, P, Q),
             "~w then ~w in one direction are ~w"-[steps(P), steps(Q), steps(Steps)]).
sum_sentence(equal(Steps, opposite, P, Q),
             "~w then ~w back are ~w"-[steps(P), steps(Q), steps(Steps)]).
sum_sentence(less_than(Sum, P, Q),
             "~w then ~w end less than ~w away"-[steps(P), steps(Q), steps(Sum)]).

boxes_sentence(Mismatch,
               "by its boxes the second depth is ~w times the first, answered was ~w times: ~w"-
               [Sizes, Depths, off(Off)]) :-
    mismatch_parts(Mismatch, Sizes, Depths, Off).

ratios_sentence(Mismatch, "the ratios are ~w and ~w: ~w"-[Ratio1, Ratio2, off(Off)]) :-
    mismatch_parts(Mismatch, Ratio1, Ratio2, Off).

mismatch_parts(factor(Excess, One, Other), One, Other, factor(Excess)).
mismatch_parts(gap(Gap, One, Other), One, Other, gap(Gap)).

%!  because_text(+Because, :Goal, -Text) is det.
because_text(observation(Index), _, Text) =>
    observation_text(Index, Text).
because_text(setting(default), _, Text) =>
    Text = "the default".
because_text(setting(given(_)), _, Text) =>
    Text = "given with the case".
because_text(rule, _:Goal, Text), verdict_goal(Goal) =>
    facts:case_relation(Relation),
    semantics(Semantics),
    format(string(Text), '~w, read as ~w', [Relation, Semantics]).
because_text(rule, Goal, Text) =>
    (   reason(Goal, Text0)
    ->  Text = Text0
    ;   Text = "rule"
    ).

%!  verdict_goal(?Goal) is nondet.
verdict_goal(violated(_)).
verdict_goal(satisfied(_)).
verdict_goal(inconclusive(_)).

reason(transitivity:may_end(none, none, _), "exact legs that do not move lead nowhere").
reason(transitivity:may_end(First, Second, _), Reason) :-
    (   exact_legs
    ->  Reason = "exact legs end between their bearings"
    ;   memberchk(none, [First, Second])
    ->  Reason = "a leg of no length turns the other by two sectors at most"
    ;   Reason = "two directions end on the shorter arc between them"
    ).
reason(transitivity:may_rise(_, _, _), "two heights add up").
reason(transitivity:sign_sum(_, _, _), "the signs of the two directions add up").
reason(symmetry:way_back(_, _, _), "the way back is opposite").
reason(triangle:span(_, _, _, _, _), "the third side of a triangle").
reason(triangle:exact_end(_, _, _, _, _), "exact legs").
reason(triangle:paper_sum(same, _, _, _), "same direction").
reason(triangle:paper_sum(opposite, _, _, _), "opposite directions").
reason(triangle:paper_sum(other, _, _, _), "different directions").
reason(size_depth:compared(_, _, _, _, _), "twice as near is twice as high").
reason(size_ratio:ratio(_, _, _, _), "the quotient of the answered sizes").
reason(size_ratio:compared(_, _, _), "sizes do not change with the view").

%!  source_text(+Source, -Text) is det.
%
%   Our own files are told relative to the folder of the engine, others by their name.
source_text(observation(Index), Text) =>
    observation_text(Index, Text).
source_text(case, Text) =>
    Text = "the case".
source_text(setting(Name), Text) =>
    format(string(Text), 'tolerance.~w', [Name]).
source_text(place(File, Line), Text) =>
    once(file_search_path(metaspace, Folder)),
    (   atom_concat(Folder, Inner, File),
        atom_concat('/', Short, Inner)
    ->  true
    ;   file_base_name(File, Short)
    ),
    format(string(Text), '~w:~d', [Short, Line]).
source_text(unknown, Text) =>
    Text = "unknown".

%!  summary_text(+Verdict, :Goal, -Text) is det.
%
%   One sentence. Logic does not tell which of several answers is wrong, so neither does it.
summary_text(violated, Goal, Text) =>
    told(Goal, Told),
    judged_text(violated, Judged),
    format(string(Text), '~w: ~w.', [Judged, Told]).
summary_text(satisfied, Goal, Text) =>
    goal_text(Goal, Told),
    judged_text(satisfied, Judged),
    format(string(Text), '~w: ~w.', [Judged, Told]).
summary_text(inconclusive, Goal, Text) =>
    told(Goal, Told),
    format(string(Text), 'The relation says nothing about these answers: ~w.', [Told]).

told(Goal, Text) :-
    (   clash(Goal, Parts)
    ->  said(Parts, Text)
    ;   goal_text(Goal, Text)
    ).

clash(transitivity:violated(ends_elsewhere(Part, _, _, First, Second, Ends, Answered)),
      "~w, but ~w was answered"-[parts(Sentence), part(Part, Answered)]) :-
    end_sentence(Part, First, Second, Ends, Sentence).
clash(transitivity:inconclusive(free(Part, _, _, First, Second)),
      "after ~w then ~w any direction may follow"-[part(Part, First), part(Part, Second)]).
clash(symmetry:violated(not_opposite(Part, _, _, There, Expected, Back)),
      "~w, but ~w was answered"-[parts(Sentence), part(Part, Back)]) :-
    back_sentence(Part, There, Expected, Sentence).
clash(symmetry:violated(uneven(_, _, There, Back, Tolerance)), Parts) :-
    (   Tolerance =:= 0
    ->  Parts = "the way there is ~w, but ~w back was answered"-[steps(There), steps(Back)]
    ;   Parts = "the way there is ~w, but ~w back was answered, and a difference of ~w is allowed"-
                [steps(There), steps(Back), steps(Tolerance)]
    ).
clash(contradiction:violated(claim_clashes(Open, Holds, About)),
      "asked openly, ~w; but ~w was answered to \"~w\""-
      [goal(facts:Open), Holds, goal(claim:About)]).
clash(contradiction:violated(answers_differ(Part, _, _, One, Other)),
      "asked first, ~w was answered; but asked again, ~w"-[part(Part, One), part(Part, Other)]).
clash(triangle:violated(cannot_close(_, Triangle, Steps)),
      "~w; answered ~w (~w)"-[parts(Sentence), Steps, rounded(Steps)]) :-
    close_sentence(Triangle, Sentence).
clash(triangle:violated(misses_sum(_, _, Expected, Answered)),
      "~w; answered ~w"-[parts(Sentence), Answered]) :-
    sum_sentence(Expected, Sentence).
clash(size_depth:violated(drifts(_, _, _, Mismatch, Tolerance)), Parts) :-
    boxes_sentence(Mismatch, Sentence),
    limit_words(tau, Mismatch, Tolerance, Sentence, Parts).
clash(size_ratio:violated(drifts(_, _, Mismatch, Tolerance)), Parts) :-
    ratios_sentence(Mismatch, Sentence),
    limit_words(delta, Mismatch, Tolerance, Sentence, Parts).

limit_words(Name, factor(_, _, _), Limit, Sentence,
            "~w, and ~w allows ~w"-[parts(Sentence), Name, Limit]).
limit_words(_, gap(_, _, _), Limit, Sentence,
            "~w, and less than ~w is allowed"-[parts(Sentence), Limit]).
