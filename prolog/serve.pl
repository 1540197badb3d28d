/** <module> A bare swipl as host

    swipl -f none --no-packs serve.pl -- ParentPid RequestFd ReplyFd LifeFd

Frames are a decimal count of bytes (in requests, a count of characters as well), a newline, and
so many bytes of UTF-8.
*/
:- module(serve, [ serve/0 ]).
:- use_module(engine).
:- use_module(library(lists)).
:- use_module(library(process), []).

:- initialization(serve, main).

%!  serve is det.
%
%   Answers frames until the requests end.
serve :-
    current_prolog_flag(argv, Argv),
    append(_, [Parent, Request, Reply, Life], Argv),
    !,
    open_fd(Life, read, octet, Alive),
    atom_concat('/proc/', Parent, Folder),
    thread_create(watch(Alive, Folder), _, [detached(true)]),
    open_fd(Request, read, utf8, In),
    open_fd(Reply, write, utf8, Out),
    answer_frames(In, Out).

open_fd(Number, Mode, Encoding, Stream) :-
    atom_concat('/dev/fd/', Number, Path),
    open(Path, Mode, Stream, [encoding(Encoding), newline(posix), bom(false)]).

%   answer_frames(+In, +Out) is det.
answer_frames(In, Out) :-
    (   \+ \+ answer_frame(In, Out)
    ->  give_back,
        answer_frames(In, Out)
    ;   true
    ).

%   answer_frame(+In, +Out) is semidet: fails when the requests have ended.
answer_frame(In, Out) :-
    read_line_to_string(In, Head),
    Head \== end_of_file,
    !,
    answered_frame(Head, In, Out).

:- det(answered_frame/3).
answered_frame(Head, In, Out) :-
    split_string(Head, " ", "", [_, Count]),
    number_string(Length, Count),
    read_string(In, Length, Text),
    string_length(Text, Length),
    check_chunk(Text, Answer),
    utf8_length(Answer, Size),
    format(Out, '~d~n~s', [Size, Answer]),
    flush_output(Out).

utf8_length(Text, Size) :-
    setup_call_cleanup(
        open_null_stream(Sink),
        ( set_stream(Sink, encoding(utf8)),
          write(Sink, Text),
          byte_count(Sink, Size) ),
        close(Sink)).

%   watch(+Alive, +Folder) never returns: ends this process when its parent is gone, even from
%   the middle of an endless case. The pipe Alive ends with the last process that holds it, which
%   may be a forgotten fork of the parent; where there is /proc, Folder tells about the parent.
watch(Alive, Folder) :-
    wait_for_input([Alive], Ended, 1),
    (   Ended == [],
        \+ ( exists_directory('/proc/self'), \+ exists_directory(Folder) )
    ->  watch(Alive, Folder)
    ;   current_prolog_flag(pid, Self),
        process:process_kill(Self, kill)
    ).
