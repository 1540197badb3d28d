"""Questions of suites as files have them, field by field (docs/format-items.md)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, Literal, Optional, Union

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from pytest_metaspace.domain import Compared, Form, SuiteLaw  # noqa: TC001 - read at run time
from pytest_metaspace.trajectories._defects import brief

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic import ValidationError

Name = Annotated[str, Field(min_length=1, max_length=200)]
Option_ = Annotated[str, Field(min_length=1, max_length=600)]
Count = Annotated[int, Field(ge=0, le=1_000_000, strict=True)]
YesOrNo = Annotated[bool, Field(strict=True)]
_MOST_TOLD = 5
_CLASS = re.compile(r"a valid dictionary(?: or instance of \w+)?")


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PictureFile(_Model):
    """A picture, as it is or changed when somebody looks at it; the first may be its path alone."""

    of: Name
    change: Optional[Literal["mirrored", "turned", "halved", "padded", "recompressed"]] = None

    @model_validator(mode="before")
    @classmethod
    def _path(cls, given: Any) -> Any:
        if isinstance(given, str):
            return {"of": given}
        if not isinstance(given, dict):
            raise PydanticCustomError("picture", "Input should be a path, or an object with one")
        return given


class PosingFile(_Model):
    """A question; what it lacks it has from the one that it is like."""

    like: Optional[Name] = None
    text: Annotated[str, Field(max_length=2000)] = ""
    context: Annotated[str, Field(max_length=20_000)] = ""
    options: Annotated[tuple[Option_, ...], Field(max_length=26)] = ()
    images: Annotated[tuple[PictureFile, ...], Field(max_length=256)] = ()
    answer: Optional[Union[Count, Option_]] = None
    form: Form = "letter"
    written: YesOrNo = False
    slices: dict[Name, Name] = Field(default_factory=dict)


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
    probe: YesOrNo = False


class QuestionsFile(_Model):
    """``questions.json``: questions of suites about the trajectory beside which it lies."""

    format: Literal["metaspace-questions"]
    version: Literal[1]
    items: tuple[ItemFile, ...]


def complaints(problem: ValidationError, content: Any) -> Iterator[tuple[str, str]]:
    """Yield what a model refused: the dotted field, as the file has it, and what is wrong.

    Args:
        problem: what the model says.
        content: what it looked at.
    """
    found: dict[str, tuple[list[str], Any]] = {}
    for error in problem.errors(include_url=False):
        field = ".".join(_in_file(error["loc"], content))
        what = _CLASS.sub("an object", error["msg"])
        found.setdefault(field, ([], error))[0].append(what)
    for field, (told, error) in list(found.items())[:_MOST_TOLD]:
        shown = "" if error["type"] == "missing" else f", found {brief(error.get('input'))}"
        yield field, " or ".join(dict.fromkeys(told)) + shown


def _in_file(place: tuple[int | str, ...], content: Any) -> Iterator[str]:
    """Yield the parts of a place that are in a file, without the names of alternatives."""
    for number, part in enumerate(place):
        last = number == len(place) - 1
        if isinstance(content, dict):
            if not last and content.get("kind") == part:
                continue
            if part not in content:
                if last and part != "[key]":
                    yield str(part)
                continue
        elif not (isinstance(content, list) and isinstance(part, int) and part < len(content)):
            continue
        yield str(part)
        content = content[part]
