"""``./dev mutate`` breaks one piece at a time, and tells what no test notices."""

from __future__ import annotations

import importlib
import re
import sys
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


TOOLS = ("mutate", "mutants", "mutants_prolog", "mutants_python")


@pytest.fixture
def mutate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.syspath_prepend(ROOT / "tools")
    yield importlib.import_module("mutate")
    for name in TOOLS:
        sys.modules.pop(name, None)


def test_clauses_end_at_full_stops_only(mutate: Any) -> None:
    pieces = [LAW[start:stop] for start, stop, _ in mutate.mutants_prolog.clauses(LAW)]
    assert [piece[:4] for piece in pieces] == ["p(X)", "p(X)", "p(3)"]
    assert pieces[0].endswith('"q. " ]).')


def test_each_mutant_breaks_one_piece_and_moves_no_line(mutate: Any) -> None:
    made = list(mutate.mutants_prolog.mutants("prolog/laws/law.pl", LAW))
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
    keys = [one.key for one in mutate.all_mutants()]
    assert len(keys) == len(set(keys)) > 500
    before, after = (
        [one.key for one in mutate.mutants_prolog.mutants("prolog/laws/law.pl", text)]
        for text in (LAW, "\n\n" + LAW)
    )
    assert before == after


def test_every_comparison_of_the_laws_is_turned_round(mutate: Any) -> None:
    for path in (ROOT / "prolog" / "laws").glob("*.pl"):
        if f"prolog/laws/{path.name}" in mutate.SPARED:
            continue
        lines = {one.line for one in mutate.all_mutants((path.name,)) if " -> " in one.key}
        code = enumerate(path.read_text().splitlines(), start=1)
        wanted = {
            number
            for number, line in code
            if not line.startswith("%")
            and any(f" {operator} " in line for operator in mutate.mutants_prolog.FLIPS)
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


def test_a_file_without_mutants_is_a_mistake(
    mutate: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        mutate.main(["--only=misspelt.pl"])
    assert left.value.code == 2
    assert "nothing to break in misspelt.pl" in capsys.readouterr().err


def test_every_explanation_is_of_a_mutant_and_has_a_reason(mutate: Any) -> None:
    known = mutate.explanations(mutate.SURVIVORS.read_text())
    keys = {one.key for one in mutate.all_mutants()}
    assert set(known) <= keys
    assert all(len(reason) > 20 for reason in known.values())


def test_reasons_are_read_with_their_keys(mutate: Any) -> None:
    text = "# note\nlaws/a.pl | p | delete\n    as long\n    as it is\n\nb.pl | q | delete\n"
    assert mutate.explanations(text) == {
        "laws/a.pl | p | delete": "as long as it is",
        "b.pl | q | delete": "",
    }


PYTHON = '''"""Docstring 1 < 2."""
import typing

if TYPE_CHECKING:
    import json
LEAST = 2  # °

class Shape(Protocol):
    def area(self, scale: int = 1) -> int: ...

class Box:
    flat = False

    def fits(self, others: list[int] = [1 < 2]) -> bool:
        """Whether it fits."""
        assert self.width > 0
        for other in others:
            if (
                not (self.flat)
                and "°" in (other)  # and not or
                and other is not None
            ):
                continue
            count += max(other) - LEAST
        return 1 <= count <= 3 or self.flat
'''


def python_mutants(mutate: Any) -> list[str]:
    """What each mutant does to PYTHON, as ``where: old line -> new line``."""
    told = []
    for one in mutate.mutants_python.mutants("pytest_metaspace/mrs/box.py", PYTHON):
        text = PYTHON[: one.start] + one.text + PYTHON[one.stop :]
        compile(text, "box.py", "exec")
        changed = text.splitlines()[one.line - 1].strip()
        told.append(f"{one.key.split(' | ')[1]}: {changed}")
    return told


def test_python_is_broken_at_each_operator_constant_guard_and_statement(mutate: Any) -> None:
    assert python_mutants(mutate) == [
        "module: LEAST = (1)  # °",
        "module: LEAST = (3)  # °",
        "Box: flat = True",
        "Box.fits: def fits(self, others: list[int] = [(0) < 2]) -> bool:",
        "Box.fits: def fits(self, others: list[int] = [(2) < 2]) -> bool:",
        "Box.fits: def fits(self, others: list[int] = [1 <= 2]) -> bool:",
        "Box.fits: def fits(self, others: list[int] = [1 < (1)]) -> bool:",
        "Box.fits: def fits(self, others: list[int] = [1 < (3)]) -> bool:",
        "Box.fits: (self.flat)",
        'Box.fits: or "°" in (other)  # and not or',
        'Box.fits: and "°" not in (other)  # and not or',
        "Box.fits: or other is not None",
        "Box.fits: and other is None",
        "Box.fits: pass",
        "Box.fits: pass",
        "Box.fits: count += min(other) - LEAST",
        "Box.fits: count += max(other) + LEAST",
        "Box.fits: return (0) <= count <= 3 or self.flat",
        "Box.fits: return (2) <= count <= 3 or self.flat",
        "Box.fits: return 1 < count <= 3 or self.flat",
        "Box.fits: return 1 <= count < 3 or self.flat",
        "Box.fits: return 1 <= count <= (2) or self.flat",
        "Box.fits: return 1 <= count <= (4) or self.flat",
        "Box.fits: return 1 <= count <= 3 and self.flat",
        "Box.fits: return 1 <= count <= 3 or (not self.flat)",
    ]


def test_the_keys_of_python_outlive_line_numbers(mutate: Any) -> None:
    first, again = (
        [one.key for one in mutate.mutants_python.mutants("pytest_metaspace/mrs/box.py", text)]
        for text in (PYTHON, "# a line\n" + PYTHON)
    )
    assert first == again
    assert len(first) == len(set(first))
    assert first[0] == "mrs/box.py | module | 2 -> 1 in: LEAST = 2 # °"


def test_the_generator_of_cases_and_the_geometry_are_broken_too(mutate: Any) -> None:
    files = {one.file for one in mutate.all_mutants()}
    made = {path.relative_to(ROOT).as_posix() for path in ROOT.glob("pytest_metaspace/mrs/*.py")}
    nothing_to_break = {"pytest_metaspace/mrs/__init__.py", "pytest_metaspace/mrs/_relation.py"}
    assert files >= made - nothing_to_break | {"pytest_metaspace/geometry.py"}
    for one in mutate.all_mutants():
        path = ROOT / one.file
        if path.suffix == ".py":
            text = path.read_text()
            compile(text[: one.start] + one.text + text[one.stop :], one.file, "exec")


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
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setattr(mutate, "ROOT", tmp_path)
    monkeypatch.setattr(mutate, "NEEDED", ("prolog", "tests"))
    monkeypatch.setattr(mutate, "SURVIVORS", tmp_path / "survivors.txt")
    law = mutate.Killer("law", 30, ("tests/test_law.py",))
    monkeypatch.setattr(mutate, "SUBJECTS", {"prolog/laws/*.pl": (law,)})
    (tmp_path / "survivors.txt").write_text("")
    return tmp_path


def test_a_survivor_is_told_and_fails_until_it_is_explained(
    mutate: Any, made: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert mutate.main([]) == 1
    out = capsys.readouterr().out
    key = "laws/law.pl | q :- | < -> =< in: 1 < 2."
    assert f"NOT NOTICED prolog/laws/law.pl:3: {key}" in out.splitlines()
    assert "4 mutants; noticed by: law 3, nobody 1" in out
    assert "prolog/laws/law.pl: 4 mutants, 3 noticed" in out.splitlines()
    assert re.search(
        r"^2/4 \d+ s noticed by law: prolog/laws/law.pl:2: laws/law.pl", out, re.MULTILINE
    )
    (made / "survivors.txt").write_text(f"{key}\n    one is less than two either way\n")
    test = made / "tests" / "test_law.py"
    test.write_text(
        test.read_text().replace("if 'slow' not in text: time.sleep(300)", "assert 'slow' in text")
    )
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
