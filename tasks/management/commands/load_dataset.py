from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from harness.dataset import DatasetError
from tasks.loading import load
from tasks.models import Task


class Command(BaseCommand):
    """Loads datasets."""

    help = "Loads datasets from disk into the database. A dataset with a problem is not loaded."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One or more directories."""
        parser.add_argument("directories", nargs="+", type=Path, metavar="DIR")
        shown = parser.add_mutually_exclusive_group()
        shown.add_argument("--hidden", action="store_true", default=None, help="show them only to operators")
        shown.add_argument(
            "--open", action="store_false", dest="hidden", help="show them to everyone (again)"
        )

    def handle(self, *_args: Any, directories: list[Path], hidden: bool | None, **_options: Any) -> None:
        """Stops at the first invalid dataset; the earlier ones stay loaded."""
        for directory in directories:
            try:
                dataset = load(directory, self.stdout.write, hidden=hidden)
            except DatasetError as error:
                raise CommandError(f"{directory} was rejected and not loaded:\n{error}") from error
            tasks = Task.objects.filter(repository__dataset=dataset)
            admitted = tasks.filter(admitted=True).count()
            self.stdout.write(
                f"{dataset}: {admitted} of {tasks.count()} tasks admitted{', hidden' if dataset.hidden else ''}"
            )
