"""What people say of runs: ratings on the dimensions and the scale of judges, and notes on steps."""

from __future__ import annotations

from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone

from runs.models.run import Run

SCORES = (0.0, 0.5, 1.0)
MAX_NOTE_LENGTH = 2_000  # characters


class Rating(models.Model):
    """One person's score of one run in one dimension. `ratings/<key>.json` in the run directory has it, too.

    `rater_name` is a pseudonym and stays when the account is deleted. `round` 2: the same person rated the run again
    without seeing the first rating.
    """

    rater = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        help_text="Empty: the account was deleted, or the ratings were imported and the account is not known.",
    )
    rater_name = models.CharField(max_length=40, help_text="A pseudonym, made from the account's number.")
    run = models.ForeignKey(Run, models.CASCADE, related_name="ratings")
    run_try = models.PositiveIntegerField(help_text="The try of the run that was rated.")
    dimension = models.CharField(max_length=100)
    round = models.PositiveIntegerField(default=1, help_text="2: rated again by the same person.")
    score = models.FloatField()
    text = models.TextField(blank=True)
    evidence: models.JSONField[list[dict[str, Any]], list[dict[str, Any]]] = models.JSONField(
        default=list, blank=True, help_text="Quotes with the places where they stand in the trajectory."
    )
    seconds = models.FloatField(
        help_text="From opening the form to saving it: of all dimensions of the run together, so equal in each."
    )
    key = models.CharField(max_length=64, help_text="Of its file.")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar = ["created_at", "pk"]
        permissions: ClassVar = [("rate_run", "Can rate runs")]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["rater_name", "run", "dimension", "round"], name="one_rating_per_round"
            ),
            models.CheckConstraint(condition=models.Q(score__in=SCORES), name="rating_on_the_scale"),
        ]

    def __str__(self) -> str:
        return f"{self.dimension} of run {self.run_id} by {self.rater_name}"


class StepNote(models.Model):
    """What one person wrote about one step of a run: plain text that everybody who sees the run may read.

    It belongs to the run's row: it stays when the run is imported again under its key, and goes with the run.
    """

    run = models.ForeignKey(Run, models.CASCADE, related_name="step_notes")
    run_try = models.PositiveIntegerField(help_text="The try of the run whose step it is about.")
    step = models.PositiveIntegerField(help_text="Number of the step, counted from 1.")
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="+",
        help_text="Empty: the account was deleted.",
    )
    author_name = models.CharField(max_length=40, help_text="A pseudonym, made from the account's number.")
    text = models.TextField(max_length=MAX_NOTE_LENGTH)
    created_at = models.DateTimeField(default=timezone.now)
    changed_at = models.DateTimeField(null=True, help_text="Empty: as it was written.")

    class Meta:
        ordering: ClassVar = ["step", "pk"]
        verbose_name = "note on a step"
        verbose_name_plural = "notes on steps"
        default_permissions = ()

    def __str__(self) -> str:
        return f"step {self.step} of run {self.run_id}"
