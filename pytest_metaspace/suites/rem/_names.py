"""What the tasks and relations of REM are called, and which are about which."""

from __future__ import annotations

from typing import Final

CODE: Final = "REM"
COUNT: Final = "count"
IN_FRAME: Final = "compare-in"
OUT_OF_FRAME: Final = "compare-out"
SIDES: Final = "left-right"
ORDER: Final = "order"
SINGLE_FRAME: Final = "single-frame"
FULL_ROTATION: Final = "full-rotation"
TASKS: Final = (COUNT, IN_FRAME, OUT_OF_FRAME, SIDES, ORDER, SINGLE_FRAME, FULL_ROTATION)
BOUNDS: Final = {"frames": (2, 64), "objects": (2, 55), "duplicates": (0, 53)}
"""The least and the most of them that a scene or walk may have."""

RELATIONS: Final = {
    "MIRROR": "pictures mirrored, turns exchanged",
    "SWAP": "the two names for each other",
    "REVERSED": "walked backwards",
    "RETURNED": "walked back the same way",
    "ADDED": "one object more that nobody asks for",
    "PREFIX": "a part counts no more than the whole",
    "PARTS": "the whole counts no more than its parts",
    "COARSER": "every other picture counts no more",
    "REPEATED": "one picture twice",
    "SUM": "colours and shapes sum up to one number",
    "SIGN": "more is what is counted more",
    "TRANSITIVE": "first to second, second to third",
    "SHIFTED": "the circle begun elsewhere",
    "CLOSED": "the first picture again, at 360 degrees",
}
_COMPARED = (IN_FRAME, OUT_OF_FRAME)
_PAIRS = (*_COMPARED, SIDES, ORDER)
_COUNTED = (COUNT, FULL_ROTATION)
ONLY: Final = {
    "SWAP": _PAIRS,
    "REVERSED": (*_COUNTED, *_PAIRS),
    "RETURNED": (COUNT,),
    "ADDED": (COUNT, *_PAIRS, SINGLE_FRAME),
    "PREFIX": _COUNTED,
    "PARTS": _COUNTED,
    "COARSER": _COUNTED,
    "SUM": (*_COUNTED, SINGLE_FRAME),
    "SIGN": _COMPARED,
    "TRANSITIVE": _PAIRS,
    "SHIFTED": (FULL_ROTATION,),
    "CLOSED": (FULL_ROTATION,),
}


def about(task: str) -> tuple[str, ...]:
    """Return the relations, without the code, that are about a task."""
    return tuple(one for one in RELATIONS if task in ONLY.get(one, TASKS))
