"""The hooks of a run that has an agent; registered only then, so that other runs pay nothing."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace import handwritten, items, protocols, settle
from pytest_metaspace.domain import Capability
from pytest_metaspace.errors import MetaspaceError, UsageProblem
from pytest_metaspace.ledger import KEY, Ledger, open_ledger
from pytest_metaspace.options import CLEANUP, PluginOptions, verbosity_of
from pytest_metaspace.reports import drawing, rules, terminal
from pytest_metaspace.trajectories import MAIN_FILE

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable


_FOLDER = "metaspace_folder"


def start(config: pytest.Config, resolved: PluginOptions) -> None:
    """Open the ledger and register the hooks of a run with an agent.

    Raises:
        MetaspaceError: the agent cannot be made, or an option names what is not there.
    """
    ledger = open_ledger(config, resolved)
    _check_selection(ledger)
    _register_marks(config, ledger)
    if config.args_source is not pytest.Config.ArgsSource.ARGS:
        config.args += _new_arguments(config, resolved.extra_trajectories)
    config.pluginmanager.register(Session(ledger), "metaspace-session")
    worker = getattr(config, "workerinput", None)
    if worker is not None:
        config.pluginmanager.register(Worker(ledger, Path(worker[_FOLDER])), "metaspace-worker")
    else:
        config.pluginmanager.register(Controller(ledger), "metaspace-controller")


def _new_arguments(config: pytest.Config, paths: Iterable[Path]) -> list[str]:
    """Return the paths that pytest would not collect anyway.

    Of two arguments of which one holds the other, pytest 8 collects only the inner one: the tests
    of a whole repository would be lost beside its trajectories.
    """
    start = config.invocation_params.dir
    taken = [start / argument for argument in config.args]
    nested = pytest.version_tuple < (9,)
    return [
        str(path)
        for path in paths
        if path not in taken and not (nested and any(map(path.is_relative_to, taken)))
    ]


def _register_marks(config: pytest.Config, ledger: Ledger) -> None:
    """Make the marks of cases known to ``--strict-markers``."""
    meanings = {code.value: code.meaning for code in Capability}
    meanings |= {relation.name: relation.title for relation in ledger.registries.relations}
    for name in filter(items.has_mark, meanings):
        config.addinivalue_line("markers", f"{name}: cases of {meanings[name]}.")


def _check_selection(ledger: Ledger) -> None:
    from pytest_metaspace.pipeline import chosen

    settings = ledger.options.settings
    relations = chosen(ledger.registries, settings)
    tested = {code.value for relation in relations for code in relation.capabilities}
    if settings.capabilities and not tested & settings.capabilities:
        raise UsageProblem(
            f"metaspace: {', '.join(relation.name for relation in relations)} does not test "
            f"{', '.join(sorted(settings.capabilities))}, but {', '.join(sorted(tested))}. Choose "
            "other capabilities or relations."
        )


class Session:
    """What every process of the run does: collect, report, sum up."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self._in_phases = False

    def pytest_collect_file(
        self, file_path: Path, parent: pytest.Collector
    ) -> pytest.Collector | None:
        """Collect trajectories."""
        named = file_path.name == MAIN_FILE and _is_named(file_path, parent.config)
        if named or self.ledger.registries.format_of(file_path) is not None:
            return items.TrajectoryFile.at(file_path, parent)
        return None

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Refuse a mark on a function that never gets a case."""
        for item in items:
            if handwritten.is_idle(item):
                raise pytest.UsageError(
                    f"{item.nodeid}: has the mark metaspace and does not ask for the fixture "
                    "metaspace_case, so it would check nothing. Add the argument, or take the "
                    "mark away."
                )

    def pytest_report_header(self, config: pytest.Config) -> str:
        """Say what decides the results, on one line."""
        del config
        return terminal.header(self.ledger.options.agent or "", self.ledger.options.settings)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> bool | None:
        """Report a case, and let nobody run again what cannot end otherwise."""
        if isinstance(item, items.CaseItem):
            if self._in_phases or protocols.is_marked(item) or protocols.is_last(item, nextitem):
                return protocols.run_once(item, nextitem)
            items.run_protocol(item)
            return True
        case = handwritten.case_of(item)
        found = None if case is None else self.ledger.findings.get(case.address)
        if found is not None and self._as_pytest(found.outcome) == "failed":
            return protocols.run_once(item, nextitem)
        return None

    @pytest.hookimpl(wrapper=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Generator[None, bool, bool]:
        """Settle before the first item runs, and decide the gates after the last."""
        self._in_phases = protocols.wants_phases(session.config)
        if _runs_nothing(session.config):
            return (yield)
        reporter = session.config.pluginmanager.get_plugin("terminalreporter")
        if reporter is not None:
            for word in terminal.WORDS:
                reporter.stats.setdefault(word, [])
        controller = session.config.pluginmanager.get_plugin("metaspace-controller")
        worker = controller is None
        if controller is not None and not controller.distributes:
            _guarded(self._settle, session)
        done = yield
        if not worker:
            self._decide(session)
        return done

    def _settle(self, session: pytest.Session) -> None:
        progress = settle.progress_on(session.config)
        try:
            with settle.captured(session.config, self.ledger):
                cases = [case for _, case in handwritten.cases_of(session)]
                settle.settle(self.ledger, cases, progress)
        finally:
            progress.close()
        if verbosity_of(session.config) > 0 and self.ledger.selected:
            self.ledger.references = settle.reference_scores(self.ledger)

    def _decide(self, session: pytest.Session) -> None:
        """Raise the exit status when a gate fails; the terminal shows why."""
        if not self.ledger.reported:
            if self.ledger.options.thresholds:
                raise pytest.UsageError(
                    "metaspace: --metaspace-fail-under has nothing to decide on: no case was "
                    "scored. Name trajectories, or widen the selection."
                )
            return
        failed = [gate for gate in self.ledger.summarise().gates if not gate.passed]
        if failed:
            session.testsfailed += len(failed)
            session.shouldfail = f"metaspace gate: {failed[0].sentence}"

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Enter what became of a case."""
        payload = getattr(report, "metaspace", None)
        if payload is not None:
            self.ledger.enter(payload)
        elif report.failed and report.when not in ("setup", "call", "teardown"):
            self.ledger.enter_crash(report.nodeid)

    def pytest_report_teststatus(self, report: Any) -> Any:
        """Give each outcome its own category, letter and word.

        A report that came out otherwise has another reason: an expected failure, a rerun, or an
        assertion of the test itself. Pytest and other plugins say which.
        """
        payload = getattr(report, "metaspace", None)
        if payload is None or hasattr(report, "wasxfail"):
            return None
        if report.outcome != self._as_pytest(payload["outcome"]):
            return None
        return terminal.status(payload["outcome"])

    def _as_pytest(self, outcome: str) -> str:
        return items.as_pytest(outcome, fail=self.ledger.options.violations_fail)

    def pytest_terminal_summary(self, terminalreporter: Any, config: pytest.Config) -> None:
        """Print derivations, scores and gates."""
        if self.ledger.reported and not hasattr(config, "workerinput"):
            write_summary(self.ledger, terminalreporter, verbosity_of(config))


class Controller:
    """Under xdist: settles once, for all workers, before any of them runs an item.

    Without xdist its hooks are never called.
    """

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self._folder: Path | None = None

    @property
    def distributes(self) -> bool:
        """Whether there are workers."""
        return self._folder is not None

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Tell a worker where plan and findings lie."""
        if self._folder is None:
            folder = self._folder = Path(tempfile.mkdtemp(prefix="metaspace-"))
            node.config.stash[CLEANUP] = lambda: shutil.rmtree(folder, ignore_errors=True)
        node.workerinput[_FOLDER] = str(self._folder)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: Any) -> None:
        """Settle what the first worker collected."""
        assert self._folder is not None
        config = node.config
        if _runs_nothing(config):
            return
        progress = settle.progress_on(config)
        try:
            with settle.captured(config, self.ledger):
                settle.settle_plan(self._folder, self.ledger, progress)
            if verbosity_of(config) > 0 and self.ledger.selected and not self.ledger.references:
                self.ledger.references = settle.reference_scores(self.ledger)
        except MetaspaceError as problem:
            pytest.exit(str(problem), returncode=pytest.ExitCode.USAGE_ERROR)
        finally:
            progress.close()


class Worker:
    """Under xdist: writes down what it collected, and reads what the controller found."""

    def __init__(self, ledger: Ledger, folder: Path) -> None:
        self.ledger = ledger
        self.folder = folder
        self._read = False

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Write the plan, before the controller is told that collection is done."""
        nodes = [(nodeid, case.address) for nodeid, case in handwritten.cases_of(session)]
        settle.write_plan(self.folder, self.ledger, nodes)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self) -> None:
        """Read the findings when the first item is about to run."""
        if not self._read:
            self._read = True
            settle.read_findings(self.folder, self.ledger)


def _runs_nothing(config: pytest.Config) -> bool:
    """Whether items are only shown, so that nobody is asked about them."""
    return bool(config.option.collectonly or config.getoption("setuponly", False))


def _is_named(path: Path, config: pytest.Config) -> bool:
    """Whether a file stands on the command line, with or without a node behind it."""
    start = config.invocation_params.dir
    return any((start / arg.split("::")[0]).resolve() == path.resolve() for arg in config.args)


def _guarded(work: Any, *arguments: Any) -> None:
    """Do what may fail in ways that the user can mend."""
    try:
        work(*arguments)
    except MetaspaceError as problem:
        raise pytest.UsageError(str(problem)) from problem


def write_summary(ledger: Ledger, reporter: Any, verbosity: int) -> None:
    """Write the closing sections of a run."""
    run = ledger.summarise()
    texts = {group: [found.text for found in kept] for group, kept in ledger.shown.items()}
    if texts and verbosity >= -1:
        reporter.write_sep("=", "metaspace: answers that cannot all be true")
        lines = terminal.violations(run, texts, verbose=verbosity > 0)
        encoding = getattr(sys.__stdout__, "encoding", None)
        draws = drawing.can_draw(terminal=reporter.isatty, encoding=encoding)
        for line in drawing.drawn(lines) if draws else lines:
            reporter.write_line(line)
    if ledger.reasons and verbosity >= -1:
        reporter.write_sep("=", "metaspace: answers that could not be judged")
        for line in terminal.unread(ledger.reasons, verbose=verbosity > 0):
            reporter.write_line(line)
    if ledger.printed and verbosity >= 0:
        reporter.write_sep("=", "metaspace: what the agent printed")
        for line in terminal.printed(ledger.printed, verbose=verbosity > 0):
            reporter.write_line(line)
    reporter.write_sep("=", "metaspace: spatial cognition scores")
    for line in terminal.score_table(run, verbose=verbosity > 0):
        reporter.write_line(line)
    for line in terminal.closing(run, ledger.questions, ledger.fresh, ledger.skips, verbosity):
        reporter.write_line(line)
    for line in rules.lines(ledger.rules):
        reporter.write_line(line)
    _write_decisions(ledger, reporter)


def _write_decisions(ledger: Ledger, reporter: Any) -> None:
    """Write what went wrong with engines and with storing, and what the gates decided."""
    run = ledger.summarise()
    if ledger.passed_over:
        reporter.write_line("judged with the slower engine wasm, because no other one works:")
        reporter.write_line(ledger.passed_over)
    if ledger.trouble:
        reporter.write_line(ledger.trouble, red=True)
    for line, passed in zip(terminal.gate_lines(run), (gate.passed for gate in run.gates)):
        reporter.write_line(line, green=passed, red=not passed)


__all__ = ["KEY", "Session", "start"]
