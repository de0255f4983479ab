from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from runs.data.cells.recompute import rebuild_cells
from runs.data.run_facts.count_trajectory import recount, uncounted_runs


class Command(BaseCommand):
    """Rebuilds the cells of the leaderboard, and the counts of trajectories."""

    help = "Recomputes every cell (agent × task) from the runs. The site may run at the same time."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Trajectories are counted only with `--counts`."""
        parser.add_argument(
            "--counts",
            action="store_true",
            help="first count the trajectories that are not counted, or by an older version of the project",
        )

    def handle(self, *_args: Any, counts: bool, **_options: Any) -> None:
        """Prints how many cells there are."""
        if counts:
            self.stdout.write(f"{recount()} trajectories counted")
        self.stdout.write(f"{rebuild_cells()} cells")
        if waiting := uncounted_runs().count():
            self.stdout.write(f"{waiting} trajectories wait to be counted: the workers do it, or --counts")
