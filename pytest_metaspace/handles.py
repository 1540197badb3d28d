"""What the fixtures ``metaspace_agent`` and ``metaspace_scores`` hand to a test."""

from __future__ import annotations

import sys
import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pytest_metaspace import queries, spot
from pytest_metaspace.domain import Showing
from pytest_metaspace.errors import MetaspaceError, UsageProblem, unknown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from pytest_metaspace.desk import Caller
    from pytest_metaspace.domain import Claim, Prompting, Score, Subject, TrackedObject, Trajectory


class MetaspaceScores:
    """The scores of all selected cases, as they were settled before the first test ran.

    ``scores["SC2-a"]`` is the ``Score`` of a capability, ``scores["SC2-a MR1"]`` that of a
    relation in it, and ``scores.total`` the mean over capabilities, or None. ``scores["A2"]`` is
    that of an anchored relation, which is part of no other, where a run has it.
    """

    def __init__(self, scores: Iterable[Score], total: float | None) -> None:
        self._by_name = {score.name: score for score in scores}
        self.total = total

    def __getitem__(self, name: str) -> Score:
        """Return a score.

        Raises:
            UsageProblem: no case of that name is selected.
        """
        __tracebackhide__ = True
        if not self._by_name:
            raise UsageProblem(
                "metaspace: this run has selected no case, so there are no scores. Name "
                "trajectories on the command line or in the ini option metaspace_trajectories."
            )
        if name not in self._by_name:
            raise unknown("score", name, self._by_name, hint="The others have no case in this run.")
        return self._by_name[name]

    def __contains__(self, name: str) -> bool:
        return name in self._by_name

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)


class MetaspaceObjects(dict[str, "TrackedObject"]):
    """The tracked objects of a trajectory by id; one that is not there is told with those near."""

    def __missing__(self, name: object) -> TrackedObject:
        """Refuse an object that is not there.

        Raises:
            UsageProblem: always.
        """
        __tracebackhide__ = True
        raise unknown("object", str(name), self, hint="Name objects by their ids in objects.json.")


class MetaspaceAgent:
    """The agent under test, for questions of a test's own; answers come through the store."""

    def __init__(
        self,
        asking: spot.Spot | Caller,
        root: Path,
        find: Callable[[], Trajectory | None],
        prompting: Prompting = "direct",
        showing: Showing | None = None,
    ) -> None:
        self._asking = asking
        self._root = root
        self._find = find
        self._prompting = prompting
        self._showing = showing or Showing()

    def ask(self, text: str, images: Iterable[Path | str] = ()) -> str:
        """Ask in your own words, put as they are; return the raw answer.

        Args:
            text: what is asked.
            images: pictures in order; relative paths belong to the folder of the ini file.

        Raises:
            AgentError: there is no answer, or it was refused, filtered or cut off; the text says
                why.
        """
        __tracebackhide__ = True
        try:
            return spot.text_of(self._heard(spot.in_words(text, images, self._root)), text)
        except MetaspaceError as problem:
            raise problem.with_traceback(None)  # noqa: B904 - it points at the line of the test

    def ask_about(
        self,
        capability: str,
        a: Subject,
        b: Subject | None = None,
        *,
        frame: int | None = None,
        claim: Claim | None = None,
        wording: int = 0,
        trajectory: Trajectory | None = None,
    ) -> spot.Reply:
        """Ask one of the questions that relations ask; where a case asks it too, it is one.

        It is put as ``--metaspace-prompting`` and ``--metaspace-boxes`` say.

        Args:
            capability: its code, as in ``SC2-a``.
            a: the state (by index) or object (by id) from which, or the only one.
            b: the state or object to which.
            frame: the picture to look at, for SC2 and SC3.
            claim: what is to be confirmed; None for an open question.
            wording: 1 asks the same in other words.
            trajectory: where; that of the test when None.

        Raises:
            AgentError: there is no answer; the text says why.
            UsageProblem: there is no such state, object or frame.
        """
        __tracebackhide__ = True
        where = trajectory or self._find()
        if where is None:
            raise UsageProblem(
                "metaspace: ask_about needs a trajectory. Ask for metaspace_trajectory or "
                "metaspace_case too, or hand one in with trajectory=."
            )
        try:
            where = replace(where, showing=self._showing)
            query = queries.query(
                where, capability, a, b, frame=frame, claim=claim, wording=wording
            )
            heard = self._heard(spot.about(query, where, self._prompting))
            return spot.reply(query, where, heard, self._prompting)
        except MetaspaceError as problem:
            raise problem.with_traceback(None)  # noqa: B904 - as above

    def _heard(self, request: dict[str, Any]) -> dict[str, Any]:
        __tracebackhide__ = True
        (heard,) = self._asking.ask([request])
        if heard.get("printed"):
            sys.stdout.write(heard["printed"])
        if heard["trouble"]:
            warnings.warn(heard["trouble"], stacklevel=3)
        found: dict[str, Any] = heard
        return found
