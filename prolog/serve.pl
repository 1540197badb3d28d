/** <module> A bare swipl as host

    swipl -f none --no-packs serve.pl -- ParentPid RequestFd ReplyFd

Frames are a decimal count of bytes, a newline, and so many bytes: ASCII in, UTF-8 out.
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
    append(_, [Parent, Request, Reply], Argv),
    !,
    atom_number(Parent, Pid),
    thread_create(watch(Pid), _, [detached(true)]),
    open_fd(Request, read, octet, In),
    open_fd(Reply, write, utf8, Out),
    answer_frames(In, Out).

open_fd(Number, Mode, Encoding, Stream) :-
    atom_concat('/dev/fd/', Number, Path),
    open(Path, Mode, Stream, [encoding(Encoding), newline(posix), bom(false)]).

answer_frames(In, Out) :-
    read_line_to_string(In, Head),
    (   Head == end_of_file
    ->  true
    ;   number_string(Length, Head),
        read_string(In, Length, Text),
        string_length(Text, Length),
        check_chunk(Text, Answer),
        utf8_length(Answer, Size),
        format(Out, '~d~n~s', [Size, Answer]),
        flush_output(Out),
        answer_frames(In, Out)
    ).

utf8_length(Text, Size) :-
    setup_call_cleanup(
        open_null_stream(Sink),
        ( set_stream(Sink, encoding(utf8)),
          write(Sink, Text),
          byte_count(Sink, Size) ),
        close(Sink)).

%   watch(+Parent) never returns: ends this process when its parent is gone, even from the
%   middle of an endless case.
watch(Parent) :-
    sleep(1),
    (   catch(process:process_kill(Parent, 0), _, fail)
    ->  watch(Parent)
    ;   current_prolog_flag(pid, Self),
        process:process_kill(Self, 9)
    ).
