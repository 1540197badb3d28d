"""The whole vocabulary: what every stage takes and returns.

    Trajectory → Case → Question → Answer → Observation → Verdict → Score → GateResult

Positions are metres, angles degrees, pixels count from the top left corner.
A yaw of 0 looks along +x and grows counter-clockwise seen from above; z points up.
"""

from pytest_metaspace.domain._cases import (
    Answer,
    AnswerFormat,
    Case,
    Claim,
    Given,
    Missing,
    Query,
    Question,
    Reading,
    Unreadable,
    Value,
)
from pytest_metaspace.domain._labels import (
    ALLOCENTRIC,
    EGOCENTRIC,
    NONE,
    VERTICAL,
    Capability,
    Metric,
    Semantics,
    Subject,
    Vector,
)
from pytest_metaspace.domain._verdicts import (
    Derivation,
    Evidence,
    Finding,
    GateResult,
    Outcome,
    Rule,
    Run,
    Score,
    Settings,
    Step,
    Verdict,
)
from pytest_metaspace.domain._world import (
    Action,
    Box,
    Camera,
    Pose,
    State,
    TrackedObject,
    Trajectory,
    TrueObject,
    Truth,
)

__all__ = [
    "ALLOCENTRIC",
    "EGOCENTRIC",
    "NONE",
    "VERTICAL",
    "Action",
    "Answer",
    "AnswerFormat",
    "Box",
    "Camera",
    "Capability",
    "Case",
    "Claim",
    "Derivation",
    "Evidence",
    "Finding",
    "GateResult",
    "Given",
    "Metric",
    "Missing",
    "Outcome",
    "Pose",
    "Query",
    "Question",
    "Reading",
    "Rule",
    "Run",
    "Score",
    "Semantics",
    "Settings",
    "State",
    "Step",
    "Subject",
    "TrackedObject",
    "Trajectory",
    "TrueObject",
    "Truth",
    "Unreadable",
    "Value",
    "Vector",
    "Verdict",
]
