"""A model of the hub is fetched once, from a hub on this machine, and found there from then on."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import pytest

pytest.importorskip("huggingface_hub", reason="not installed; ./dev test-local runs these tests")

if TYPE_CHECKING:
    from collections.abc import Iterator

COMMIT = "c" * 40
ROOT = Path(__file__).resolve().parents[2]
FILES = {
    "config.json": b'{"model_type": "llava", "dtype": "bfloat16"}',
    "model.safetensors.index.json": b'{"weight_map": {"a": "model-1.safetensors", "b": "model-2.safetensors"}}',
    "model-1.safetensors": b"one",
    "model-2.safetensors": b"two",
    "pytorch_model.bin": b"the same once more",
    "original/model.pth": b"and again",
    "chat_template.jinja": b"{{ messages }}",
}
FIND = """
import sys
from pathlib import Path
from pytest_metaspace.agents._weights import find
found = find(sys.argv[1], Path.cwd())
print(found.told_by["revision"], found.dtype, found.template)
print(*sorted(path.name for path in found.folder.rglob("*") if path.is_file()))
"""


class Hub(BaseHTTPRequestHandler):
    """What the client asks of a hub, for one model."""

    asked: ClassVar[list[str]] = []

    def do_HEAD(self) -> None:
        self._file(send=False)

    def do_GET(self) -> None:
        self.asked.append(self.path)
        if self.path.startswith("/api/models/some/model"):
            siblings = [{"rfilename": name, "size": len(body)} for name, body in FILES.items()]
            about: Any = {"id": "some/model", "sha": COMMIT, "siblings": siblings}
            if "/tree/" in self.path:
                about = [
                    {"type": "file", "path": name, "size": len(body), "oid": name}
                    for name, body in FILES.items()
                ]
            self._send(200, json.dumps(about).encode(), {"Content-Type": "application/json"})
        else:
            self._file(send=True)

    def _file(self, *, send: bool) -> None:
        body = FILES.get(self.path.partition(f"/some/model/resolve/{COMMIT}/")[2])
        if body is None:
            self._send(404, b"", {"X-Error-Code": "EntryNotFound"})
            return
        tag = hashlib.sha256(body).hexdigest()
        self._send(200, body, {"ETag": f'"{tag}"', "X-Repo-Commit": COMMIT}, send=send)

    def _send(
        self, status: int, body: bytes, headers: dict[str, str], *, send: bool = True
    ) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if send:
            self.wfile.write(body)

    def log_message(self, *_more: Any) -> None:
        """Say nothing."""


@contextmanager
def serving() -> Iterator[str]:
    Hub.asked.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Hub) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def find(name: str, endpoint: str, folder: Path) -> list[str]:
    """Find a model in a process of its own; return what is printed."""
    env = {
        **os.environ,
        "HF_ENDPOINT": endpoint,
        "HF_HUB_CACHE": str(folder / "hub"),
        "HF_HUB_DISABLE_XET": "1",
        "HF_HUB_DISABLE_PROGRESS_BARS": "1",
        "PYTHONPATH": str(ROOT),
    }
    env.pop("HF_HUB_OFFLINE", None)
    done = subprocess.run(
        [sys.executable, "-c", FIND, name],
        cwd=folder,
        env=env,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.splitlines()


def test_a_model_is_fetched_once_and_only_what_is_loaded(tmp_path: Path) -> None:
    with serving() as endpoint:
        told = find("some/model", endpoint, tmp_path)
        assert told[0] == f"{COMMIT} bfloat16 {{{{ messages }}}}"
        unused = {"pytorch_model.bin", "original/model.pth"}
        assert told[1].split() == sorted(set(FILES) - unused)
        Hub.asked.clear()
        assert find("some/model", endpoint, tmp_path) == told
        assert Hub.asked == []


def test_a_download_that_was_cut_off_is_taken_up_again(tmp_path: Path) -> None:
    with serving() as endpoint:
        told = find("some/model", endpoint, tmp_path)
        (shard,) = (tmp_path / "hub").rglob("model-2.safetensors")
        shard.unlink()
        assert find("some/model", endpoint, tmp_path) == told
        assert shard.is_file()
