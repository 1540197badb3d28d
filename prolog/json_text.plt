:- begin_tests(json_text).
:- use_module(metaspace(json_text)).

written(Value, Text) :-
    with_output_to(string(Text), ( current_output(Out), write_json(Out, Value) )).

test(nested, Text == "{\"a\":[1,\"b\",true,null],\"c\":{}}") :-
    written(o([a-l([n(1), s(b), true, null]), c-o([])]), Text).
test(quote_and_backslash, Text == "\"a\\\"b\\\\c\"") :-
    written(s("a\"b\\c"), Text).
test(controls, Text == "\"a\\u000ab\\u0000\\u001f\\u007f\"") :-
    string_codes(String, [0'a, 10, 0'b, 0, 31, 127]),
    written(s(String), Text).
test(a_space_is_no_control, Text == "\"\\u0009 ~\"") :-
    written(s("\t ~"), Text).
test(a_zero_at_either_end, [Text1, Text2] == ["\"\\u0000a\"", "\"a\\u0000\""]) :-
    string_codes(String1, [0, 0'a]),
    string_codes(String2, [0'a, 0]),
    written(s(String1), Text1),
    written(s(String2), Text2).
test(beyond_ascii_as_it_is, Codes == [0'", 0xe9, 0x1f600, 0'"]) :-
    string_codes(String, [0xe9, 0x1f600]),
    written(s(String), Text),
    string_codes(Text, Codes).
test(unknown_value, error(_)) :-
    written(what, _).
test(free_of_everything) :-
    free_of("plain", "\n\"").
test(not_free, fail) :-
    free_of("not \"plain\"", "\n\"").

:- end_tests(json_text).
