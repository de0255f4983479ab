from __future__ import annotations

import signal
from argparse import ArgumentParser
from typing import Any

from django.core.checks import Tags
from django.core.management.base import BaseCommand, CommandError

from runs.execution.jobs import LEAVING
from runs.play.play_process import play
from runs.play.play_sessions import PlayRefused


class Command(BaseCommand):
    """Executes the session of a person."""

    requires_system_checks = (Tags.models,)
    help = (
        "Executes the session of a person until they finish or leave it. SIGTERM or SIGINT: leave it after the current "
        "request. It can be called again, and goes on with the same files and record."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The run."""
        parser.add_argument("run", type=int, help="number of the run")

    def handle(self, *_args: Any, run: int, **_options: Any) -> None:
        """Fails if there is no such session, or if it cannot go on now."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: LEAVING.set())
        try:
            self.stdout.write(play(run))
        except PlayRefused as refused:
            raise CommandError(str(refused)) from refused
