"""The header of a run file, field by field (docs/baselines.md)."""

from __future__ import annotations

from typing import Annotated, Literal, Optional

from pydantic import BaseModel, ConfigDict, Field

Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0)]
Place = Annotated[int, Field(ge=1)]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class TrajectoryFile(_Model):
    """A trajectory that took part."""

    id: str
    shown: str
    scenario: str
    objects: Count


class KeyFile(_Model):
    """What is known of a question of a suite that is held against what is true."""

    answer: str
    options: Count
    lettered: bool
    slices: dict[str, str]
    twin: str
    probe: bool = False


class RulesFile(_Model):
    """The gates of a run, and what decides over its exit status besides."""

    thresholds: dict[str, Share]
    limits: dict[str, Share]
    policy: Literal["point", "confident-fail", "confident-pass"]
    allowed: list[str]
    violations: Literal["fail", "report"]
    baseline: Optional[str]
    baseline_strict: bool
    across: list[str]
    undecided: Literal["pass", "fail"]
    min_drop: Share
    quarantine: Optional[str]
    quarantine_strict: bool


class HeaderFile(BaseModel):
    """What all that a run is made of is told apart by; fields of the record are checked apart."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    shard: tuple[Place, Place]
    stopped: bool
    titles: dict[str, str]
    trajectories: list[TrajectoryFile]
    drops: dict[str, Count]
    skips: dict[str, str]
    tested: list[tuple[str, str]]
    rules: RulesFile
