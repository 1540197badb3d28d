"""The oracle: cases in, verdicts out, in order.

Cases go to the engine in chunks, a few ahead of the answers. When an engine is lost, its oldest
chunk is judged case by case, so that the culprit is named and the others get their verdicts.
"""

from __future__ import annotations

import json
import shutil
import stat
from collections import Counter, deque
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from pytest_metaspace.domain import Outcome, Rule
from pytest_metaspace.errors import MetaspaceError, OracleUnavailable
from pytest_metaspace.oracle.checker import Checker, Unproved, clause_heads
from pytest_metaspace.oracle.child import Child, ChildLost
from pytest_metaspace.oracle.givens import given
from pytest_metaspace.oracle.hosts import HOW_TO_INSTALL
from pytest_metaspace.oracle.wire import encoded_case, quoted, restored

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from os import PathLike
    from types import TracebackType

    from pytest_metaspace.oracle.hosts import HostName

EngineName = Literal["auto", "pyswip", "swipl", "wasm"]
Derivations = Literal["none", "violated", "all"]

_State = Literal["more", "paused", "ended"]
_MORE: Final[_State] = "more"
_PAUSED: Final[_State] = "paused"
_ENDED: Final[_State] = "ended"

_AHEAD: Final = 3
#  Characters of a chunk to which nothing is added: what travels together shares the stacks.
_LONGEST_CHUNK: Final = 1_000_000
_START_LIMIT_S: Final = 30.0
_HOSTS: Final[dict[str, tuple[HostName, ...]]] = {
    "auto": ("pyswip", "swipl", "wasm"),
    "pyswip": ("pyswip",),
    "swipl": ("swipl",),
    "wasm": ("wasm",),
}
#  What most lines of a run say: a verdict and nothing else.
_ALONE: Final = {f'"verdict":"{one.value}"}}': one.value for one in Outcome}
#  The Python package that runs Prolog in a host.
_PACKAGES: Final[dict[HostName, str]] = {"pyswip": "pyswip", "wasm": "mini-racer"}


class LawError(MetaspaceError):
    """A user's file of laws is not as it should be."""


@dataclass(frozen=True, slots=True)
class _Chunk:
    terms: list[str]
    text: str


class Oracle:
    """Judges cases with the Prolog engine in a child process of its own.

    The engine starts with the first case. Not for use by several threads at a time.

    Args:
        engine: the host: ``"pyswip"``, ``"swipl"``, ``"wasm"``, or ``"auto"`` for the first of
            them that works.
        epsilon: tolerance of MR5 where a case brings none, and under ``paper``.
        delta: the same for MR6.
        derivations: ``"violated"`` for derivations of everything but satisfied cases, else
            ``"all"`` or ``"none"``.
        chunk: how many cases travel together.
        wall_limit_s: how long a chunk may take before its engine is given up. Starting an
            engine may take longer.
        laws: files with laws of the user's own.
        trusted: load them whatever they hold, beyond the list in docs/rules.md. A native engine
            then runs them with your rights.
        count_rules: count the cases in which each clause of the laws fires; slower.

    Attributes:
        passed_over: why ``"auto"`` came to a slower engine although there is a ``swipl``; else
            empty.
    """

    def __init__(
        self,
        engine: EngineName = "auto",
        *,
        epsilon: float = 0.1,
        delta: float = 0.05,
        derivations: Derivations = "violated",
        chunk: int = 200,
        wall_limit_s: float = 60.0,
        laws: Sequence[str | PathLike[str]] = (),
        trusted: bool = False,
        count_rules: bool = False,
    ) -> None:
        if engine not in _HOSTS:
            raise OracleUnavailable(
                f"metaspace: engine {engine!r} is not known. Known: {', '.join(_HOSTS)}."
            )
        self._hosts = _HOSTS[engine]
        self.passed_over = ""
        self._chunk = max(chunk, 1)
        self._wall_limit_s = wall_limit_s
        self._laws = [str(law) for law in laws]
        self._trusted = trusted
        self._derivations = derivations
        self._count_rules = count_rules
        self._tolerances = float(epsilon), float(delta)
        self._fired: Counter[str] = Counter()
        self._head = ""
        self._checker: Checker | None = None
        self._clauses: list[list[str]] = []
        self._child: Child | None = None
        self._description: dict[str, Any] = {}

    def __enter__(self) -> Oracle:  # noqa: PYI034 - Self needs Python 3.11
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the engine. It starts again if it is needed again."""
        if self._child is not None:
            self._child.close()
            self._child = None

    def judge(
        self,
        cases: Iterable[Mapping[str, object]],
        *,
        proofs: Derivations | None = None,
        derivations: Derivations | None = None,
        again: bool = False,
    ) -> Iterator[dict[str, Any]]:
        """Judge cases lazily, in order.

        Args:
            cases: the cases, each as RELATIONS.md describes them.
            proofs: which derivations come with the ``proof`` that ``confirmed`` needs.
            derivations: for these cases, instead of those that the oracle was made for.
            again: they were judged before; what fires is not counted once more.

        Yields:
            For each case ``case``, ``verdict`` and, where there is one, ``reason`` and
            ``derivation``.

        Raises:
            OracleUnavailable: no engine can be started.
        """
        identities: deque[object] = deque()

        def terms() -> Iterator[str]:
            for case in cases:
                identities.append(case.get("case"))
                yield encoded_case(case)

        for line in self.judge_terms(terms(), proofs=proofs, derivations=derivations, again=again):
            if line is not None:
                alone = _ALONE.get(line)
                found = json.loads("{" + line) if alone is None else {"verdict": alone}
                self._fired.update(found.pop("fired", ()))
                yield {"case": identities.popleft(), **found}

    def rules(self) -> tuple[Rule, ...]:
        """Return every clause of the laws, with the cases in which it fired since last asked.

        A clause of ``lacks/1`` is none: it is to fire never.
        """
        fired, self._fired = self._fired, Counter()
        return tuple(
            Rule(source, head, fired[source])
            for module, source, head in clause_heads(self._clauses)
            if module != "spatial" and head != "lacks/1"
        )

    def confirmed(self, case: Mapping[str, Any], found: dict[str, Any]) -> dict[str, Any]:
        """Have a result's derivation checked by its proof, and return it without the proof.

        One that does not hold is an error of ours, and so becomes the verdict.
        """
        proof = found.pop("proof", None)
        if proof is None:
            return found
        try:
            if self._checker is None:
                self._checker = Checker(self._clauses)
            facts = given(case, self._checker.sectors, *self._tolerances)
            self._checker.check(facts, found["verdict"], found["derivation"], proof)
        except (Unproved, LookupError, TypeError, ValueError) as problem:
            told = f"internal error: the derivation does not check: {problem!s:.500}"
            return {
                "case": found["case"],
                "verdict": "error",
                "reason": f"{told}. Please report it.",
            }
        return found

    def judge_terms(
        self,
        terms: Iterable[str | None],
        *,
        proofs: Derivations | None = None,
        derivations: Derivations | None = None,
        again: bool = False,
    ) -> Iterator[str | None]:
        """Judge encoded cases; yield the JSON of each result without its opening brace.

        None among the terms says that the next one may be long in coming: everything before it
        is answered first, and the answers are followed by a None.
        """
        source = iter(terms)
        self._head = self._options(derivations or self._derivations, proofs=proofs, again=again)
        under_way: deque[_Chunk] = deque()
        try:
            state: _State = _MORE
            while state is not _ENDED or under_way:
                while state is _MORE and len(under_way) < _AHEAD:
                    taken, state = _taken(source, self._chunk)
                    self._send(taken, under_way)
                if under_way:
                    yield from self._answers(under_way)
                elif state is _PAUSED:
                    yield None
                    state = _MORE
        finally:
            if under_way:
                self.close()  # answers nobody wants would be taken for others

    def _options(self, derivations: Derivations, *, proofs: Derivations | None, again: bool) -> str:
        epsilon, delta = self._tolerances
        wanted = "unsatisfied" if derivations == "violated" else derivations
        more = f",proofs={proofs}" if proofs else ""
        more += ",fired=true" if self._count_rules and not again else ""
        return f"options([epsilon={epsilon!r},delta={delta!r},derivations={wanted}{more}]).\n"

    def describe(self) -> dict[str, Any]:
        """Tell which engine judges: host, versions, relations and vocabulary."""
        self._running()
        return dict(self._description)

    def _send(self, terms: list[str], under_way: deque[_Chunk]) -> None:
        if terms:
            chunk = _Chunk(terms, self._head + "".join(terms))
            under_way.append(chunk)
            self._running().submit(chunk.text)

    def _answers(self, under_way: deque[_Chunk]) -> list[str]:
        """Wait for the oldest chunk; nothing under way is lost with an engine."""
        chunk = under_way[0]
        try:
            lines = _checked(self._running().collect(), len(chunk.terms))
        except ChildLost:
            self.close()
            lines = [self._answer_alone(term) for term in chunk.terms]
            for later in islice(under_way, 1, None):
                self._running().submit(later.text)
        under_way.popleft()
        return lines

    def _answer_alone(self, term: str) -> str:
        try:
            return _checked(self._running().ask(self._head + term), 1)[0]
        except ChildLost as lost:
            self.close()
            reason = json.dumps(f"the engine {lost} on this case")
            return f'"verdict":"error","reason":{reason}}}'

    def _running(self) -> Child:
        if self._child is None:
            self._child = self._started()
        return self._child

    def _started(self) -> Child:
        _require_files(self._laws)
        failures: list[str] = []
        for host in self._hosts:
            try:
                child = self._started_on(host)
            except (OracleUnavailable, ChildLost, OSError) as failure:
                failures.append(f"{host}: {failure}")
                continue
            self._hosts = (host,)  # what is started again need not wait for the others again
            if failures and host == "wasm" and shutil.which("swipl"):
                self.passed_over = "\n".join(failures)
            return child
        raise OracleUnavailable(
            "metaspace: no Prolog engine could be started. "
            f"{HOW_TO_INSTALL}\n" + "\n".join(failures)
        )

    def _started_on(self, host: HostName) -> Child:
        starting_s = max(self._wall_limit_s, _START_LIMIT_S)
        child = Child(host, wall_limit_s=starting_s, laws=self._laws)
        try:
            _asked(child, "describe.\n")  # what cannot do so much is no engine, whatever the laws
            messages = self._load_laws(child)
            if not messages:
                description = _asked(child, "describe.\n")
                self._clauses = self._clauses or _asked(child, "clauses.\n")
        except BaseException:
            child.close()
            raise
        if messages:
            child.close()
            raise LawError("metaspace: " + "\n".join(messages))
        child.wall_limit_s = self._wall_limit_s
        self._description = {"engine": host, **_versions(host), **description}
        return child

    def _load_laws(self, child: Child) -> list[str]:
        if not self._laws:
            return []
        files = ",".join(quoted(law) for law in self._laws)
        trusted = str(self._trusted).lower()
        try:
            messages: list[str] = _asked(child, f"load([{files}],{trusted}).\n")["messages"]
        except ChildLost as lost:
            return [f"the engine {lost} while it loaded the laws {', '.join(self._laws)}"]
        return messages


def _require_files(laws: Iterable[str]) -> None:
    """See to it that no law is something that reading would never come to the end of.

    Raises:
        LawError: one is no regular file. What cannot be looked at, the engine tells.
    """
    for law in laws:
        try:
            mode = Path(law).stat().st_mode
        except (OSError, ValueError):
            continue
        if not stat.S_ISREG(mode):
            raise LawError(
                f"metaspace: the law {law!a} is no regular file but a folder, a pipe or a device. "
                "Name a file with Prolog clauses, as docs/rules.md describes it."
            )


def _asked(child: Child, question: str) -> Any:
    try:
        answer: Any = json.loads(child.ask(question))
    except ValueError as error:
        raise ChildLost("answered nonsense") from error
    return answer


def _versions(host: HostName) -> dict[str, str]:
    package = _PACKAGES.get(host)
    if package is None:
        return {}
    try:
        return {package: version(package)}
    except PackageNotFoundError:
        return {package: "unknown"}


def _taken(source: Iterator[str | None], count: int) -> tuple[list[str], _State]:
    terms: list[str] = []
    length = 0
    for term in source:
        if term is None:
            return terms, _PAUSED
        terms.append(term)
        length += len(term)
        if len(terms) == count or length >= _LONGEST_CHUNK:
            return terms, _MORE
    return terms, _ENDED


def _checked(answer: str, count: int) -> list[str]:
    """Split an answer into its lines, each without the index that it must start with."""
    lines = restored(answer).split("\n")
    if len(lines) != count + 1 or lines[-1]:
        raise ChildLost("answered nonsense")
    bodies = []
    for index, line in enumerate(lines[:-1]):
        start = f'{{"n":{index},'
        if not line.startswith(start + '"verdict":') or not line.endswith("}"):
            raise ChildLost("answered nonsense")
        bodies.append(line[len(start) :])
    return bodies
