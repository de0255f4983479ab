"""Recomputes the cells of deleted runs in the same transaction."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.db.models.signals import post_delete, pre_delete
from django.dispatch import receiver

from runs.data.cells.recompute import recompute_cells
from runs.models import Evaluation, Run
from runs.operations.evaluations.lifecycle import finished_pairs, locked


@receiver(pre_delete, sender=Evaluation)
def _store_pairs(instance: Evaluation, **_more: Any) -> None:
    """Called in the transaction of the deletion, while the runs still exist."""
    locked(instance)
    instance.counted_in = finished_pairs(instance)  # type: ignore[attr-defined] # carried to the signal below


@receiver(post_delete, sender=Evaluation)
def _recompute_cells_of_evaluation(instance: Evaluation, **_more: Any) -> None:
    recompute_cells(instance.counted_in)  # type: ignore[attr-defined]


@receiver(post_delete, sender=Run)
def _recompute_cell_of_run(instance: Run, origin: Any, **_more: Any) -> None:
    """Not for runs that are deleted with their evaluation: the function above recomputes all of their cells at once."""
    if (origin.model if isinstance(origin, QuerySet) else type(origin)) is Run:
        recompute_cells([(instance.agent_id, instance.task_id)])
