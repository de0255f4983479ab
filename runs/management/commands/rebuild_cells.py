from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from runs.data.cells.recompute import rebuild_cells
from runs.data.run_facts.count_trajectory import recount, uncounted_runs
from runs.data.text_index.indexing import rebuild_text_index


class Command(BaseCommand):
    """Rebuilds the cells of the leaderboard, the counts of trajectories, and the index of texts."""

    help = "Recomputes every cell (agent × task) from the runs. The site may run at the same time."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Trajectories are counted only with `--counts`, and texts indexed only with `--texts`."""
        parser.add_argument(
            "--counts",
            action="store_true",
            help="first count the trajectories that are not counted, or by an older version of the project",
        )

        parser.add_argument(
            "--texts",
            action="store_true",
            help="first make the index anew in which the texts of runs are searched",
        )

    def handle(self, *_args: Any, counts: bool, texts: bool, **_options: Any) -> None:
        """Prints how many cells there are."""
        if texts:
            made = rebuild_text_index()
            self.stdout.write(
                f"{made.runs:,} runs indexed: {made.characters / 1e6:,.1f} million characters, "
                f"{made.left_out / 1e6:,.1f} million left out, in {made.size / 1e6:,.1f} MB"
            )
        if counts:
            self.stdout.write(f"{recount()} trajectories counted")
        self.stdout.write(f"{rebuild_cells()} cells")
        if waiting := uncounted_runs().count():
            self.stdout.write(f"{waiting} trajectories wait to be counted: the workers do it, or --counts")
