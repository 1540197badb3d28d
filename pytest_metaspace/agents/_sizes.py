"""How large things usually are: what a person would guess by the name alone.

Round numbers from everyday life, not measured in any room that is asked about.
"""

from __future__ import annotations

from typing import NamedTuple


class Usual(NamedTuple):
    """The usual size of a kind of thing, in metres.

    Attributes:
        height: from its lowest to its highest point.
        width: along its front.
        depth: from its front to its back.
        stands: whether it stands on the floor.
    """

    height: float
    width: float
    depth: float
    stands: bool


_ON_FLOOR = {
    "armchair": (0.9, 0.85, 0.85),
    "backpack": (0.5, 0.35, 0.25),
    "ball": (0.25, 0.25, 0.25),
    "basket": (0.45, 0.45, 0.45),
    "bathtub": (0.58, 1.7, 0.75),
    "bed": (0.9, 1.6, 2.1),
    "bench": (0.5, 1.2, 0.4),
    "bicycle": (1.05, 1.75, 0.5),
    "bookcase": (1.8, 0.9, 0.32),
    "bookshelf": (1.8, 0.9, 0.32),
    "box": (0.4, 0.45, 0.4),
    "cabinet": (0.9, 0.9, 0.45),
    "cat": (0.3, 0.45, 0.2),
    "chair": (0.9, 0.45, 0.48),
    "coffee table": (0.43, 1.0, 0.6),
    "couch": (0.85, 1.9, 0.9),
    "counter": (0.9, 1.5, 0.62),
    "cupboard": (1.8, 1.0, 0.5),
    "desk": (0.75, 1.4, 0.7),
    "dining table": (0.75, 1.4, 0.9),
    "dishwasher": (0.85, 0.6, 0.6),
    "dog": (0.6, 0.8, 0.3),
    "door": (2.05, 0.9, 0.08),
    "dresser": (0.85, 1.1, 0.48),
    "fan": (1.2, 0.45, 0.4),
    "filing cabinet": (1.0, 0.45, 0.6),
    "floor lamp": (1.65, 0.4, 0.4),
    "guitar": (1.0, 0.38, 0.25),
    "ladder": (1.7, 0.5, 0.7),
    "nightstand": (0.55, 0.48, 0.42),
    "office chair": (1.0, 0.6, 0.6),
    "oven": (0.9, 0.6, 0.6),
    "person": (1.7, 0.5, 0.35),
    "piano": (1.2, 1.5, 0.6),
    "potted plant": (0.9, 0.6, 0.6),
    "refrigerator": (1.75, 0.65, 0.68),
    "rug": (0.02, 2.2, 1.5),
    "scale": (0.05, 0.32, 0.32),
    "shelves": (1.7, 0.9, 0.35),
    "side table": (0.58, 0.5, 0.5),
    "sofa": (0.85, 1.9, 0.9),
    "stool": (0.6, 0.38, 0.38),
    "stove": (0.9, 0.6, 0.6),
    "suitcase": (0.65, 0.45, 0.27),
    "table": (0.75, 1.2, 0.85),
    "toilet": (0.75, 0.4, 0.65),
    "towel rack": (0.9, 0.6, 0.3),
    "trash can": (0.5, 0.35, 0.35),
    "tv stand": (0.5, 1.4, 0.42),
    "wardrobe": (1.95, 1.1, 0.6),
    "washbasin": (0.85, 0.55, 0.45),
    "washing machine": (0.85, 0.6, 0.6),
}
_OUTDOORS = {
    "apartment block": (15.0, 15.0, 12.0),
    "billboard": (5.0, 6.0, 0.4),
    "boat": (2.5, 2.2, 6.0),
    "bridge": (3.0, 4.0, 15.0),
    "bus": (3.0, 2.5, 11.0),
    "bus stop": (2.7, 4.0, 1.6),
    "car": (1.5, 1.8, 4.4),
    "church": (18.0, 10.0, 18.0),
    "container": (2.6, 2.4, 6.0),
    "crane": (25.0, 20.0, 3.0),
    "fountain": (2.5, 5.0, 5.0),
    "gas station": (5.0, 12.0, 10.0),
    "gazebo": (4.0, 4.5, 4.5),
    "house": (7.0, 9.0, 8.0),
    "kiosk": (3.0, 3.0, 3.0),
    "market stall": (2.5, 3.0, 2.0),
    "parasol": (2.6, 3.0, 3.0),
    "slide": (2.5, 1.0, 4.0),
    "statue": (4.0, 1.5, 1.5),
    "street lamp": (6.0, 0.4, 1.5),
    "taxi": (1.6, 1.8, 4.5),
    "tent": (2.0, 3.0, 3.0),
    "tower": (30.0, 12.0, 12.0),
    "traffic light": (4.0, 0.5, 0.5),
    "tree": (6.0, 4.0, 4.0),
    "truck": (3.2, 2.5, 8.0),
    "water tower": (20.0, 8.0, 8.0),
    "van": (2.2, 2.0, 5.2),
}
_ELSEWHERE = {
    "apple": (0.08, 0.08, 0.08),
    "blinds": (1.3, 1.2, 0.06),
    "book": (0.23, 0.16, 0.03),
    "bottle": (0.3, 0.08, 0.08),
    "bowl": (0.14, 0.28, 0.28),
    "clock": (0.32, 0.32, 0.05),
    "cup": (0.1, 0.1, 0.08),
    "curtain": (2.0, 1.4, 0.15),
    "desk lamp": (0.45, 0.3, 0.2),
    "globe": (0.4, 0.3, 0.3),
    "jar": (0.18, 0.1, 0.1),
    "kettle": (0.25, 0.24, 0.2),
    "keyboard": (0.03, 0.44, 0.14),
    "lamp": (0.5, 0.3, 0.3),
    "laptop": (0.25, 0.35, 0.26),
    "map": (0.65, 0.95, 0.03),
    "microwave": (0.3, 0.5, 0.38),
    "mirror": (0.9, 0.65, 0.04),
    "monitor": (0.45, 0.55, 0.2),
    "mug": (0.1, 0.1, 0.08),
    "picture": (0.65, 0.7, 0.04),
    "pot": (0.22, 0.28, 0.26),
    "printer": (0.28, 0.46, 0.4),
    "rubber duck": (0.2, 0.2, 0.16),
    "shelf": (0.3, 0.9, 0.25),
    "sink": (0.3, 0.55, 0.45),
    "table lamp": (0.5, 0.3, 0.3),
    "teddy bear": (0.38, 0.3, 0.26),
    "toaster": (0.22, 0.3, 0.18),
    "towel": (0.6, 0.4, 0.05),
    "tv": (0.66, 1.1, 0.12),
    "vase": (0.36, 0.18, 0.18),
    "whiteboard": (0.85, 1.2, 0.04),
    "window": (1.25, 1.2, 0.12),
}
_ON_TABLE = {
    "apple": (0.08, 0.08, 0.08),
    "ball": (0.07, 0.07, 0.07),
    "banana": (0.04, 0.18, 0.05),
    "book": (0.03, 0.22, 0.16),
    "books": (0.06, 0.22, 0.16),
    "bottle": (0.25, 0.07, 0.07),
    "bowl": (0.07, 0.16, 0.16),
    "box": (0.1, 0.12, 0.1),
    "can": (0.12, 0.07, 0.07),
    "cereal box": (0.28, 0.19, 0.07),
    "cube": (0.06, 0.06, 0.06),
    "cup": (0.1, 0.09, 0.09),
    "cylinder": (0.1, 0.06, 0.06),
    "lemon": (0.06, 0.08, 0.06),
    "milk carton": (0.22, 0.09, 0.09),
    "mug": (0.1, 0.11, 0.09),
    "plate": (0.02, 0.25, 0.25),
    "potted plant": (0.2, 0.12, 0.12),
    "sponge": (0.04, 0.11, 0.08),
}
_ALL = {
    **{label: Usual(*size, stands=True) for label, size in {**_ON_FLOOR, **_OUTDOORS}.items()},
    **{label: Usual(*size, stands=False) for label, size in _ELSEWHERE.items()},
}
_ROUND = frozenset({"apple", "ball", "lemon"})
"""They touch the table under themselves, where no camera sees it."""
_TABLE = {label: Usual(*size, stands=label not in _ROUND) for label, size in _ON_TABLE.items()}


def usual(label: str, *, on_table: bool = False) -> Usual | None:
    """Return the usual size of what a label names, or None.

    The longest ending of the label that is known decides: a red office chair is an office chair.

    Args:
        label: of a tracked object.
        on_table: whether it stands on a table, where a plant is small and nothing hangs; only
            things that do are known then.
    """
    known = _TABLE if on_table else _ALL
    words = label.lower().replace("_", " ").replace("-", " ").split()
    endings = (" ".join(words[start:]) for start in range(len(words)))
    return next((known[ending] for ending in endings if ending in known), None)
