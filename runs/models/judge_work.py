"""What reviews and comparisons have in common: work of one judge that is queued, claimed, tried and paid for."""

from __future__ import annotations

from django.db import models

from runs.models.shared_fields import BackgroundWork, Spender


class JudgeWork(Spender, BackgroundWork):
    """One answer that a judge is asked for. Only one that is done has a score.

    Its file in a run directory is written first, and this row is a copy.
    """

    class State(models.TextChoices):
        """queued → running → done, or the reason why there is no score."""

        QUEUED = "queued"
        RUNNING = "running"
        DONE = "done"
        REFUSED = "refused"
        MALFORMED = "malformed"
        TOO_LONG = "too_long", "too long"
        UNPAID = "unpaid"
        FAILED = "failed"
        NO_REVIEW = "no_review", "missing review"
        CANCELLED = "cancelled"

    OPEN = (State.QUEUED, State.RUNNING)

    judging_pass = models.ForeignKey("runs.JudgingPass", models.CASCADE, db_index=False)
    judge = models.ForeignKey("runs.PanelJudge", models.PROTECT)
    dimension = models.CharField(max_length=100)
    sample = models.PositiveIntegerField(default=1)

    state = models.CharField(max_length=20, choices=State.choices, default=State.QUEUED)
    reason = models.TextField(blank=True, help_text="Why there is no score.")
    failures = models.PositiveIntegerField(default=0, help_text="Tries that the infrastructure failed.")
    not_before = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    key = models.CharField(
        max_length=64, blank=True, db_index=True, help_text="Of its file; equal for equal requests."
    )
    prompt_tokens = models.PositiveBigIntegerField(default=0)
    completion_tokens = models.PositiveBigIntegerField(default=0)
    cached_tokens = models.PositiveBigIntegerField(default=0)
    seconds = models.FloatField(default=0)
    asks = models.PositiveIntegerField(
        default=0, help_text="Requests; more than one where an answer did not fit the schema."
    )
    reused = models.BooleanField(
        default=False, help_text="Taken from the file of earlier equal work: no call."
    )

    class Meta:
        abstract = True
