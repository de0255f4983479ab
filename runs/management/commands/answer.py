from __future__ import annotations

import importlib
from argparse import ArgumentParser
from typing import Any

from django.core.checks import Tags
from django.core.management.base import BaseCommand

from runs.jobs.job_kinds import ANALYSIS, UPLOADS
from runs.work.execution.parent_death import end_with_terminal
from runs.work.execution.rq_workers import run_pool


class Command(BaseCommand):
    """Runs a worker for the analysis pages that take too long for a request, and one that reads uploads."""

    requires_system_checks = (Tags.models,)  # `serve` checks the rest: checking addresses imports all pages
    help = (
        "Computes the analysis pages of many runs, and beside them reads uploads, one at a time each, so that they do "
        "not wait for runs. One for all hosts is enough; it needs the data directory of the web server."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The workers run until a signal ends them, or with `--burst` until their queues are empty."""
        parser.add_argument("--burst", action="store_true", help="end when the queues are empty")

    def handle(self, *_args: Any, burst: bool, **_options: Any) -> None:
        """The analysis library is loaded once, before the workers are forked."""
        end_with_terminal()
        computing = importlib.import_module("runs.reporting.topics.computing")
        run_pool((ANALYSIS, UPLOADS), burst=burst, before_start=computing.enqueue_boards)
