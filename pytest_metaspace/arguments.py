"""What several commands take, read and named as the options of a run are."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, get_args

from pytest_metaspace.domain import Boxes, Prompting, Settings, Showing
from pytest_metaspace.nearest import INI_FILES, here_or_above
from pytest_metaspace.option import anchors_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_metaspace.agents import ModelOptions
    from pytest_metaspace.pipeline import Registries

_INI: Final = "metaspace_"
_INI_OPTION: Final = re.compile(rf"^[ \t]*({_INI}\w+)[ \t]*=", re.MULTILINE)


def number(text: str, high: float = sys.float_info.max) -> float:
    """Read an option that is a number from 0 on; argparse says what is wrong with it."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= high:
        upto = f" to {high:g}" if high <= 1 else " on"
        raise argparse.ArgumentTypeError(f"{text}: expected a number from 0{upto}")
    return value


def count(text: str) -> int:
    """Read an option that is a whole number from 1 on."""
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text}: expected a whole number from 1 on")
    return value


def whole(text: str) -> int:
    """Read an option that is a whole number from 0 on."""
    return 0 if text.strip() == "0" else count(text)


def share(text: str) -> float:
    """Read an option that is a number from 0 to 1."""
    return number(text, high=1.0)


def shares(text: str) -> tuple[float, ...]:
    """Read an option that is numbers from 0 to 1 with commas between them."""
    return tuple(share(word.strip()) for word in filled(text).split(",") if word.strip())


def filled(text: str) -> str:
    """Read what must not be empty, as an unset variable leaves it."""
    if not text.strip(" ,"):
        raise argparse.ArgumentTypeError("it is empty; is a variable not set?")
    return text


def path(text: str) -> Path:
    """Read a path; an empty one, as an unset variable leaves it, would be this folder.

    An episode behind a file may be written as for pytest, ``FILE::EPISODE``.
    """
    if not text:
        raise argparse.ArgumentTypeError("the path is empty; write . for this folder")
    file, colons, episode = text.partition("::")
    if colons and Path(file).is_file():
        return Path(file, episode)
    return Path(text)


def add_selection(command: argparse.ArgumentParser, *, paths: str = "+") -> None:
    """Add what selects cases, as the options of a run do.

    Args:
        command: to which.
        paths: how many there must be, as argparse counts.
    """
    command.add_argument(
        "paths", nargs=paths, type=path, metavar="PATH", help="trajectory or folder"
    )
    command.add_argument(
        "--sc", "--metaspace-sc", metavar="CODES", help="as in SC1-a,SC2-b,EMB-far"
    )
    command.add_argument("--mr", "--metaspace-mr", metavar="NAMES", help="as in MR1,MR4,EMB-ORDER")
    command.add_argument("--semantics", choices=("sound", "paper"), default="sound")
    command.add_argument(
        "--prompting", "--metaspace-prompting", choices=get_args(Prompting), default="direct"
    )
    command.add_argument("--boxes", "--metaspace-boxes", choices=get_args(Boxes), default="text")
    command.add_argument("--confidence", type=share, default=0.6, metavar="NUMBER")
    command.add_argument("--sample", type=share, default=1.0, metavar="FRACTION")
    add_seed(command)


def add_seed(command: argparse.ArgumentParser) -> None:
    """Add the seed of what is drawn."""
    command.add_argument("--seed", "--metaspace-seed", type=int, default=0, metavar="N")


def add_logs(command: argparse.ArgumentParser) -> None:
    """Add how logs are read, and which of their episodes, as the options of a run do."""
    from pytest_metaspace.log_options import LOG_OPTIONS

    for option in LOG_OPTIONS:
        command.add_argument(
            f"--{option.name}",
            f"--metaspace-{option.name}",
            dest=option.dest,
            metavar=option.metavar,
            help=option.help,
        )


def add_tracking(command: argparse.ArgumentParser) -> None:
    """Add how logs are read, and what finds objects in them, as the options of a run do."""
    from pytest_metaspace.tracker_options import TRACKER_OPTIONS

    add_logs(command)
    for option in TRACKER_OPTIONS:
        more: dict[str, Any] = {"action": "store_true"} if option.flag else {}
        if not option.flag:
            more |= {"metavar": option.metavar, "default": option.default}
        command.add_argument(
            f"--{option.name}", f"--metaspace-{option.name}", help=option.help, **more
        )


def registries_of(options: argparse.Namespace) -> Registries:
    """Return what is known by name, with the tracker of ``add_tracking``.

    Raises:
        UsageProblem: there is no such tracker, or it cannot be made.
    """
    from pytest_metaspace import pipeline
    from pytest_metaspace.tracker_options import following_of, require_tracker

    registries = pipeline.Registries.built_in(showing_of(options))
    values = {
        "tracker": options.tracker,
        "retrack": options.retrack,
        "confidence": getattr(options, "confidence", Settings().confidence),
        "device": getattr(options, "metaspace_device", "auto"),
        "batch-size": getattr(options, "metaspace_batch_size", "8"),
    }
    require_tracker(values, retrack=options.retrack)
    folder = getattr(options, "cache_dir", None) or here_or_above()
    _read_logs(registries, options, folder)
    registries.following = following_of(registries, values, root=Path.cwd(), cache_dir=folder)
    return registries


def _read_logs(registries: Registries, options: argparse.Namespace, cache_dir: Path) -> None:
    from pytest_metaspace.log_options import LOG_OPTIONS, read_with

    given = {one.name: getattr(options, one.dest, None) for one in LOG_OPTIONS}
    values: dict[str, Any] = {
        **given,
        "episodes": words(given["episodes"]),
        "seed": getattr(options, "seed", 0),
    }
    read_with(
        registries,
        values,
        place=lambda name: Path(values[name]) if values[name] else None,
        cache_dir=cache_dir,
    )


def add_tolerances(command: argparse.ArgumentParser) -> None:
    """Add what verdicts on sizes and depths depend on, as the options of a run do."""
    for name, default in (("epsilon", 0.1), ("delta", 0.05)):
        command.add_argument(
            f"--{name}",
            type=number,
            default=default,
            metavar="NUMBER",
            help=f"as of a run (default: {default:g})",
        )


def add_cache_dir(command: argparse.ArgumentParser) -> None:
    """Add where answers are kept."""
    command.add_argument(
        "--cache-dir",
        "--metaspace-cache-dir",
        type=path,
        metavar="FOLDER",
        help="where runs keep their answers (default: the nearest .metaspace_cache here or above)",
    )


def add_model(command: argparse.ArgumentParser, *, without: frozenset[str]) -> None:
    """Add what a model's answers depend on and cost, as the options of a run are."""
    from pytest_metaspace.model_options import MODEL_OPTIONS

    for option in MODEL_OPTIONS:
        if option.name in without:
            continue
        names = (f"--{option.name}", f"--metaspace-{option.name}")
        if option.flag:
            command.add_argument(*names, dest=option.dest, action="store_true", help=option.help)
        else:
            command.add_argument(
                *names,
                dest=option.dest,
                metavar=option.metavar,
                default=option.default,
                choices=option.choices or None,
                help=option.help,
            )


def models_of(options: argparse.Namespace, *, asks: bool) -> ModelOptions:
    """Return how models are to be asked, by ``add_model`` and ``add_selection``.

    Args:
        options: as they were typed.
        asks: whether anything is asked; a command that asks nothing downloads nothing.

    Raises:
        UsageProblem: a value is not allowed.
    """
    from pytest_metaspace import model_options

    given = {
        one.name: getattr(options, one.dest, one.default) for one in model_options.MODEL_OPTIONS
    }
    given["prompting"] = getattr(options, "prompting", "direct")
    given["answers"] = "cached" if asks else "offline"
    return model_options.models_of(given)


def unread(options: argparse.Namespace, command: argparse.ArgumentParser) -> Iterator[str]:
    """Yield a line about options in the ini file of runs, which no command reads.

    Args:
        options: as they were typed; those with another value than the default are taken for meant.
        command: what was typed.
    """
    names = {name if name.startswith(_INI) else f"{_INI}{name}": name for name in vars(options)}
    names.pop(f"{_INI}agent", None)
    here = Path.cwd()
    for path in (folder / name for folder in (here, *here.parents) for name in INI_FILES):
        if not path.is_file():
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        given = sorted(set(_INI_OPTION.findall(text)))
        if not given:
            continue
        left = [
            name
            for name in given
            if name in names and getattr(options, names[name]) == command.get_default(names[name])
        ]
        if left:
            yield (
                f"note: {path.name} sets {', '.join(left)}, and this command reads no ini file: "
                "name on the line what a run is to have"
            )
        return


def settings_of(options: argparse.Namespace) -> Settings:
    """Return which cases are meant, by ``add_selection``."""
    return Settings(
        capabilities=frozenset(words(options.sc)),
        relations=frozenset(words(options.mr)),
        anchors=anchors_of(words(getattr(options, "anchors", None))),
        semantics=options.semantics,
        prompting=options.prompting,
        boxes=options.boxes,
        epsilon=getattr(options, "epsilon", Settings().epsilon),
        delta=getattr(options, "delta", Settings().delta),
        confidence=options.confidence,
        sample=options.sample,
        samples=options.samples,
        seed=options.seed,
    )


def showing_of(options: argparse.Namespace) -> Showing:
    """Return how objects are shown, by ``add_selection``; drawn pictures lie with the answers."""
    folder = getattr(options, "cache_dir", None) or here_or_above()
    boxes = getattr(options, "boxes", Settings().boxes)
    return Showing(boxes, folder / "drawn" if folder.is_dir() else None)


def words(text: str | None) -> list[str]:
    """Read a list separated by commas; None where nothing was typed."""
    return [word.strip() for word in (text or "").split(",") if word.strip()]
