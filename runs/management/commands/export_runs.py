from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from runs.models import Evaluation
from runs.transfer.evaluation_archive import ExportRefused, export_runs


class Command(BaseCommand):
    """Exports runs."""

    help = "Packs the finished runs of an evaluation into a .tar.xz file that import_runs reads."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The evaluation and the output file."""
        parser.add_argument("evaluation", help="its slug, as its page shows it")
        parser.add_argument("path", type=Path, metavar="FILE.tar.xz")

    def handle(self, *_args: Any, evaluation: str, path: Path, **_options: Any) -> None:
        """Prints how many runs were packed."""
        try:
            count = export_runs(Evaluation.objects.get(slug=evaluation), path)
        except Evaluation.DoesNotExist:
            known = ", ".join(Evaluation.objects.values_list("slug", flat=True)) or "none"
            raise CommandError(f"there is no evaluation {evaluation!r}; there are: {known}") from None
        except ExportRefused as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{path}: {count} runs")
