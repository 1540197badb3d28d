"""SWI-Prolog as WebAssembly says what the native one says, byte for byte, and stays in its box."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_metaspace.domain import Settings
from pytest_metaspace.errors import OracleUnavailable
from pytest_metaspace.oracle import Oracle, hosts
from pytest_metaspace.oracle.wire import encoded_case
from pytest_metaspace.pipeline import run
from tests.oracle import test_hostile_text as hostile
from tests.oracle.corpus import varied
from tests.oracle.engines import needs_native, needs_wasm

if TYPE_CHECKING:
    Case = dict[str, Any]

ROOT = Path(__file__).resolve().parents[2]


def answers(engine: str, cases: list[Case], *laws: Path) -> list[str | None]:
    with Oracle(engine, derivations="all", laws=laws) as oracle:  # type: ignore[arg-type]
        return list(oracle.judge_terms(map(encoded_case, cases)))


@needs_native
@needs_wasm
def test_two_thousand_cases_are_answered_alike_byte_for_byte() -> None:
    source = varied(random.Random(11))
    cases = [next(source) for _ in range(1990)]
    cases += [{**case, "relation": "MR7"} for case in cases[:10]]
    native = answers("pyswip", cases)
    verdicts = [json.loads("{" + str(line))["verdict"] for line in native]
    assert {*verdicts} == {"satisfied", "violated", "inconclusive", "invalid", "error"}
    assert min(map(verdicts.count, ("satisfied", "violated", "inconclusive", "invalid"))) > 50
    assert answers("wasm", cases) == native


@needs_native
@needs_wasm
def test_a_trajectory_that_ships_is_judged_alike() -> None:
    trajectory = ROOT / "fixtures" / "household" / "study-01"
    settings = [Settings(engine=engine, sample=0.25) for engine in ("pyswip", "wasm")]
    native, wasm = (run([trajectory], "mutant:off-by-one:truth", one) for one in settings)
    assert len(native.verdicts) > 500
    assert {"violated", "satisfied"} <= {verdict.outcome for verdict in native.verdicts}
    assert wasm.verdicts == native.verdicts


@needs_native
@needs_wasm
def test_hostile_labels_are_answered_alike_byte_for_byte() -> None:
    cases = [hostile.pair(name, "other " + name) for name in hostile.HOSTILE]
    cases += [hostile.pair("a", "b", back=name) for name in hostile.HOSTILE]
    assert answers("wasm", cases) == answers("swipl", cases)


@needs_native
@needs_wasm
@pytest.mark.parametrize("relative", [True, False])
def test_laws_of_a_user_are_found_with_what_they_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, relative: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "laws of mine"
    folder.mkdir()
    law = folder / "straight.pl"
    law.write_text(
        ":- module(straight, []). :- use_module(metaspace(facts)). :- use_module(helper).\n"
        ":- multifile metaspace:law/3, metaspace:text/2.\n"
        "metaspace:law('MY1', straight, [subjects(2)]).\n"
        'metaspace:text(straight:violated(_), "the path of the law is told").\n'
        "violated(helped) :- helped.\nsatisfied(_) :- fail.\n"
        "inconclusive(_) :- fail.\nlacks(_) :- fail.\n"
    )
    (folder / "helper.pl").write_text(":- module(helper, [helped/0]).\nhelped.\n")
    given = law.relative_to(tmp_path) if relative else law
    case = {"case": "1", "relation": "MY1", "subjects": ["a", "b"], "observations": []}
    (found,) = answers("wasm", [case], given)
    assert '"verdict":"violated"' in str(found)
    assert [found] == answers("swipl", [case], given)


@needs_wasm
def test_a_law_has_no_machine_to_harm(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    deeds = [
        f"open('{tmp_path}/secret.txt', read, _)",
        f"exists_file('{tmp_path}/secret.txt')",
        "exists_file('/etc/passwd')",
        f"shell('touch {tmp_path}/pwned'), fail",
        "open(pipe(true), read, _)",
    ]
    law = tmp_path / "spy.pl"
    law.write_text(
        ":- module(spy, []). :- use_module(metaspace(facts)).\n"
        ":- multifile metaspace:law/3.\n"
        "metaspace:law('SPY', spy, [subjects(2)]).\n"
        + "".join(
            f"violated(done({n})) :- catch(({deed}), _, fail).\n" for n, deed in enumerate(deeds)
        )
        + f"violated(wrote) :- catch(open('{tmp_path}/made', write, S), _, fail), close(S), fail.\n"
        "satisfied(harmless) :- subjects(_, _).\ninconclusive(_) :- fail.\nlacks(_) :- fail.\n"
    )
    case = {"case": "1", "relation": "SPY", "subjects": ["a", "b"], "observations": []}
    with Oracle("wasm", laws=[law], trusted=True) as oracle:
        (found,) = oracle.judge([case])
    assert found["verdict"] == "satisfied", found
    assert sorted(path.name for path in tmp_path.iterdir()) == ["secret.txt", "spy.pl"]


@needs_wasm
def test_auto_uses_it_where_there_is_no_swi_prolog(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("LIBSWIPL_PATH", str(tmp_path / "none.so"))
    monkeypatch.setenv("SWI_HOME_DIR", str(tmp_path))
    with Oracle() as oracle:
        assert oracle.describe()["engine"] == "wasm"


@pytest.mark.parametrize(
    ("lacking", "words"),
    [("package", r"pip install 'pytest-metaspace\[wasm\]'"), ("bundle", "fetch_wasm.py")],
)
def test_what_it_lacks_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, lacking: str, words: str
) -> None:
    there = None if lacking == "package" else object()
    monkeypatch.setattr(hosts, "find_spec", lambda _: there)
    monkeypatch.setattr(hosts, "wasm_bundle", lambda: tmp_path / "_wasm" / "swipl-bundle.js")
    with pytest.raises(OracleUnavailable, match=words):
        Oracle("wasm").describe()
