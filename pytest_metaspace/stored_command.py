"""The words of ``metaspace answers``: what can be typed, and what is done then.

metaspace answers list              how many there are, by agent
metaspace answers show KEY          one in full: question, raw answer, agent, tokens
metaspace answers export FILE       JSON Lines to commit and review; replay:FILE answers from it
metaspace answers import FILE       add the answers of such a file
metaspace answers forget            delete some, so that they are asked for again
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_metaspace import sharing, stored
from pytest_metaspace.nearest import FOLDER

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable


def fill(answers: argparse.ArgumentParser) -> None:
    """Give the command its own commands; each one's ``lines`` returns what to print."""
    each = answers.add_subparsers(title="commands", metavar="COMMAND", required=True)

    listing = each.add_parser("list", help="say how many answers are stored, by agent")
    _agent(listing)
    listing.add_argument("--json", action="store_true", help="one JSON object for each agent")
    listing.set_defaults(lines=_list)

    show = each.add_parser("show", help="show one answer in full")
    show.add_argument("key", type=str, metavar="KEY", help="of the answer, or how it begins")
    show.set_defaults(lines=_show)

    export = each.add_parser(
        "export", help="write answers to JSON Lines that can be committed and replayed"
    )
    export.add_argument("file", type=Path, metavar="FILE")
    _agent(export)
    export.set_defaults(lines=_export)

    importing = each.add_parser("import", help="add the answers of such a file")
    importing.add_argument("file", type=Path, metavar="FILE")
    importing.add_argument(
        "--replace", action="store_true", help="where answers differ, take those of the file"
    )
    importing.add_argument(
        "--skip-refused", action="store_true", help="import the rest when lines are no answers"
    )
    importing.set_defaults(lines=_import)

    forget = each.add_parser("forget", help="delete answers, so that they are asked for again")
    forget.add_argument("keys", nargs="*", metavar="KEY", help="how keys begin")
    _agent(forget)
    forget.add_argument("--yes", action="store_true", help="do not ask first")
    forget.set_defaults(lines=_forget)

    for one in (listing, show, export, importing, forget):
        one.add_argument(
            "--cache-dir",
            "--metaspace-cache-dir",
            type=Path,
            metavar="FOLDER",
            help=f"where the answers are (default: the nearest {FOLDER} here or above)",
        )


def _agent(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--agent", metavar="TEXT", help="only agents with this in their name")


def _list(options: argparse.Namespace) -> tuple[Iterable[str], int]:
    return stored.listed(options.cache_dir, options.agent or "", as_json=options.json), 0


def _show(options: argparse.Namespace) -> tuple[Iterable[str], int]:
    return stored.shown(options.cache_dir, options.key), 0


def _export(options: argparse.Namespace) -> tuple[Iterable[str], int]:
    return sharing.exported(options.cache_dir, options.file, options.agent or ""), 0


def _import(options: argparse.Namespace) -> tuple[Iterable[str], int]:
    told, done = sharing.imported(
        options.cache_dir, options.file, replace=options.replace, skip=options.skip_refused
    )
    return told, int(not done)


def _forget(options: argparse.Namespace) -> tuple[Iterable[str], int]:
    def sure(question: str) -> bool:
        if options.yes:
            return True
        sys.stderr.write(f"{question} [y/N] ")
        sys.stderr.flush()
        said = sys.stdin.readline() if sys.stdin is not None else ""
        return said.strip().lower() in ("y", "yes")

    return stored.forgotten(options.cache_dir, options.agent or "", options.keys, sure=sure), 0
