from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from runs.judging.reviews.fault_runs import FaultRunsRefused, load_fault_runs


class Command(BaseCommand):
    """Loads the runs by which judges are measured."""

    help = (
        "Stores the recorded runs of the fault catalogue, in which faults are planted. "
        "`manage.py judge_runs fault-catalogue --panel PANEL` then measures the judges of a panel."
    )

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Twice changes nothing."""
        try:
            loaded = load_fault_runs()
        except FaultRunsRefused as refused:
            raise CommandError(str(refused)) from refused
        self.stdout.write(
            f"{loaded.new} runs are new, {loaded.known} were there, {loaded.removed} are gone from the catalogue"
        )
