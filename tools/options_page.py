"""Writes docs/options.md out of the options themselves; a test compares the two."""

from __future__ import annotations

from pathlib import Path

from pytest_metaspace.options import OPTIONS

PAGE = Path(__file__).resolve().parent.parent / "docs" / "options.md"
_HEAD = """# Options

Command line over ini file over default. The ini twin of `--metaspace-fail-under` is `metaspace_fail_under`, and so on; lists are lines there.
This page is written by `python tools/options_page.py`.

| option | what |
|---|---|
"""
_TAIL = """
The ini option `metaspace_trajectories` names folders that are collected when no arguments are typed.

## Agents

| name | what |
|---|---|
| `truth` | answers from `truth.json`; scores 1.000, always: the plugin's own health check |
| `geometric` | classical vision on the frames shown; declines what it cannot do |
| `python:MODULE:FUNCTION` | your own `(prompt, images) -> str`, sync or async; `images` is a list of paths |
| `gpt-4o`, `openai:MODEL` | a model behind an OpenAI-compatible endpoint ([models](models.md)) |
| `transformers:FOLDER`, `transformers:OWNER/MODEL` | a vision-language model in this process, asked in batches ([models](models.md#models-in-this-process)) |
| `replay:FILE` | answers from a recording made with `--metaspace-record` |
| `mutant:FAULT:AGENT` | an agent with one fault, as in `mutant:mirrored:truth` or `mutant:noisy=0.1:gpt-4o` ([all of them](mutants.md)) |
| `random`, `collapsed` | what guessing and evading score; shown as reference at `-v` |

## Trackers

| name | what |
|---|---|
| `none` | objects are those of `objects.json`, and none where it is missing |
| `yolo:FILE.pt` | Ultralytics YOLO (AGPL-3.0); identities by the log of actions |
| `botsort:FILE.pt` | the same with BoT-SORT |
| `detr:FOLDER` | a detector of transformers (Apache-2.0) |

[Tracking](tracking.md) says where weights are to be had, and what keeps identities apart.

## Stored answers

Answers of models and of `python:` agents are stored in `.metaspace_cache` and never asked for again ([stored answers](answers.md)): those of a function until the file that defines it changes. Give the function an attribute `metaspace_revision` to decide that yourself.
Beside them, in `last_run.jsonl`, lies what the last run found, for `metaspace explain CASE`: every case that was not satisfied, up to 32 MiB, with questions and raw answers.
Every case is judged; derivations are made of the first hundred or so of each capability, relation and outcome, the worst pairs of things first. In a larger run `metaspace explain CASE` prints the command that derives one of the others, which asks nothing again.

## Marks

Each capability and each relation is a mark: `pytest -m "SC2-a and MR1"`, `pytest -m "not SC4-b"`. Relations of your own are marks under their names. `pytest --markers --metaspace-agent=NAME` lists them.

## Long runs

Above 2,000 cases one letter of the progress stands for several cases and is that of the worst of them; a line above the letters says for how many. `-v` has a line for each case.
With `-x`, `--maxfail` or `--sw` cases are asked and judged `--metaspace-lookahead` at a time.

## Fixtures, for tests of your own

| fixture | what |
|---|---|
| `metaspace_case` | one settled case; the function runs once for each that its mark selects: `@pytest.mark.metaspace(sc="SC2-a", mr=["MR1", "MR2"], trajectories="runs/")`, all optional. `.check()` fails with the derivation, `.outcome`, `.derivation`, `.case` and `.trajectory` tell more |
| `metaspace_trajectory` | the trajectory of that case; without a case, the function runs once for each trajectory |
| `metaspace_objects` | the tracked objects of that trajectory, by id |
| `metaspace_agent` | asks the agent under test what only your test thinks of, through the same store |
| `metaspace_scores` | the scores of all selected cases, as in `metaspace_scores["SC2-a"]` |
| `metaspace_oracle` | the judge alone: `.assert_consistent(observations, relation="MR2", subjects=["a", "b"])` fails with the derivation |

[Testing by hand](testing.md) shows each. A case is scored once, whether a trajectory file or a function reports it. Folders in a mark are relative to the root folder of pytest.

## Exit status

| status | when |
|---|---|
| 0 | every case satisfied or inconclusive; or, with gates, every gate passed (or was undecided under `--metaspace-gate=confident-fail`) and no error |
| 1 | a violated or invalid case (unless violations are only reported), an error, or a gate that failed or had only a part of its cases ([gates](gates.md)) |
| 2 | interrupted, or a trajectory or mark that is not as it should be |
| 4 | wrong use: a baseline of another kind of run, a damaged or missing file ([baselines](baselines.md)); an unknown name or value, an option that is typed and empty (`--metaspace-max-calls=`), options that contradict each other, a file that would be written over and is none of ours, a gate typed on the command line without an agent or with nothing scored; a gate of the ini file where trajectories were collected or named and nothing was scored |
| 5 | nothing was collected |

A gate of the ini file says nothing where no case was selected (`pytest tests/test_other.py`, `-k`, `-m`, `--lf`) or there is no agent (`--metaspace-agent=off`): the status is then pytest's own. Where no case was scored, a failed test still ends with 1.
"""


def page() -> str:
    """Return the page."""
    rows = []
    for option in OPTIONS:
        text = option.help.replace("|", "\\|")
        name = f"--metaspace-{option.name} {option.metavar}".rstrip()
        rows.append(f"| `{name}` | {text} |")
    return _HEAD + "\n".join(rows) + "\n" + _TAIL


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
