"""``./dev mutate`` breaks one piece at a time, and tells what no test notices."""

from __future__ import annotations

import importlib.util
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent

LAW = r"""/** <module> A law. With dots. */
:- module(law, [p/1]).

%   p(+X) is semidet. It compares.
p(X) :-
    X >= 2,
    atom_length('it''s \' a dot. ', _),
    Y is X + 1,
    Y \== 0'.,
    \+ member(Y, [ -1, "q. " ]).
p(X) => q(=<, X).
p(3).
"""


@pytest.fixture
def mutate() -> Iterator[Any]:
    spec = importlib.util.spec_from_file_location("mutate", ROOT / "tools" / "mutate.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["mutate"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["mutate"]


def test_clauses_end_at_full_stops_only(mutate: Any) -> None:
    pieces = [LAW[start:stop] for start, stop, _ in mutate.clauses(LAW)]
    assert [piece[:4] for piece in pieces] == ["p(X)", "p(X)", "p(3)"]
    assert pieces[0].endswith('"q. " ]).')


def test_each_mutant_breaks_one_piece_and_moves_no_line(mutate: Any) -> None:
    made = list(mutate.mutants("laws/law.pl", LAW))
    broken = {
        one.key.split(" | ")[2]: LAW[: one.start] + one.text + LAW[one.stop :] for one in made[:4]
    }
    assert list(broken) == [
        "delete",
        ">= -> > in: X >= 2,",
        "+ -> - in: Y is X + 1,",
        "\\== -> == in: Y \\== 0'.,",
    ]
    assert broken[">= -> > in: X >= 2,"] == LAW.replace("X >= 2", "X > 2")
    assert broken["+ -> - in: Y is X + 1,"] == LAW.replace("X + 1", "X - 1")
    assert [one.line for one in made] == [5, 6, 8, 9, 11, 12]
    for one in made:
        text = LAW[: one.start] + one.text + LAW[one.stop :]
        assert text != LAW
        assert text.count("\n") == LAW.count("\n")


def test_keys_are_told_apart_and_outlive_line_numbers(mutate: Any) -> None:
    keys = [one.key for one in mutate.all_mutants(())]
    assert len(keys) == len(set(keys)) > 500
    before, after = (
        [one.key for one in mutate.mutants("laws/law.pl", text)] for text in (LAW, "\n\n" + LAW)
    )
    assert before == after


def test_every_comparison_of_the_laws_is_turned_round(mutate: Any) -> None:
    for path in (ROOT / "prolog" / "laws").glob("*.pl"):
        name = f"laws/{path.name}"
        if name in mutate.SPARED:
            continue
        lines = {one.line for one in mutate.all_mutants((path.name,)) if " -> " in one.key}
        code = enumerate(path.read_text().splitlines(), start=1)
        wanted = {
            number
            for number, line in code
            if not line.startswith("%")
            and any(f" {operator} " in line for operator in mutate.FLIPS)
        }
        assert wanted <= lines


def test_a_sample_is_drawn_by_its_seed(mutate: Any, capsys: pytest.CaptureFixture[str]) -> None:
    drawn = []
    for seed in "112":
        assert mutate.main(["--list", "--only=triangle.pl", "--sample=5", f"--seed={seed}"]) == 0
        drawn.append(capsys.readouterr().out)
    assert drawn[0] == drawn[1] != drawn[2]
    assert all(line.startswith("prolog/laws/triangle.pl:") for line in drawn[0].splitlines())
    assert len(drawn[0].splitlines()) == 5


def test_every_explanation_is_of_a_mutant_and_has_a_reason(mutate: Any) -> None:
    known = mutate.explanations(mutate.SURVIVORS.read_text())
    keys = {one.key for one in mutate.all_mutants(())}
    assert set(known) <= keys
    assert all(len(reason) > 20 for reason in known.values())


def test_reasons_are_read_with_their_keys(mutate: Any) -> None:
    text = "# note\nlaws/a.pl | p | delete\n    as long\n    as it is\n\nb.pl | q | delete\n"
    assert mutate.explanations(text) == {
        "laws/a.pl | p | delete": "as long as it is",
        "b.pl | q | delete": "",
    }


@pytest.fixture
def made(mutate: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository of one law, whose test notices all but one mutant, and one by its hanging."""
    (tmp_path / "prolog" / "laws").mkdir(parents=True)
    (tmp_path / "prolog" / "laws" / "law.pl").write_text("p(1).\nq :-\n    1 < 2.\nslow.\n")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_law.py").write_text(
        "import pathlib, time\n"
        "def test_law():\n"
        "    text = pathlib.Path('prolog/laws/law.pl').read_text()\n"
        "    assert 'p(1)' in text and 'q' in text\n"
        "    if 'slow' not in text: time.sleep(300)\n"
    )
    monkeypatch.setattr(mutate, "ROOT", tmp_path)
    monkeypatch.setattr(mutate, "NEEDED", ("prolog", "tests"))
    monkeypatch.setattr(mutate, "SURVIVORS", tmp_path / "survivors.txt")
    monkeypatch.setattr(mutate, "KILLERS", (("law", 6, ("tests/test_law.py",)),))
    (tmp_path / "survivors.txt").write_text("")
    return tmp_path


def test_a_survivor_is_told_and_fails_until_it_is_explained(
    mutate: Any, made: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    start = time.monotonic()
    assert mutate.main([]) == 1
    out = capsys.readouterr().out
    assert time.monotonic() - start < 60
    key = "laws/law.pl | q :- | < -> =< in: 1 < 2."
    assert f"NOT NOTICED prolog/laws/law.pl:3: {key}" in out.splitlines()
    assert "4 mutants; noticed by: law 3, nobody 1" in out
    (made / "survivors.txt").write_text(f"{key}\n    one is less than two either way\n")
    assert mutate.main(["--only=law.pl"]) == 0
    assert "1 survived, 1 of them explained" in capsys.readouterr().out
    assert (made / "prolog/laws/law.pl").read_text() == "p(1).\nq :-\n    1 < 2.\nslow.\n"


def test_an_explanation_of_nothing_fails(
    mutate: Any, made: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (made / "survivors.txt").write_text("laws/law.pl | gone | delete\n    it was\n")
    assert mutate.main(["--sample=1", "--seed=1"]) == 1
    assert "no such mutant, or no reason: laws/law.pl | gone" in capsys.readouterr().out


def test_tests_that_fail_anyway_kill_nobody(
    mutate: Any, made: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (made / "tests" / "test_law.py").write_text("def test_law(): assert 0\n")
    with pytest.raises(SystemExit) as left:
        mutate.main([])
    assert left.value.code == 2
    assert "mend that first" in capsys.readouterr().out
