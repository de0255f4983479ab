from __future__ import annotations

import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from runs.intake.reported.fetching.fetching import REGISTER, Fetching
from runs.intake.reported.fetching.public_source import PublicSource, find_source
from runs.intake.reported.reported_result import ResultsRefused
from runs.management.commands import import_trajectories


class Command(BaseCommand):
    """Fetches trajectories of a public source."""

    help = (
        "Downloads the trajectories of a public source of datasets/sources/ to this machine, checks them, and attaches "
        "them to the attempts of their board. After a failure, the same command goes on where it was. Without a NAME, "
        "it lists the sources."
    )

    _shown_at = 0.0

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The name of a source, and where it is instead."""
        parser.add_argument("name", nargs="?", default="", metavar="NAME")
        parser.add_argument(
            "--from",
            dest="copy",
            default="",
            metavar="DIR_OR_URL",
            help="a directory, a file, or the address of a mirror, instead of the source's own address",
        )

    def handle(self, *_args: Any, name: str, copy: str, **_options: Any) -> None:
        """Fetches and attaches all of a source, or nothing."""
        register = Path(settings.DATASETS_ROOT) / REGISTER
        try:
            if not name:
                for path in sorted(register.glob("*.toml")):
                    self._list(PublicSource.read(path))
                return
            source = find_source(register, name)
            self.stdout.write(f"{source.title}, licence {source.licence}: {copy or source.place}")
            try:
                done = Fetching(source, copy, self._show, self._show_read).run()
            finally:
                self._clear()
        except ResultsRefused as error:
            raise CommandError(f"nothing was attached: {error}") from error
        import_trajectories.show_left_out(done, self.stderr)
        self.stdout.write(import_trajectories.summary(done))

    def _list(self, source: PublicSource) -> None:
        self.stdout.write(f"{source.name}: {source.title}, licence {source.licence}, for {source.board}")

    def _show_read(self, read: int, total: int) -> None:
        self._show(f"{read:,} of {total:,} read")

    def _show(self, progress: str) -> None:
        """Replaces the last line of a terminal, at most five times a second."""
        if self.stdout.isatty() and progress and time.monotonic() - self._shown_at > 0.2:
            self._shown_at = time.monotonic()
            self.stdout.write(f"\r\x1b[K{progress}", ending="")
            self.stdout.flush()

    def _clear(self) -> None:
        """So that what follows does not begin behind the progress."""
        if self._shown_at:
            self.stdout.write("\r\x1b[K", ending="")
