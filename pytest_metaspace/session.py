"""The hooks of a run that has an agent; registered only then, so that other runs pay nothing."""

from __future__ import annotations

import gc
import shutil
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace import (
    closing,
    going_on,
    handwritten,
    held_against,
    items,
    protocols,
    references,
    reporting,
    selecting,
    settle,
    unscored,
)
from pytest_metaspace.errors import MetaspaceError
from pytest_metaspace.files import settled
from pytest_metaspace.items import CaseItem
from pytest_metaspace.ledger import KEY, Ledger, open_ledger
from pytest_metaspace.options import CLEANUP, PluginOptions, verbosity_of
from pytest_metaspace.progress import Progress
from pytest_metaspace.prompts.words import one_line
from pytest_metaspace.reports import terminal
from pytest_metaspace.reports.letters import Letters
from pytest_metaspace.trajectories import MAIN_FILE, _damaged

if TYPE_CHECKING:
    from collections.abc import Generator


_FOLDER = "metaspace_folder"


def start(config: pytest.Config, resolved: PluginOptions) -> None:
    """Open the ledger and register the hooks of a run with an agent.

    Raises:
        MetaspaceError: the agent cannot be made, or an option names what is not there.
    """
    ledger = open_ledger(config, resolved)
    unscored.check_selection(ledger)
    selecting.check_shard(ledger)
    if config.args_source is not pytest.Config.ArgsSource.ARGS:
        config.args += selecting.new_arguments(config, resolved.extra_trajectories)
    config.add_cleanup(gc.unfreeze)  # after every other cleanup: some collect garbage
    items.end_quickly()
    gc.freeze()  # what is loaded by now stays to the end
    config.pluginmanager.register(Session(ledger), "metaspace-session")
    worker = getattr(config, "workerinput", None)
    if worker is not None:
        config.pluginmanager.register(Worker(ledger, Path(worker[_FOLDER])), "metaspace-worker")
    else:
        config.pluginmanager.register(Controller(ledger), "metaspace-controller")


class Session:
    """What every process of the run does: collect, report, sum up."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self._in_phases = False
        self._may_stop = False
        self._waves: settle.Waves | None = None
        self._last: tuple[object, str | None] = (None, None)

    def pytest_collect_file(
        self, file_path: Path, parent: pytest.Collector
    ) -> pytest.Collector | None:
        """Collect trajectories."""
        named = _is_named(file_path, parent.config) and (
            file_path.name == MAIN_FILE or _damaged.named(file_path) is not None
        )
        if named or self.ledger.registries.format_of(file_path) is not None:
            if parent.config.getoption("lf", False):  # it passes over files without telling
                self.ledger.offer(file_path)
            return items.TrajectoryFile.at(file_path, parent)
        return None

    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        """Refuse a mark on a function that never gets a case; leave out other shards."""
        for item in items:
            if not isinstance(item, CaseItem) and handwritten.is_idle(item):
                raise pytest.UsageError(
                    f"{item.nodeid}: has the mark metaspace and does not ask for the fixture "
                    "metaspace_case, so it would check nothing. Add the argument, or take the "
                    "mark away."
                )
        selecting.keep_shard(config, items, self.ledger)

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        """Know which cases there were that are not wanted."""
        cases, shard = map(handwritten.case_of, items), self.ledger.options.records.shard
        addresses = (case.address for case in cases if case is not None)
        self.ledger.deselected.update(address for address in addresses if shard.has(address))

    def pytest_report_header(self, config: pytest.Config) -> str:
        """Say what decides the results, on one line."""
        del config
        options, greedy = self.ledger.options, getattr(self.ledger.agent, "greedy", False)
        return terminal.header(options.agent or "", options.settings, greedy=greedy)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Have the reports tell what could not be collected."""
        reporting.enter_uncollected(report, self.ledger)

    def pytest_collection_finish(self) -> None:
        """Leave what was collected out of garbage collection: it stays to the end."""
        gc.freeze()

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
        config = session.config
        self._in_phases = protocols.wants_phases(config)
        if _runs_nothing(config):
            return (yield)
        reporter = config.pluginmanager.get_plugin("terminalreporter")
        if reporter is not None:
            for word in terminal.WORDS:
                reporter.stats.setdefault(word, [])
        self._may_stop = _may_stop_early(config)
        controller = config.pluginmanager.get_plugin("metaspace-controller")
        with ExitStack() as to_the_end:
            done = misused = False
            try:
                if controller is not None and not controller.distributes:
                    _guarded(self._settle, session, to_the_end)
                done = yield
            except pytest.UsageError:
                misused = True
                raise
            finally:  # a run that stops early keeps what it has settled
                to_the_end.close()
                if controller is not None and not misused:
                    held_against.keep(session, self.ledger, stopped=not done)
        if controller is not None:
            if self._waves is not None:
                _add_references(config, self.ledger)
            self._decide(session)
        return done

    def _settle(self, session: pytest.Session, to_the_end: ExitStack) -> None:
        """Settle all cases, or be ready to settle them in waves where the run may stop early."""
        config, cases = session.config, [case for _, case in handwritten.cases_of(session)]
        if not cases:
            return
        settle.check_agent(self.ledger, cases)
        settler = to_the_end.enter_context(settle.Settler(self.ledger))
        self.ledger.letters = Letters(len(cases))
        if self._may_stop:
            waves = settle.Waves(settler, cases, self.ledger.options.lookahead)
            self._waves = waves
            self.ledger.settle_rest = lambda: waves.finish(Progress(None))
            config.pluginmanager.register(WaveByWave(self), "metaspace-waves")
        else:
            with settle.shown_on(config, self.ledger) as progress:
                settler.settle(cases, progress)
            to_the_end.close()
            gc.freeze()  # what was settled stays to the end, too
            _add_references(config, self.ledger)
        explain_letters(config, self.ledger)

    def reach(self, item: pytest.Item) -> None:
        """Settle the wave that an item belongs to."""
        case = handwritten.case_of(item)
        if case is not None and self._waves is not None and not self._waves.has(case):
            with settle.shown_on(item.config, self.ledger) as progress:
                _guarded(self._waves.reach, case, progress)

    def _decide(self, session: pytest.Session) -> None:
        """Raise the exit status when a gate fails; the terminal shows why."""
        if not self.ledger.reported:
            if not self.ledger.options.records.in_parts:
                unscored.refuse(session, self.ledger)
            return
        failed = [gate for gate in self.ledger.summarise().gates if not gate.passed]
        if failed:
            session.testsfailed += len(failed)
            session.shouldfail = f"metaspace gate: {failed[0].sentence}"

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Let a shard to which no case fell end well, and write the reports."""
        if selecting.is_empty_shard(session, self.ledger):
            session.exitstatus = pytest.ExitCode.OK
        reporting.write(session, self.ledger)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Enter what became of a case, and draw the letter that stands for it."""
        payload = getattr(report, "metaspace", None)
        if payload is not None:
            self.ledger.enter(payload)
            last = self._may_stop and report.failed
            self._last = report, self.ledger.letters.after(payload["outcome"], last=last)
        elif report.failed and report.when not in ("setup", "call", "teardown"):
            self.ledger.enter_crash(report.nodeid)

    def pytest_report_teststatus(self, report: Any, config: pytest.Config) -> Any:
        """Give each outcome its own category, letter and word.

        A report that came out otherwise has another reason: an expected failure, a rerun, or an
        assertion of the test itself. Pytest and other plugins say which.
        """
        payload = getattr(report, "metaspace", None)
        if payload is None or hasattr(report, "wasxfail"):
            return None
        if report.outcome != self._as_pytest(payload["outcome"]):
            return None
        if self._last[0] is not report or verbosity_of(config) > 0:
            return terminal.status(payload["outcome"])
        return terminal.status_among(payload["outcome"], self._last[1])

    def _as_pytest(self, outcome: str) -> str:
        return items.as_pytest(outcome, fail=self.ledger.options.violations_fail)

    def pytest_terminal_summary(self, terminalreporter: Any, config: pytest.Config) -> None:
        """Print derivations, scores and gates."""
        if hasattr(config, "workerinput"):
            return
        printer = closing.Printer(terminalreporter)
        if self.ledger.reported:
            closing.write(self.ledger, printer, verbosity_of(config))
        else:
            for line in unscored.why_empty(self.ledger):
                printer.write_line(line)
        going_on.write(going_on.after_an_interrupt(self.ledger, config), printer)
        for line in self.ledger.about_storing():
            printer.write_line(one_line(line, 2000), red=True)
        reporting.write_notices(self.ledger, terminalreporter)


class WaveByWave:
    """Has cases settled as the run comes to them."""

    def __init__(self, session: Session) -> None:
        self._session = session

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Settle before anybody, pytest-timeout for one, starts the clock of an item."""
        self._session.reach(item)
        return (yield)


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
        try:
            if settle.settle_plan(self._folder, self.ledger, config):
                _add_references(config, self.ledger)
                explain_letters(config, self.ledger)
        except MetaspaceError as problem:
            pytest.exit(str(problem), returncode=pytest.ExitCode.USAGE_ERROR)


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


def explain_letters(config: pytest.Config, ledger: Ledger) -> None:
    """Say what a letter stands for where it is more than one case."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    text = ledger.letters.explained()
    if text and reporter is not None and -1 <= verbosity_of(config) <= 0:
        reporter.write_line(text)


def _add_references(config: pytest.Config, ledger: Ledger) -> None:
    """Score what guessing and evading come to, where the table shows it."""
    if verbosity_of(config) > 0 and ledger.selected:
        ledger.references = references.reference_scores(ledger)


def _may_stop_early(config: pytest.Config) -> bool:
    """Whether a failure may end the run, so that what comes after it need not be asked."""
    return bool(config.getoption("maxfail", 0) or config.getoption("stepwise", False))


def _runs_nothing(config: pytest.Config) -> bool:
    """Whether items are only shown, so that nobody is asked about them."""
    return bool(config.option.collectonly or config.getoption("setuponly", False))


def _is_named(path: Path, config: pytest.Config) -> bool:
    """Whether a file stands on the command line, with or without a node behind it."""
    start = config.invocation_params.dir
    return any(settled(start / arg.split("::")[0]) == settled(path) for arg in config.args)


def _guarded(work: Any, *arguments: Any) -> None:
    """Do what may fail in ways that the user can mend."""
    try:
        work(*arguments)
    except MetaspaceError as problem:
        raise pytest.UsageError(str(problem)) from problem


__all__ = ["KEY", "Session", "start"]
