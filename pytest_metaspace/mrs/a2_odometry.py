"""A2 odometry: where the agent went follows from the actions in the log.

No pose is needed. A case holds one answer against the actions, so that it can say which answer is
wrong. Answers near an edge, between sectors or where rounding turns, are not judged: that the law
decides, from the same actions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_metaspace.domain import Capability, Executed, HeadingAt, StepLength
from pytest_metaspace.mrs._relation import Relation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_metaspace.domain import Case, Query
    from pytest_metaspace.mrs._grounds import Grounds


def instances(grounds: Grounds, capability: Capability) -> Iterator[Case]:
    """Yield a case for every open question about a movement whose actions all succeeded."""
    for query in grounds.questions(capability):
        if query.claim is not None:
            continue
        executed = _executed(grounds, query)
        if executed is None:
            grounds.drops["A2: an action failed or is not known"] += 1
            continue
        assert query.b is not None
        assert query.reference is not None
        yield grounds.case(
            relation="A2",
            law="A2",
            capability=capability,
            tag=f"h{query.reference:03d}",
            subjects=(query.a, query.b),
            queries=[query],
            givens=(
                HeadingAt(query.reference),
                *executed,
                StepLength(grounds.trajectory.step_length_m),
            ),
            suffix="reworded" if query.wording else "",
        )


def _executed(grounds: Grounds, query: Query) -> list[Executed] | None:
    """Return what was done from the state whose heading counts to the later of the two."""
    assert isinstance(query.a, int)
    assert isinstance(query.b, int)
    assert query.reference is not None
    done = []
    for state in grounds.trajectory.states[query.reference : max(query.a, query.b)]:
        action = state.action
        if action is None or not state.succeeded:
            return None
        #  A mover that is watched moves in the frame of the camera, which does not turn with it.
        turns = not grounds.trajectory.watched
        turn = action.turn_deg if turns else 0.0
        done.append(Executed(first=state.index, move_m=action.move_m, turn_deg=turn))
    return done


RELATION = Relation(
    name="A2",
    title="odometry",
    capabilities=(Capability.MOVEMENT_DIRECTION, Capability.MOVEMENT_DISTANCE),
    instances=instances,
    anchored=True,
)
