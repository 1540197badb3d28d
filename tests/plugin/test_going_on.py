"""A run that is stopped while it asks: what it says, how it ends, and how the next goes on."""

from __future__ import annotations

import re
import shlex
import signal
from typing import TYPE_CHECKING, Any

import pytest

from tests.agents.endpoint import Endpoint, Reply, serving, text_of

if TYPE_CHECKING:
    from tests.plugin.conftest import Project

pytest.importorskip("openai")
MODEL = ("runs", "--metaspace-agent=openai:blind", "--metaspace-sc=SC1-b", "--metaspace-mr=MR2")
QUESTIONS, CASES = 6, 3


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none-is-needed")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


def two(_request: dict[str, Any], _number: int) -> Reply:
    return Reply.saying("2")  # 100 tokens in, 2 out


def go_on(result: pytest.RunResult) -> list[str]:
    """Return the arguments of the command that a stopped run tells."""
    told = [line for line in result.outlines if line.startswith("  pytest ")]
    assert len(told) == 1, result.stdout.str()
    words = shlex.split(told[0])
    return words[words.index("metaspace") + 1 :]


def once_each(endpoint: Endpoint) -> bool:
    return len(endpoint.requests) == len({text_of(one) for one in endpoint.requests})


@pytest.mark.parametrize(
    ("cap", "asked", "raised"),
    [
        ("--metaspace-max-calls=2", 2, "--metaspace-max-calls=4"),
        ("--metaspace-max-tokens=250", 2, "--metaspace-max-tokens=408"),
        # 0.102 dollars a question
        ("--metaspace-budget=0.25", 2, "--metaspace-budget=0.41"),
    ],
)
def test_at_a_cap_the_run_fails_and_tells_the_command_that_asks_the_rest(
    project: Project, cap: str, asked: int, raised: str
) -> None:
    project.walk()
    with serving(two) as endpoint:
        url = f"--metaspace-base-url={endpoint.url}"
        more = ("--metaspace-price=1000/1000", "--metaspace-concurrency=1")
        capped = project.run(*MODEL, url, *more, cap)
        assert capped.ret == pytest.ExitCode.TESTS_FAILED
        assert len(endpoint.requests) == asked
        capped.stdout.fnmatch_lines(
            [
                f"the cap on * is reached ({cap}; *); every answer so far is stored",
                f"{QUESTIONS - asked} questions of {CASES - asked // 2} cases not asked. *",
            ]
        )
        again = go_on(capped)
        assert again == [*MODEL, url, *more, raised]
        whole = project.run(*again)
        assert once_each(endpoint)
        assert len(endpoint.requests) == QUESTIONS
    assert whole.ret == 0
    whole.stdout.fnmatch_lines([f"{QUESTIONS - asked} calls, {asked} answers from the store, *"])
    whole.stdout.no_fnmatch_line("*not asked*")


def test_a_cap_too_low_for_one_question_asks_none_and_says_what_all_may_take(
    project: Project,
) -> None:
    project.walk()
    with serving(two) as endpoint:
        url = f"--metaspace-base-url={endpoint.url}"
        capped = project.run(*MODEL, url, "--metaspace-max-tokens=10")
        assert endpoint.requests == []
        assert capped.ret == pytest.ExitCode.TESTS_FAILED
        capped.stdout.fnmatch_lines(["* 0 tokens used, *", "6 questions * not asked. With room *"])
        assert project.run(*go_on(capped)).ret == 0
        assert len(endpoint.requests) == QUESTIONS


def test_the_same_command_goes_on_where_it_stopped_until_all_is_asked(project: Project) -> None:
    project.walk()
    statuses = []
    with serving(two) as endpoint:
        for _ in range(4):
            url = f"--metaspace-base-url={endpoint.url}"
            statuses.append(project.run(*MODEL, url, "--metaspace-max-calls=2").ret)
        assert once_each(endpoint)
        assert len(endpoint.requests) == QUESTIONS
    assert statuses == [1, 1, 0, 0]


@pytest.mark.parametrize("stop", [("--maxfail=99", "--metaspace-lookahead=1"), ("-n2", "-pxdist")])
def test_waves_and_workers_say_the_same(project: Project, stop: tuple[str, ...]) -> None:
    project.walk()
    with serving(two) as endpoint:
        url = f"--metaspace-base-url={endpoint.url}"
        capped = project.run(*MODEL, url, "--metaspace-max-calls=3", *stop)
        assert len(endpoint.requests) == 3
        assert capped.ret == pytest.ExitCode.TESTS_FAILED
        capped.stdout.fnmatch_lines(
            ["error: 2 cases: the cap on calls is reached *", "3 questions of 2 cases not asked. *"]
        )
        capped.stdout.no_fnmatch_line("*offline*")
        assert project.run(*go_on(capped)).ret == 0
        assert once_each(endpoint)
        assert len(endpoint.requests) == QUESTIONS


def test_with_a_cap_in_the_ini_file_the_command_overrides_it(project: Project) -> None:
    project.walk()
    project.write("pytest.ini", "[pytest]\nmetaspace_max_calls = 2\n")
    with serving(two) as endpoint:
        capped = project.run(*MODEL, f"--metaspace-base-url={endpoint.url}")
        assert go_on(capped)[-1] == "--metaspace-max-calls=4"
        assert project.run(*go_on(capped)).ret == 0


def test_the_value_of_a_cap_may_be_a_word_of_its_own(project: Project) -> None:
    project.walk()
    with serving(two) as endpoint:
        url = f"--metaspace-base-url={endpoint.url}"
        capped = project.run(*MODEL, "--metaspace-max-calls", "2", url)
    assert go_on(capped) == [*MODEL, "--metaspace-max-calls=4", url]


@pytest.mark.parametrize(("status", "told"), [(401, "OPENAI_API_KEY"), (404, "model")])
def test_a_wrong_key_or_model_stops_after_the_first_answers(
    project: Project, status: int, told: str
) -> None:
    project.walk()
    with serving(lambda *_: Reply.failing(status)) as endpoint:
        url = f"--metaspace-base-url={endpoint.url}"
        stopped = project.run("runs", MODEL[1], url, "--metaspace-concurrency=2")
        assert len(endpoint.requests) <= 2
    assert stopped.ret == pytest.ExitCode.TESTS_FAILED
    stopped.stdout.fnmatch_lines(
        [f"nothing more was asked: *{told}*", "* questions of * cases not asked. Mend that, *"]
    )
    assert go_on(stopped) == ["runs", MODEL[1], url, "--metaspace-concurrency=2"]


def test_in_waves_a_wrong_key_is_tried_once_for_all(project: Project) -> None:
    project.walk()
    with serving(lambda *_: Reply.failing(401)) as endpoint:
        url = f"--metaspace-base-url={endpoint.url}"
        waves = ("--maxfail=99", "--metaspace-lookahead=1", "--metaspace-concurrency=1")
        stopped = project.run(*MODEL, url, *waves)
        assert len(endpoint.requests) == 1
    stopped.stdout.fnmatch_lines(
        ["error: 2 cases: nothing more was asked: *OPENAI_API_KEY*", "5 questions of 3 cases *"]
    )
    stopped.stdout.no_fnmatch_line("*offline*")


def test_ctrl_c_while_asking_says_what_is_stored_and_how_to_go_on(project: Project) -> None:
    project.walk()

    def slow(_request: dict[str, Any], number: int) -> Reply:
        reply = Reply.saying("2")
        reply.stall_s = 30.0 if number in (3, 6) else 0.0
        return reply

    with serving(slow) as endpoint:
        options = (*MODEL, f"--metaspace-base-url={endpoint.url}", "--metaspace-concurrency=1")
        status, output = project.interrupt(lambda: len(endpoint.requests) == 3, *options)
        assert status == pytest.ExitCode.INTERRUPTED, output
        assert f"metaspace: interrupted when 2 of {QUESTIONS} questions had an answer" in output
        (told,) = re.findall(r"^  (pytest .*)$", output, re.MULTILINE)
        assert tuple(shlex.split(told)[-len(options) :]) == options
        _, output = project.interrupt(  # as a CI that cancels does it
            lambda: len(endpoint.requests) == 6, *options, by=signal.SIGTERM
        )
        assert f"metaspace: interrupted when 4 of {QUESTIONS} questions had an answer" in output
        assert project.run(*options).ret == 0
    asked = [text_of(one) for one in endpoint.requests]
    assert (asked[2], asked[5]) == (asked[3], asked[6])  # what was in flight, and nothing else
    assert len(asked) == QUESTIONS + 2 == len(set(asked)) + 2


def test_ctrl_c_while_the_controller_of_workers_asks_says_so_too(project: Project) -> None:
    project.walk()

    def slow(_request: dict[str, Any], number: int) -> Reply:
        reply = Reply.saying("2")
        reply.stall_s = 30.0 if number == 3 else 0.0
        return reply

    with serving(slow) as endpoint:
        options = (*MODEL, f"--metaspace-base-url={endpoint.url}", "--metaspace-concurrency=1")
        workers = ("-pxdist", "-n2")
        _, output = project.interrupt(lambda: len(endpoint.requests) == 3, *options, *workers)
    assert f"metaspace: interrupted when 2 of {QUESTIONS} questions had an answer" in output


@pytest.mark.parametrize(
    "mode", [("-n0",), ("--maxfail=99", "--metaspace-lookahead=1"), ("-n2",)], ids=str
)
def test_the_summary_is_the_same_however_a_run_is_split(
    project: Project, mode: tuple[str, ...]
) -> None:
    """Fourteen cases put 30 questions; without look-alikes there are 17 to ask."""
    project.walk()
    agent = project.brain("return 'left'")
    result = project.run("runs", agent, "--metaspace-sc=SC1-a", "-pxdist", *mode)
    told = "17 calls, 0 answers from the store, 13 calls saved by asking once"
    result.stdout.fnmatch_lines([told])
    again = project.run("runs", agent, "--metaspace-sc=SC1-a", "-pxdist", *mode)
    again.stdout.fnmatch_lines(["0 calls, 17 answers from the store, 13 calls saved by asking *"])


def test_ctrl_c_while_asking_free_agents_says_nothing_of_a_store(project: Project) -> None:
    project.walk()
    project.write(
        "conftest.py",
        "import asyncio, pathlib\n"
        "class Free:\n"
        "    identity = None\n"
        "    async def ask(self, question):\n"
        "        pathlib.Path('asked').touch()\n"
        "        await asyncio.sleep(60)\n"
        "def pytest_metaspace_register_agents(register):\n"
        "    from pytest_metaspace.agents import AgentKind\n"
        "    register(AgentKind(name='free', usage='free', summary='slow',\n"
        "                       build=lambda argument, context: Free()))\n",
    )
    asked = project.path / "asked"
    status, output = project.interrupt(asked.exists, "runs", "--metaspace-agent=free")
    assert status == pytest.ExitCode.INTERRUPTED, output
    assert asked.exists()
    assert "interrupted when" not in output


def test_the_command_has_room_for_every_sample(project: Project) -> None:
    project.walk()
    with serving(two) as endpoint:
        url = f"--metaspace-base-url={endpoint.url}"
        samples = "--metaspace-samples=3"
        capped = project.run(*MODEL, url, samples, "--metaspace-max-calls=8")
        again = go_on(capped)
        assert again == [*MODEL, url, samples, f"--metaspace-max-calls={3 * QUESTIONS - 8}"]
        whole = project.run(*again)
        assert whole.ret == 0
        assert len(endpoint.requests) == 3 * QUESTIONS
    whole.stdout.fnmatch_lines(["10 calls, 8 answers from the store, *"])
    whole.stdout.no_fnmatch_line("*not asked*")


def test_a_question_in_own_words_that_a_cap_stops_fails_its_test_alone(project: Project) -> None:
    project.walk()
    project.write(
        "test_it.py", "def test_it(metaspace_agent):\n    metaspace_agent.ask('Doors?')\n"
    )
    with serving(two) as endpoint:
        url = f"--metaspace-base-url={endpoint.url}"
        result = project.run(*MODEL, "test_it.py", url, f"--metaspace-max-calls={QUESTIONS}")
        assert len(endpoint.requests) == QUESTIONS
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert result.parseoutcomes()["failed"] == 1
    result.stdout.fnmatch_lines(["the cap on calls is reached *"])
    assert "INTERNALERROR" not in result.stdout.str() + result.stderr.str()


def test_what_is_secret_in_an_address_is_left_out_of_the_command_behind_o_too(
    project: Project,
) -> None:
    project.walk()
    with serving(two) as endpoint:
        secret = endpoint.url.replace("://", "://me:planted-secret@")
        typed = ("-o", f"metaspace_base_url={secret}?key=planted-too")
        capped = project.run(*MODEL, *typed, "--metaspace-max-calls=2")
        assert go_on(capped) == [
            *MODEL,
            "-o",
            f"metaspace_base_url={endpoint.url}",
            "--metaspace-max-calls=4",
        ]
    assert "planted" not in capped.stdout.str()
