"""The engine as WebAssembly in a Python process, through mini-racer.

Run by path in a child process, never imported by pytest-metaspace. SWI-Prolog gets a file system
in memory that holds its own library, our Prolog files and the laws of the user, at the paths that
they have outside: messages and derivations name the same sources as with any other host. There is
nothing else that a law could read, write, run or connect to.
"""

from __future__ import annotations

import json
import os
import runpy
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

_START_LIMIT_S = 60

#  The bundle was made for browsers. What it expects of one, beyond the language itself:
_BROWSER = """
const complaints = [];
const complain = (...words) => {
    complaints.push(words.join(" ").slice(0, 1000));
    complaints.splice(0, complaints.length - 20);
};
globalThis.console = { log() {}, warn: complain, error: complain };
globalThis.performance = { now: () => Date.now() };
globalThis.crypto = {
    getRandomValues: (bytes) => bytes.map((_, at) => (bytes[at] = Math.random() * 256)),
};
"""

_START = """
(files, folder, load) => SWIPL({
    arguments: ["-q", "-f", "none", "--no-packs"],
    print() {},
    printErr: complain,
    preRun: [(module) => {
        for (const [path, bytes] of Object.entries(JSON.parse(files))) {
            module.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")) || "/");
            module.FS.writeFile(path, Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
        }
        module.FS.mkdirTree(folder);
        module.FS.chdir(folder);
    }],
}).then((module) => {
    const prolog = module.prolog;
    if (!prolog.call(load)) throw new Error("the engine could not be loaded");
    const { PL_open_foreign_frame, PL_discard_foreign_frame } = prolog.bindings;
    const { PL_open_query, PL_next_solution, PL_close_query } = prolog.bindings;
    const predicate = prolog.predicate("check_chunk", 2, "engine");
    const flags = prolog.PL_Q_CATCH_EXCEPTION;
    const answer = (text) => {
        const frame = PL_open_foreign_frame();
        const terms = prolog.new_term_ref(2);
        prolog.put_chars(terms, text);
        const query = PL_open_query(0, flags, predicate, terms);
        const reply = PL_next_solution(query) ? prolog.get_chars(terms + 1, prolog.CVT_STRING) : "";
        PL_close_query(query);
        PL_discard_foreign_frame(frame);
        prolog.call("engine:give_back");
        return reply;
    };
    globalThis.check_chunk = (text) => {
        try {
            return answer(text);
        } catch (error) {
            if (error?.name === "ExitStatus") return error.status;
            complain(String(error));
            return 1;
        }
    };
})
"""


def main(argument: str) -> None:
    """Answer frames until the requests end."""
    config: dict[str, Any] = json.loads(argument)
    frames = runpy.run_path(str(Path(__file__).with_name("host_frames.py")))
    frames["watch"](config["parent"])
    sys.path[:] = config["path"]
    frames["serve"](config, lambda: _Engine(config))


class _Engine:
    """The predicate check_chunk/2 as a function from bytes to bytes."""

    def __init__(self, config: dict[str, Any]) -> None:
        from py_mini_racer import MiniRacer, init_mini_racer

        #  By default mini-racer gives V8 one thread, which never comes to compile for speed: less
        #  than half as fast. That is for processes that fork; this one is our own. Left to
        #  itself V8 lets the room for young objects swing between 3 and 48 MB, so that nobody
        #  could see a leak; with at most 3 times 4 MB it is as fast.
        init_mini_racer(flags=("--max-semi-space-size=4",))
        self._racer: Any = MiniRacer()
        bundle = Path(config["bundle"]).read_bytes().decode("utf-8")  # keeps every newline
        files = json.dumps(dict(_files(Path(config["prolog"]), config["laws"])))
        try:
            self._racer.eval(_BROWSER)
            self._racer.eval(bundle)
            start = self._racer.eval(_START)
            start(files, str(Path.cwd()), config["load"]).get(timeout=_START_LIMIT_S)
            self._check_chunk = self._racer.eval("check_chunk")
        except Exception as error:  # noqa: BLE001 - whatever it is, there is no engine
            self._end(1, str(error))

    def __call__(self, text: bytes) -> bytes:
        reply = self._check_chunk(text.decode("utf-8"))
        if not isinstance(reply, str):
            self._end(int(reply), "")
        return bytes(reply.encode("utf-8"))

    def _end(self, status: int, complaint: str) -> None:
        """Leave without the cleanup of mini-racer, which would wait for what cannot go on."""
        told = self._racer.eval('complaints.join("\\n")')
        sys.stderr.write("\n".join(filter(None, (told, complaint.strip()))))
        sys.stderr.flush()
        os._exit(status)


def _files(prolog: Path, laws: list[str]) -> Iterator[tuple[str, str]]:
    """Name the files that the engine may see, each with its bytes as the characters of a text."""
    folders = {Path(law).absolute().parent for law in laws}
    sources = [path for folder in folders for path in folder.glob("*.pl")]
    for path in {*prolog.rglob("*.pl"), *sources, *(Path(law).absolute() for law in laws)}:
        if path.is_file():
            yield str(path), path.read_bytes().decode("latin-1")


if __name__ == "__main__":
    main(sys.argv[1])
