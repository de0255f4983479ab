"""Evaluations."""

from __future__ import annotations

from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.urls import reverse

from runs.models.agent import LanguageModel
from tasks.models import MAX_SLUG_LENGTH

FAULT_CATALOGUE = (
    "fault catalogue"  # the origin of runs by which judges are measured; see reviews/fault_runs.py
)


class Evaluation(models.Model):
    """Agents × tasks × attempts, with one settings snapshot and one budget."""

    class State(models.TextChoices):
        """The states of an evaluation."""

        RUNNING = "running"
        FINISHED = "finished"
        CANCELLED = "cancelled"
        FAILED = "failed"  # every run that was not cancelled was lost

    slug = models.SlugField(max_length=MAX_SLUG_LENGTH, unique=True)
    title = models.CharField(max_length=200)
    state = models.CharField(max_length=20, choices=State.choices, default=State.RUNNING)
    attempts = models.PositiveIntegerField()
    budget_usd = models.FloatField(null=True, blank=True)
    limits: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(default=dict, blank=True)
    user_model = models.ForeignKey(
        LanguageModel,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="Plays the users of workflow tasks; empty: they follow their scripts.",
    )
    simulated_user: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(
        default=dict,
        blank=True,
        editable=False,
        help_text="The user's model as it was at the start: harness.llm.spec.ModelSpec.",
    )
    listed = models.BooleanField(
        default=True,
        help_text="Published: its runs count in all public numbers. An evaluation that has runs is not deleted "
        "but taken off the leaderboard.",
    )
    publish_when_finished = models.BooleanField(
        default=False,
        editable=False,
        help_text="It is listed at the moment that it finishes. False again once that has happened or cannot happen.",
    )
    panel_when_finished = models.ForeignKey(
        "runs.Panel",
        models.SET_NULL,
        null=True,
        blank=True,
        editable=False,
        related_name="evaluations_when_finished",
        help_text="Judges its runs when it has finished. Empty again once that has begun.",
    )
    judging_budget_usd = models.FloatField(null=True, blank=True, editable=False, help_text="Of that panel.")
    judging_refused = models.TextField(
        blank=True, editable=False, help_text="Why the panel did not begin; else empty."
    )
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    origin = models.CharField(
        max_length=200,
        blank=True,
        editable=False,
        help_text="Where its runs were imported from; empty: this site executed them.",
    )
    imported_at = models.DateTimeField(null=True, blank=True, editable=False)
    graded_here = models.BooleanField(
        default=False,
        editable=False,
        help_text="Of runs from elsewhere: this site graded each of them that has a verdict.",
    )

    class Meta:
        ordering: ClassVar = ["-created_at", "-pk"]
        permissions: ClassVar = [("start_evaluation", "Can start, cancel and retry evaluations")]

    def __str__(self) -> str:
        return self.title

    @property
    def is_fault_catalogue(self) -> bool:
        """Whether its runs are those by which judges are measured. They never count."""
        return self.origin == FAULT_CATALOGUE

    @property
    def is_played(self) -> bool:
        """Whether a person plays or played it. Its run is never tried again: the person knows the task. One query."""
        return self.runs.filter(play__isnull=False).exists()

    @property
    def publication(self) -> str:
        """Whether its runs count in public numbers, in words for pages."""
        if self.is_fault_catalogue:
            return FAULT_CATALOGUE
        if self.listed:
            return "published"
        return "will be published when finished" if self.publish_when_finished else "trial"

    def get_absolute_url(self) -> str:
        """The progress page."""
        return reverse("evaluation", args=[self.pk])
