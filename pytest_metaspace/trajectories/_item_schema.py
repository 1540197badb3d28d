"""Questions of suites as files have them, field by field (docs/format-items.md)."""

from __future__ import annotations

from typing import Annotated, Literal, Optional, Union

from pydantic import BaseModel, ConfigDict, Field

from pytest_metaspace.domain import Compared, Form, SuiteLaw  # noqa: TC001 - read at run time

Name = Annotated[str, Field(min_length=1, max_length=200)]
Option_ = Annotated[str, Field(min_length=1, max_length=600)]
Count = Annotated[int, Field(ge=0, le=1_000_000, strict=True)]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PictureFile(_Model):
    """A picture that is changed when somebody looks at it."""

    of: Name
    change: Literal["mirrored", "turned", "halved", "padded", "recompressed"]


class PosingFile(_Model):
    """A question; what it lacks it has from the one that it is like."""

    like: Optional[Name] = None
    text: Annotated[str, Field(max_length=2000)] = ""
    context: Annotated[str, Field(max_length=20_000)] = ""
    options: Annotated[tuple[Option_, ...], Field(max_length=26)] = ()
    images: Annotated[tuple[Union[Name, PictureFile], ...], Field(max_length=256)] = ()
    answer: Optional[Union[Count, Option_]] = None
    form: Form = "letter"
    written: bool = False


class BecomesFile(_Model):
    """Which option follows from which."""

    kind: Literal["becomes"]
    option: Option_
    becomes: Option_


class IfAnswerFile(_Model):
    """A condition of a rule: an answer."""

    kind: Literal["if_answer"]
    rule: Name
    question: Name
    option: Option_


class IfCountsFile(_Model):
    """A condition of a rule: how two numbers stand to each other."""

    kind: Literal["if_counts"]
    rule: Name
    compares: Compared
    first: Name
    second: Name


class ThenAnswerFile(_Model):
    """What follows where the conditions of a rule hold."""

    kind: Literal["then_answer"]
    rule: Name
    question: Name
    option: Option_


class SideFile(_Model):
    """On which side a number counts."""

    kind: Literal["side"]
    side: Literal["left", "right"]
    question: Name


class AsksAboutFile(_Model):
    """Which option a question is about."""

    kind: Literal["asks_about"]
    question: Name
    option: Option_


Given = Annotated[
    Union[BecomesFile, IfAnswerFile, IfCountsFile, ThenAnswerFile, SideFile, AsksAboutFile],
    Field(discriminator="kind"),
]


class TieFile(_Model):
    """A case of a relation."""

    relation: Annotated[str, Field(pattern=r"^[A-Z]{2,8}-[A-Z][A-Z0-9]{0,30}$")]
    law: SuiteLaw
    posings: Annotated[tuple[Name, ...], Field(min_length=2, max_length=200)]
    givens: tuple[Given, ...] = ()


class ItemFile(_Model):
    """The questions of a task about one trajectory or picture."""

    id: Name = "item"
    task: Name
    posings: Annotated[dict[Name, PosingFile], Field(min_length=1)]
    ties: tuple[TieFile, ...] = ()
    unposed: dict[Name, Name] = Field(default_factory=dict)
    slices: dict[Name, Name] = Field(default_factory=dict)
    twin: Annotated[str, Field(max_length=200)] = ""
    probe: bool = False


class QuestionsFile(_Model):
    """``questions.json``: questions of suites about the trajectory beside which it lies."""

    format: Literal["metaspace-questions"]
    version: Literal[1]
    items: tuple[ItemFile, ...]
