"""`metaspace judge`: recorded observations in, verdicts out, one JSON object a line.

Lines are answered as they come: whatever is at hand is judged before more is waited for, so that
this is also of use as a filter that stays up.
"""

from __future__ import annotations

import json
import select
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from pytest_metaspace.oracle.engine import EngineName, Oracle
from pytest_metaspace.oracle.wire import encoded_case

if TYPE_CHECKING:
    from collections.abc import Iterator

_BLOCK: Final = 1 << 16
_LINES_AT_A_TIME: Final = 200
_ERROR: Final = '"verdict":"error"'
_PROOF: Final = ',"proof":"'  # in a text of JSON, these quotes could not stand bare


@dataclass(frozen=True, slots=True)
class _Entry:
    """A line that was read: its identity as JSON, and its case or, if that is none, its result."""

    identity: str
    case: dict[str, Any]
    result: str | None = None


def judge_lines(
    source: BinaryIO,
    sink: BinaryIO,
    *,
    engine: EngineName = "auto",
    epsilon: float = 0.1,
    delta: float = 0.05,
) -> int:
    """Judge each line of source and write its verdict, with a derivation, to sink.

    Each derivation of a violation is checked; one that does not hold is an error of its line.

    Args:
        source: JSON objects, one a line, as RELATIONS.md describes them.
        sink: where the results go, in the same order.
        engine: the host of the engine.
        epsilon: tolerance of MR5 where a case brings none.
        delta: tolerance of MR6 where a case brings none.

    Returns:
        The exit status: 2 if any line was in error, else 0.
    """
    entries: deque[_Entry] = deque()
    with Oracle(engine, epsilon=epsilon, delta=delta, derivations="all") as oracle:
        writer = _Writer(sink, entries, oracle)
        for result in oracle.judge_terms(_terms(source, entries), proofs="violated"):
            if result is not None:
                writer.write(result)
            else:
                writer.flush()
    writer.flush()
    return 2 if writer.errors else 0


class _Writer:
    """Brings results and lines that never became cases back into order."""

    def __init__(self, sink: BinaryIO, entries: deque[_Entry], oracle: Oracle) -> None:
        self._sink = sink
        self._oracle = oracle
        self._entries = entries
        self._lines: list[str] = []
        self.errors = 0

    def write(self, result: str) -> None:
        """Add the result of the oldest case that waits for one."""
        self._write_known()
        entry = self._entries.popleft()
        self._add(entry.identity, self._confirmed(entry.case, result))
        if len(self._lines) == _LINES_AT_A_TIME:
            self.flush()

    def flush(self) -> None:
        """Hand everything that is known to the reader of the sink."""
        self._write_known()
        self._sink.write("".join(self._lines).encode("ascii"))
        self._sink.flush()
        self._lines.clear()

    def _write_known(self) -> None:
        while self._entries and (known := self._entries[0].result) is not None:
            self._add(self._entries.popleft().identity, known)

    def _confirmed(self, case: dict[str, Any], result: str) -> str:
        """Return a result without its proof, once that has been checked."""
        told, proof, _ = result.rpartition(_PROOF)
        if not proof:
            return result
        found = self._oracle.confirmed(case, {"case": None, **json.loads("{" + result)})
        if found["verdict"] == "error":
            return f"{_ERROR},{json.dumps({'reason': found['reason']})[1:]}"
        return told + "}"

    def _add(self, identity: str, result: str) -> None:
        if result.startswith(_ERROR):
            self.errors += 1
        self._lines.append(f'{{"case":{identity},{result}\n')


def _terms(source: BinaryIO, entries: deque[_Entry]) -> Iterator[str | None]:
    number = 0
    for line in _lines(source):
        if line is None:
            yield None
            continue
        number += 1
        text = line.strip()
        if not text:
            continue
        try:
            case = json.loads(text.decode("utf-8-sig"))
        except (ValueError, RecursionError) as error:
            entries.append(_failed(f"line {number} is not JSON in UTF-8: {_told(error)}"))
            continue
        if not isinstance(case, dict):
            entries.append(_failed(f"line {number} is not a JSON object"))
            continue
        entries.append(_Entry(_identity(case.get("case")), case))
        yield encoded_case(case)


def _failed(reason: str) -> _Entry:
    return _Entry("null", {}, f"{_ERROR},{json.dumps({'reason': reason})[1:]}")


def _told(error: Exception) -> str:
    """Tell what is wrong within a line; to the parser of JSON, every line is the first."""
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at character {error.colno}"
    return str(error)


def _identity(case: object) -> str:
    try:
        return json.dumps(case, allow_nan=False)
    except (ValueError, RecursionError):
        return "null"


def _lines(source: BinaryIO) -> Iterator[bytes | None]:
    """Split source into lines; None where reading on may take a while."""
    rest = b""
    while block := _read(source):
        lines = (rest + block).split(b"\n")
        rest = lines.pop()
        yield from lines
        if not _at_hand(source):
            yield None
    yield rest


def _read(source: BinaryIO) -> bytes:
    read1 = getattr(source, "read1", None)
    data: bytes = read1(_BLOCK) if read1 is not None else source.readline()
    return data


def _at_hand(source: BinaryIO) -> bool:
    try:
        return bool(select.select([source], [], [], 0)[0])
    except (OSError, ValueError, TypeError):
        return True  # not a file of the system: reading does not wait
