"""How long a file as large as EmbSpatial-Bench's takes: 3,640 items, 254 MB.

    python benchmarks/embspatial_scale.py [ITEMS]

Its pictures are noise, so that they are as large as photographs. Prints seconds of the processor
and the most memory, for walking over the file and for loading and planning every item.
"""

from __future__ import annotations

import base64
import io
import json
import random
import resource
import sys
import tempfile
import time
from pathlib import Path

from PIL import Image

from pytest_metaspace import pipeline
from pytest_metaspace.domain import Settings
from pytest_metaspace.registries import Registries
from pytest_metaspace.suites.embspatial import FORMAT
from pytest_metaspace.suites.embspatial._asking import item
from pytest_metaspace.trajectories import Reading

SIZE = (640, 480)
KILO = 1024


def main() -> None:
    """Write such a file, read it, and say what that took."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 3640
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "embspatial_bench.json")
        _write(path, count)
        print(f"{count} items, {path.stat().st_size / KILO**2:.0f} MB")
        began = time.process_time()
        names = FORMAT.episodes(path)
        _told("walked over", began)
        began = time.process_time()
        form = FORMAT.configured(Reading(frames=Path(folder, "frames")))
        registries, cases = Registries.built_in(), 0
        for name in names:
            made = pipeline.plan(form.load(path / name), registries, Settings())
            cases += len(made.cases)
        _told(f"loaded and planned, {cases} cases", began)


def _told(what: str, began: float) -> None:
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / KILO
    print(f"{what}: {time.process_time() - began:.1f} s, {most:.0f} MB at most")


def _write(path: Path, count: int) -> None:
    few = [item(1, number) for number in range(24)]
    pictures = [_noise(number) for number in range(24)]
    with path.open("w", encoding="ascii") as file:
        for number in range(count):
            one = few[number % 24] | {"question_id": f"q_{number}", "image": pictures[number % 24]}
            file.write(("[" if number == 0 else ",\n") + json.dumps(one))
        file.write("]")


def _noise(seed: int) -> str:
    noise = random.Random(seed).randbytes(SIZE[0] * SIZE[1])  # noqa: S311 - no secret
    picture = Image.frombytes("L", SIZE, noise)
    file = io.BytesIO()
    picture.save(file, format="JPEG", quality=12)
    return base64.b64encode(file.getvalue()).decode("ascii")


if __name__ == "__main__":
    main()
