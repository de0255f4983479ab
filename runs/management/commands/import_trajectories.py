from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from harness.records import SUMMARY
from runs.management.commands import import_results
from runs.reported.reading import read_trajectories
from runs.reported.storing import store
from runs.reported.unpacked_files import unpacked_files
from runs.transfer.importing import import_runs


class Command(import_results.Command):
    """Imports trajectories that other tools wrote."""

    help = (
        "Imports trajectories of other tools, so that they are replayed, compared and analysed like runs of this site; "
        "each PATH whole or not at all. A PATH is a file, a directory of files or a zip or tar archive: see "
        "docs/trajectories.md. They are added to those that were imported before."
    )

    def imported(self, path: Path, given: Mapping[str, str]) -> str:
        """Imports one file, directory or archive, and shows how far it is. Raises ResultsRefused or ImportRefused.

        Runs of this harness are imported as such.
        """
        with unpacked_files(path) as files:
            if files.is_dir() and next(files.rglob(SUMMARY), None) is not None:
                runs = import_runs(path, given.get("reported_by", ""))
                return f"{runs.new} runs of this harness imported, {runs.known} were known"
            return import_results.sentence(store(read_trajectories(files, given), self._show), "trajectories")

    def _show(self, done: int, total: int) -> None:
        if self.stdout.isatty():
            self.stdout.write(f"\r{done} of {total} read", ending="\n" if done == total else "")
            self.stdout.flush()
