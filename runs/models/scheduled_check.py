"""Schedules of evaluations, their checks for regressions, and what is sent about them."""

from __future__ import annotations

from typing import Any, ClassVar

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models
from django.urls import reverse

from runs.models.agent import Agent, LanguageModel
from runs.models.evaluation import Evaluation
from runs.models.judge_review import JudgingPass, Panel
from tasks.models import Task

NIGHTLY, WEEKLY, BY_HAND = "0 2 * * *", "0 2 * * 0", ""


class Schedule(models.Model):
    """An agent is evaluated again and again, and each evaluation is compared with an earlier one, the anchor.

    Agent, tasks, attempts, limits, budget, user and panel do not change after the first check: other values would not
    be comparable.
    """

    class Anchor(models.TextChoices):
        """With what a new evaluation is compared. Only evaluations that can be compared with it come into question."""

        EXPLICIT = "explicit", "the evaluation below"
        LAST_GREEN = "last green", "the newest earlier one without a regression"
        BEST = "best", "of those without a regression the one with the highest share of resolved runs"

    title = models.CharField(max_length=150, unique=True)
    agent = models.ForeignKey(Agent, models.PROTECT, related_name="schedules")
    tasks: models.ManyToManyField[Task, Any] = models.ManyToManyField(Task, related_name="schedules")
    attempts = models.PositiveIntegerField(default=1, validators=[MinValueValidator(1)])
    limits: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(
        default=dict,
        blank=True,
        help_text="Of each run: harness.limits.Limits. What is absent has its default.",
    )
    budget_usd = models.FloatField(
        "budget", null=True, blank=True, help_text="Of each evaluation, in US dollars. Empty: none."
    )
    user_model = models.ForeignKey(
        LanguageModel,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="Plays the users of workflow tasks; empty: they follow their scripts.",
    )
    panel = models.ForeignKey(
        Panel,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="schedules",
        help_text="Judges the new runs, and those of the anchor again.",
    )
    judging_budget_usd = models.FloatField(
        "judging budget",
        null=True,
        blank=True,
        help_text="Of each of its judging passes, in US dollars. Empty: none.",
    )
    compares_pairs = models.BooleanField(
        "compares runs in pairs",
        default=False,
        help_text="The panel also compares each new run with the anchor's, in both orders. The flags of the AgentLens "
        "paper about dimensions need it; the verdict does not.",
    )
    cron = models.CharField(
        max_length=100,
        blank=True,
        default=NIGHTLY,
        help_text=f"Minute, hour, day, month, weekday, in UTC. Nightly: {NIGHTLY}. Weekly: {WEEKLY}. Empty: by hand.",
    )
    anchor = models.CharField(max_length=20, choices=Anchor.choices, default=Anchor.LAST_GREEN)
    anchor_evaluation = models.ForeignKey(
        Evaluation, models.PROTECT, null=True, blank=True, related_name="anchor_of"
    )
    enabled = models.BooleanField(default=True)
    armed_at = models.DateTimeField(
        auto_now_add=True, help_text="When its times began to count: earlier ones are not made up for."
    )
    recipients = models.TextField(blank=True, help_text="E-mail addresses, one a line.")
    webhook_url = models.CharField(max_length=500, blank=True, help_text="http or https.")
    webhook_secret_variable = models.CharField(
        max_length=100,
        blank=True,
        help_text="Name of the sweeper's environment variable that holds the key of signatures; never the key.",
    )
    report_all = models.BooleanField(
        default=False, help_text="Send a message also where no regression was found."
    )
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["title"]

    def __str__(self) -> str:
        return self.title

    @property
    def addresses(self) -> list[str]:
        """The e-mail addresses."""
        return self.recipients.split()


class RegressionCheck(models.Model):
    """One evaluation of a schedule, for one due time, and its comparison with the anchor.

    The state alone says which step is next; `runs.judging.regression_checks.stepping` takes it.
    """

    class State(models.TextChoices):
        """evaluating → judging (with a panel) → comparing (if the schedule compares runs in pairs) → finished."""

        EVALUATING = "evaluating"
        JUDGING = "judging"
        COMPARING = "comparing"
        FINISHED = "finished"

    class Verdict(models.TextChoices):
        """What came out. Only `regression` says that something became worse."""

        NONE = "none", "no regression shown"
        REGRESSION = "regression", "regression"
        NOT_COMPARABLE = "not comparable", "not comparable"
        INFRASTRUCTURE = "infrastructure", "infrastructure failed"

    schedule = models.ForeignKey(Schedule, models.CASCADE, related_name="checks", db_index=False)
    due_at = models.DateTimeField()
    candidate = models.ForeignKey(
        Evaluation, models.PROTECT, null=True, related_name="candidate_of", help_text="Empty: refused."
    )
    anchor = models.ForeignKey(Evaluation, models.PROTECT, null=True, related_name="compared_by")
    candidate_pass = models.ForeignKey(JudgingPass, models.PROTECT, null=True, related_name="+")
    anchor_pass = models.ForeignKey(
        JudgingPass, models.PROTECT, null=True, related_name="+", help_text="Judges its runs again."
    )
    pair_pass = models.ForeignKey(
        JudgingPass,
        models.PROTECT,
        null=True,
        related_name="+",
        help_text="Compares its runs with the anchor's.",
    )
    state = models.CharField(max_length=20, choices=State.choices, default=State.EVALUATING)
    verdict = models.CharField(max_length=20, choices=Verdict.choices, blank=True)
    reason = models.TextField(blank=True)
    result: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(
        default=dict, blank=True, help_text="Counts of the comparison, and the paper's flags."
    )
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["-due_at", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["schedule", "due_at"], name="one_check_per_due_time")
        ]

    def __str__(self) -> str:
        return f"{self.schedule}, {self.due_at:%Y-%m-%d %H:%M}"

    def get_absolute_url(self) -> str:
        """Its page."""
        return reverse("regression", args=[self.pk])

    @property
    def is_first(self) -> bool:
        """Whether there was nothing to compare it with; then later ones are compared with it."""
        return (
            self.verdict == self.Verdict.NOT_COMPARABLE
            and self.anchor_id is None
            and self.candidate_id is not None
        )


class RegressionFinding(models.Model):
    """One quantity of a check: `runs.analysis.regression.run_set_check.QuantityCheck`, for the database.

    `scenarios` is the n of the effect. Empty numbers are undefined, and `reason` says why.
    """

    check_of = models.ForeignKey(RegressionCheck, models.CASCADE, related_name="findings", db_index=False)
    place = models.PositiveIntegerField()
    quantity = models.CharField(max_length=120)
    title = models.CharField(max_length=120)
    scale = models.CharField(max_length=10, help_text="share: a difference; amount: a ratio.")
    causes_alarm = models.BooleanField(default=True)
    outcome = models.CharField(max_length=30)
    reason = models.TextField(blank=True)
    anchor_value = models.FloatField(null=True)
    candidate_value = models.FloatField(null=True)
    effect = models.FloatField(null=True)
    low = models.FloatField(null=True)
    high = models.FloatField(null=True)
    p_worse = models.FloatField(null=True, help_text="Corrected for the number of quantities.")
    p_better = models.FloatField(null=True)
    scenarios = models.PositiveIntegerField(default=0)
    pairs = models.PositiveIntegerField(default=0)
    missing = models.PositiveIntegerField(default=0)
    drift = models.CharField(max_length=20, blank=True, help_text="Of the judges: moved, steady, unknown.")
    evidence: models.JSONField[list[dict[str, Any]], list[dict[str, Any]]] = models.JSONField(
        default=list,
        blank=True,
        help_text="Runs that became worst: number, value, and both of the anchor's run.",
    )

    class Meta:
        ordering: ClassVar = ["check_of", "place"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["check_of", "place"], name="one_finding_per_place")
        ]

    def __str__(self) -> str:
        return f"{self.title}: {self.outcome}"


class Delivery(models.Model):
    """One message about a check by one channel. Once for each schedule and due time, however often it is tried."""

    class Channel(models.TextChoices):
        """The ways of sending."""

        EMAIL = "email", "e-mail"
        WEBHOOK = "webhook", "webhook"

    class State(models.TextChoices):
        """waiting → sent, or failed after the last try."""

        WAITING = "waiting"
        SENT = "sent"
        FAILED = "failed"

    schedule = models.ForeignKey(Schedule, models.CASCADE, related_name="deliveries", db_index=False)
    due_at = models.DateTimeField()
    channel = models.CharField(max_length=10, choices=Channel.choices)
    check_of = models.ForeignKey(RegressionCheck, models.CASCADE, related_name="deliveries")
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    tries = models.PositiveIntegerField(default=0)
    not_before = models.DateTimeField(null=True, blank=True)
    reason = models.TextField(blank=True, help_text="Why the last try failed.")
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["-due_at", "-pk"]
        verbose_name_plural = "deliveries"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["schedule", "due_at", "channel"], name="one_delivery_per_channel_and_due_time"
            )
        ]

    def __str__(self) -> str:
        return f"{self.get_channel_display()} about {self.check_of_id}"
