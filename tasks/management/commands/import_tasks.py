from __future__ import annotations

import json
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from harness.errors import ConfigurationError
from tasks.generation.pulls.schema import read_instances
from tasks.generation.pulls.sources.git_clone import GitClone
from tasks.generation.pulls.verdicts import Verdict, judge

_MAX_LENGTH = 100  # characters of a cell


class Command(BaseCommand):
    """Reads published tasks from merged changes, and gives a verdict on each."""

    help = (
        "Reads published tasks from merged changes and prints a verdict on each: readable, or refused with the reason. "
        "A PATH is a JSON file, a file of JSON lines, or a directory of them, in the form of the Coding Agent "
        "Evaluation Framework or of SWE-bench. Nothing is stored: see docs/merged-changes.md."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One or more paths, and how the verdicts are printed."""
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
        parser.add_argument(
            "--clone", type=Path, metavar="DIR", help="apply the patches to their commits in it"
        )
        parser.add_argument("--json", action="store_true", help="print the verdicts as JSON")

    def handle(self, *_args: Any, paths: list[Path], clone: Path | None, json: bool, **_options: Any) -> None:
        """Fails if no task is readable."""
        try:
            tree_at = GitClone(clone).reader if clone else None
        except ConfigurationError as error:
            raise CommandError(str(error)) from error
        verdicts = [judge(found, tree_at) for path in paths for found in read_instances(path)]
        for line in _as_json(verdicts) if json else _as_table(verdicts):
            self.stdout.write(line)
        if not any(verdict.readable for verdict in verdicts):
            raise CommandError("no task is readable")


def _as_json(verdicts: Sequence[Verdict]) -> Iterator[str]:
    rows = [{**asdict(verdict), "readable": verdict.readable} for verdict in verdicts]
    yield json.dumps({"schema_version": 1, "counts": _counts(verdicts), "tasks": rows}, indent=2)


def _as_table(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """A row for each task, then the number of tasks for each verdict."""
    rows = [("task", "verdict", "F2P", "P2P", "notes")]
    for verdict in verdicts:
        explained = [verdict.detail] if verdict.detail else []
        rows.append(
            (
                verdict.identifier or verdict.place,
                verdict.flaw or "readable",
                str(verdict.fail_to_pass),
                str(verdict.pass_to_pass),
                "; ".join([*explained, *verdict.notes]),
            )
        )
    yield from _aligned(rows)
    yield ""
    for name, number in _counts(verdicts).items():
        yield f"{number} of {len(verdicts)}: {name}"


def _counts(verdicts: Iterable[Verdict]) -> dict[str, int]:
    return dict(Counter(str(verdict.flaw or "readable") for verdict in verdicts).most_common())


def _aligned(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """The rows in columns. Control characters of other people's files are written as escapes."""
    shown = [[ascii(cell)[1:-1] if not cell.isprintable() else cell for cell in row] for row in rows]
    cut = [
        [cell if len(cell) <= _MAX_LENGTH else f"{cell[: _MAX_LENGTH - 3]}..." for cell in row]
        for row in shown
    ]
    widths = [max(map(len, column)) for column in zip(*cut, strict=True)]
    for row in cut:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
