/** <module> Reading a file of laws

Within limits, so that no file ends an engine: reading and compiling recur in C with the nesting of
a term, and WebAssembly has the least room for that (it was seen to end between 500 and 1,000
brackets, and between 2,000 and 3,000 goals).
*/
:- module(law_text,
          [ law_terms/3            % +File, -Terms, -Refusals
          ]).

:- det(law_terms/3).

most(bytes, 1_000_000).
most(brackets, 200).
most(goals, 1_000).

%!  law_terms(+File, -Terms, -Refusals) is det.
%
%   Terms are Term-Line. Refusals are place(File, Line)-Reason for what is not among them; Reason
%   is unread(Error), more_than(What, Most), or `ends` where a term ends the file before its end.
law_terms(File, Terms, Refusals) :-
    size_file(File, Bytes),
    most(bytes, Most),
    (   Bytes > Most
    ->  Terms = [],
        Refusals = [place(File, 1)-more_than(bytes, Most)]
    ;   setup_call_cleanup(
            open(File, read, In, [encoding(utf8)]),
            read_terms(In, File, Terms, Refusals),
            close(In))
    ).

read_terms(In, File, Terms, Refusals) :-
    most(brackets, Most),
    stream_property(In, position(Start)),
    (   deep_line(In, 0, Most, Line)
    ->  Terms = [],
        Refusals = [place(File, Line)-more_than(brackets, Most)]
    ;   set_stream_position(In, Start),
        stream_terms(In, File, Terms, Refusals)
    ).

%   deep_line(+In, +Depth, +Most, -Line) is semidet: more than Most brackets are open in Line.
%   Those in comments and quotes count too: they come in pairs, or are few.
deep_line(In, Depth, Most, Line) :-
    get_char(In, Char),
    Char \== end_of_file,
    step(Char, Depth, Depth1),
    (   Depth1 > Most
    ->  line_count(In, Line)
    ;   deep_line(In, Depth1, Most, Line)
    ).

step(Char, Depth0, Depth), memberchk(Char, ['(', '[', '{']) =>
    Depth is Depth0 + 1.
step(Char, Depth0, Depth), memberchk(Char, [')', ']', '}']) =>
    Depth is max(0, Depth0 - 1).
step(_, Depth0, Depth) =>
    Depth = Depth0.

stream_terms(In, File, Terms, Refusals) :-
    skip_blanks(In),
    line_count(In, Before),
    catch(read_term(In, Term, [module(metaspace_data), term_position(Position)]), Error, true),
    (   nonvar(Error)
    ->  error_line(Error, Before, Line),
        Refusals = [place(File, Line)-unread(Error)|Refusals1],
        stream_terms(In, File, Terms, Refusals1)
    ;   stream_position_data(line_count, Position, Line),
        read_on(Term, In, place(File, Line), Terms, Refusals)
    ).

skip_blanks(In) :-
    peek_char(In, Char),
    (   char_type(Char, space)
    ->  get_char(In, _),
        skip_blanks(In)
    ;   true
    ).

error_line(error(_, file(_, Line0, _, _)), _, Line) =>
    Line = Line0.
error_line(_, Before, Line) =>
    Line = Before.

read_on(end_of_file, In, Place, Terms, Refusals) =>
    Terms = [],
    skip_blanks(In),
    (   at_end_of_stream(In)
    ->  Refusals = []
    ;   Refusals = [Place-ends]
    ).
read_on(Term, In, place(File, Line), Terms, Refusals) =>
    most(goals, Most),
    (   deeper(Term, Most)
    ->  Terms = Terms1,
        Refusals = [place(File, Line)-more_than(goals, Most)|Refusals1]
    ;   Terms = [Term-Line|Terms1],
        Refusals = Refusals1
    ),
    stream_terms(In, File, Terms1, Refusals1).

%   deeper(+Term, +Most) is semidet: Term is nested more than Most times; a body is nested once
%   for each of its goals, a list not for its elements.
deeper(Term, 0) =>
    compound(Term).
deeper([Element|List], Most) =>
    (   deeper(Element, Most)
    ->  true
    ;   deeper(List, Most)
    ).
deeper(Term, Most), compound(Term) =>
    Less is Most - 1,
    arg(_, Term, Argument),
    deeper(Argument, Less),
    !.
deeper(_, _) =>
    fail.
