from __future__ import annotations

import importlib
import logging
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.checks import Tags
from django.core.management.base import BaseCommand
from django.db import DatabaseError
from redis import RedisError

from runs.data.run_facts.count_trajectory import uncounted_runs
from runs.jobs import queue
from runs.jobs.job_kinds import RUNS
from runs.work.execution.model_library import load_if_called
from runs.work.execution.parent_death import end_with_terminal
from runs.work.execution.rq_workers import run_pool

log = logging.getLogger(__name__)

# Modules that each run would otherwise import for itself.
NEEDED_BY_EVERY_RUN = (
    "harness.execute",
    "harness.agents.ide",
    "harness.sandbox.docker",
    "runs.data.run_facts.behaviour_summary",
)


class Command(BaseCommand):
    """Runs the workers of this host."""

    requires_system_checks = (Tags.models,)  # `serve` checks the rest: checking addresses imports all pages
    help = (
        "Works on queued runs with a pool of workers. SIGTERM or SIGINT: finish the current steps, queue the "
        "runs again, then end; a second one: end at once."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The workers run until a signal ends them, or with `--burst` until the queue is empty."""
        parser.add_argument("--burst", action="store_true", help="end when the queue is empty")
        parser.add_argument("--workers", type=int, default=settings.WORKERS, metavar="N")

    def handle(self, *_args: Any, burst: bool, workers: int, **_options: Any) -> None:
        """What all runs need is loaded once, here, before the workers are forked."""
        end_with_terminal()
        for name in NEEDED_BY_EVERY_RUN:
            importlib.import_module(name)
        load_if_called()
        run_pool([RUNS] * workers, burst=burst, before_start=enqueue_recount_if_needed)


def enqueue_recount_if_needed() -> None:
    """Enqueues a recount of trajectories after an upgrade. Without Redis or database, the next start does."""
    try:
        if uncounted_runs().exists():
            queue.enqueue_recount()
    except (DatabaseError, RedisError) as error:
        log.warning("old trajectories are not recounted before the next start: %s", error)
