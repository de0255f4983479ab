"""What rows have that are work for workers."""

from __future__ import annotations

from django.db import models


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
