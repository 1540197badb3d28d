"""Progress is for people who wait: on a terminal, after two seconds, and gone afterwards."""

from __future__ import annotations

import pytest

from pytest_metaspace import progress as progress_module
from pytest_metaspace.progress import Progress


class Clock:
    """A clock that moves when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(progress_module, "time", made)
    return made


def test_nothing_is_written_within_two_seconds(clock: Clock) -> None:
    written: list[str] = []
    progress = Progress(written.append)
    for done in range(19):
        clock.now = 1000 + done / 10
        progress("asked", done, 100)
    progress.close()
    assert written == []


def test_after_two_seconds_it_counts_a_few_times_a_second_and_clears_its_line(
    clock: Clock,
) -> None:
    written: list[str] = []
    progress = Progress(written.append)
    for tick in range(50):
        clock.now = 1000 + tick / 10
        progress("asked", tick, 50)
    assert next(text.strip() for text in written) == "metaspace: asked 20 of 50"
    assert 5 <= len(written) <= 7
    assert all(text.startswith("\r") for text in written)
    progress.close()
    assert written[-1].strip() == ""
    assert written[-1].endswith("\r")


def test_into_a_log_a_line_comes_every_ten_seconds(clock: Clock) -> None:
    written: list[str] = []
    progress = Progress(written.append, live=False)
    for second in range(25):
        clock.now = 1000 + second
        progress("judged", second, 25)
    progress.close()
    assert written == [f"metaspace: judged {second} of 25\n" for second in (2, 12, 22)]


def test_without_a_writer_nothing_is_written(clock: Clock) -> None:
    progress = Progress(None)
    clock.now += 60
    progress("asked", 1, 2)
    progress.close()
