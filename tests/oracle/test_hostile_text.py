"""Labels are data, whatever they look like, through every host and in every locale."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace.oracle.wire import quoted, restored
from tests.oracle.engines import ENGINES

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_metaspace.oracle import Oracle

HOSTILE = [
    "a'). :- shell('touch pwned')",
    "a']), x=y])). :- halt. case(j(['",
    "', shell('touch pwned'), '",
    "\\",
    "\\'",
    "\\x41\\",
    "it's",
    'say "left"',
    "two\nlines\r\nand\ttabs",
    "nul\x00inside",
    "\x00",
    "\x7f\x80\x9f",
    "\ud800",
    "\udfff\ud800 reversed",
    "\ufdd0d800",
    "\ufdd0\ufdd0",
    "\ufffe\uffff",
    "שלום עולם",
    "\u202etfel\u202c",
    "🤖🏽‍🔧",
    "\U0010ffff",
    "[]",
    "{}",
    "true",
    "null",
    "",
    " ",
    "X",
    "_",
    "end_of_file",
    "/* comment",
    "% comment",
    "~w~q~n",
    "%s %(x)s {0}",
    "0'a",
    "a. b",
]


def pair(a: str, b: str, there: str = "left", back: str = "left") -> dict[str, Any]:
    return {
        "case": a + b,
        "relation": "MR2",
        "subjects": [a, b],
        "observations": [
            {"kind": "direction", "from": a, "to": b, "planar": there},
            {"kind": "direction", "from": b, "to": a, "planar": back},
        ],
    }


@pytest.fixture(autouse=True)
def in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_hostile_names_are_judged_like_any_other(each_oracle: Oracle, tmp_path: Path) -> None:
    cases = [pair(name, "other " + name) for name in HOSTILE]
    cases += [pair(name, "other " + name, back="right") for name in HOSTILE]
    results = list(each_oracle.judge(cases))
    assert [result["case"] for result in results] == [case["case"] for case in cases]
    verdicts = [result["verdict"] for result in results]
    assert verdicts == ["violated"] * len(HOSTILE) + ["satisfied"] * len(HOSTILE)
    assert not list(tmp_path.iterdir())


def test_hostile_values_are_invalid_and_quoted_in_the_reason(each_oracle: Oracle) -> None:
    results = list(each_oracle.judge(pair("a", "b", back=name) for name in HOSTILE))
    assert {result["verdict"] for result in results} == {"invalid"}
    assert any("shell('touch pwned')" in result["reason"] for result in results)


def test_hostile_relations_and_keys_are_errors(each_oracle: Oracle) -> None:
    cases = [{**pair("a", "b"), "relation": name, name: name} for name in HOSTILE]
    assert {result["verdict"] for result in each_oracle.judge(cases)} == {"error"}


def test_names_that_differ_in_one_odd_character_stay_apart(each_oracle: Oracle) -> None:
    names = ["x\ud800", "x\ud801", "x\ufffd", "x\ufdd0d800", "x?", "x\x00", "x", "x\x00y"]
    cases = [{**pair(one, other), "subjects": [one, other]} for one in names for other in names]
    for case, result in zip(cases, each_oracle.judge(cases), strict=True):
        one, other = case["subjects"]
        assert result["verdict"] == ("error" if one == other else "violated"), case


def test_a_megabyte_of_name_keeps_its_identity_and_is_cut_for_display(
    each_oracle: Oracle,
) -> None:
    long = "é" * 1_000 + "e" * 999_000
    results = list(each_oracle.judge([pair(long + "1", long + "2"), pair(long + "1", long + "1")]))
    assert [result["verdict"] for result in results] == ["violated", "error"]
    assert len(json.dumps(results[0]["derivation"])) < 10_000


def test_control_characters_are_shown_as_escapes(each_oracle: Oracle) -> None:
    (result,) = each_oracle.judge([pair("two\nlines", "\u202eleft")])
    goal = result["derivation"]["goal"]
    assert "\n" not in goal
    assert "\u202e" not in goal
    assert "two\\nlines" in goal
    assert "\\u202e" in goal


def test_random_text_is_exact(each_oracle: Oracle) -> None:
    rng = random.Random(7)
    ranges = [(0, 0x80), (0, 0x800), (0xD7F0, 0xE010), (0xFDC0, 0xFDE0), (0x10000, 0x110000)]
    names = [
        "".join(chr(rng.randrange(*rng.choice(ranges))) for _ in range(rng.randrange(12)))
        for _ in range(1000)
    ]
    results = each_oracle.judge(pair("a", "b" + name, back="right") for name in names)
    assert [result for result in results if result["verdict"] != "satisfied"] == []


def test_text_survives_the_codec() -> None:
    for name in HOSTILE:
        answer = quoted(name)
        assert "\n" not in answer
        answer.encode()
    assert json.loads(restored('"\ufdd0d800 é \U0001f916 \ufdd0\ufdd0"')) == "\ud800 é 🤖 \ufdd0"
    assert restored('"\\\\ufdd0d800"') == '"\\\\ufdd0d800"'


def test_every_character_is_read_by_every_engine(each_oracle: Oracle) -> None:
    blocks = [
        "".join(map(chr, range(start, start + 0x400))) for start in range(0, sys.maxunicode, 0x400)
    ]
    results = each_oracle.judge(pair("a", "b" + block, back="right") for block in blocks)
    assert [result["verdict"] for result in results] == ["satisfied"] * len(blocks)


@pytest.mark.parametrize("engine", ENGINES)
def test_the_locale_changes_nothing(engine: str, tmp_path: Path) -> None:
    cases = [pair(name, "other " + name) for name in HOSTILE]
    source = "".join(json.dumps(case) + "\n" for case in cases).encode()
    program = (
        "import sys; from pytest_metaspace.oracle.judging import judge_lines; "
        f"sys.exit(judge_lines(sys.stdin.buffer, sys.stdout.buffer, engine={engine!r}))"
    )
    outputs = []
    for locale in ("C", "C.UTF-8", "POSIX"):
        environment = {**os.environ, "LC_ALL": locale, "LANG": locale, "PYTHONUTF8": "0"}
        done = subprocess.run(
            [sys.executable, "-c", program],
            input=source,
            env=environment,
            capture_output=True,
            check=True,
        )
        outputs.append(done.stdout)
    assert outputs[0] == outputs[1] == outputs[2]
    results = [json.loads(line) for line in outputs[0].splitlines()]
    assert [result["case"] for result in results] == [case["case"] for case in cases]
    assert {result["verdict"] for result in results} == {"violated"}
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "variables",
    [("HOME",), ("HOME", "XDG_CONFIG_HOME"), ("XDG_CONFIG_DIRS",), ("XDG_DATA_HOME",)],
    ids="+".join,
)
def test_start_up_files_of_the_user_are_not_read(
    engine: str, variables: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pytest_metaspace.oracle import Oracle

    for name in (".config/swi-prolog/init.pl", ".swiplrc", "init.pl", "swi-prolog/init.pl"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(
            f":- open('{tmp_path}/pwned', append, S), close(S).\n"
            ':- format("99~ngarbage"), format(user_error, "garbage", []).\n'
            "garbage( .\n:- halt.\n"
        )
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    for variable in variables:
        monkeypatch.setenv(variable, str(tmp_path))
    with Oracle(engine) as oracle:  # type: ignore[arg-type]
        assert [found["verdict"] for found in oracle.judge([pair("a", "b")])] == ["violated"]
    assert not (tmp_path / "pwned").exists()


@pytest.mark.parametrize("engine", ENGINES)
def test_a_home_that_cannot_be_written_changes_nothing(
    engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pytest_metaspace.oracle import Oracle

    monkeypatch.setenv("HOME", "/proc")  # not even root can write there
    for variable in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(variable, "/proc/none")
    with Oracle(engine) as oracle:  # type: ignore[arg-type]
        assert [found["verdict"] for found in oracle.judge([pair("a", "b")])] == ["violated"]
