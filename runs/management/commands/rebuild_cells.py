from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from runs.settling import rebuild_cells


class Command(BaseCommand):
    """Rebuilds the leaderboard's table."""

    help = "Counts every cell (agent × task) anew from the runs."

    def handle(self, *_args: Any, **_options: Any) -> None:
        """One transaction: readers see the old cells or the new ones."""
        self.stdout.write(f"{rebuild_cells()} cells")
