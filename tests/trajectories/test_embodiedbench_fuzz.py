"""Whatever the files of EmbodiedBench say: a trajectory that can be shown, or our own error."""

from __future__ import annotations

import json
import math
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.trajectories import (
    Reading,
    eb_manipulation,
    eb_navigation,
    embodiedbench_datasets,
)
from tests.trajectories.damage import bytes_damage, fields_damage
from tests.trajectories.writers import eb_manipulation as man_writer
from tests.trajectories.writers import eb_navigation as nav_writer
from tests.trajectories.writers import embodiedbench_datasets as set_writer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytest_metaspace.domain import Trajectory
    from pytest_metaspace.trajectories import TrajectoryFormat

_EXAMPLES = int(os.environ.get("METASPACE_FUZZ_EXAMPLES", "15"))
#  The files are written anew for each example.
fuzzed = settings(
    max_examples=_EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@contextmanager
def put(path: Path, content: bytes) -> Iterator[None]:
    before = path.read_bytes()
    path.write_bytes(content)
    try:
        yield
    finally:
        path.write_bytes(before)


def loaded(form: TrajectoryFormat, path: Path, folder: Path) -> Trajectory | None:
    """Load a log; check what a trajectory promises."""
    try:
        found = form.load(path)
    except TrajectoryError as problem:
        assert str(problem)  # noqa: PT017 - and nothing else is raised
        return None
    assert len(found.states) > 1
    for number, state in enumerate(found.states):
        assert state.index == number
        assert state.frame.is_file()
        assert state.frame.is_relative_to(folder.resolve())
        if state.action is not None:
            assert all(map(math.isfinite, (*state.action.move_m, state.action.turn_deg)))
            assert not (state.succeeded and state.action.translates) or (
                state.action.length_m >= found.step_length_m * (1 - 1e-6)
            )
    assert found.states[-1].action is None
    assert found.truth is None or len(found.truth.poses) == len(found.states)
    return found


def dumped(content: Any) -> bytes:
    return json.dumps(content).encode("utf-8", "surrogatepass")


@pytest.fixture(scope="module")
def navigation(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, TrajectoryFormat, Path]:
    folder = tmp_path_factory.mktemp("nav")
    tasks = nav_writer.write_tasks(folder / "datasets", [nav_writer.task()])
    log = nav_writer.write_current(folder / "run" / "base", nav_writer.sample())
    return log, eb_navigation.configured(Reading(tasks=tasks)), tasks / "base.json"


@pytest.fixture(scope="module")
def manipulation(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return man_writer.write(tmp_path_factory.mktemp("man") / "base", man_writer.sample())


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("set")
    return set_writer.write(folder, [set_writer.navigation(), set_writer.manipulation()])


@fuzzed
@given(damage=bytes_damage())
def test_damaged_bytes_of_a_navigation_log(
    navigation: tuple[Path, TrajectoryFormat, Path], damage: Callable[[bytes], bytes]
) -> None:
    log, form, _ = navigation
    with put(log, damage(log.read_bytes())):
        form.matches(log)
        loaded(form, log, log.parent)


@fuzzed
@given(damage=fields_damage(), as_list=st.booleans())
def test_odd_fields_of_a_navigation_log(
    navigation: tuple[Path, TrajectoryFormat, Path], damage: Callable[[Any], Any], as_list: bool
) -> None:
    log, form, _ = navigation
    rows = damage(nav_writer.sample().rows)
    content = dumped(rows) if as_list else b"\n".join(map(dumped, rows))
    with put(log, content):
        loaded(form, log, log.parent)


@fuzzed
@given(damage=fields_damage())
def test_odd_fields_of_a_task(
    navigation: tuple[Path, TrajectoryFormat, Path], damage: Callable[[Any], Any]
) -> None:
    log, form, tasks = navigation
    with put(tasks, dumped(damage({"tasks": [nav_writer.task()]}))):
        loaded(form, log, log.parent)


@fuzzed
@given(damage=bytes_damage(), which=st.sampled_from(["result", "planner"]))
def test_damaged_bytes_of_a_manipulation_log(
    manipulation: Path, damage: Callable[[bytes], bytes], which: str
) -> None:
    planner = manipulation.with_name("planner_output_episode_1.txt")
    path = manipulation if which == "result" else planner
    with put(path, damage(path.read_bytes())):
        eb_manipulation.matches(manipulation)
        loaded(eb_manipulation.EB_MANIPULATION, manipulation, manipulation.parent.parent)


@fuzzed
@given(result=fields_damage(), answers=st.lists(fields_damage(), max_size=2))
def test_odd_fields_of_a_manipulation_log(
    manipulation: Path, result: Callable[[Any], Any], answers: list[Callable[[Any], Any]]
) -> None:
    planner = manipulation.with_name("planner_output_episode_1.txt")
    plans = [json.loads(text) for text in man_writer.sample().texts()]
    plans[: len(answers)] = [damage(plan) for damage, plan in zip(answers, plans)]
    told = b"\n".join(map(dumped, plans))
    content = dumped(result(json.loads(manipulation.read_bytes())))
    with put(manipulation, content), put(planner, told):
        loaded(eb_manipulation.EB_MANIPULATION, manipulation, manipulation.parent.parent)


def all_loaded(path: Path) -> None:
    form = embodiedbench_datasets.EMBODIEDBENCH_DATASETS
    assert form.episodes is not None
    try:
        names = form.episodes(path)
    except TrajectoryError:
        return
    assert len(set(names)) == len(names)
    for name in names[:4]:
        assert "/" not in name
        loaded(form, path / name, path.parent)


@fuzzed
@given(damage=bytes_damage())
def test_damaged_bytes_of_a_dataset(dataset: Path, damage: Callable[[bytes], bytes]) -> None:
    with put(dataset, damage(dataset.read_bytes())):
        embodiedbench_datasets.matches(dataset)
        all_loaded(dataset)


@fuzzed
@given(damage=fields_damage())
def test_odd_fields_of_a_dataset(dataset: Path, damage: Callable[[Any], Any]) -> None:
    with put(dataset, dumped(damage(json.loads(dataset.read_bytes())))):
        all_loaded(dataset)
