/** <module> Whether observations agree

Two different values for one thing are an error of the case; the same one twice is not, and a value
that is not allowed disagrees with nothing.
*/
:- module(agreement,
          [ no_disagreement/1      % +Observations
          ]).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(pairs)).
:- use_module(metaspace(constructed)).
:- use_module(metaspace(spatial)).

:- det(no_disagreement/1).

%!  no_disagreement(+Observations) is det.
%
%   Observations are as case/7 of module cases has them.
%
%   @throws wrong(disagreement(Index1, Index2)) if two are about one thing and differ.
no_disagreement(Observations) :-
    maplist(thing, Observations, Things),
    pairs_keys(Things, Keys),
    sort(Keys, Distinct),
    (   same_length(Keys, Distinct)
    ->  true
    ;   keysort(Things, Sorted),
        group_pairs_by_key(Sorted, Groups),
        forall(member(_-Values, Groups), agreeing(Values))
    ).

thing(obs(Index, direction(From, To, Sector, Level)), Thing) =>
    Thing = direction(From, To)-(Index:place(Sector, Level)).
thing(obs(Index, distance(From, To, Steps)), Thing) =>
    Thing = distance(From, To)-(Index:Steps).
thing(obs(Index, claim(Holds, About)), Thing) =>
    Thing = claim(About)-(Index:Holds).
thing(obs(Index, measure(Kind, Frame, Object, Value)), Thing) =>
    Thing = measure(Kind, Frame, Object)-(Index:Value).
thing(obs(Index, true(Answer)), Thing) =>
    thing(obs(Index, Answer), What-Value),
    Thing = true(What)-Value.
thing(obs(Index, columns(Frame, Object, Left, Right)), Thing) =>
    Thing = columns(Frame, Object)-(Index:all([Left, Right])).
thing(obs(Index, principal_column(Frame, Column)), Thing) =>
    Thing = principal_column(Frame)-(Index:Column).
thing(obs(Index, action(From, To, Forward, Right, Up, Turn)), Thing) =>
    Thing = action(From)-(Index:all([To, Forward, Right, Up, Turn])).
thing(obs(Index, heading(State)), Thing) =>
    Thing = heading-(Index:State).
thing(obs(Index, step_length(Metres)), Thing) =>
    Thing = step_length-(Index:Metres).
thing(obs(Index, Observation), Thing) =>
    constructed_thing(Observation, What, Values),
    Thing = What-(Index:all(Values)).

agreeing(Values) :-
    (   append(_, [Index1:One|Rest], Values),
        member(Index2:Other, Rest),
        disagree(One, Other)
    ->  throw(wrong(disagreement(Index1, Index2)))
    ;   true
    ).

disagree(place(Sector1, Level1), place(Sector2, Level2)) :-
    (   differ(Sector1, Sector2)
    ;   Level1 \== absent,
        Level2 \== absent,
        differ(Level1, Level2)
    ).
disagree(all([One|Ones]), all([Other|Others])) :-
    (   differ(One, Other)
    ;   disagree(all(Ones), all(Others))
    ).
disagree(One, Other) :-
    atomic(One),
    atomic(Other),
    differ(One, Other).

differ(One, Other) :-
    One \= bad(_),
    Other \= bad(_),
    (   number(One),
        number(Other)
    ->  exceeds(abs(One - Other), 0)
    ;   One \== Other
    ).
