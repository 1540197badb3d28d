"""Items that would be left out without a word: files, names, tasks, relations."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from pytest_metaspace import cli
from pytest_metaspace.errors import TrajectoryError
from pytest_metaspace.registries import Registries
from pytest_metaspace.trajectories import Reading, _item_reading
from pytest_metaspace.trajectories.items import matches

if TYPE_CHECKING:
    from pathlib import Path

WRITTEN = {
    "text": "What is it?",
    "options": ["red", "blue"],
    "images": ["pictures/a.png"],
    "answer": "red",
    "written": True,
}
ITEM = {
    "id": "one",
    "task": "STARE-folding",
    "posings": {"written": WRITTEN, "reordered": {"like": "written", "options": ["blue", "red"]}},
}
TIE = {"relation": "STARE-ORDER", "law": "MAP", "posings": ["written", "reordered"]}
UNLIKE = [
    ("no task", json.dumps([{"id": "one", "posings": ITEM["posings"]}]), "field 0.task"),
    ("no posings", json.dumps([{"id": "one", "task": ITEM["task"]}]), "field 0.posings"),
    ("object", json.dumps({"items": [ITEM]}), "is no JSON list"),
    ("number first", json.dumps([1, ITEM]), "field 0: Input should be an object, found 1"),
    ("cut off", json.dumps([ITEM])[:60], "is damaged or cut off"),
    ("empty list", "[]", "is an empty list"),
    ("empty object", "{}", "is no JSON list"),
    ("nothing", "", "is empty"),
]


def write(folder: Path, text: str) -> Path:
    (folder / "pictures").mkdir(exist_ok=True)
    Image.new("RGB", (8, 6)).save(folder / "pictures" / "a.png")
    path = folder / "items.json"
    path.write_text(text)
    return path


def item(folder: Path, *names: str, **changed: Any) -> Path:
    kept = [{**ITEM, "id": name, **changed} for name in names or ("one",)]
    return write(folder, json.dumps(kept))


@pytest.mark.parametrize(
    ("text", "told"), [one[1:] for one in UNLIKE], ids=[one[0] for one in UNLIKE]
)
def test_a_lost_file_of_items_is_a_problem_of_its_folder(
    tmp_path: Path, text: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, text)
    assert cli.main(["check", str(tmp_path)]) == 1
    out = capsys.readouterr().out
    assert f"items.json: {told}" in out
    assert "See docs/format-items.md." in out or told == "is empty"


def test_every_lost_file_of_items_is_named_and_the_others_are_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in "abcdefg":
        (tmp_path / name).mkdir()
        write(tmp_path / name, "[]")
    (tmp_path / "good").mkdir()
    item(tmp_path / "good")
    assert cli.main(["check", str(tmp_path), "--episodes=all"]) == 1
    out = capsys.readouterr().out
    assert out.count("items.json: is an empty list") == 7
    assert out.endswith("1 trajectory loaded; 7 problems\n")
    assert cli.main(["plan", str(tmp_path), "--episodes=all"]) == 4
    assert capsys.readouterr().err.count("items.json: is an empty list") == 7


@pytest.mark.usefixtures("built")  # numpy cannot be loaded first inside of pytester
def test_a_lost_file_of_items_fails_a_run_beside_other_tests(pytester: pytest.Pytester) -> None:
    write(pytester.path, "[]")
    pytester.makepyfile("def test_other(): pass")
    result = pytester.runpytest_inprocess(
        "--metaspace-agent=truth", "-pno:cacheprovider", "-pno:asyncio"
    )
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(["*items.json: is an empty list*See docs/format-items.md.*"])


def test_a_file_of_items_that_is_typed_says_what_it_lacks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "items.json"
    path.write_text('[{"name": "sword"}]')
    assert cli.main(["check", str(path)]) == 1
    assert "items.json: is no list of items of a suite" in capsys.readouterr().out


@pytest.mark.parametrize("text", ['[{"name": "sword"}]', "[]", "", '[{"task": "wash up"}]'])
def test_files_of_strangers_called_items_are_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "items.json"
    path.write_text(text)
    assert not matches(path)


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"ties": [{**TIE, "relation": "STARE-NOPE"}]}, "field ties.0.relation of item 'one': is"),
        ({"ties": [TIE, {**TIE, "relation": "STARE-ACC"}]}, "ties.1.relation of item 'one': is"),
        ({"ties": [{**TIE, "relation": "STARE-CUT"}]}, "no relation of STARE-folding; known: ST"),
        ({"ties": [{**TIE, "relation": "EMB-ORDER"}]}, "is 'EMB-ORDER', no relation of STARE-f"),
        ({"unposed": {"STARE-NOPE": "why"}}, "field unposed of item 'one': is 'STARE-NOPE'"),
        ({"task": "STARE-nope"}, "is 'STARE-nope', no task of a suite; known: STARE-analogy-2d"),
        ({"task": "NOPE-x", "ties": [TIE]}, "field task of item 'one': is 'NOPE-x', no task of"),
    ],
)
def test_what_no_suite_judges_is_refused(
    tmp_path: Path, changed: dict[str, Any], told: str
) -> None:
    path = item(tmp_path, **changed)
    with pytest.raises(TrajectoryError) as caught:
        Registries.built_in().load(path / "one")
    assert str(caught.value).startswith(f"{path}: field ")
    assert told in str(caught.value)


def test_what_a_suite_judges_is_loaded_without_ties_too(tmp_path: Path) -> None:
    registries = Registries.built_in()
    assert registries.load(item(tmp_path) / "one").items
    found = registries.load(item(tmp_path, ties=[TIE], unposed={"STARE-CUT": "no piece"}) / "one")
    assert found.items
    assert not found.defects


@pytest.mark.parametrize(
    ("names", "called", "told"),
    [
        (["one", "one"], "one-2", "field 1.id: is 'one', which is that of an item before it; the"),
        (["a::b"], "item-0", "field 0.id: is 'a::b', which can be no name in a node id (printa"),
        (["a\nb"], "item-0", "field 0.id: is 'a\\\\nb', which can be no name"),
        (["a/b"], "item-0", "field 0.id: is 'a/b', which can be no name"),
        (["one", "two words"], "item-1", "field 1.id: is 'two words', which can be no name in a n"),
    ],
)
def test_an_item_that_is_called_otherwise_says_so(
    tmp_path: Path, names: list[str], called: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = item(tmp_path, *names)
    assert _item_reading.index_of(path).names[-1] == called
    cli.main(["check", f"{path}::{called}"])
    out = capsys.readouterr().out
    assert told.replace("\\\\", "\\") in out
    assert f"is called '{called}'. Write another id." in out


def test_what_is_left_of_a_file_says_that_it_is_cut_off(tmp_path: Path) -> None:
    path = item(tmp_path, "one", "two")
    path.write_text(path.read_text()[:-40])
    (defect,) = _item_reading.load(path / "one", Reading()).defects
    assert "is damaged or cut off" in str(defect)


UNFIT = (
    "two words",
    "a,b",
    "a[b]",
    "\u00e4pfel",
    "\u201cquoted\u201d",
    "a\tb",
    "..",
    "a::b",
    "\u00a0",
    "x" * 201,
)
FIT = ("it's", 'say-"so"', "(b)", "a{b}", "a;b", "100%", "x" * 200)


@pytest.mark.parametrize("name", UNFIT)
@pytest.mark.parametrize("escaped", [True, False])
def test_an_id_that_is_no_name_is_a_fault_of_its_item_alone(
    tmp_path: Path, name: str, escaped: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    made = [{**ITEM, "id": one} for one in ("one", name, "three")]
    path = write(tmp_path, "[]")
    path.write_text(json.dumps(made, ensure_ascii=escaped), encoding="utf-8")
    assert [one.name for one in Registries.built_in().episodes_of(path) or ()] == [
        "one", "item-1", "three",
    ]  # fmt: skip
    assert cli.main(["check", str(path), "--episodes=all"]) == 1
    out = capsys.readouterr().out
    assert out.count("field 1.id: ") == out.count("1.id") == 1
    assert "2 trajectories loaded" in out or "3 trajectories loaded" in out


@pytest.mark.parametrize("name", FIT)
def test_any_other_id_is_the_name_of_its_item(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = item(tmp_path, name)
    assert [one.name for one in Registries.built_in().episodes_of(path) or ()] == [name]
    assert cli.main(["check", f"{path}::{name}"]) == 0, capsys.readouterr().out


@pytest.mark.usefixtures("built")  # numpy cannot be loaded first inside of pytester
def test_an_item_that_is_called_otherwise_runs_with_the_others(pytester: pytest.Pytester) -> None:
    item(pytester.path, "one", "two words", "\u00e4")
    result = pytester.runpytest_inprocess(
        "--metaspace-agent=truth", "--metaspace-episodes=all", "items.json", "-v",
        "-pno:cacheprovider", "-pno:asyncio",
    )  # fmt: skip
    assert result.ret == 0
    result.stdout.fnmatch_lines_random(["*items.json::one*", "*items.json::item-1*", "*::item-2*"])
