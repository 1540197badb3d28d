"""The command ``metaspace``: thin over the pipeline, without pytest.

metaspace plan PATH …     what a run would ask and cost, without asking anyone
metaspace check PATH …    whether trajectories are as they should be, and what they can feed
metaspace import …        any log as folders of the native format, to be kept with the code
metaspace build SUITE OUT items of a suite, made by us: questions, pictures and what is true
metaspace judge           verdicts on recorded observations, JSON Lines in and out
metaspace explain CASE    one case of the last pytest run: frames, questions, answers, derivation
metaspace answers …       look at stored answers, share them, forget some
metaspace compare FILE …  baselines or run files side by side: who got worse, and in which cases
metaspace merge FILE …    the shards of a run put together: its scores, gates and tables
metaspace report FILE …   reports of a run that is over: a page, JUnit, Markdown
metaspace friedman PATH … whether the samples of an agent's stored answers differ as whole runs
metaspace mutants PATH …  what the relations catch of an agent's mutants, and what they cannot
metaspace robustness PATH what noise in boxes, labels and identities does to verdicts
metaspace sensitivity …   what scores come to under other tolerances, from stored answers
metaspace review          label violations of the last run, and see how many of them are right
metaspace doctor          what is installed, which engine runs, what to type about the rest
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_metaspace import (
    __version__,
    arguments,
    build_command,
    compare_command,
    import_command,
    merge_command,
    report_command,
    review_command,
    stored_command,
    study_command,
)
from pytest_metaspace.console import show
from pytest_metaspace.errors import MetaspaceError, UsageProblem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pytest_metaspace.domain import Prompting, Question, Trajectory
    from pytest_metaspace.forecast import Forecast
    from pytest_metaspace.pipeline import Registries
    from pytest_metaspace.plans import Plan

UNWRITTEN = 3
USAGE_ERROR = 4
INTERRUPTED = 130
_ONLY_OF_CAPS = frozenset({"max-calls", "max-tokens", "budget"})
_ONLY_OF_RUNS = frozenset({"timeout", "tries"}) | _ONLY_OF_CAPS
_ONLY_OF_COSTS = frozenset({"concurrency", "rate", "price"})


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return its exit status.

    0 done, 1 something is wrong, 2 a case could not be judged, 3 the output cannot be
    written, 4 wrong use, 130 interrupted.
    """
    options = _parser().parse_args(arguments)
    if sys.stdout is None:
        return _unwritten("it is closed")
    command: Callable[[argparse.Namespace], int] = getattr(options, "command", _answers)
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
    return UNWRITTEN


class _Parser(argparse.ArgumentParser):
    """A parser whose usage errors have pytest's exit status, and that takes nothing empty."""

    def __init__(self, **more: Any) -> None:
        super().__init__(**more)
        self.register("type", None, arguments.filled)
        self.register("type", Path, arguments.path)

    def add_subparsers(self, **more: Any) -> Any:
        """Add commands; what is typed after one is for its own parser to read."""
        commands = super().add_subparsers(**more)
        commands.type = str
        return commands

    def error(self, message: str) -> None:  # type: ignore[override]
        """Say what is wrong and leave with status 4."""
        self.print_usage(sys.stderr)
        self.exit(USAGE_ERROR, f"{self.prog}: {message}\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="metaspace",
        description="Test the spatial cognition of embodied agents. Runs themselves are pytest's: "
        "pytest --metaspace-agent=NAME PATH.",
        epilog="Exit status: 0 done, 1 something is wrong, 2 something could not be decided, 3 the "
        "output cannot be written, 4 wrong use, 130 interrupted.",
    )
    parser.add_argument("--version", action="version", version=f"pytest-metaspace {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    _add_plan(commands)

    check = commands.add_parser(
        "check", help="say whether trajectories are as they should be, and what they can feed"
    )
    check.add_argument(
        "paths", nargs="+", type=arguments.path, metavar="PATH", help="trajectory or folder"
    )
    arguments.add_seed(check)
    arguments.add_tracking(check)
    arguments.add_cache_dir(check)
    check.set_defaults(command=_check)

    imported = commands.add_parser(
        "import",
        help="write trajectories of any format as folders of the native one",
        epilog="Exit status: 0 all are written, 1 some could not be, 4 wrong use, 130 interrupted: "
        "the same command goes on where it stopped.",
    )
    import_command.fill(imported)
    imported.set_defaults(command=_import)

    build_command.fill(
        commands.add_parser(
            "build",
            help="write items of a suite, made by us",
            epilog="Exit status: 0 they are written, 4 wrong use, 130 interrupted: the same "
            "command goes on where it stopped.",
        )
    )

    judge = commands.add_parser(
        "judge",
        help="judge recorded observations: JSON Lines from standard input to output",
        epilog="Exit status: 0, also when there are violations; 2 when a line was in error; "
        "3 the output cannot be written.",
    )
    judge.add_argument("--engine", choices=("auto", "pyswip", "swipl", "wasm"), default="auto")
    arguments.add_tolerances(judge)
    judge.set_defaults(command=_judge)

    _add_explain(commands)
    _add_records(commands)
    _add_studies(commands)
    stored_command.fill(
        commands.add_parser("answers", help="look at stored answers, share them, and forget some")
    )
    _add_first_steps(commands)
    return parser


def _add_first_steps(commands: argparse._SubParsersAction[_Parser]) -> None:
    sample = commands.add_parser("sample", help="copy a small rendered trajectory to try it on")
    sample.add_argument("folder", type=arguments.path, metavar="FOLDER", help="made when missing")
    sample.set_defaults(command=_sample)

    doctor = commands.add_parser("doctor", help="say what is installed and what is missing")
    doctor.add_argument(
        "--agent", metavar="NAME", help="ask this agent what it sees in three numbered pictures"
    )
    arguments.add_model(doctor, without=_ONLY_OF_CAPS | _ONLY_OF_COSTS)
    doctor.set_defaults(command=_doctor)


def _add_plan(commands: argparse._SubParsersAction[_Parser]) -> None:
    plan = commands.add_parser("plan", help="count cases and questions without asking anyone")
    arguments.add_selection(plan)
    plan.add_argument(
        "--anchors",
        "--metaspace-anchors",
        metavar="NAMES",
        help="with these anchored relations, as in A1,A2 or all",
    )
    plan.add_argument(
        "--samples",
        "--metaspace-samples",
        type=arguments.count,
        default=1,
        metavar="N",
        help="how often each question would be put (default: 1)",
    )
    plan.add_argument(
        "--example",
        action="store_true",
        help="show the first question of each capability as the agent would get it",
    )
    plan.add_argument(
        "--agent",
        "--metaspace-agent",
        metavar="NAME",
        help="say what asking this agent would cost, without asking it",
    )
    arguments.add_tracking(plan)
    arguments.add_model(plan, without=_ONLY_OF_RUNS)
    arguments.add_cache_dir(plan)
    plan.set_defaults(command=_plan, parser=plan)


def _add_explain(commands: argparse._SubParsersAction[_Parser]) -> None:
    explain = commands.add_parser(
        "explain", help="show a case of the last pytest run: frames, questions, answers, derivation"
    )
    explain.add_argument("case", metavar="CASE", help="its id, address or node id, as in the log")
    arguments.add_cache_dir(explain)
    explain.set_defaults(command=_explain)


def _add_records(commands: argparse._SubParsersAction[_Parser]) -> None:
    compare_command.fill(
        commands.add_parser(
            "compare",
            help="compare baselines or run files, paired case by case; no agent is asked",
            epilog="Exit status: 0 no capability fell, 1 one fell by more than chance, 2 there are "
            "too few trajectories to tell, 3 the output cannot be written, 4 wrong use.",
        )
    )
    merge_command.fill(
        commands.add_parser(
            "merge",
            help="put the shards of a run together: scores, gates and tables as of one run",
            epilog="Exit status: as the run would have ended, 0 or 1; 4 where shards are missing "
            "or do not belong together; 3 the output cannot be written.",
        )
    )
    report_command.fill(
        commands.add_parser(
            "report", help="write reports of a run out of its report json; no agent is asked"
        )
    )


def _add_studies(commands: argparse._SubParsersAction[_Parser]) -> None:
    for name, fill, told in (
        ("friedman", study_command.fill_friedman, "test whether samples differ as whole runs"),
        ("mutants", study_command.fill_mutants, "say which faults the relations catch"),
        ("robustness", study_command.fill_robustness, "say what noise in boxes does to verdicts"),
        ("sensitivity", study_command.fill_sensitivity, "judge under other tolerances"),
        ("review", review_command.fill, "label violations of the last run: which are right?"),
    ):
        study = commands.add_parser(name, help=f"{told}; asks nobody that costs")
        fill(study)
        study.set_defaults(command=_study)


def _plan(options: argparse.Namespace) -> int:
    from pytest_metaspace import pipeline
    from pytest_metaspace.reports import planning

    settings = arguments.settings_of(options)
    registries = arguments.registries_of(options)
    trajectories = {one.id: one for one in pipeline.load(options.paths, registries)}
    plans = [pipeline.plan(one, registries, settings) for one in trajectories.values()]
    cost = None if options.agent is None else _forecast(options, registries, trajectories, plans)
    show(planning.lines(plans, cost, options.samples))
    show(registries.choice.lines())
    show(arguments.unread(options, options.parser))
    if options.example:
        show(planning.examples(_first_questions(plans, trajectories, options.prompting)))
    return 0


def _forecast(
    options: argparse.Namespace,
    registries: Registries,
    trajectories: Mapping[str, Trajectory],
    plans: Iterable[Plan],
) -> Forecast:
    from pytest_metaspace import forecast
    from pytest_metaspace.model_options import price_of
    from pytest_metaspace.nearest import here_or_above

    models = arguments.models_of(options, asks=False)
    return forecast.forecast(
        [case for plan in plans for case in plan.cases],
        trajectories,
        registries.agent(options.agent, Path.cwd(), models),
        name=options.agent,
        models=models,
        price=price_of(options.metaspace_price) if options.metaspace_price else None,
        cache_dir=options.cache_dir or here_or_above(),
        prompting=options.prompting,
        samples=options.samples,
    )


def _first_questions(
    plans: Iterable[Plan], trajectories: Mapping[str, Trajectory], prompting: Prompting
) -> dict[str, Question]:
    """Return one question by the code of its capability, as an agent gets it."""
    from pytest_metaspace.questions import distinct, question

    first: dict[str, Question] = {}
    for query in distinct(case for plan in plans for case in plan.cases):
        code = query.capability.value
        if code not in first:
            first[code] = question(query, trajectories[query.trajectory], prompting)
    return first


def _check(options: argparse.Namespace) -> int:
    from pytest_metaspace import checking

    check = checking.Check(options.paths, arguments.registries_of(options))
    show(check.lines())
    return int(check.wrong + check.defects > 0)


def _import(options: argparse.Namespace) -> int:
    work = import_command.work_of(options)
    show(work.lines())
    return int(work.wrong + work.defects > 0)


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
    show(lines)
    return 0


def _answers(options: argparse.Namespace) -> int:
    lines, status = options.lines(options)
    show(lines, obeyed=getattr(options, "obeyed", False))
    return int(status)


def _study(options: argparse.Namespace) -> int:
    show(options.lines(options))
    return 0


def _sample(options: argparse.Namespace) -> int:
    from pytest_metaspace import samples

    made = samples.copy(options.folder)
    show([f"{made} is ready. Try: pytest --metaspace-agent=truth {made}"])
    return 0


def _doctor(options: argparse.Namespace) -> int:
    from pytest_metaspace import doctor, eyesight

    report = list(doctor.lines())
    if options.agent is not None:
        report += eyesight.lines(options.agent, arguments.models_of(options, asks=True))
    show(report)
    return int(any(line.startswith((doctor.NO_ENGINE, eyesight.BLIND)) for line in report))


if __name__ == "__main__":
    sys.exit(main())
