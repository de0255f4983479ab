from __future__ import annotations

import importlib
import time
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.checks import Tags
from django.core.management.base import BaseCommand
from redis import RedisError
from rq import Queue

from harness.llm.provider import load
from runs.jobs import queue
from runs.jobs.job_kinds import REVIEWS
from runs.work.execution.parent_death import end_with_terminal
from runs.work.execution.rq_workers import run_pool, wait_for_redis

WAIT_SECONDS = 1.0
NEEDED_BY_EVERY_REVIEW = ("runs.judging.reviews.review_jobs", "openai.resources")


class Command(BaseCommand):
    """Runs the workers that make reviews."""

    requires_system_checks = (Tags.models,)  # `serve` checks the rest: checking addresses imports all pages
    help = (
        "Makes queued reviews with a pool of workers. SIGTERM or SIGINT: finish or give back the current review, then "
        "end; a second one: end at once."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The workers run until a signal ends them, or with `--burst` until the queue is empty."""
        parser.add_argument("--burst", action="store_true", help="end when the queue is empty")
        parser.add_argument("--workers", type=int, default=settings.REVIEW_WORKERS, metavar="N")

    def handle(self, *_args: Any, burst: bool, workers: int, **_options: Any) -> None:
        """LiteLLM takes 190 MB: it is loaded when the first review is queued, once, before the workers are forked."""
        end_with_terminal()
        if not burst:
            wait_for_job()
        for name in NEEDED_BY_EVERY_REVIEW:
            importlib.import_module(name)
        load()
        run_pool([REVIEWS] * workers, burst=burst)


def wait_for_job() -> None:
    """Waits until the queue of reviews has a job. Also while Redis does not respond."""
    redis = queue.connection(queue.WAITING_FOR_JOBS)
    wait_for_redis(redis)
    reviews = Queue(REVIEWS, connection=redis)
    while True:
        try:
            if len(reviews):
                return
            time.sleep(WAIT_SECONDS)
        except RedisError:
            wait_for_redis(redis)
