from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import OutputWrapper

from harness.records import SUMMARY
from runs.intake.reported.checking_files import check_files
from runs.intake.reported.importing_files import ImportedFiles, import_files
from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.storing import Stored
from runs.intake.reported.unpacked_files import unpacked_files
from runs.management.commands import import_results
from runs.presentation.formatting.numbers import counted, counted_kinds
from runs.transfer.importing import import_runs

MAX_DIFFERENCES = 50  # that are printed


class Command(import_results.Command):
    """Imports trajectories that other tools wrote."""

    help = (
        "Imports trajectories of other tools, so that they are replayed, compared and analysed like runs of this site; "
        "each PATH whole or not at all. A PATH is a file, a directory of files or a zip or tar archive: see "
        "docs/trajectories.md. They are added to those that were imported before; a session that has grown since is "
        "still one run. With --board they are attached to the attempts of a board of reported results."
    )
    options = {
        **import_results.OPTIONS,
        "board": "the board of reported results to whose attempts they are attached, by its name in addresses",
        "agent": "name of the agent: the one on the board, or where a file does not say it",
    }

    skip_broken = False
    outcomes: Path | None = None
    only_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One or more paths, what they do not say themselves, and what to do with broken files."""
        super().add_arguments(parser)
        parser.add_argument(
            "--skip-broken",
            action="store_true",
            help="leave broken files of a directory out, each with its reason, instead of refusing all",
        )
        parser.add_argument(
            "--outcomes",
            type=Path,
            metavar="FILE",
            help="with --board: outcomes that are compared with it, in a CSV file or a report of SWE-bench's harness",
        )

        parser.add_argument(
            "--check",
            action="store_true",
            help="store nothing: show what would be imported, what is unknown of it, and what is left out and why",
        )

    def handle(self, *arguments: Any, paths: list[Path], **options: Any) -> None:
        """Stops at the first path that is refused; those before it stay imported."""
        self.skip_broken, self.outcomes = options["skip_broken"], options["outcomes"]
        self.only_checks = options["check"]
        super().handle(*arguments, paths=paths, **options)

    def imported(self, path: Path, given: Mapping[str, str]) -> str:
        """Imports one file, directory or archive, and shows how far it is. Raises ResultsRefused or ImportRefused.

        Runs of this harness are imported as such.
        """
        with unpacked_files(path) as files:
            holds_runs = files.is_dir() and next(files.rglob(SUMMARY), None) is not None
            if self.only_checks:
                return self._checked(files, given, holds_runs=holds_runs)
            if holds_runs:
                if "board" in given:
                    raise ResultsRefused(path, "it holds runs of this harness: they are attached to no board")
                runs = import_runs(path, given.get("reported_by", ""))
                return f"{counted_kinds({'new': runs.new, 'known': runs.known}, 'run')} of this harness"
            done = import_files(
                files, given, self._show, skip_broken=self.skip_broken, outcomes=self.outcomes
            )
        show_left_out(done, self.stderr)
        return summary(done)

    def _checked(self, path: Path, given: Mapping[str, str], *, holds_runs: bool) -> str:
        """What would be imported, in lines. Raises ResultsRefused."""
        if holds_runs:
            runs = counted(sum(1 for _ in path.rglob(SUMMARY)), "run")
            return f"{runs} of this harness would be read; nothing was stored"
        return "\n".join(["", *check_files(path, given, self._show, outcomes=self.outcomes).lines()])

    def _show(self, done: int, total: int) -> None:
        if self.stdout.isatty():
            self.stdout.write(f"\r{done} of {total} read", ending="\n" if done == total else "")
            self.stdout.flush()


def show_left_out(done: ImportedFiles, output: OutputWrapper) -> None:
    """Writes what was left out, and where a board says otherwise."""
    for reason in (*done.broken, *done.unmatched):
        output.write(f"left out: {reason}")
    differences = done.comparison.differences if done.comparison else ()
    for difference in differences[:MAX_DIFFERENCES]:
        output.write(f"differs: {difference}")
    if len(differences) > MAX_DIFFERENCES:
        more = counted(len(differences) - MAX_DIFFERENCES, "more difference")
        output.write(f"and {more}, at the replays")


def summary(done: ImportedFiles) -> str:
    """What an import did, in one line: what it stored in each dataset, and what was left out."""
    return "; ".join(filter(None, [*map(_sentence, done.stored), done.left_out()]))


def _sentence(stored: Stored) -> str:
    board = stored.comparison is not None
    counts = {"attached" if board else "new": stored.new, "grown": stored.grown, "known": stored.known}
    said = counted_kinds(counts, "trajectory", "trajectories")
    if board:
        return f"{said} on board {stored.report.dataset.slug}; {stored.comparison}"
    return f"{said} in dataset {stored.report.dataset.slug}"
