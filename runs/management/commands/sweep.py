from __future__ import annotations

import signal
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from runs.parents import end_with_terminal
from runs.sweeper import Sweeper


class Command(BaseCommand):
    """Runs the sweeper."""

    help = "Finds what dead processes left behind: lost tries, orphaned containers, runs without a job."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Once, unless told otherwise."""
        parser.add_argument("--forever", action="store_true", help="go on until a signal ends it")

    def handle(self, *_args: Any, forever: bool, **_options: Any) -> None:
        """Ends at once on SIGTERM or SIGINT: nothing that it does can be left half-done."""
        signal.signal(signal.SIGTERM, signal.getsignal(signal.SIGINT))
        end_with_terminal()
        sweeper = Sweeper()
        try:
            sweeper.forever() if forever else sweeper.sweep()
        except KeyboardInterrupt:
            return
