from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from runs.intake.reported.paused_collection import paused_collection
from runs.intake.reported.reading import read_results
from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.storing import Stored, store
from runs.presentation.formatting.numbers import counted, counted_kinds
from runs.transfer.run_directories import ImportRefused

OPTIONS = {
    "slug": "name of the dataset in addresses",
    "title": "title of the dataset",
    "reported_by": "who reports the results",
    "version": "version of the source: a commit, a release or a day",
    "reported_on": "day of that version, such as 2026-01-31",
    "url": "address of the source",
    "licence": "licence of the results",
    "description": "what the dataset is",
    "benchmark_version": "version of its tasks",
    "judged_by": "by which rule verdicts were judged, of a table that has this column",
    "agent": "name of the agent, where a file does not say it",
    "board": "which leaderboard is meant, in a file with several",
    "scorer": "whose scores are meant, in a log with several",
}


class Command(BaseCommand):
    """Imports results that others reported."""

    help = (
        "Imports results that others reported, as a dataset of their own; each FILE whole or not at all. "
        "A FILE is a directory with source.toml and results.csv, a table (CSV, JSON lines, Parquet), or a report of "
        "another benchmark: see docs/reported-results.md."
    )

    options: Mapping[str, str] = OPTIONS

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One or more files, and what they do not say themselves."""
        parser.add_argument("paths", nargs="+", type=Path, metavar="FILE")
        for name, text in self.options.items():
            parser.add_argument(
                f"--{name.replace('_', '-')}" if name != "version" else "--source-version",
                dest=f"source_{name}",
                default="",
                help=text,
            )

    def handle(self, *_args: Any, paths: list[Path], **options: Any) -> None:
        """Stops at the first file that is refused; those before it stay imported."""
        given = {name: value for name in self.options if (value := options[f"source_{name}"])}
        for path in paths:
            try:
                self.stdout.write(f"{path}: {self.imported(path, given)}")
            except (ResultsRefused, ImportRefused) as error:
                raise CommandError(f"nothing of {path} was imported: {error}") from error

    def imported(self, path: Path, given: Mapping[str, str]) -> str:
        """Imports one file or directory. Returns what happened. Raises ResultsRefused or ImportRefused."""
        with paused_collection():
            return sentence(store(read_results(path, given)))


def sentence(stored: Stored) -> str:
    """What an import did."""
    if stored.printed:
        numbers = counted(stored.printed, "printed number")
        return f"{numbers} of {stored.report} imported; it has no results to check them"
    if not stored.new:
        return f"known since {stored.report.evaluation.imported_at:%Y-%m-%d}"
    results = counted_kinds({"new": stored.new, "known": stored.known}, "result")
    return f"{results} of {stored.report}"
