from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from runs.transfer.importing import separate_imports
from runs.transfer.run_directories import ImportRefused


class Command(BaseCommand):
    """Marks runs that an earlier version imported."""

    help = "Separates runs that an earlier version imported without a mark from runs that this site executed."

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Prints how many runs were separated."""
        try:
            self.stdout.write(f"{separate_imports()} runs separated")
        except ImportRefused as error:
            raise CommandError(f"nothing was separated: {error}") from error
