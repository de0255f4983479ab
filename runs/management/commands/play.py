from __future__ import annotations

import signal
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.checks import Tags
from django.core.management.base import BaseCommand, CommandError

from runs.jobs.claims import LEAVING
from runs.play.play_process import play
from runs.play.play_sessions import PlayRefused, note_problem
from runs.play.session_supervisor import SessionSupervisor
from runs.work.execution.parent_death import end_with_terminal


class Command(BaseCommand):
    """Executes the session of a person, or those of all who ask for it."""

    requires_system_checks = (Tags.models,)  # `serve` checks the rest: checking addresses imports all pages
    help = (
        "Executes the session of a person until they finish or leave it. SIGTERM or SIGINT: leave it after the current "
        "request. It can be called again, and goes on with the same files and record. With --forever, instead, a "
        "process for each session that a person starts or resumes on the site."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The run, or all of them."""
        parser.add_argument("run", type=int, nargs="?", help="number of the run")
        parser.add_argument(
            "--forever", action="store_true", help="start processes of sessions until a signal ends it"
        )

    def handle(self, *_args: Any, run: int | None, forever: bool, **_options: Any) -> None:
        """Fails if there is no such session, or if it cannot go on now."""
        if (run is None) != forever:
            raise CommandError("give either the number of a run or --forever")
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: LEAVING.set())
        end_with_terminal()
        if run is None:
            SessionSupervisor(settings.PLAY_SESSIONS).forever(LEAVING.is_set)
            return
        try:
            self.stdout.write(play(run))
        except PlayRefused as refused:
            note_problem(run, str(refused))
            raise CommandError(str(refused)) from refused
