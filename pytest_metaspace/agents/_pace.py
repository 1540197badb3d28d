"""When the next request may go out: one clock for all questions of an agent.

Requests are spaced evenly. A bucket that lets a minute's worth out at once, as the usual libraries
have it, is refused by endpoints, which count over far less than a minute.
"""

from __future__ import annotations

import asyncio
import random
import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

_MINUTE_S: Final = 60.0
_SPREAD_S: Final = 0.5


class Pace:
    """Lets requests go out one after another, and none while the endpoint asks to wait.

    It holds nothing of an event loop, so that it lasts for all rounds of a run.

    Args:
        per_minute: so many requests at most; None for as many as want to.
        now: seconds on a clock that never goes back.
        sleep: waits for some seconds.
        draw: a number from 0 to 1, by which those that were held come back spread out.
    """

    def __init__(
        self,
        per_minute: float | None = None,
        *,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        draw: Callable[[], float] = random.random,
    ) -> None:
        self._gap = 0.0 if per_minute is None else _MINUTE_S / per_minute
        self._now = now
        self._sleep = sleep
        self._draw = draw
        self._next = float("-inf")
        self._held_to = float("-inf")

    def hold(self, seconds: float) -> None:
        """Let nothing go out for some seconds, because the endpoint asked for that."""
        self._held_to = max(self._held_to, self._now() + seconds)

    async def turn(self) -> None:
        """Wait until one more request may go out."""
        while True:
            now = self._now()
            if now < self._held_to:
                # Without a rate all that were held would come back in one moment.
                spread = 0.0 if self._gap else _SPREAD_S * self._draw()
                await self._sleep(self._held_to - now + spread)
            elif now < self._next:
                await self._sleep(self._next - now)
            else:
                self._next = now + self._gap
                return
