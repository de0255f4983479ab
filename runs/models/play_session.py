"""Sessions of people who play tasks."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone

from runs.models.run import Run


class PlaySession(models.Model):
    """A run whose agent is a person. Processes execute it one after the other; while there is none, it is queued.

    Nothing but `manage.py play` executes it, which `manage.py play --forever` starts when the person asks for it. A
    failure is never counted: the person goes on. `pseudonym` stays when the account is deleted.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        help_text="Empty: the account was deleted.",
    )
    run = models.OneToOneField(Run, models.CASCADE, related_name="play")
    pseudonym = models.CharField(max_length=40, help_text="As for ratings: made from the account's number.")
    consent = models.BooleanField(default=False, help_text="The person agrees that the record is published.")
    used_assistant = models.BooleanField(
        null=True, blank=True, help_text="Whether a model or another person helped; empty: not said."
    )
    not_blind = models.BooleanField(
        default=False,
        help_text="The person saw other runs of the task, or its reference patch, before the end.",
    )
    asked_at = models.DateTimeField(
        null=True, blank=True, help_text="Since when the person waits for a process; empty: none is wanted."
    )
    problem = models.TextField(
        blank=True, help_text="Why no process executes it, in a sentence for the person."
    )
    last_seen_at = models.DateTimeField(null=True, blank=True, help_text="The last request.")
    created_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True, help_text="Empty: it can be resumed.")

    class Meta:
        ordering: ClassVar = ["-created_at", "-pk"]
        permissions: ClassVar = [("play", "Can play tasks")]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["user"], condition=models.Q(ended_at=None), name="one_open_session"
            )
        ]

    def __str__(self) -> str:
        return f"session of {self.pseudonym} in run {self.run_id}"

    @property
    def page(self) -> str:
        """Where its person works."""
        return reverse("play_session", args=[self.run_id])
