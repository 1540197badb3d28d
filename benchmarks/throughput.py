"""How fast questions go through asking, against a plain loop over the same client.

A server in a process of its own answers after 200 ms. Each question has two pictures of 60 KB;
64 connections are open. The plain loop sends what was encoded before it starts; asking works out
keys, looks into the store, encodes, stores each answer and takes it in. Both run in turn, in this
process, with a client of their own each time.

    python benchmarks/throughput.py [--questions N] [--rounds N] [--connections N]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_metaspace import asking
from pytest_metaspace.agents import ModelOptions
from pytest_metaspace.agents.openai_compatible import OpenAIAgent, messages
from pytest_metaspace.asking.store import AnswerStore
from pytest_metaspace.questions import own_words

if TYPE_CHECKING:
    from pytest_metaspace.domain import Question

LATENCY_S = 0.2
PICTURES = 24
BYTES = 60_000
ENOUGH = 0.8
REPLY = json.dumps(
    {
        "id": "x",
        "object": "chat.completion",
        "created": 0,
        "model": "m",
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": "left"},
            }
        ],
        "usage": {"prompt_tokens": 900, "completion_tokens": 1, "total_tokens": 901},
    }
).encode()


async def serve() -> None:
    """Answer every request after the latency; print the port first."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).lower()
                length = int(head.partition(b"content-length:")[2].partition(b"\r\n")[0])
                await reader.readexactly(length)
                await asyncio.sleep(LATENCY_S)
                writer.write(
                    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                    b"Content-Length: %d\r\n\r\n%s" % (len(REPLY), REPLY)
                )
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(talk, "127.0.0.1", 0, limit=1 << 20, backlog=512)
    print(server.sockets[0].getsockname()[1], flush=True)
    async with server:
        await server.serve_forever()


def made(folder: Path, count: int) -> list[Question]:
    """Return questions about pairs of pictures; their bytes are of no picture, only of its size."""
    pictures = [folder / f"{number:02d}.png" for number in range(PICTURES)]
    for path in pictures:
        path.write_bytes(os.urandom(BYTES))
    return [
        own_words(
            f"question {number}: where is the chair?",
            [pictures[number % PICTURES], pictures[(number * 7 + 1) % PICTURES]],
        )
        for number in range(count)
    ]


class Took(NamedTuple):
    """Seconds on the clock, and of this process's CPU."""

    wall: float
    cpu: float

    @classmethod
    def since(cls, start: Took) -> Took:
        """Return what went by since a moment."""
        return cls(time.perf_counter() - start.wall, time.process_time() - start.cpu)

    @classmethod
    def now(cls) -> Took:
        """Return this moment."""
        return cls(time.perf_counter(), time.process_time())


def plain(questions: list[Question], url: str, connections: int) -> Took:
    """Return what a plain loop takes: so many workers, one client, nothing else."""
    import openai

    contents = [messages(one) for one in questions]

    async def everything() -> Took:
        left = iter(contents)
        answers: list[Any] = []
        async with openai.AsyncOpenAI(api_key="none", base_url=url, max_retries=0) as client:

            async def work() -> None:
                for content in left:
                    reply = await client.chat.completions.create(
                        model="m", messages=content, temperature=0.0, top_p=0.9
                    )
                    answers.append(reply.choices[0].message.content)

            start = Took.now()
            await asyncio.gather(*(work() for _ in range(connections)))
            took = Took.since(start)
        assert answers == ["left"] * len(questions)
        return took

    return asyncio.run(everything())


def ours(questions: list[Question], url: str, connections: int, folder: Path) -> Took:
    """Return what asking takes, with an empty store on disk."""
    agent = OpenAIAgent("m", ModelOptions(base_url=url, concurrency=connections))
    with AnswerStore(folder) as store:
        start = Took.now()
        asked = asking.ask(questions, agent, store)
        took = Took.since(start)
        assert len(store) == asked.fresh == len(questions)
    assert all(answer.raw == "left" for answer in asked.answers.values())
    return took


def main() -> int:
    parser = argparse.ArgumentParser(description="Asking against a plain loop, same client.")
    parser.add_argument("--questions", type=int, default=1280)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--connections", type=int, default=64)
    options = parser.parse_args()
    code = (
        "import asyncio, sys; sys.path[:0] = sys.argv[1:]; import throughput; "
        "asyncio.run(throughput.serve())"
    )
    command = [sys.executable, "-c", code]
    here = Path(__file__).resolve().parent
    with (
        subprocess.Popen(
            [*command, str(here), str(here.parent)], stdout=subprocess.PIPE, text=True
        ) as server,
        tempfile.TemporaryDirectory() as temporary,
    ):
        assert server.stdout is not None
        url = f"http://127.0.0.1:{int(server.stdout.readline())}/v1"
        folder = Path(temporary)
        questions = made(folder, options.questions)
        plain(questions[:64], url, options.connections)  # imports, and the first connections
        ratios = []
        for number in range(options.rounds):
            loop = plain(questions, url, options.connections)
            own = ours(questions, url, options.connections, folder / f"store-{number}")
            ratios.append(loop.wall / own.wall)
            print(
                f"round {number + 1}: plain {options.questions / loop.wall:6.1f}/s, "
                f"asking {options.questions / own.wall:6.1f}/s, ratio {ratios[-1]:.2f}; "
                f"CPU {1e3 * loop.cpu / options.questions:.2f} and "
                f"{1e3 * own.cpu / options.questions:.2f} ms a question"
            )
        server.terminate()
    print(f"median ratio {median(ratios):.2f}, at least {ENOUGH} is wanted")
    return int(median(ratios) < ENOUGH)


if __name__ == "__main__":
    sys.exit(main())
