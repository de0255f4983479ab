from __future__ import annotations

import signal
from argparse import ArgumentParser
from contextlib import closing
from typing import Any

from django.conf import settings
from django.core.checks import Tags
from django.core.management.base import BaseCommand, CommandError

from harness.dataset import Repository, load_dataset
from harness.errors import HarnessError
from harness.sandbox import open_engine
from harness.sandbox.engine.pruning import days, summary
from runs.work.execution.parent_death import end_with_terminal
from runs.work.execution.sweeper import Sweeper
from tasks.models import Dataset


class Command(BaseCommand):
    """Runs the sweeper, or removes images that no loaded dataset needs."""

    requires_system_checks = (Tags.models,)  # `serve` checks the rest: checking addresses imports all pages
    help = (
        "Finds what dead processes left behind: lost tries, orphaned containers, runs without a job; "
        "with --images, instead, images that no loaded dataset needs."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One pass unless `--forever` is given."""
        parser.add_argument("--forever", action="store_true", help="repeat until a signal ends it")
        parser.add_argument(
            "--images",
            action="store_true",
            help="remove BenchBench's images that no container uses and no loaded dataset needs",
        )
        parser.add_argument(
            "--older-than", type=days, metavar="DAYS", help="with --images: do not remove newer images"
        )
        parser.add_argument("--dry-run", action="store_true", help="with --images: only list them")

    def handle(self, *_args: Any, forever: bool, images: bool, **options: Any) -> None:
        """Ends at once on SIGTERM or SIGINT, which is safe: no step of it can be left half-done."""
        signal.signal(signal.SIGTERM, signal.getsignal(signal.SIGINT))
        end_with_terminal()
        try:
            if images:
                self.stdout.write(_swept_images(older_than=options["older_than"], dry_run=options["dry_run"]))
            else:
                sweeper = Sweeper(watched=forever)
                sweeper.forever() if forever else sweeper.sweep()
        except HarnessError as error:
            raise CommandError(str(error)) from error
        except KeyboardInterrupt:
            return


def _swept_images(*, older_than: float | None, dry_run: bool) -> str:
    needed = _repositories()
    with closing(open_engine()) as engine:
        found = engine.removable_images(needed, older_than=older_than)
        return summary(found if dry_run else engine.remove_images(found), dry_run=dry_run)


def _repositories() -> list[Repository]:
    """The repositories of all loaded datasets. Fails if one is unreadable, as the images that it needs are unknown."""
    run_here = Dataset.objects.filter(reported_by="")  # reported datasets have no images
    directories = [settings.BASE_DIR / one.directory for one in run_here]
    if not directories:
        raise CommandError(
            "no dataset is loaded, so every image would be removed: run `manage.py load_dataset` first"
        )
    return [repository for directory in directories for repository in load_dataset(directory).repositories]
