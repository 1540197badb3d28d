"""A ``swipl`` on PATH that does not work costs a short wait and a sentence, never the run."""

from __future__ import annotations

import os
import re
import shutil
import time
from typing import TYPE_CHECKING

import pytest

from pytest_metaspace import cli
from pytest_metaspace.errors import OracleUnavailable
from pytest_metaspace.oracle import Oracle, engine, hosts
from tests.oracle.engines import ENGINES, needs_native, needs_wasm
from tests.oracle.test_child import alive

if TYPE_CHECKING:
    from pathlib import Path

VARIABLES = "echo 'PLBASE=\"/nowhere\";'; echo 'PLVERSION=\"{}\";'; echo 'PLSHARED=\"yes\";'"
LACKS_LIBRARY = "error while loading shared libraries: libswipl.so.9: cannot open shared object"
#  Each with what is said about it.
KINDS = {
    "hangs": ("sleep 1000 &\necho $! >$0.pid\nwait", "hangs: it did not tell its version in 1 s"),
    "says nonsense": ("echo I am a teapot", "exit status 0 and said 'I am a teapot'"),
    "says nothing": ("exit 0", "exit status 0 and said ''"),
    "fails": ("echo PLVERSION='\"90004\"'; exit 1", "exit status 1"),
    "is old": (VARIABLES.format("80402"), r"is SWI-Prolog 8\.4\.2; 9\.0 or newer is needed"),
    "lacks its library": (f"echo {LACKS_LIBRARY} >&2\nexit 127", "127 and said .*libswipl.so.9"),
    "is no program": (None, "Exec format error"),
}
BY_KIND = pytest.mark.parametrize("kind", KINDS)


@pytest.fixture
def swipl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the first swipl on PATH is to be written."""
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    for name in ("LIBSWIPL_PATH", "SWI_HOME_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(hosts, "_PATIENCE_S", 1.0)
    return tmp_path / "swipl"


def write(swipl: Path, body: str | None) -> None:
    swipl.write_text("neither binary nor script" if body is None else f"#!/bin/sh\n{body}\n")
    swipl.chmod(0o755)
    if body is None:
        swipl.write_bytes(b"\x7fELF but not really")


@BY_KIND
@pytest.mark.parametrize("host", ["pyswip", "swipl"])
def test_a_native_engine_says_what_is_wrong_with_swipl(host: str, kind: str, swipl: Path) -> None:
    body, words = KINDS[kind]
    write(swipl, body)
    with pytest.raises(OracleUnavailable, match=words) as told:
        Oracle(host).describe()  # type: ignore[arg-type]
    assert str(swipl) in str(told.value)
    assert "pip install 'pytest-metaspace[wasm]'" in str(told.value)


@needs_wasm
def test_auto_goes_on_to_the_next_engine_and_keeps_what_was_wrong(swipl: Path) -> None:
    body, _ = KINDS["hangs"]
    write(swipl, body)
    with Oracle() as oracle:
        assert oracle.describe()["engine"] == "wasm"
        assert oracle.passed_over.count(str(swipl)) == 2


@BY_KIND
def test_auto_tries_each_engine_whatever_is_wrong_with_swipl(
    kind: str, swipl: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the last one is missing too, all that was found wrong is told."""
    monkeypatch.setattr(hosts, "wasm_bundle", lambda: swipl.with_name("none.js"))
    body, words = KINDS[kind]
    write(swipl, body)
    with pytest.raises(OracleUnavailable) as told:
        Oracle().describe()
    assert len(re.findall(words, str(told.value))) == 2, "pyswip and swipl"
    assert "tools/fetch_wasm.py" in str(told.value), "wasm"


def test_a_swipl_that_hangs_leaves_no_process(swipl: Path) -> None:
    write(swipl, KINDS["hangs"][0])
    with pytest.raises(OracleUnavailable):
        Oracle("swipl").describe()
    sleeper = int(swipl.with_suffix(".pid").read_text())
    deadline = time.monotonic() + 5
    while alive(sleeper) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not alive(sleeper)


@needs_native
def test_a_swipl_without_its_library_is_used_as_a_program(swipl: Path, tmp_path: Path) -> None:
    rubbish = tmp_path / "libswipl.so"
    rubbish.write_text("no library")
    dump = f"{VARIABLES.format('90004')}; echo 'PLLIBSWIPL=\"{rubbish}\";'"
    real = shutil.which("swipl", path=os.environ["PATH"].split(os.pathsep, 1)[1])
    write(swipl, f'[ $1 = --dump-runtime-variables ] || exec {real} "$@"\n{dump}')
    with Oracle() as oracle:
        assert oracle.describe()["engine"] == "swipl"
        assert oracle.passed_over == ""
    with pytest.raises(OracleUnavailable, match=r"pyswip: .*invalid ELF header|file too short"):
        Oracle("pyswip").describe()


def test_a_swipl_that_hangs_only_when_it_is_to_judge_is_given_up(
    swipl: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "_START_LIMIT_S", 1.0)
    write(swipl, f"{VARIABLES.format('90004')}\n[ $1 = --dump-runtime-variables ] || sleep 1000")
    with pytest.raises(OracleUnavailable, match="swipl: took longer than 1 s"):
        Oracle("swipl", wall_limit_s=0.5).describe()


@needs_wasm
def test_doctor_says_what_hangs_and_which_engine_is_used(
    swipl: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(swipl, KINDS["hangs"][0])
    assert cli.main(["doctor"]) == 0
    lines = capsys.readouterr().out.splitlines()
    for name in ("pyswip", "swipl"):
        assert any(
            line.startswith(f"engine {name}: does not run. ")
            or f"{name}: metaspace: {swipl} hangs" in line
            for line in lines
        )
    assert "--metaspace-engine=auto uses wasm" in lines


@pytest.mark.parametrize("engine", ENGINES)
def test_a_folder_may_have_any_name_whatever_the_locale(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "\u00dcml\u00e4ute \u65e5"
    here.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setenv("LC_ALL", "C")
    with Oracle(engine) as oracle:  # type: ignore[arg-type]
        assert oracle.describe()
