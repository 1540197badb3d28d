/** <module> A1 projection

What a level camera sees left of where it looks lies left of what it sees right of there. Anchored:
the boxes and the principal point were measured.
*/
:- module(projection,
          [ violated/1,         % -Why
            satisfied/1,        % -Why
            inconclusive/1,     % -Why
            lacks/1             % -Observation
          ]).
:- use_module(library(lists)).
:- use_module(metaspace(facts)).
:- use_module(metaspace(spatial)).

:- multifile metaspace:law/3.

metaspace:law('A1', projection, [subjects(2), anchored]).

%!  lacks(-Observation) is nondet.
lacks(frame_columns(Object)) :-
    subjects(A, B),
    member(Object, [A, B]),
    \+ frame_columns(_, Object, _, _).
lacks(principal_column(Frame)) :-
    subjects(A, _),
    frame_columns(Frame, A, _, _),
    \+ principal_column(Frame, _).
lacks(direction(A, B)) :-
    subjects(A, B),
    \+ direction(A, B, _).

%!  violated(-Why) is nondet.
violated(crosses(A, B, Sector, Side)) :-
    parted(A, B, Side),
    direction(A, B, Sector),
    leads(Sector, Other),
    Other \== Side.

%!  satisfied(-Why) is nondet.
%
%   Whatever is not violated: to neither side, too.
satisfied(keeps_to(A, B, Sector, Side)) :-
    parted(A, B, Side),
    direction(A, B, Sector).

%!  inconclusive(-Why) is semidet.
%
%   On one side of the principal point depth can reverse the order.
inconclusive(not_parted(A, B)) :-
    subjects(A, B).

%   parted(-A, -B, -Side) is nondet: seen by one camera, B lies on Side of A.
parted(A, B, Side) :-
    subjects(A, B),
    seen(Frame, A, SideA),
    seen(Frame, B, Side),
    SideA \== Side.

%   seen(-Frame, +Object, -Side) is nondet: on which side of where the camera looks.
seen(Frame, Object, left) :-
    frame_columns(Frame, Object, _, Right),
    principal_column(Frame, Column),
    Right =< Column.
seen(Frame, Object, right) :-
    frame_columns(Frame, Object, Left, _),
    principal_column(Frame, Column),
    Left >= Column.

%   leads(+Sector, -Side) is semidet: fails where it leads to neither.
leads(Sector, Side) :-
    signs(Sector, _, Sign),
    side(Sign, Side).

side(-1, left).
side(1, right).
