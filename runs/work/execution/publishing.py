"""What follows when runs of an evaluation begin to count: a permanent link, and analysis."""

from __future__ import annotations

import contextlib
from functools import partial
from urllib.parse import urlencode

from django.db import transaction
from django.dispatch import Signal
from redis import RedisError

from runs.jobs import queue
from runs.models import Evaluation
from runs.models.open_rows import without_hidden
from tasks.models import Dataset

# Sent with `dataset`, its slug, when results of that open dataset begin to count.
dataset_published = Signal()


def after_publishing(evaluation: Evaluation) -> None:
    """Announces each open dataset of an evaluation that counts now, and enqueues its analysis, on commit."""
    datasets = Dataset.objects.filter(repositories__tasks__runs__evaluation=evaluation).order_by("slug")
    for dataset in without_hidden(datasets).values_list("slug", flat=True).distinct():
        transaction.on_commit(partial(dataset_published.send, None, dataset=dataset), robust=True)
        transaction.on_commit(partial(_enqueue_analysis, dataset), robust=True)


def _enqueue_analysis(dataset: str) -> None:
    """Enqueues the analysis pages, so that the next reader finds these runs in them. Not possible without Redis."""
    with contextlib.suppress(RedisError):
        queue.enqueue_analysis(urlencode({"dataset": dataset}))
