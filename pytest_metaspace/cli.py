"""The command ``metaspace``: thin over the pipeline, without pytest.

metaspace plan PATH …     what a run would ask, without asking anyone
metaspace check PATH …    whether trajectories are as they should be, and what they can feed
metaspace judge           verdicts on recorded observations, JSON Lines in and out
metaspace explain CASE    one case of the last pytest run: frames, questions, answers, derivation
metaspace friedman PATH … whether the samples of an agent's stored answers differ as whole runs
metaspace doctor          what is installed, which engine runs, what to type about the rest
"""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_metaspace import __version__
from pytest_metaspace.domain import Settings
from pytest_metaspace.errors import MetaspaceError, UsageProblem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

USAGE_ERROR = 4
INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return its exit status.

    0 done, 1 something is wrong, 2 a case could not be judged, 4 wrong use, 130 interrupted.
    """
    options = _parser().parse_args(arguments)
    if sys.stdout is None:
        return _unwritten("it is closed")
    command: Callable[[argparse.Namespace], int] = options.command
    try:
        status = command(options)
        sys.stdout.flush()
    except MetaspaceError as problem:
        print(problem, file=sys.stderr)
        return USAGE_ERROR
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read us has gone; Python would complain once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as problem:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _unwritten(problem.strerror)
    return status


def _unwritten(reason: str | None) -> int:
    print(f"metaspace: the output cannot be written ({reason}).", file=sys.stderr)
    return 1


class _Parser(argparse.ArgumentParser):
    """A parser whose usage errors have pytest's exit status."""

    def error(self, message: str) -> None:  # type: ignore[override]
        """Say what is wrong and leave with status 4."""
        self.print_usage(sys.stderr)
        self.exit(USAGE_ERROR, f"{self.prog}: {message}\n")


def _number(text: str, high: float = sys.float_info.max) -> float:
    """Read an option that is a number from 0 on; argparse says what is wrong with it."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= high:
        upto = f" to {high:g}" if high <= 1 else " on"
        raise argparse.ArgumentTypeError(f"{text}: expected a number from 0{upto}")
    return value


def _count(text: str) -> int:
    """Read an option that is a whole number from 1 on."""
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text}: expected a whole number from 1 on")
    return value


def _share(text: str) -> float:
    return _number(text, high=1.0)


def _path(text: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError("the path is empty; write . for this folder")
    return Path(text)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="metaspace",
        description="Test the spatial cognition of embodied agents. Runs themselves are pytest's: "
        "pytest --metaspace-agent=NAME PATH.",
    )
    parser.add_argument("--version", action="version", version=f"pytest-metaspace {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    plan = commands.add_parser("plan", help="count cases and questions without asking anyone")
    _add_selection(plan)
    plan.add_argument(
        "--samples",
        "--metaspace-samples",
        type=_count,
        default=1,
        metavar="N",
        help="how often each question would be put (default: 1)",
    )
    plan.set_defaults(command=_plan)

    check = commands.add_parser(
        "check", help="say whether trajectories are as they should be, and what they can feed"
    )
    check.add_argument("paths", nargs="+", type=_path, metavar="PATH", help="trajectory or folder")
    check.set_defaults(command=_check)

    judge = commands.add_parser(
        "judge",
        help="judge recorded observations: JSON Lines from standard input to output",
        epilog="Exit status: 0, also when there are violations; 2 when a line was in error.",
    )
    judge.add_argument("--engine", choices=("auto", "pyswip", "swipl", "wasm"), default="auto")
    judge.add_argument("--epsilon", type=_number, default=0.1, metavar="NUMBER")
    judge.add_argument("--delta", type=_number, default=0.05, metavar="NUMBER")
    judge.set_defaults(command=_judge)

    _add_explain(commands)
    _add_friedman(commands)

    sample = commands.add_parser("sample", help="copy a small rendered trajectory to try it on")
    sample.add_argument("folder", type=_path, metavar="FOLDER", help="made when missing")
    sample.set_defaults(command=_sample)

    doctor = commands.add_parser("doctor", help="say what is installed and what is missing")
    doctor.add_argument(
        "--agent", metavar="NAME", help="ask this agent what it sees in three numbered pictures"
    )
    doctor.add_argument("--base-url", metavar="URL", help="endpoint of the agent's model")
    doctor.set_defaults(command=_doctor)
    return parser


def _add_explain(commands: argparse._SubParsersAction[_Parser]) -> None:
    explain = commands.add_parser(
        "explain", help="show a case of the last pytest run: frames, questions, answers, derivation"
    )
    explain.add_argument("case", metavar="CASE", help="its id, address or node id, as in the log")
    explain.add_argument(
        "--cache-dir",
        type=_path,
        metavar="FOLDER",
        help="where the run kept its answers (default: the nearest .metaspace_cache here or above)",
    )
    explain.set_defaults(command=_explain)


def _add_friedman(commands: argparse._SubParsersAction[_Parser]) -> None:
    friedman = commands.add_parser(
        "friedman",
        help="test whether the samples of an agent's stored answers differ as runs; asks nothing",
    )
    _add_selection(friedman)
    friedman.add_argument("--agent", required=True, metavar="NAME", help="whose answers")
    friedman.add_argument(
        "--samples", type=_count, default=5, metavar="N", help="repeats to compare (default: 5)"
    )
    friedman.add_argument(
        "--blocks",
        choices=("score", "capability", "trajectory", "case"),
        default="score",
        help="what is compared between repeats: each score of a capability of a trajectory "
        "(default), of a capability, of a trajectory, or each case",
    )
    friedman.add_argument(
        "--cache-dir",
        type=_path,
        default=Path(".metaspace_cache"),
        metavar="FOLDER",
        help="where the answers are (default: .metaspace_cache)",
    )
    _add_model(friedman)
    friedman.set_defaults(command=_friedman)


def _add_selection(command: argparse.ArgumentParser) -> None:
    """Add what selects cases, as the options of a run do."""
    command.add_argument(
        "paths", nargs="+", type=_path, metavar="PATH", help="trajectory or folder"
    )
    command.add_argument(
        "--sc", "--metaspace-sc", default="", metavar="CODES", help="as in SC1-a,SC2-b"
    )
    command.add_argument(
        "--mr", "--metaspace-mr", default="", metavar="NAMES", help="as in MR1,MR4"
    )
    command.add_argument("--semantics", choices=("sound", "paper"), default="sound")
    command.add_argument("--confidence", type=_share, default=0.6, metavar="NUMBER")
    command.add_argument("--sample", type=_share, default=1.0, metavar="FRACTION")
    command.add_argument("--seed", type=int, default=0, metavar="N")


def _add_model(command: argparse.ArgumentParser) -> None:
    """Add what a model's answers depend on, as the options of a run do."""
    command.add_argument("--base-url", metavar="URL", help="endpoint of the agent's model")
    command.add_argument("--temperature", type=_or_none(_number), default=0.0, metavar="NUMBER")
    command.add_argument("--top-p", type=_or_none(_share), default=0.9, metavar="NUMBER")
    command.add_argument("--model-seed", type=_or_none(int), default=None, metavar="N")
    command.add_argument("--max-output-tokens", type=_or_none(_count), default=None, metavar="N")


def _or_none(read: Callable[[str], Any]) -> Callable[[str], Any]:
    """Return a reader of an option that can be switched off with ``none``."""

    def number_or_none(text: str) -> Any:
        return None if text == "none" else read(text)

    return number_or_none


def _settings(options: argparse.Namespace) -> Settings:
    return Settings(
        capabilities=frozenset(_words(options.sc)),
        relations=frozenset(_words(options.mr)),
        semantics=options.semantics,
        confidence=options.confidence,
        sample=options.sample,
        samples=options.samples,
        seed=options.seed,
    )


def _plan(options: argparse.Namespace) -> int:
    from pytest_metaspace import pipeline
    from pytest_metaspace.reports import planning

    settings = _settings(options)
    registries = pipeline.Registries.built_in()
    plans = [
        pipeline.plan(trajectory, registries, settings)
        for trajectory in pipeline.load(options.paths, registries)
    ]
    _print(planning.lines(plans, options.samples))
    return 0


def _check(options: argparse.Namespace) -> int:
    from pytest_metaspace import checking, pipeline

    check = checking.Check(options.paths, pipeline.Registries.built_in())
    _print(check.lines())
    return int(check.wrong > 0)


def _judge(options: argparse.Namespace) -> int:
    from pytest_metaspace.oracle.judging import judge_lines

    if sys.stdin is None:
        raise UsageProblem(
            "metaspace: standard input is closed, and judge reads its cases from it. "
            "Type: metaspace judge < cases.jsonl"
        )
    return judge_lines(
        sys.stdin.buffer,
        sys.stdout.buffer,
        engine=options.engine,
        epsilon=options.epsilon,
        delta=options.delta,
    )


def _explain(options: argparse.Namespace) -> int:
    from pytest_metaspace import last_run
    from pytest_metaspace.reports.drawing import can_draw, drawn

    lines: Iterable[str] = last_run.explained(options.case, options.cache_dir)
    if can_draw(terminal=sys.stdout.isatty(), encoding=sys.stdout.encoding):
        lines = drawn(lines)
    _print(lines)
    return 0


def _friedman(options: argparse.Namespace) -> int:
    from pytest_metaspace import pipeline, stability
    from pytest_metaspace.agents import ModelOptions
    from pytest_metaspace.asking.store import AnswerStore

    registries = pipeline.Registries.built_in()
    models = ModelOptions(
        base_url=options.base_url or os.environ.get("OPENAI_BASE_URL"),
        temperature=options.temperature,
        top_p=options.top_p,
        seed=options.model_seed,
        max_output_tokens=options.max_output_tokens,
    )
    agent = registries.agent(options.agent, Path.cwd(), models)
    if agent.identity is not None and not options.cache_dir.is_dir():
        raise UsageProblem(
            f"metaspace: there are no stored answers in {options.cache_dir}. Name the folder with "
            "--cache-dir, or record them first:  pytest "
            f"--metaspace-agent={options.agent} --metaspace-samples={options.samples}"
        )
    with ExitStack() as opened:
        store = None
        if agent.identity is not None:
            store = opened.enter_context(AnswerStore(options.cache_dir))
        made = stability.Repeats(options.paths, _settings(options), registries, agent, store)
        found = stability.friedman(list(made.table(options.blocks).values()))
        _print(stability.lines(found, options.blocks, options.agent))
    return 0


def _sample(options: argparse.Namespace) -> int:
    from pytest_metaspace import samples

    made = samples.copy(options.folder)
    _print([f"{made} is ready. Try: pytest --metaspace-agent=truth {made}"])
    return 0


def _doctor(options: argparse.Namespace) -> int:
    from pytest_metaspace import doctor, eyesight
    from pytest_metaspace.agents import ModelOptions

    report = list(doctor.lines())
    if options.agent is not None:
        url = options.base_url or os.environ.get("OPENAI_BASE_URL")
        report += eyesight.lines(options.agent, ModelOptions(base_url=url))
    _print(report)
    return int(any(line.startswith((doctor.NO_ENGINE, eyesight.BLIND)) for line in report))


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _print(lines: Iterable[str]) -> None:
    """Print lines also where the terminal cannot show every character."""
    encoding = sys.stdout.encoding or "ascii"
    for line in lines:
        print(line.encode(encoding, errors="backslashreplace").decode(encoding))


if __name__ == "__main__":
    sys.exit(main())
