/** <module> From a case as data to facts

Data is JSON as terms: j([Key=Value, ...]) for an object, a list, an atom for a string, a
number, b(true), b(false), b(null); number(What) for a number that is none; odd(What) for what
JSON does not have. The pipeline also sends unreadable(Reason) or missing(Reason) as a value.

A wrong structure throws wrong(Reason); a value that is not allowed is kept as bad(Key) and told.
*/
:- module(cases,
          [ checked_case/4,        % +Data, +Options, -Case, -Problems
            observation_kind/1     % ?Kind
          ]).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(metaspace(metaspace)).
:- use_module(metaspace(agreement)).
:- use_module(metaspace(constructed)).
:- use_module(metaspace(fields)).
:- use_module(metaspace(spatial)).

:- det(checked_case/4).

%!  checked_case(+Data, +Options, -Case, -Problems) is det.
%
%   Case is case(Relation, Semantics, Subjects, Objects, Settings, Observations, Vertical) as
%   module facts reads it. Problems lists, in order, invalid(Index, Reason) for each value that
%   is not allowed; Index is `case` where no single observation is to blame.
%
%   @throws wrong(Reason) if the structure is wrong.
checked_case(Data, options(Epsilon, Delta), Case, Problems) :-
    object_pairs(Data, case, Pairs),
    need_string(Pairs, case, _),
    need_string(Pairs, relation, Relation),
    known_relation(Relation, Shape),
    choice(Pairs, semantics, sound, [sound, paper], Semantics),
    choice(Pairs, distance_metric, spatial, [spatial, planar], Metric),
    boolean(Pairs, exact, Exact),
    shape_subjects(Shape, Pairs, Subjects),
    shape_objects(Shape, Pairs, Objects),
    tolerances(Semantics, Pairs, Epsilon, Delta, Tolerances),
    need(Pairs, observations, List),
    (   is_list(List)
    ->  true
    ;   throw(wrong(not_a_list(observations)))
    ),
    read_observations(List, 0, Observations, Vocabularies, Problems0),
    (   memberchk(repeats, Shape)
    ->  true
    ;   no_disagreement(Observations)
    ),
    one_vocabulary(Vocabularies, Vocabulary, Problems0, Problems),
    wording(Vocabulary, Pairs, Words),
    vertical_judged(Observations, Vertical),
    Case = case(Relation, Semantics, Subjects, Objects,
                settings(Exact, Metric, Tolerances, Words), Observations, Vertical).

known_relation(Relation, Shape) :-
    (   metaspace:law(Relation, _, Found)
    ->  Shape = Found
    ;   findall(Known, metaspace:law(Known, _, _), Unsorted),
        sort(Unsorted, All),
        throw(wrong(not_one_of(relation, Relation, All)))
    ).

shape_subjects(Shape, Pairs, Subjects) :-
    need(Pairs, subjects, Subjects),
    (   memberchk(subjects(Count), Shape)
    ->  true
    ;   Count = any
    ),
    names(subjects, Count, Subjects).

shape_objects(Shape, Pairs, Objects) :-
    (   memberchk(object, Shape)
    ->  need_string(Pairs, object, Object),
        Objects = [Object]
    ;   memberchk(objects(Count), Shape)
    ->  need(Pairs, objects, Objects),
        names(objects, Count, Objects)
    ;   Objects = []
    ).

%   names(+Key, +Count, +Names) is det: a list of Count distinct strings.
names(Key, Count, Names) :-
    (   is_list(Names),
        maplist(atom, Names),
        length(Names, Length),
        enough(Count, Length)
    ->  (   sort(Names, Distinct),
            length(Distinct, Length)
        ->  true
        ;   throw(wrong(not_distinct(Key)))
        )
    ;   throw(wrong(not_names(Key, Count)))
    ).

enough(any, _).
enough(at_least(Least), Length) :-
    Length >= Least.
enough(Count, Length) :-
    Count == Length.

choice(Pairs, Key, Default, Allowed, Value) :-
    (   memberchk(Key=Given, Pairs)
    ->  (   atom(Given),
            memberchk(Given, Allowed)
        ->  Value = Given
        ;   throw(wrong(not_one_of(Key, Given, Allowed)))
        )
    ;   Value = Default
    ).

boolean(Pairs, Key, Value) :-
    (   memberchk(Key=Given, Pairs)
    ->  (   Given = b(Value),
            Value \== null
        ->  true
        ;   throw(wrong(not_one_of(Key, Given, [true, false])))
        )
    ;   Value = false
    ).

%   tolerances(+Semantics, +Pairs, +Epsilon, +Delta, -Tolerances) is det: `paper` ignores the
%   whole key.
tolerances(Semantics, Pairs, Epsilon, Delta, Tolerances) :-
    (   Semantics == sound,
        memberchk(tolerance=Given, Pairs)
    ->  object_pairs(Given, tolerance, Parts),
        maplist(tolerance(Parts), [steps-0, depth-Epsilon, size-Delta], Tolerances)
    ;   Tolerances = [ tolerance(steps, 0, default),
                       tolerance(depth, Epsilon, default),
                       tolerance(size, Delta, default) ]
    ).

tolerance(Parts, Name-Default, tolerance(Name, Value, Origin)) :-
    (   memberchk(Name=Given, Parts)
    ->  (   finite_number(Given),
            Given >= 0
        ->  Value = Given
        ;   throw(wrong(bad_tolerance(Name, Given)))
        ),
        (   Name == depth,
            memberchk(depth_parts=j(Told), Parts),
            forall(member(_=Number, Told), finite_number(Number))
        ->  Origin = given(Told)
        ;   Origin = given([])
        )
    ;   Value = Default,
        Origin = default
    ).

%   read_observations(+List, +Index, -Observations, -Vocabularies, -Problems) is det.
read_observations([], _, [], [], []).
read_observations([Data|List], Index, [obs(Index, Observation)|Observations],
                  Vocabularies, Problems) :-
    object_pairs(Data, observation(Index), Pairs),
    answered(Pairs, Index),
    need_string(Pairs, kind, Index, Kind),
    read_observation(Kind, Pairs, Index, Observation,
                     Vocabularies, Vocabularies1, Problems, Problems1),
    Next is Index + 1,
    read_observations(List, Next, Observations, Vocabularies1, Problems1).

answered(Pairs, Index) :-
    (   memberchk(_=missing(Reason), Pairs)
    ->  throw(wrong(missing(Index, Reason)))
    ;   true
    ).

read_observation(direction, Pairs, Index, Observation, Vs0, Vs, Ps0, Ps) =>
    Observation = direction(From, To, Sector, Level),
    ends(Pairs, Index, From, To),
    sector_value(Pairs, Index, Sector, Vs0, Vs, Ps0, Ps1),
    (   memberchk(vertical=Value, Pairs)
    ->  allowed(level_label, Value, Index, vertical, Level, Ps1, Ps)
    ;   Level = absent,
        Ps1 = Ps
    ).
read_observation(distance, Pairs, Index, Observation, Vs0, Vs, Ps0, Ps) =>
    Observation = distance(From, To, Steps),
    Vs0 = Vs,
    ends(Pairs, Index, From, To),
    need(Pairs, steps, Index, Value),
    allowed(whole, Value, Index, steps, Steps, Ps0, Ps).
read_observation(claim, Pairs, Index, Observation, Vs0, Vs, Ps0, Ps) =>
    Observation = claim(Holds, Claimed),
    need(Pairs, holds, Index, Value),
    allowed(yes_or_no, Value, Index, holds, Holds, Ps0, Ps1),
    need(Pairs, about, Index, About),
    object_pairs(About, about(Index), AboutPairs),
    answered(AboutPairs, Index),
    need_string(AboutPairs, kind, Index, Kind),
    read_claim(Kind, AboutPairs, Index, Claimed, Vs0, Vs, Ps1, Ps).
read_observation(Kind, Pairs, Index, Observation, Vs0, Vs, Ps0, Ps),
    memberchk(Kind, [size_px, depth, size]) =>
    Vs0 = Vs,
    Observation = measure(Kind, Frame, Object, Measured),
    need_string(Pairs, frame, Index, Frame),
    need_string(Pairs, object, Index, Object),
    need(Pairs, value, Index, Value),
    allowed(positive, Value, Index, Kind, Measured, Ps0, Ps).
read_observation(true, Pairs, Index, Observation, Vs0, Vs, Ps0, Ps) =>
    need(Pairs, about, Index, About),
    object_pairs(About, about(Index), AboutPairs),
    need_string(AboutPairs, kind, Index, Kind),
    Answers = [direction, distance, size, depth, choice],
    (   memberchk(Kind, Answers)
    ->  Observation = true(Answer),
        read_observation(Kind, AboutPairs, Index, Answer, Vs0, Vs, Ps0, Ps)
    ;   throw(wrong(unknown_kind(Index, Kind, Answers)))
    ).
read_observation(columns, Pairs, Index, Observation, Vs0, Vs, Ps0, Ps) =>
    Vs0 = Vs,
    Observation = columns(Frame, Object, Left, Right),
    need_string(Pairs, frame, Index, Frame),
    need_string(Pairs, object, Index, Object),
    needed(span, Pairs, Index, left, Left, Ps0, Ps1),
    needed(span, Pairs, Index, right, Right, Ps1, Ps).
read_observation(principal_column, Pairs, Index, Observation, Vs0, Vs, Ps0, Ps) =>
    Vs0 = Vs,
    Observation = principal_column(Frame, Column),
    need_string(Pairs, frame, Index, Frame),
    needed(span, Pairs, Index, column, Column, Ps0, Ps).
read_observation(action, Pairs, Index, Observation, Vs0, Vs, Ps0, Ps) =>
    Vs0 = Vs,
    Observation = action(From, To, Forward, Right, Up, Turn),
    ends(Pairs, Index, From, To),
    needed(span, Pairs, Index, forward, Forward, Ps0, Ps1),
    needed(span, Pairs, Index, right, Right, Ps1, Ps2),
    needed(span, Pairs, Index, up, Up, Ps2, Ps3),
    needed(span, Pairs, Index, turn, Turn, Ps3, Ps).
read_observation(heading, Pairs, Index, Observation, Vs0, Vs, Ps0, Ps) =>
    Vs0 = Vs,
    Ps0 = Ps,
    Observation = heading(State),
    need_string(Pairs, at, Index, State).
read_observation(step_length, Pairs, Index, Observation, Vs0, Vs, Ps0, Ps) =>
    Vs0 = Vs,
    Observation = step_length(Metres),
    needed(step, Pairs, Index, metres, Metres, Ps0, Ps).
read_observation(Kind, Pairs, Index, Observation, Vs0, Vs, Ps0, Ps), constructed(Kind, Fields, _) =>
    Vs0 = Vs,
    constructed_values(Fields, Pairs, Index, Values, Ps0, Ps),
    Observation =.. [Kind|Values].
read_observation(Kind, _, Index, _, _, _, _, _) =>
    findall(Known, observation_kind(Known), All),
    throw(wrong(unknown_kind(Index, Kind, All))).

%!  observation_kind(?Kind) is nondet.
%
%   First what is answered, then what is measured or recorded and given with a case.
observation_kind(direction).
observation_kind(distance).
observation_kind(claim).
observation_kind(size_px).
observation_kind(depth).
observation_kind(size).
observation_kind(choice).
observation_kind(columns).
observation_kind(principal_column).
observation_kind(action).
observation_kind(heading).
observation_kind(step_length).
observation_kind(becomes).
observation_kind(if_answer).
observation_kind(if_counts).
observation_kind(then_answer).
observation_kind(side).
observation_kind(asks_about).
observation_kind(true).

read_claim(direction, Pairs, Index, Claimed, Vs0, Vs, Ps0, Ps) =>
    Claimed = direction(From, To, Sector),
    ends(Pairs, Index, From, To),
    sector_value(Pairs, Index, Sector, Vs0, Vs, Ps0, Ps).
read_claim(distance, Pairs, Index, Claimed, Vs0, Vs, Ps0, Ps) =>
    Vs0 = Vs,
    ends(Pairs, Index, From, To),
    (   memberchk(at_least=_, Pairs),
        memberchk(exactly=_, Pairs)
    ->  throw(wrong(both_claimed(Index)))
    ;   memberchk(at_least=Value, Pairs)
    ->  Claimed = at_least(From, To, Steps),
        allowed(whole, Value, Index, at_least, Steps, Ps0, Ps)
    ;   memberchk(exactly=Value, Pairs)
    ->  Claimed = exactly(From, To, Steps),
        allowed(whole, Value, Index, exactly, Steps, Ps0, Ps)
    ;   throw(wrong(nothing_claimed(Index)))
    ).
read_claim(Kind, _, Index, _, _, _, _, _) =>
    throw(wrong(unknown_kind(Index, Kind, [direction, distance]))).

%   one_vocabulary(+Vocabularies, -Vocabulary, +Problems0, -Problems) is det.
one_vocabulary(Used, Vocabulary, Problems0, Problems) :-
    sort(Used, Sorted),
    (   memberchk(compass, Sorted),
        memberchk(heading, Sorted)
    ->  Vocabulary = heading,
        append(Problems0, [invalid(case, two_vocabularies)], Problems)
    ;   Problems = Problems0,
        (   memberchk(compass, Sorted)
        ->  Vocabulary = compass
        ;   Vocabulary = heading
        )
    ).

%   wording(+Vocabulary, +Pairs, -Words) is det: only for show, so nothing is refused.
wording(compass, _, Words) =>
    Words = compass.
wording(heading, Pairs, Words) =>
    (   memberchk(wording=Given, Pairs),
        memberchk(Given, [forward, farther, watched])
    ->  Words = Given
    ;   Words = front
    ).

vertical_judged(Observations, Judged) :-
    (   member(obs(_, direction(_, _, _, absent)), Observations)
    ->  Judged = false
    ;   Judged = true
    ).
