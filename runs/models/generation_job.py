"""Generations of tasks that operators start on the site."""

from __future__ import annotations

from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.urls import reverse

from runs.models.agent import LanguageModel
from runs.models.shared_fields import BackgroundWork
from tasks.models import MAX_SLUG_LENGTH, Dataset


class GenerationJob(BackgroundWork):
    """One generation of tasks: from a repository of a loaded dataset, into a dataset below the data directory.

    `repository` and `target` are names of repositories on disk: a repository without tasks has no row. `counts` is what
    the worker stored last: a yield for each kind, and the tasks. `losses`: tries whose worker gave no sign of life.
    """

    class State(models.TextChoices):
        """queued → running → finished, stopped by an operator, or failed with a reason."""

        QUEUED = "queued"
        RUNNING = "running"
        FINISHED = "finished"
        STOPPED = "stopped"
        FAILED = "failed"

    OPEN = (State.QUEUED, State.RUNNING)

    dataset = models.ForeignKey(Dataset, models.CASCADE, related_name="generation_jobs")
    repository = models.SlugField(max_length=MAX_SLUG_LENGTH)
    output = models.SlugField(help_text="The dataset that gets the tasks.")
    target = models.SlugField(max_length=MAX_SLUG_LENGTH, help_text="Its repository, in the output.")
    title = models.CharField(max_length=200, help_text="Of the output, if it is new.")
    hidden = models.BooleanField(default=True, help_text="Whether the output is hidden when it is published.")

    kinds: models.JSONField[list[str], list[str]] = models.JSONField(default=list)
    seed = models.PositiveIntegerField(default=0)
    limit = models.PositiveIntegerField(
        null=True, blank=True, help_text="Candidates of each kind. Empty: all."
    )
    per_function = models.PositiveIntegerField(default=1)
    least_lines = models.PositiveIntegerField(default=5)
    least_removal = models.PositiveIntegerField()
    least_corruption = models.PositiveIntegerField()
    suite_seconds = models.FloatField()

    model = models.ForeignKey(
        LanguageModel,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="generation_jobs",
        help_text="Corrupts functions, for the kind adversarial.",
    )
    budget_usd = models.FloatField(null=True, blank=True, help_text="For the model, with all earlier tries.")

    state = models.CharField(max_length=20, choices=State.choices, default=State.QUEUED, db_index=True)
    reason = models.TextField(blank=True, help_text="Why it failed, or what it waits for.")
    stop_requested = models.BooleanField(default=False)
    losses = models.PositiveIntegerField(default=0)
    counts: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    published_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["-created_at", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["output", "target"],
                condition=models.Q(state__in=["queued", "running"]),
                name="one_open_generation_per_output",
            )
        ]

    def __str__(self) -> str:
        return f"{self.output}/{self.target}"

    def get_absolute_url(self) -> str:
        """Its page."""
        return reverse("generation_job", args=[self.pk])

    @property
    def is_open(self) -> bool:
        """Whether it waits or works."""
        return self.state in self.OPEN
