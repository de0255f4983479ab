from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.restoring_trajectories import restore_trajectories
from runs.presentation.formatting.numbers import counted, counted_kinds
from runs.transfer.importing import import_runs
from runs.transfer.run_directories import ImportRefused


class Command(BaseCommand):
    """Imports runs."""

    help = "Imports run directories, or tar and zip files of them; each PATH whole or not at all."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One or more paths."""
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
        parser.add_argument(
            "--origin",
            default="",
            help="where the runs come from, as readers see it (default: the name of the file); "
            "runs of one origin share their agents",
        )

    def handle(self, *_args: Any, paths: list[Path], origin: str, **_options: Any) -> None:
        """Stops at the first path that is refused; those before it stay imported."""
        for path in paths:
            try:
                imported = import_runs(path, origin)
                restored = (
                    restore_trajectories() if path.resolve() == Path(settings.RUNS_ROOT).resolve() else 0
                )
            except (ImportRefused, ResultsRefused) as error:
                raise CommandError(f"nothing of {path} was imported: {error}") from error
            done = []
            if imported.new or imported.known or not restored:
                done.append(counted_kinds({"new": imported.new, "known": imported.known}, "run"))
            if restored:
                done.append(f"{counted(restored, 'trajectory', 'trajectories')} of other tools restored")
            self.stdout.write(f"{path}: {'; '.join(done)}")
