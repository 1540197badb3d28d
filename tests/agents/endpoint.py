"""An OpenAI-compatible endpoint on this machine that does what a test tells it to."""

from __future__ import annotations

import json
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


@dataclass
class Reply:
    """What the endpoint sends back to one request."""

    body: Any = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    stall_s: float = 0.0
    cut: bool = False

    @classmethod
    def saying(cls, text: str | None, **more: Any) -> Reply:
        """Return a completion with a text; ``more`` goes into choice, message or body."""
        message: dict[str, Any] = {"role": "assistant", "content": text}
        if "refusal" in more:
            message["refusal"] = more.pop("refusal")
        choice = {"index": 0, "message": message, "finish_reason": more.pop("finish", "stop")}
        usage = {"prompt_tokens": 100, "completion_tokens": 2, "total_tokens": 102}
        body = {
            "id": "x",
            "object": "chat.completion",
            "created": 0,
            "model": "m",
            "choices": [choice],
            "usage": usage,
        }
        return cls(body=body, **more)

    @classmethod
    def failing(cls, status: int, message: str = "no", **more: Any) -> Reply:
        """Return an error as OpenAI words it."""
        known = {key: more.pop(key) for key in ("headers", "stall_s") if key in more}
        return cls(body={"error": {"message": message, **more}}, status=status, **known)


Script = "Callable[[dict[str, Any], int], Reply]"


class Endpoint:
    """The running server: its address, and the requests that it got."""

    def __init__(self, script: Callable[[dict[str, Any], int], Reply]) -> None:
        self.requests: list[dict[str, Any]] = []
        self.authorizations: list[str] = []
        self.paths: list[str] = []
        self.most_at_once = 0
        self._at_once = 0
        self._lock = threading.Lock()
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                request = json.loads(self.rfile.read(length))
                endpoint.paths.append(self.path)
                reply = endpoint.heard(request, self.headers.get("Authorization", ""), script)
                try:
                    self._send(reply)
                finally:
                    endpoint.told()

            def _send(self, reply: Reply) -> None:
                time.sleep(reply.stall_s)
                if reply.cut:
                    self.close_connection = True
                    return
                raw = reply.body if isinstance(reply.body, str) else json.dumps(reply.body)
                content = "text/html" if raw.startswith("<") else "application/json"
                self.send_response(reply.status)
                for name, value in {"Content-Type": content, **reply.headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(raw.encode())))
                self.end_headers()
                self.wfile.write(raw.encode())

            def log_message(self, *_: Any) -> None:
                """Keep quiet."""

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 256

            def handle_error(self, *_: Any) -> None:
                """Clients that go away are no news."""

        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/v1"

    def heard(
        self,
        request: dict[str, Any],
        authorization: str,
        script: Callable[[dict[str, Any], int], Reply],
    ) -> Reply:
        """Enter a request; return what is to be replied."""
        with self._lock:
            self.requests.append(request)
            self.authorizations.append(authorization)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
            return script(request, len(self.requests))

    def told(self) -> None:
        """Enter that a request has been answered."""
        with self._lock:
            self._at_once -= 1


@contextmanager
def serving(script: Callable[[dict[str, Any], int], Reply]) -> Iterator[Endpoint]:
    """Run an endpoint; ``script`` gets a request and its number, from 1."""
    endpoint = Endpoint(script)
    thread = threading.Thread(target=endpoint.server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield endpoint
    finally:
        endpoint.server.shutdown()
        endpoint.server.server_close()
        thread.join()


def text_of(request: dict[str, Any]) -> str:
    """Return the question in a request: the last part of its message."""
    text: str = request["messages"][-1]["content"][-1]["text"]
    return text
