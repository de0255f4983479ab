"""What rows of several models have: those that workers work on, and those that pay for model calls."""

from __future__ import annotations

from django.db import models


class Spender(models.Model):
    """The account of one row: dollars spent, reserved for calls in progress, and doubtful.

    The budget is that of the row's owner: an evaluation or a judging pass. `runs.work.execution.budget` adds them up.
    """

    spent_usd = models.FloatField(
        default=0, help_text="Charged as each model call is billed; stays, however it ends."
    )
    cost_unknown = models.BooleanField(
        default=False, help_text="The cost of one of its model calls is unknown."
    )
    reserved_usd = models.FloatField(
        default=0, help_text="What active calls may cost at most; counts while the try is live."
    )
    doubtful_usd = models.FloatField(
        default=0, help_text="What calls without a reply may have cost at most; counts, however it ends."
    )

    class Meta:
        abstract = True


class BackgroundWork(models.Model):
    """Work that is queued, claimed by a worker and tried, by `runs.jobs`. A subclass has a `state` with these two.

    `tries` fences: a worker stores something only while its try is the current one.
    """

    QUEUED, RUNNING = "queued", "running"

    tries = models.PositiveIntegerField(default=0)
    worker = models.CharField(max_length=200, blank=True)
    heartbeat_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True
