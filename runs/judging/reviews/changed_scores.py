"""Marks public numbers as changed when reviews change: those of agents whose counted runs were reviewed.

For code that changes or deletes reviews, in the same transaction. Runs that are deleted recompute their cells, which
marks them, too.
"""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.db.models.signals import post_delete, pre_delete
from django.dispatch import receiver

from runs.data.cells.recompute import Group, mark_changed
from runs.models import JudgeReview, JudgingPass


def mark_scores_changed(reviews: QuerySet[JudgeReview]) -> None:
    """Marks the agents, in the datasets, of these reviews. One query, and one for each of them."""
    mark_changed(_groups(reviews))


def _groups(reviews: QuerySet[JudgeReview]) -> set[Group]:
    counted = reviews.filter(run__evaluation__listed=True).order_by()
    return set(counted.values_list("run__agent", "run__task__repository__dataset").distinct())


@receiver(pre_delete, sender=JudgingPass)
def _store_groups(instance: JudgingPass, **_more: Any) -> None:
    """Called in the transaction of the deletion, while the reviews still exist."""
    instance.scored_groups = _groups(instance.reviews.all())  # type: ignore[attr-defined] # for the signal below


@receiver(post_delete, sender=JudgingPass)
def _mark_groups(instance: JudgingPass, **_more: Any) -> None:
    mark_changed(instance.scored_groups)  # type: ignore[attr-defined]
