"""How fast requests go out, on a clock that tests turn themselves."""

from __future__ import annotations

import asyncio

from pytest_metaspace.agents._pace import Pace


class Clock:
    """Stands still, except while everybody sleeps: then it is the first moment that one wakes."""

    def __init__(self) -> None:
        self.moment = 1000.0
        self._wakes: list[tuple[float, int, asyncio.Event]] = []

    def now(self) -> float:
        return self.moment

    async def sleep(self, seconds: float) -> None:
        assert seconds > 0
        event = asyncio.Event()
        self._wakes.append((self.moment + seconds, len(self._wakes), event))
        await event.wait()

    async def run(self, work: list[asyncio.Task[None]]) -> None:
        while not all(task.done() for task in work):
            for _ in range(len(work) + 2):
                await asyncio.sleep(0)
            if self._wakes:
                self.moment = min(self._wakes)[0]
                due = [wake for wake in self._wakes if wake[0] <= self.moment]
                self._wakes = [wake for wake in self._wakes if wake[0] > self.moment]
                for _, _, event in due:
                    event.set()


def moments(
    count: int, per_minute: float | None, *, hold: dict[int, float] | None = None, draw: float = 0.0
) -> list[float]:
    """Return when requests go out; after some, the endpoint asks to wait for some seconds."""
    clock = Clock()
    pace = Pace(per_minute, now=clock.now, sleep=clock.sleep, draw=lambda: draw)
    gone: list[float] = []

    async def one() -> None:
        await pace.turn()
        gone.append(clock.now() - 1000.0)
        if hold and len(gone) in hold:
            pace.hold(hold[len(gone)])

    async def everything() -> None:
        await clock.run([asyncio.ensure_future(one()) for _ in range(count)])

    asyncio.run(everything())
    return gone


def test_without_a_rate_all_go_at_once() -> None:
    assert moments(5, None) == [0.0] * 5


def test_with_a_rate_they_go_evenly_and_the_first_at_once() -> None:
    assert moments(5, 120) == [0.0, 0.5, 1.0, 1.5, 2.0]


def test_in_no_minute_are_there_more_than_the_rate() -> None:
    gone = moments(40, 15)
    assert max(sum(start <= other < start + 60 for other in gone) for start in gone) == 15


def test_what_the_endpoint_asks_one_to_wait_all_wait() -> None:
    assert moments(5, 120, hold={2: 10.0}) == [0.0, 0.5, 10.5, 11.0, 11.5]


def test_a_longer_wait_asked_for_later_counts_and_a_shorter_one_does_not() -> None:
    assert moments(3, 60, hold={1: 5.0, 2: 1.0}) == [0.0, 5.0, 6.0]
    assert moments(4, 60, hold={1: 5.0, 2: 30.0}) == [0.0, 5.0, 35.0, 36.0]


def test_of_two_waits_that_are_asked_for_at_once_the_longer_counts() -> None:
    clock = Clock()
    pace = Pace(now=clock.now, sleep=clock.sleep, draw=lambda: 0.0)
    pace.hold(5.0)
    pace.hold(1.0)

    async def one() -> None:
        await clock.run([asyncio.ensure_future(pace.turn())])

    asyncio.run(one())
    assert clock.moment == 1005.0


def test_without_a_rate_those_that_were_held_come_back_spread_out() -> None:
    assert moments(3, None, hold={1: 4.0}, draw=0.5) == [0.0, 4.25, 4.25]


def test_a_pace_lasts_from_one_event_loop_to_the_next() -> None:
    clock = Clock()
    pace = Pace(60, now=clock.now, sleep=clock.sleep)

    async def one() -> None:
        await clock.run([asyncio.ensure_future(pace.turn())])

    asyncio.run(one())
    asyncio.run(one())
    assert clock.moment == 1001.0
