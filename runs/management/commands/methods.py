from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from runs.presentation.analysis_docs import markdown


class Command(BaseCommand):
    """Prints the methods page as Markdown."""

    help = "Prints how every number is computed, in Markdown."
    requires_system_checks: list[str] = []

    def handle(self, *_args: Any, **_options: Any) -> None:
        """To standard output."""
        self.stdout.write(markdown(), ending="")
