from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from harness.dataset import load_dataset
from harness.errors import HarnessError
from tasks.generation.pulls.exporting import exported
from tasks.generation.pulls.schema import Form


class Command(BaseCommand):
    """Writes tasks from merged changes in a published form."""

    help = (
        "Writes the admitted tasks from merged changes of a dataset in a published form, with measured lists of "
        "tests: `swe-bench` into one file of JSON lines, `paper` into a directory with one file for each task. The "
        "output holds solutions and hidden tests."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """A dataset, a form and a place."""
        parser.add_argument("dataset", type=Path, metavar="DIR")
        parser.add_argument("output", type=Path, metavar="OUTPUT")
        parser.add_argument("--form", choices=list(Form), default=Form.SWE_BENCH)

    def handle(self, *_args: Any, dataset: Path, output: Path, form: str, **_options: Any) -> None:
        """Refuses to replace what exists."""
        if output.exists():
            raise CommandError(f"{output} exists: name another one")
        try:
            instances = exported(load_dataset(dataset), Form(form))
        except HarnessError as error:
            raise CommandError(str(error)) from error
        if form == Form.SWE_BENCH:
            output.write_text("".join(instance.line() for instance in instances), encoding="utf-8")
        else:
            output.mkdir(parents=True)
            for instance in instances:
                (output / f"{instance.identifier}.json").write_text(instance.text(), encoding="utf-8")
        self.stdout.write(f"{len(instances)} tasks written to {output}")
