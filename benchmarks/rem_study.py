"""Are the walks of REM that we draw what we say they are? Prints a table.

Colours by the median pixel of what is seen clearly, masks against rays through the middles of
pixels, mirrored scenes against mirrored masks, opposite views of full rotations, and how much
depends on what is seen but not clearly.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from pytest_metaspace.suites.rem import _layout, _path, _sightings
from pytest_metaspace.suites.rem._render import Studio
from pytest_metaspace.suites.rem._scene import COLOURS
from tests.suites import rem_rays

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_metaspace.suites.rem._scene import Place, Pose
    from pytest_metaspace.suites.rem._seen import Sight

    Frames = Sequence[Mapping[str, Sight]]

FRAMES, OBJECTS, DUPLICATES = 20, 24, 6
PALETTE = np.array(list(COLOURS.values()))
NAMES = list(COLOURS)


class Study:
    """Counts what was found, and of how many."""

    def __init__(self, studio: Studio) -> None:
        self.studio = studio
        self.found: Counter[str] = Counter()
        self.of: Counter[str] = Counter()

    def count(self, what: str, found: int, of: int = 1) -> None:
        """Count what was found, and of how many."""
        self.found[what] += found
        self.of[what] += of

    def walk(self, seed: int) -> None:
        """Look at one walk."""
        chance = random.Random(f"study {seed}")  # noqa: S311 - no secret
        poses, _ = _path.walk(chance, FRAMES)
        places = _layout.around(chance, _layout.kinds(chance, OBJECTS, DUPLICATES), poses)
        frames = tuple(_sightings.frames(self.studio, places, poses))
        self._slivers(places, frames)
        for number in range(0, FRAMES, 4):
            self._colours(places, poses[number], frames[number])
        self._rays(places, poses[FRAMES // 2])
        self._mirrored(places, poses[0])

    def _colours(self, places: Sequence[Place], pose: Pose, sights: Mapping[str, Sight]) -> None:
        self.studio.arrange(places)
        mask, picture = self.studio.masks(pose), self.studio.picture(pose)
        for number, place in enumerate(places):
            if place.thing.id in sights and sights[place.thing.id].clear:
                median = np.median(picture[mask == number], axis=0)
                nearest = NAMES[int(((PALETTE - median) ** 2).sum(axis=1).argmin())]
                right = nearest == place.thing.colour
                self.count("clear views nearest to their own colour", right)
                self.count(f"  of these {place.thing.colour}", right)

    def _rays(self, places: Sequence[Place], pose: Pose) -> None:
        self.studio.arrange(places)
        drawn, met = self.studio.masks(pose), rem_rays.owners(places, pose)
        here = (drawn >= 0) | (met >= 0)
        self.count(
            "pixels of things that rays and masks agree on",
            int((drawn == met)[here].sum()),
            int(here.sum()),
        )
        either = set(np.unique(drawn[here])) | set(np.unique(met[here]))
        both = set(np.unique(drawn)) & set(np.unique(met)) & either
        self.count("things seen by both, of those seen by either", len(both), len(either))

    def _mirrored(self, places: Sequence[Place], pose: Pose) -> None:
        self.studio.arrange(places)
        plain = self.studio.masks(pose)[:, ::-1]
        self.studio.arrange([replace(one, y=-one.y) for one in places])
        turned = self.studio.masks(replace(pose, y=-pose.y, yaw_deg=-pose.yaw_deg))
        self.count(
            "pixels of mirrored scenes that are those of mirrored masks",
            int((turned == plain).sum()),
            plain.size,
        )

    def _slivers(self, places: Sequence[Place], frames: Frames) -> None:
        first: dict[bool, dict[str, int]] = {False: {}, True: {}}
        for number, frame in enumerate(frames):
            for name, sight in frame.items():
                for clearly in (False, sight.clear):
                    first[clearly].setdefault(name, number)
        self.count(
            "things seen that are never seen clearly",
            len(first[False]) - len(first[True]),
            len(first[False]),
        )
        for key in ("colour", "shape", "name"):
            for value in sorted({getattr(one.thing, key) for one in places}):
                ids = {one.thing.id for one in places if getattr(one.thing, key) == value}
                counts = [len(ids & first[clearly].keys()) for clearly in (False, True)]
                self.count("numbers that depend on slivers", counts[0] != counts[1])
        for one, two in combinations(sorted(first[True]), 2):
            signs = [np.sign(when[one] - when[two]) for when in first.values()]
            self.count("orders of first sight that depend on slivers", signs[0] != signs[1])

    def rotation(self, seed: int) -> None:
        """Look at one full rotation."""
        chance = random.Random(f"study turn {seed}")  # noqa: S311 - no secret
        poses, _ = _path.spot(chance)
        places = _layout.opposite(chance, 24)
        frames = tuple(_sightings.frames(self.studio, places, poses))
        seen = {name for frame in frames for name, sight in frame.items() if sight.clear}
        self.count("things of full rotations that are seen clearly", len(seen), len(places))
        self.studio.arrange(places)
        half = len(places) // 2
        for number in (0, 6):
            here, there = self.studio.masks(poses[number]), self.studio.masks(poses[number + 12])
            swapped = np.where(there < 0, there, (there + half) % len(places))
            self.count(
                "pixels of opposite views that show the opposite thing",
                int((here == swapped).sum()),
                here.size,
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scenes", type=int, default=40, help="walks and rotations (default: 40)")
    parser.add_argument("--seed", type=int, default=1, help="of all draws (default: 1)")
    options = parser.parse_args()
    started = time.process_time()
    with Studio() as studio:
        study = Study(studio)
        for number in range(options.scenes):
            study.walk(options.seed * 1000 + number)
            study.rotation(options.seed * 1000 + number)
    for what, of in sorted(study.of.items(), key=lambda told: told[0].startswith(" ")):
        print(f"{what:62} {study.found[what]:8} of {of:8}  {study.found[what] / of:7.2%}")
    print(
        f"{options.scenes} walks and rotations; {time.process_time() - started:.0f} s of one core"
    )


if __name__ == "__main__":
    main()
