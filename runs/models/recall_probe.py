"""What models recall of the targets of generated tasks, without the repository."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q

from runs.models.agent import LanguageModel
from tasks.models import Task


class RecallProbe(models.Model):
    """One model asked for the targets of one task by one version of the prompt; see `tasks.generation.recall`.

    Either `similarity` and `equal` are known, or `reason` says why not. `task_digest`: of the task that was asked
    about; a probe of another version of the task says nothing. What was paid stays: asking again adds a row, of several
    rows the newest counts, and a model or task that has one is not deleted.
    """

    model = models.ForeignKey(LanguageModel, models.PROTECT, related_name="recall_probes")
    task = models.ForeignKey(Task, models.PROTECT, related_name="recall_probes")
    task_digest = models.CharField(max_length=64)
    prompt = models.CharField(max_length=12, help_text="The version of the prompt.")
    similarity = models.FloatField(
        null=True, help_text="To the original code, 0 to 1; the mean of the targets."
    )
    equal = models.BooleanField(null=True, help_text="All targets are the original code.")
    tokens = models.PositiveIntegerField(default=0, help_text="Of the original bodies.")
    reason = models.TextField(blank=True, help_text="Why nothing is known; else empty.")
    cost_usd = models.FloatField(null=True, help_text="Empty: the model's price is unknown.")
    doubtful_usd = models.FloatField(
        default=0, help_text="What calls without a reply may have cost at most; counts, however it ends."
    )
    answered_model = models.CharField(max_length=200, blank=True, help_text="As the provider names it.")
    asked_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["task_id", "model_id", "pk"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(similarity=None, equal=None) & ~Q(reason="")
                | Q(similarity__isnull=False, similarity__gte=0, similarity__lte=1, equal__isnull=False),
                name="recall_or_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"recall of task {self.task_id} by model {self.model_id}"
