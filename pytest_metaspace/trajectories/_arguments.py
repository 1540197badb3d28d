"""What a recorder is given, checked by the models that the loader reads files with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ValidationError

from pytest_metaspace.domain import Action
from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.trajectories import _schema as schema
from pytest_metaspace.trajectories._defects import brief

if TYPE_CHECKING:
    from collections.abc import Iterable

_Model = TypeVar("_Model", bound=BaseModel)


def fields(argument: str, given: object) -> dict[str, Any]:
    """Return the fields of a dataclass or mapping.

    Raises:
        UsageProblem: it is neither.
    """
    if is_dataclass(given) and not isinstance(given, type):
        return asdict(given)
    if isinstance(given, Mapping):
        return dict(given)
    raise UsageProblem(f"metaspace: {argument} is {brief(given)}; expected its fields, by name.")


def checked(argument: str, model: type[_Model], given: object) -> _Model:
    """Check an argument against a model; a field that the model lacks is a slip of the pen.

    Raises:
        UsageProblem: it does not fit; the text names the argument and the field.
    """
    content = fields(argument, given)
    unknown = [name for name in content if name not in model.model_fields]
    if unknown:
        raise UsageProblem(
            f"metaspace: {argument} has no field {brief(unknown[0])}; expected "
            f"{', '.join(model.model_fields)}."
        )
    try:
        return model.model_validate(content)
    except ValidationError as problem:
        where, what = next(schema.complaints(problem))
        name = ".".join(part for part in (argument, where) if part)
        raise UsageProblem(f"metaspace: {name}: {what}.") from None


def flag(argument: str, given: object) -> bool | None:
    """Return a bool, also where numpy made it, or None.

    Raises:
        UsageProblem: it is neither; text that says "no" would count as true.
    """
    if given is None or given in (True, False):
        return None if given is None else bool(given)
    raise UsageProblem(f"metaspace: {argument} is {given!r}; expected a bool or None.")


def must_change_the_picture(step: schema.StepFile, shape: schema.HeaderFile) -> bool:
    """Whether the action of a step is said to have moved the camera.

    A mover that the camera watches may be out of sight.

    Raises:
        UsageProblem: the mover moved by less than ``step_length_m``.
    """
    if step.action is None or not step.succeeded:
        return False
    action = Action(**step.action.model_dump())
    if action.translates and schema.step_too_long(shape.step_length_m, action.length_m):
        raise UsageProblem(
            f"metaspace: action.move_m is {action.length_m:g} m long, shorter than step_length_m="
            f"{shape.step_length_m:g}. Give the recorder the length of the shortest move."
        )
    return shape.mover == "agent" and (action.translates or action.turns)


def seen(
    objects: Iterable[Mapping[str, Any]], camera: schema.CameraFile
) -> tuple[schema.SeenFile, ...]:
    """Check the boxes of one image.

    Raises:
        UsageProblem: a box does not fit, or an id occurs twice.
    """
    found: dict[str, schema.SeenFile] = {}
    for number, given in enumerate(objects):
        made = checked(f"objects[{number}]", schema.SeenFile, given)
        problem = schema.box_problem(made.xyxy, camera.width, camera.height)
        if problem is not None:
            raise UsageProblem(f"metaspace: objects[{number}].xyxy: {problem} Clip it.")
        if made.id in found:
            raise UsageProblem(
                f"metaspace: objects[{number}].id: {brief(made.id)} occurs twice in one "
                "image. Give each thing an id of its own, the same in all images."
            )
        found[made.id] = made
    return tuple(found.values())
