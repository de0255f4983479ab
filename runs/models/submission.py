"""Runs that others sent, with what they claim and what this site's own grading found."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.urls import reverse

from runs.models.evaluation import Evaluation
from runs.models.run import Run
from runs.models.shared_fields import BackgroundWork
from runs.models.upload import Upload, UploadToken
from tasks.models import Dataset, Task


class Submission(models.Model):
    """Run directories of another site, stored but not imported: in no list and no number until they are accepted.

    Its files lie in a directory of its own below the data directory until an operator accepts or rejects it.
    """

    class State(models.TextChoices):
        """staged → accepting → accepted, or rejected."""

        STAGED = "staged"
        ACCEPTING = "accepting"
        ACCEPTED = "accepted"
        REJECTED = "rejected"

    dataset = models.ForeignKey(Dataset, models.PROTECT, related_name="submissions")
    sender = models.CharField(max_length=150, help_text="Readers see it as the origin of the runs.")
    token = models.ForeignKey(UploadToken, models.PROTECT, null=True, blank=True, related_name="submissions")
    upload = models.OneToOneField(Upload, models.SET_NULL, null=True, blank=True, related_name="submission")
    created_at = models.DateTimeField(auto_now_add=True)
    state = models.CharField(max_length=20, choices=State.choices, default=State.STAGED, db_index=True)
    message = models.TextField(blank=True, help_text="Why it could not be accepted.")
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True)
    evaluation = models.ForeignKey(Evaluation, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering: ClassVar = ["-created_at", "-pk"]
        default_permissions: ClassVar = ()

    def __str__(self) -> str:
        return f"submission {self.pk} by {self.sender}"

    def get_absolute_url(self) -> str:
        """Its page."""
        return reverse("submission", args=[self.pk])

    @property
    def path(self) -> Path:
        """The directory of its files: `runs` as they were sent, `graded` by this site."""
        return Path(settings.DATA) / "submissions" / str(self.pk)


class SubmittedRun(BackgroundWork):
    """One try of a run of a submission.

    `failures`: tries that the infrastructure failed. The verdict of this site is in `outcome`, `tests_passed` and
    `reason`; '' and None before it is known.
    """

    class State(models.TextChoices):
        """waiting → queued → grading → graded, or failed with a message. Without a verdict to check: ungraded."""

        WAITING = "waiting"
        QUEUED = "queued"
        RUNNING = "running", "grading"
        GRADED = "graded"
        FAILED = "failed"
        UNGRADED = "ungraded", "no verdict"

    OPEN = (State.QUEUED, State.RUNNING)
    DONE = (State.GRADED, State.UNGRADED)

    submission = models.ForeignKey(Submission, models.CASCADE, related_name="submitted")
    key = models.CharField(max_length=300, help_text="Identity.run_id")
    task = models.ForeignKey(Task, models.PROTECT, related_name="+")
    directory = models.CharField(max_length=1000, help_text="Below `runs` of its submission.")
    agent_name = models.CharField(max_length=200)
    agent_kind = models.CharField(max_length=40)
    model = models.CharField(max_length=200, blank=True)
    attempt = models.PositiveIntegerField()
    try_number = models.PositiveIntegerField()

    claimed_outcome = models.CharField(max_length=30, choices=Run.Outcome.choices)
    claimed_passed = models.PositiveIntegerField()
    tests_total = models.PositiveIntegerField()

    state = models.CharField(max_length=20, choices=State.choices, default=State.WAITING, db_index=True)
    message = models.TextField(blank=True, help_text="Why it failed, or what it waits for.")
    outcome = models.CharField(max_length=30, choices=Run.Outcome.choices, blank=True)
    tests_passed = models.PositiveIntegerField(null=True, blank=True)
    reason = models.TextField(blank=True, help_text="Of the verdict of this site.")
    failures = models.PositiveIntegerField(default=0)
    not_before = models.DateTimeField(null=True, blank=True)
    graded_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["submission", "pk"]
        default_permissions: ClassVar = ()

    def __str__(self) -> str:
        return self.key

    @property
    def path(self) -> Path:
        """Its run directory, as it was sent."""
        return self.submission.path / "runs" / self.directory

    @property
    def graded_path(self) -> Path:
        """The directory with what this site's grading found."""
        return self.submission.path / "graded" / str(self.pk)

    @property
    def differs(self) -> bool:
        """Whether this site's grading found something else than what is claimed."""
        claimed = (self.claimed_outcome, self.claimed_passed)
        return self.state == self.State.GRADED and (self.outcome, self.tests_passed) != claimed


class RunGrading(models.Model):
    """This site graded a run from elsewhere again: the run has the verdict of this site. What was claimed is here."""

    run = models.OneToOneField(Run, models.CASCADE, primary_key=True, related_name="grading")
    submission = models.ForeignKey(
        Submission, models.SET_NULL, null=True, blank=True, related_name="gradings"
    )
    graded_at = models.DateTimeField()
    claimed_outcome = models.CharField(max_length=30, choices=Run.Outcome.choices)
    claimed_passed = models.PositiveIntegerField()

    class Meta:
        default_permissions: ClassVar = ()

    def __str__(self) -> str:
        return f"grading of run {self.run_id}"

    @property
    def claim(self) -> str:
        """What was claimed, in words. The run is read from the database unless it was selected, too."""
        passed = f"{self.claimed_passed} of {self.run.tests_total} tests" if self.run.tests_total else ""
        return ", ".join(filter(None, (self.get_claimed_outcome_display(), passed)))

    @property
    def differs(self) -> bool:
        """Whether something else was claimed. The run is read from the database unless it was selected, too."""
        return (self.claimed_outcome, self.claimed_passed) != (self.run.outcome, self.run.tests_passed)
