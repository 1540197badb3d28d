"""Questions that only a hand-written test thinks of, asked on the spot through the same cache.

Requests and replies are JSON-simple: a serial run hands them to ``Spot`` itself, a worker of
xdist sends them to the process that asks (``desk.py``), and both get the same answers.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable as IterableClass
from dataclasses import asdict, dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from pytest_metaspace import asking, pipeline
from pytest_metaspace.answers import read, troubled
from pytest_metaspace.canonical import question_key
from pytest_metaspace.domain import Capability, Claim, Query, Unreadable
from pytest_metaspace.errors import AgentError, MetaspaceError, TrajectoryError, UsageProblem
from pytest_metaspace.observations import observation
from pytest_metaspace.questions import answer_format, asked, own_words, question

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pytest_metaspace.agents import Agent
    from pytest_metaspace.asking import Keeping, Mode
    from pytest_metaspace.domain import Prompting, Question, Trajectory, Trouble, Value

Request = dict[str, Any]
"""``{"text", "images"}``, and for one of our questions also ``{"query", "source"}``."""
Heard = dict[str, Any]
"""``{"raw", "error", "trouble", "flaw"}``: the raw answer or why there is none, why asking
stopped, and why the endpoint calls the raw answer none (cut off, filtered, refused)."""
_LONGEST = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What an agent answered to one of our spatial questions.

    Attributes:
        question: what was asked, as one sentence.
        raw: the answer as it came.
        reading: what it says, or ``Unreadable`` with the reason.
        observation: the same as the oracle takes it.
    """

    question: str
    raw: str
    reading: Value | Unreadable
    observation: Mapping[str, Any]

    @property
    def value(self) -> Value:
        """What the answer says: ``planar``, ``steps``, ``metres`` or ``holds``.

        Raises:
            AgentError: it says nothing that was allowed.
        """
        if isinstance(self.reading, Unreadable):
            raise AgentError(
                f"metaspace: the answer {_brief(self.raw)} to {self.question!a} cannot be read: "
                f"{self.reading.reason}. Look at .raw, or at .reading, which holds the reason."
            )
        return self.reading


# -------------------------------------------------------------------- requests and replies


def in_words(text: str, images: Iterable[Path | str], folder: Path) -> Request:
    """Return the request for a question in own words; relative paths belong to a folder.

    Raises:
        UsageProblem: the text is no text, or the pictures are no list of paths.
    """
    if not isinstance(text, str):
        raise UsageProblem(f"metaspace: a question is a str, not {_given(text)}.")
    if isinstance(images, (str, bytes, PurePath)) or not isinstance(images, IterableClass):
        raise UsageProblem(
            "metaspace: the pictures of a question are a list of paths, as in ['door.png'], not "
            f"{_given(images)}. Leave them out where there are none."
        )
    paths = list(images)
    for path in paths:
        if not isinstance(path, (str, PurePath)):
            raise UsageProblem(
                f"metaspace: a picture of a question is a path, not {_given(path)}. Save it "
                "to a file first."
            )
    return {"text": text, "images": [str(folder / path) for path in paths]}


def about(query: Query, trajectory: Trajectory, prompting: Prompting = "direct") -> Request:
    """Return the request for a query."""
    seen = question(query, trajectory, prompting)
    return {
        "query": asdict(query),
        "source": str(trajectory.source),
        "text": seen.text,
        "images": [str(image) for image in seen.images],
    }


def raw_of(heard: Heard, what: str) -> str:
    """Return the raw answer that a reply holds.

    Raises:
        AgentError: there is none; the text says why.
    """
    if heard["raw"] is None:
        raise AgentError(f"metaspace: there is no answer to {_brief(what)}: {heard['error']}.")
    raw: str = heard["raw"]
    return raw


def text_of(heard: Heard, what: str) -> str:
    """Return the raw answer that a reply holds, where the endpoint does not call it none.

    Raises:
        AgentError: there is none, or it was cut off, filtered or refused.
    """
    raw, flaw = raw_of(heard, what), heard.get("flaw")
    if flaw:
        raise AgentError(
            f"metaspace: there is no answer to {_brief(what)}: {troubled(flaw).reason} "
            f"({_brief(raw)})."
        )
    return raw


def reply(
    query: Query, trajectory: Trajectory, heard: Heard, prompting: Prompting = "direct"
) -> Reply:
    """Read the answer to a query.

    Raises:
        AgentError: there is none.
    """
    raw = raw_of(heard, asked(query))
    flaw = heard.get("flaw")
    form = answer_format(query, trajectory, prompting)
    reading = troubled(flaw) if flaw else read(raw, form)
    return Reply(
        question=asked(query),
        raw=raw,
        reading=reading,
        observation=observation(query, reading),
    )


def _given(value: object) -> str:
    return ascii(value)[:_LONGEST]


def _brief(text: str) -> str:
    return ascii(text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "...")


# ---------------------------------------------------------------------------------- asking


class Spot:
    """Asks what was not planned; each distinct question once in a run.

    Args:
        registries: finds the trajectories that requests name.
        agent: who answers.
        open_store: opens the store of answers, on first use.
        mode: as for planned questions.
        planned: the queries that were asked before; they are not asked anew to refresh them.
        record: where to add what was answered, when closed.
        tell: told of every round.
        caps: what may still be spent.
        prompting: how our questions are put; those in own words stay as they are.
    """

    def __init__(
        self,
        registries: pipeline.Registries,
        agent: Agent,
        *,
        open_store: Callable[[], Keeping | None],
        mode: Mode = "cached",
        planned: Callable[[], Iterable[Query]] = tuple,
        record: Path | None = None,
        tell: Callable[[asking.Asked], None] = lambda _: None,
        caps: Callable[[], asking.Caps] = asking.Caps,
        prompting: Prompting = "direct",
    ) -> None:
        self._registries = registries
        self._agent = agent
        self._open_store = open_store
        self._store: Keeping | None = None
        self._mode: Mode = mode
        self._planned = planned
        self._record = record
        self._tell = tell
        self._caps = caps
        self._prompting = prompting
        self._lock = threading.Lock()
        self._trajectories: dict[str, Trajectory] = {}
        self._heard: dict[str, tuple[Question, str]] = {}
        self._flaws: dict[str, Trouble | None] = {}
        self._stopped: str | None = None

    def ask(self, requests: Sequence[Request]) -> list[Heard]:
        """Answer requests, in order; one that fails says why and harms no other."""
        with self._lock:
            made = [self._made(request) for request in requests]
            wanted = {key: what for key, what in made if not isinstance(what, str)}
            errors = self._round({k: q for k, q in wanted.items() if k not in self._heard})
            return [self._told(key, what, errors) for key, what in made]

    def _made(self, request: Request) -> tuple[str, Question | str]:
        """Return a question with its key, or why there is none."""
        try:
            found = self._question(request)
            return question_key(found), found
        except OSError as problem:
            return "", f"the picture {problem.filename!a} cannot be read ({problem.strerror})"
        except MetaspaceError as problem:
            return "", str(problem)

    def _question(self, request: Request) -> Question:
        if "query" not in request:
            return own_words(request["text"], [Path(image) for image in request["images"]])
        fields = dict(request["query"])
        fields["capability"] = Capability(fields["capability"])
        fields["evidence"] = tuple(fields["evidence"])
        fields["claim"] = fields["claim"] and Claim(**fields["claim"])
        found = question(Query(**fields), self._trajectory(request["source"]), self._prompting)
        if [found.text, *map(str, found.images)] != [request["text"], *request["images"]]:
            raise TrajectoryError(
                f"{request['source']} is not the trajectory that was handed in, and questions are "
                "asked about what is on disk. Write the changed one to a folder of its own"
            )
        return found

    def _trajectory(self, source: str) -> Trajectory:
        if source not in self._trajectories:
            form = self._registries.format_of(Path(source))
            if form is None:
                raise TrajectoryError(f"{source} is no trajectory of a known format")
            self._trajectories[source] = self._registries.load(Path(source), form)
        return self._trajectories[source]

    def _round(self, fresh: Mapping[str, Question]) -> dict[str, str]:
        """Ask what is new; return why some got no answer."""
        if not fresh or self._stopped is not None:
            return {}
        if self._store is None:
            self._store = self._open_store()
        planned = frozenset(self._planned()) if self._mode == "refresh" else frozenset()
        errors: dict[str, str] = {}
        for known, mode in ((False, self._mode), (True, "cached")):
            group = {k: q for k, q in fresh.items() if (q.query in planned) is known}
            if group:
                self._ask(group, mode, errors)
        return errors

    def _ask(self, group: Mapping[str, Question], mode: Mode, errors: dict[str, str]) -> None:
        done = asking.ask(group.values(), self._agent, self._store, mode=mode, caps=self._caps())
        self._stopped = done.stopped or self._stopped
        self._tell(done)
        for key, one in group.items():
            answer = done.answers[one.query]
            if answer.raw is None:
                errors[key] = answer.error or "there is none"
            else:
                self._heard[key] = (one, answer.raw)
                self._flaws[key] = answer.trouble

    def _told(self, key: str, what: Question | str, errors: Mapping[str, str]) -> Heard:
        raw = error = None
        if isinstance(what, str):
            error = what
        elif key in self._heard:
            raw = self._heard[key][1]
        else:
            error = errors.get(key) or self._stopped
        return {
            "raw": raw,
            "error": (error or "").rstrip("."),
            "trouble": self._stopped or "",
            "flaw": self._flaws.get(key),
        }

    def close(self) -> None:
        """Add to the recording what was asked here, and close the store."""
        if self._store is not None:
            self._store.close()
            self._store = None
        if self._record is not None and self._heard:
            _append(self._record, self._heard, self._flaws)


def _append(
    path: Path,
    heard: Mapping[str, tuple[Question, str]],
    flaws: Mapping[str, Trouble | None],
) -> None:
    """Add answers to a recording that has the planned ones already."""
    known = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    there = {json.loads(line)["question"] for line in known}
    lines = [
        json.dumps(
            {
                "question": key,
                "images": [image.name for image in one.images],
                "text": one.text,
                "answer": raw,
                **({"trouble": flaws[key]} if flaws.get(key) else {}),
            }
        )
        for key, (one, raw) in heard.items()
        if key not in there
    ]
    path.write_text("".join(f"{line}\n" for line in [*known, *lines]), encoding="utf-8")
