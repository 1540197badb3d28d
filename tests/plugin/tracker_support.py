"""A tracker for tests: it reads ``boxes.json`` beside the trajectory, and writes down each call."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plugin.conftest import Project

TRACKER = "--metaspace-tracker=reader"
CONFTEST = """
import json
from pathlib import Path
from pytest_metaspace.domain import Box
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.tracking import Detection, TrackerKind

class Reader:
    identity = "reader 1"
    def __init__(self, argument):
        self.argument = argument
    def detect(self, frames):
        found = []
        for frame in frames:
            with open("asked.txt", "a") as file:
                file.write(f"{frame.parent.parent.name}/{frame.name}\\n")
            told = json.loads((frame.parent.parent / "boxes.json").read_text())
            found.append([Detection(label=one["label"], box=Box(*box["xyxy"]),
                                    confidence=box.get("confidence", 0.9))
                          for one in told["objects"] for box in one["boxes"]
                          if box["frame"] == int(frame.stem)])
        BODY
        return found

def build(argument, context):
    if argument == "refused":
        raise UsageProblem("metaspace: reader takes no refused. Leave it out.")
    return Reader(argument)

def pytest_metaspace_register_trackers(register):
    register(TrackerKind(name="reader", usage="reader", summary="reads", build=build))
"""


def with_reader(project: Project, body: str = "") -> None:
    """Register the tracker in the project's conftest."""
    project.write("conftest.py", CONFTEST.replace("BODY", body or "pass"))


def hide(main: Path, **of_boxes: Any) -> None:
    """Take a trajectory's objects away; only the detector knows them then."""
    recorded = main.with_name("objects.json")
    content = json.loads(recorded.read_text())
    for thing in content["objects"]:
        for box in thing["boxes"]:
            box.update(of_boxes)
    main.with_name("boxes.json").write_text(json.dumps(content))
    recorded.unlink()


def asked(project: Project) -> list[str]:
    """Return the frames that the detector was given, in order."""
    path = project.path / "asked.txt"
    if not path.exists():
        return []
    return path.read_text().splitlines()
