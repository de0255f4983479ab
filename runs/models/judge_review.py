"""Panels of judges, passes of a panel over runs, and reviews."""

from __future__ import annotations

from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.urls import reverse

from runs.models.agent import LanguageModel
from runs.models.evaluation import Evaluation
from runs.models.judge_work import JudgeWork
from runs.models.run import Run
from tasks.models import MAX_SLUG_LENGTH


class Panel(models.Model):
    """Dimensions × judges × samples. Frozen: what it asks does not change after its first pass.

    `digest` is of the prompts, the answer's schema and the rendering, as they were when the panel was made. Where the
    code has others now, the panel starts no new pass.
    """

    slug = models.SlugField(max_length=MAX_SLUG_LENGTH, unique=True)
    title = models.CharField(max_length=200)
    dimensions: models.JSONField[list[str], list[str]] = models.JSONField(
        default=list, help_text="Names of dimensions, in the order in which they are asked."
    )
    samples = models.PositiveIntegerField(
        default=1, help_text="How often each judge is asked for each dimension of a run."
    )
    digest = models.CharField(max_length=64, blank=True, editable=False)
    origin = models.CharField(
        max_length=200,
        blank=True,
        editable=False,
        help_text="Where it was imported from; empty: made on this site.",
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return self.title


class PanelJudge(models.Model):
    """One judge of a panel: a model with its parameters. `family` is compared with that of judged agents' models."""

    panel = models.ForeignKey(Panel, models.CASCADE, related_name="judges")
    name = models.CharField(max_length=200)
    model = models.ForeignKey(LanguageModel, models.PROTECT, related_name="judges")
    family = models.CharField(max_length=100, blank=True, help_text="Of models, like the provider's name.")
    parameters: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(
        default=dict,
        blank=True,
        help_text="Settings of its calls: temperature, max_output_tokens, reasoning_effort, seed.",
    )

    class Meta:
        ordering: ClassVar = ["panel", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["panel", "name"], name="one_judge_per_name_and_panel")
        ]

    def __str__(self) -> str:
        return self.name


class JudgingPass(models.Model):
    """One use of a panel on some runs, with a budget of its own. One of kind comparisons makes the reviews first."""

    class Kind(models.TextChoices):
        """What the panel makes: reviews of runs, or these and comparisons of pairs of runs."""

        REVIEWS = "reviews"
        COMPARISONS = "comparisons"

    class State(models.TextChoices):
        """The states of a pass."""

        RUNNING = "running"
        FINISHED = "finished"
        CANCELLED = "cancelled"

    slug = models.SlugField(max_length=MAX_SLUG_LENGTH, unique=True)
    title = models.CharField(max_length=200)
    panel = models.ForeignKey(Panel, models.PROTECT, related_name="passes")
    kind = models.CharField(max_length=20, choices=Kind.choices, default=Kind.REVIEWS)
    evaluation = models.ForeignKey(
        Evaluation,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="judging_passes",
        help_text="That of its runs; empty: they belong to several.",
    )
    state = models.CharField(max_length=20, choices=State.choices, default=State.RUNNING)
    reason = models.TextField(blank=True, help_text="Why it ended before all reviews were made.")
    first_sample = models.PositiveIntegerField(
        default=1,
        help_text="More than 1: its runs were judged before, and are judged again with new samples.",
    )
    budget_usd = models.FloatField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["-created_at", "-pk"]
        verbose_name_plural = "judging passes"

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        """Its progress page."""
        return reverse("judging_pass", args=[self.pk])


class JudgeReview(JudgeWork):
    """One judge's answer about one dimension of one run."""

    judging_pass = models.ForeignKey(JudgingPass, models.CASCADE, related_name="reviews", db_index=False)
    judge = models.ForeignKey(PanelJudge, models.PROTECT, related_name="reviews")
    run = models.ForeignKey(Run, models.CASCADE, related_name="reviews")

    run_try = models.PositiveIntegerField(default=0, help_text="The try of the run that was judged.")
    score = models.FloatField(null=True, blank=True)
    text = models.TextField(blank=True)
    burden = models.PositiveIntegerField(
        null=True, blank=True, help_text="Of pitfalls; computed from its evidence."
    )
    shown_share = models.FloatField(
        null=True, blank=True, help_text="Of the trajectory that the judge was shown."
    )
    answered_model = models.CharField(max_length=200, blank=True, help_text="As the provider names it.")

    class Meta:
        ordering: ClassVar = ["judging_pass", "run", "judge", "sample", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["judging_pass", "run", "judge", "dimension", "sample"], name="one_review_per_sample"
            )
        ]
        indexes: ClassVar = [models.Index(fields=["state"])]

    def __str__(self) -> str:
        return f"{self.dimension} of run {self.run_id} by {self.judge_id}"


class ReviewEvidence(models.Model):
    """One line of evidence of a review, with a quote that was looked up in what the judge was shown."""

    class Status(models.TextChoices):
        """verified: at the step that the judge names. relocated: at another one. unverified: not there."""

        VERIFIED = "verified"
        RELOCATED = "relocated"
        UNVERIFIED = "unverified"

    review = models.ForeignKey(JudgeReview, models.CASCADE, related_name="evidence")
    place = models.PositiveIntegerField(help_text="From 1, in the judge's order.")
    aspect = models.CharField(max_length=400)
    severity = models.CharField(max_length=10, help_text="none: the line speaks for the agent.")
    frequency = models.CharField(max_length=20, blank=True)
    category = models.CharField(max_length=40, blank=True)
    mechanism = models.TextField(blank=True, help_text="How a pitfall came about.")
    quote = models.TextField()
    step = models.PositiveIntegerField(help_text="The step that the judge names.")
    found_step = models.PositiveIntegerField(
        null=True, blank=True, help_text="The step that holds the quote; empty: none, or the final changes."
    )
    part = models.CharField(max_length=40, blank=True, help_text="Of that step: message, call:1, result:1, …")
    start = models.PositiveIntegerField(null=True, blank=True, help_text="Character of the part.")
    end = models.PositiveIntegerField(null=True, blank=True)
    status = models.CharField(max_length=20, choices=Status.choices)

    class Meta:
        ordering: ClassVar = ["review", "place"]
        verbose_name_plural = "evidence of reviews"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["review", "place"], name="one_evidence_per_place")
        ]

    def __str__(self) -> str:
        return self.aspect
