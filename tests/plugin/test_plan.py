"""What a plan says is what a run then does: cases, questions, pictures, tokens, money, time."""

from __future__ import annotations

import base64
import io
import math
import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from pytest_metaspace import cli, forecast, pipeline
from pytest_metaspace.domain import Settings
from pytest_metaspace.plans import Plan
from pytest_metaspace.reports import planning
from tests.agents.endpoint import Reply, serving, text_of
from tests.plugin.made import COUNTING
from tests.plugin.test_settle import calls

if TYPE_CHECKING:
    from pytest_metaspace.domain import Query
    from tests.plugin.conftest import Project

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
SELECT = ("--metaspace-sc=SC1-a,SC2-a,SC4-b", "--metaspace-mr=MR1,MR2,MR4")
ROW = re.compile(r"^(\S+) +(?:MR\d )? *(\d+) +(\d+) +(\d+) +([\d.]+|n/a)$")


def planned(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    capsys.readouterr()
    assert cli.main(["plan", *map(str, arguments)]) == 0
    return capsys.readouterr().out


def numbers(pattern: str, text: str) -> list[float]:
    """Return the numbers in the one place where a pattern fits."""
    (found,) = re.findall(pattern, text, re.MULTILINE)
    return [float(one) for one in ([found] if isinstance(found, str) else found)]


def rows(text: str) -> dict[str, list[float]]:
    """Return cases, calls, questions and ratio by capability."""
    found = (ROW.match(line.strip()) for line in text.splitlines() if not line.startswith(" "))
    return {row[1]: [float(cell) for cell in row.groups()[1:]] for row in found if row}


def test_asking_once_takes_four_times_fewer_calls_over_shipped_fixtures() -> None:
    """And more: 7.69 times fewer over all of them, when this was written."""
    registries = pipeline.Registries.built_in()
    some = [FIXTURES / name for name in ("household/study-01", "arm/can-01", "drone/park-01")]
    plans = [
        pipeline.plan(trajectory, registries, Settings())
        for trajectory in pipeline.load(some, registries)
    ]
    told = rows("\n".join(planning.lines(plans)))
    cases, naive = Counter[str](), Counter[str]()
    asked: defaultdict[str, set[Query]] = defaultdict(set)
    for case in (case for plan in plans for case in plan.cases):
        for name in (case.capability.value, "total"):
            cases[name] += 1
            naive[name] += len(case.queries)
        asked[case.capability.value].update(case.queries)
    asked["total"] = set.union(*asked.values())
    assert naive["total"] / len(asked["total"]) >= 4
    assert {name: cells[:3] for name, cells in told.items()} == {
        name: [cases[name], naive[name], len(asked[name])] for name in asked
    }
    for name, cells in told.items():
        assert cells[3] == pytest.approx(naive[name] / len(asked[name]), abs=0.005)


@pytest.mark.parametrize("count", [3, 4])
def test_what_many_trajectories_lack_is_told_once(count: int) -> None:
    plans = [Plan(skips={f"walk {n} SC2-a MR1": "no objects"}) for n in range(count)]
    told = [line for line in planning.lines(plans) if line.startswith("cannot be asked")]
    assert told == (
        ["cannot be asked in 4 trajectories: SC2-a MR1 (no objects)"]
        if count > 3
        else [f"cannot be asked: walk {n} SC2-a MR1 (no objects)" for n in range(count)]
    )


def test_a_run_asks_what_was_planned_and_the_next_plan_knows_it(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.walk()
    agent = project.brain(
        COUNTING
        + "with open('pictures.txt', 'a') as seen:\n    seen.write('x' * len(images))\nreturn 'left'"
    )
    plan = planned(capsys, "runs", agent, *SELECT)
    assert not (project.path / ".metaspace_cache").exists()
    stored, asked, pictures = numbers(
        r"^python:brain:answer: (\d+) answered in the store, (\d+) to ask with (\d+) pictures", plan
    )
    assert (stored, asked) == (0, rows(plan)["total"][2])
    assert "time:" not in plan  # nobody knows how it is asked
    run = project.run("runs", agent, *SELECT)
    assert len(calls(project)) == asked
    assert len((project.path / "pictures.txt").read_text()) == pictures
    naive = rows(plan)["total"][1]
    run.stdout.fnmatch_lines(
        [f"{asked:g} calls, 0 answers from the store, {naive - asked:g} calls saved by asking once"]
    )
    again = planned(capsys, "runs", agent, *SELECT)
    assert f"{asked:g} answered in the store, 0 to ask with 0 pictures" in again
    more = planned(capsys, "runs", agent, "--metaspace-sc=SC1-a,SC2-a,SC4-b", "--mr=MR1,MR2,MR3")
    stored, asked = numbers(r"answer: (\d+) answered in the store, (\d+) to ask", more)
    project.run("runs", agent, "--metaspace-sc=SC1-a,SC2-a,SC4-b", "--metaspace-mr=MR1,MR2,MR3")
    assert stored > 0 < asked
    assert len(calls(project)) == rows(plan)["total"][2] + asked


def test_questions_that_look_the_same_are_planned_once(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two drives with other names and equal pictures put each question in equal words."""
    for name in ("one", "two"):
        project.walk(f"runs/{name}", id=name)
    agent = project.brain(COUNTING + "return 'left'")
    plan = planned(capsys, "runs", agent, *SELECT)
    asked, alike = numbers(r"(\d+) to ask .*, (\d+) answered with one that looks the same", plan)
    assert asked == alike == rows(plan)["total"][2] / 2
    run = project.run("runs", agent, *SELECT)
    assert len(calls(project)) == asked
    naive = rows(plan)["total"][1]
    run.stdout.fnmatch_lines([f"{asked:g} calls, *, {naive - asked:g} calls saved by asking once"])


def counted(request: dict[str, Any]) -> int:
    """Count tokens as endpoints do: pieces of words and figures; tiles of pictures."""
    count = 3
    for part in request["messages"][-1]["content"]:
        if part["type"] == "text":
            words = re.findall(r"[^\W\d_]+|\d+|[^\w\s]", part["text"])
            count += 4 + sum(math.ceil(len(word) / (3 if word.isdigit() else 7)) for word in words)
        else:
            data = base64.b64decode(part["image_url"]["url"].partition(",")[2])
            width, height = Image.open(io.BytesIO(data)).size
            count += 85 + 170 * math.ceil(width / 512) * math.ceil(height / 512)
    return count


def test_what_an_endpoint_counts_lies_in_the_estimate(
    project: Project, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("openai")
    monkeypatch.setenv("OPENAI_API_KEY", "none-is-needed")
    walk = project.walk()
    for number, path in enumerate(sorted((walk.parent / "frames").iterdir())):
        Image.new("RGB", (640, 480), (50 * number, 9, 9)).save(path)

    def script(request: dict[str, Any], _number: int) -> Reply:
        reply = Reply.saying("2")
        reply.body["usage"] = {"prompt_tokens": counted(request), "completion_tokens": 3}
        return reply

    with serving(script) as endpoint:
        options = (*SELECT, "--metaspace-agent=openai:m", f"--metaspace-base-url={endpoint.url}")
        price = "--metaspace-price=2/8"
        plan = planned(capsys, "runs", *options, price)
        run = project.run("runs", *options, price)
    (asked,) = numbers(r"openai:m: 0 answered in the store, (\d+) to ask", plan)
    assert asked == len(endpoint.requests) == len({text_of(one) for one in endpoint.requests})
    low_in, high_in, low_out, high_out = numbers(
        r"tokens: (\d+) to (\d+) in, (\d+) to (\d+) out$", plan
    )
    used_in, used_out = numbers(r"(\d+) tokens in, (\d+) out", run.stdout.str())
    assert low_in <= used_in <= high_in < 4 * low_in
    assert low_out <= used_out <= high_out
    low, high = numbers(r"money: \$([\d.]+) to \$([\d.]+), at \$2.00 in and \$8.00 out", plan)
    assert low == pytest.approx((low_in * 2 + low_out * 8) / 1e6, abs=0.005)
    assert high == pytest.approx((high_in * 2 + high_out * 8) / 1e6, abs=0.005)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--agent=gpt-4o",), "at $2.50 in and $10.00 out for a million tokens (as of 20"),
        (("--agent=gpt-4o", "--price=1/2"), "at $1.00 in and $2.00 out * (as given)"),
        (("--agent=openai:mine",), "money: its price is not known: add --price=IN/OUT"),
        (
            ("--agent=openai:m", "--base-url=http://localhost:1/v1"),
            "money: nobody sends a bill for this agent",
        ),
        (("--agent=gpt-4o",), "with 8 in flight, if an answer takes 1 to 10 s"),
        (
            ("--agent=gpt-4o", "--rate=30", "--concurrency=64"),
            "time: 6 min 54 s to 6 min 54 s, with 64 in flight, 30 requests a minute at most",
        ),
        (("--agent=truth",), "truth: 0 answered in the store, 208 to ask with"),
    ],
)
def test_price_rate_and_agent_are_told(
    project: Project, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], told: str
) -> None:
    project.walk()
    plan = planned(capsys, "runs", *options)
    assert re.search(re.escape(told).replace(r"\*", ".*"), plan), plan


def test_free_agents_cost_nothing(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    project.walk()
    assert "tokens" not in planned(capsys, "runs", "--agent=truth")
    assert "to ask" not in planned(capsys, "runs")


def test_where_an_answer_is_cut_off_it_costs_no_more(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.walk()
    for options, each in (
        (("--agent=gpt-4o",), (1, 20)),
        (("--agent=gpt-4o", "--max-output-tokens=8"), (1, 8)),
        (("--agent=o3",), (50, 2000)),
    ):
        plan = planned(capsys, "runs", *options)
        (asked,) = numbers(r"(\d+) to ask", plan)
        told = numbers(r"in, (\d+) to (\d+) out$", plan)
        assert told == [asked * one for one in each]


def test_time_goes_by_the_slower_of_rate_and_answers() -> None:
    def seconds(**given: Any) -> tuple[float, float]:
        usual: dict[str, Any] = {"concurrency": 10, "rate": None, "calls": 100}
        return forecast.Forecast(
            agent="a",
            stored=0,
            alike=0,
            pictures=0,
            tokens_in=(0, 0),
            tokens_out=(0, 0),
            price=None,
            price_from="",
            free=False,
            **{**usual, **given},
        ).seconds

    assert seconds() == (10.0, 100.0)
    assert seconds(rate=120.0) == (49.5, 100.0)
    assert seconds(rate=6.0) == (990.0, 990.0)
    assert seconds(calls=0, rate=6.0) == (0.0, 0.0)
    assert seconds(concurrency=None) == (100.0, 1000.0)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--agent=gpt-4o", "--price=cheap"), "price cheap: expected IN/OUT"),
        (("--agent=gpt-4o", "--rate=0"), "rate 0: expected a number from 0.001 on"),
        (("--agent=gtp-4o",), "agent 'gtp-4o' is not known"),
    ],
)
def test_wrong_values_are_named(
    project: Project, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], told: str
) -> None:
    project.walk()
    assert cli.main(["plan", "runs", *options]) == cli.USAGE_ERROR
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "head"),
    [("pytest.ini", "[pytest]"), ("pyproject.toml", "[tool.pytest.ini_options]")],
)
def test_options_of_the_ini_file_that_would_change_the_plan_are_named(
    project: Project, capsys: pytest.CaptureFixture[str], name: str, head: str
) -> None:
    project.walk()
    told = f"note: {name} sets metaspace_sample, metaspace_temperature, and this command reads no"
    assert "note:" not in planned(capsys, "runs", "--agent=gpt-4o")
    ini = "metaspace_fail_under = 1\nmetaspace_temperature = 1\nmetaspace_sample = 1\n"
    (project.path / "pytest.ini").unlink()
    project.write(name, f"{head}\nmetaspace_agent = 'gpt-4o'\n{ini}")
    assert told in planned(capsys, "runs", "--agent=gpt-4o")
    named = ("--temperature=1", "--sample=0.5")
    assert "note:" not in planned(capsys, "runs", "--agent=gpt-4o", *named)


def test_a_plan_of_samples_counts_each_that_is_stored_and_writes_nothing(
    project: Project, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    project.walk()
    agent = project.brain("return '2'")
    project.run("runs", agent, *SELECT, "--metaspace-samples=2")

    def refuse(*_: object) -> None:
        raise AssertionError("a plan opens nothing to write")

    monkeypatch.setattr("pytest_metaspace.asking.store.AnswerStore.__init__", refuse)
    counts = r"(\d+) answered in the store, (\d+) to ask"
    stored, none = numbers(counts, planned(capsys, "runs", agent, *SELECT, "--samples=2"))
    assert none == 0
    plan = planned(capsys, "runs", agent, *SELECT, "--samples=3")
    assert numbers(counts, plan) == [stored, stored / 2]
