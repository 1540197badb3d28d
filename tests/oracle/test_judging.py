"""`metaspace judge`: lines in, lines out."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from typing import Any

import pytest

from pytest_metaspace.oracle.checker import Checker, Unproved
from pytest_metaspace.oracle.judging import judge_lines
from tests.oracle.engines import ENGINES, needs_native

PROGRAM = """
import sys
from pytest_metaspace.oracle.judging import judge_lines
sys.exit(judge_lines(sys.stdin.buffer, sys.stdout.buffer))
"""


def case(name: object, back: str = "right") -> dict[str, Any]:
    entries = [
        {"kind": "direction", "from": "a", "to": "b", "planar": "left"},
        {"kind": "direction", "from": "b", "to": "a", "planar": back},
    ]
    return {"case": name, "relation": "MR2", "subjects": ["a", "b"], "observations": entries}


def judged(source: bytes, **keys: Any) -> tuple[int, list[dict[str, Any]]]:
    sink = io.BytesIO()
    status = judge_lines(io.BytesIO(source), sink, **keys)
    assert sink.getvalue().isascii()
    return status, [json.loads(line) for line in sink.getvalue().splitlines()]


def lines(*cases: object) -> bytes:
    return b"".join(json.dumps(item).encode() + b"\n" for item in cases)


def test_each_line_gets_its_verdict_and_its_derivation() -> None:
    status, results = judged(lines(case("one"), case("two", "left"), case("three", "up")))
    assert status == 0
    assert [(result["case"], result["verdict"]) for result in results] == [
        ("one", "satisfied"),
        ("two", "violated"),
        ("three", "invalid"),
    ]
    for result in results:
        assert {"goal", "because", "children", "source", "summary"} <= set(result["derivation"])


def test_bad_lines_are_errors_in_their_place_and_the_rest_goes_on() -> None:
    good = lines(case("good"))
    bad = [
        b"{not json\n",
        b"\xff\xfe\n",
        b"[1, 2]\n",
        b'"text"\n',
        b"null\n",
        b"[" * 100_000 + b"\n",
        b'{"case": "big", "steps": ' + b"9" * 5000 + b"}\n",
        b'{"case": "cut", "relation": "MR2\n',
    ]
    status, results = judged(good + good.join(bad) + good)
    assert status == 2
    assert len(results) == 2 * len(bad) + 1
    assert {result["verdict"] for result in results[::2]} == {"satisfied"}
    for result in results[1::2]:
        assert result["case"] is None
        assert result["verdict"] == "error"
        assert result["reason"]
        assert "derivation" not in result


def test_a_line_that_is_no_case_is_told_by_its_number() -> None:
    source = b'\n%b\n{"case": oops}\n[1]\n\xff' % lines(case("good"))
    _, results = judged(source)
    assert [result.get("reason", "")[:60] for result in results] == [
        "",
        "line 4 is not JSON in UTF-8: Expecting value at character 10",
        "line 5 is not a JSON object",
        "line 6 is not JSON in UTF-8: 'utf-8' codec can't decode byte",
    ]


def test_only_bad_lines_and_no_lines() -> None:
    assert judged(b"") == (0, [])
    assert judged(b"\n \n\r\n") == (0, [])
    status, results = judged(b"{\n{\n")
    assert status == 2
    assert len(results) == 2


def test_an_object_that_is_no_case_keeps_its_identity() -> None:
    status, results = judged(lines({"case": "c"}, {"case": 7}, {"case": None}, {}, {"case": [1]}))
    assert status == 2
    assert [result["case"] for result in results] == ["c", 7, None, None, [1]]
    assert {result["verdict"] for result in results} == {"error"}


@pytest.mark.parametrize("engine", ENGINES)
def test_the_proofs_of_violations_are_checked_and_not_written(
    engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = lines(case("right"), case("wrong", "left"), case("right, too"))
    checked: list[str] = []

    def refuse(self: Checker, facts: object, verdict: str, *_: object) -> None:
        checked.append(verdict)
        raise Unproved("a step is made up")

    status, results = judged(source, engine=engine)
    assert status == 0
    assert all("proof" not in result for result in results)
    monkeypatch.setattr(Checker, "check", refuse)
    status, results = judged(source, engine=engine)
    assert status == 2
    assert checked == ["violated"]
    assert [result["verdict"] for result in results] == ["satisfied", "error", "satisfied"]
    assert results[1] == {
        "case": "wrong",
        "verdict": "error",
        "reason": "internal error: the derivation does not check: a step is made up. "
        "Please report it.",
    }


def test_blank_lines_and_a_missing_last_newline_do_no_harm() -> None:
    source = b"\n" + lines(case("1")) + b"\r\n\n" + lines(case("2")).rstrip(b"\n")
    status, results = judged(b"\xef\xbb\xbf" + source.lstrip(b"\n"))
    assert status == 0
    assert [result["case"] for result in results] == ["1", "2"]


def test_numbers_that_json_does_not_have_are_invalid() -> None:
    text = json.dumps(case("c")).replace('"left"', "NaN")
    status, (result,) = judged(text.encode())
    assert (status, result["verdict"]) == (0, "invalid")
    text = json.dumps({**case("c"), "case": float("nan")})
    status, (result,) = judged(text.encode())
    assert (status, result["case"], result["verdict"]) == (2, None, "error")


def test_lone_surrogates_and_emoji_come_back_as_they_went_in() -> None:
    names = ["\ud800", "🤖", "\ufdd0", "\x00", "é"]
    status, results = judged(lines(*(case(name) for name in names)))
    assert status == 0
    assert [result["case"] for result in results] == names


def test_the_tolerances_of_the_command_are_used() -> None:
    entries = [
        {"kind": "size", "frame": frame, "object": thing, "value": value}
        for frame, thing, value in [("f", "o", 1.0), ("f", "p", 1), ("g", "o", 1.2), ("g", "p", 1)]
    ]
    sized = {"relation": "MR6", "subjects": ["f", "g"], "objects": ["o", "p"]}
    source = lines({"case": "c", **sized, "observations": entries})
    assert judged(source)[1][0]["verdict"] == "violated"
    assert judged(source, delta=0.3)[1][0]["verdict"] == "satisfied"


@pytest.mark.parametrize("engine", ENGINES)
def test_many_lines_keep_their_order(engine: str) -> None:
    source = lines(*(case(str(number), ["right", "left"][number % 2]) for number in range(900)))
    broken = source.replace(b'"777", "relation"', b'"777" "relation"')
    status, results = judged(broken, engine=engine)
    assert status == 2
    expected = [str(number) if number != 777 else None for number in range(900)]
    assert [result["case"] for result in results] == expected
    assert [result["verdict"] for result in results[:4]] == ["satisfied", "violated"] * 2


def test_a_line_is_answered_before_the_next_one_is_written() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as filter_:
        assert filter_.stdin is not None
        assert filter_.stdout is not None
        for number in range(3):
            filter_.stdin.write(lines(case(str(number))) + b"{\n")
            filter_.stdin.flush()
            assert json.loads(filter_.stdout.readline())["case"] == str(number)
            assert json.loads(filter_.stdout.readline())["verdict"] == "error"
        half = lines(case("half"))
        filter_.stdin.write(half[:20])
        filter_.stdin.flush()
        filter_.stdin.write(half[20:])
        filter_.stdin.close()
        assert json.loads(filter_.stdout.readline())["case"] == "half"
        assert filter_.wait(timeout=10) == 2


@needs_native
def test_all_hosts_write_the_same_bytes_twice() -> None:
    source = lines(*(case(str(n), back) for n, back in enumerate(["right", "left", "up", "none"])))
    outputs = []
    for engine in ("pyswip", "swipl", "pyswip", "auto"):
        sink = io.BytesIO()
        judge_lines(io.BytesIO(source), sink, engine=engine)
        outputs.append(sink.getvalue())
    assert len(set(outputs)) == 1


def test_importing_the_oracle_starts_and_loads_nothing_heavy() -> None:
    heavy = "('pyswip', 'numpy', 'pytest', 'pydantic', 'torch')"
    program = (
        "import sys, pytest_metaspace.oracle.judging\n"
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, env=dict(os.environ)
    )
    assert done.stdout.strip() == b"[]"
