"""Runs, their tries, and the counts of their trajectories."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar
from urllib.parse import urlsplit

from django.conf import settings
from django.db import models
from django.urls import reverse

from harness.limits import Ending as RunEnding
from harness.records import Outcome as RunOutcome
from harness.records import UserEnding
from runs.analysis.facts import has_test_rate
from runs.models.agent import Agent
from runs.models.evaluation import Evaluation
from runs.models.shared_fields import Spender
from tasks.models import Task

CLOSE = 0.8  # of the tests: an unresolved run that passed so many came close


class Run(models.Model):
    """One attempt of one agent on one task. Numbers are copied from the try that settled it.

    A reported run was not executed here: it has no directory and no try, and what its source does not say is None.
    """

    class State(models.TextChoices):
        """queued → preparing → running → grading → finished, or cancelled."""

        QUEUED = "queued"
        PREPARING = "preparing"
        RUNNING = "running"
        GRADING = "grading"
        FINISHED = "finished"
        CANCELLED = "cancelled"

    class Outcome(models.TextChoices):
        """harness.records.Outcome, for the database."""

        RESOLVED = RunOutcome.RESOLVED.value, "resolved"
        UNRESOLVED = RunOutcome.UNRESOLVED.value, "unresolved"
        INFRASTRUCTURE_FAILED = RunOutcome.INFRASTRUCTURE_FAILED.value, "infrastructure failed"

    ACTIVE = (State.PREPARING, State.RUNNING, State.GRADING)
    OPEN = (State.QUEUED, *ACTIVE)
    VERDICTS = (Outcome.RESOLVED, Outcome.UNRESOLVED)

    key = models.CharField(max_length=300, unique=True, help_text="Identity.run_id")
    # Without indexes of their own: a constraint and an index below begin with them.
    evaluation = models.ForeignKey(Evaluation, models.CASCADE, related_name="runs", db_index=False)
    agent = models.ForeignKey(Agent, models.PROTECT, related_name="runs", db_index=False)
    task = models.ForeignKey(Task, models.PROTECT, related_name="runs")
    attempt = models.PositiveIntegerField()

    state = models.CharField(max_length=20, choices=State.choices, default=State.QUEUED)
    outcome = models.CharField(max_length=30, choices=Outcome.choices, blank=True)
    corrected_outcome = models.CharField(
        max_length=30,
        choices=Outcome.choices,
        blank=True,
        help_text="The outcome after the verdict was judged; empty: it was not.",
    )
    ending = models.CharField(max_length=30, choices=[(e.value, e.value) for e in RunEnding], blank=True)
    detail = models.TextField(blank=True)
    tries = models.PositiveIntegerField(
        default=0, help_text="Number of the current try; results of earlier tries are refused."
    )
    failures = models.PositiveIntegerField(
        default=0, help_text="Tries of this round that the infrastructure failed; MAX_TRIES of them end it."
    )
    failure = models.CharField(
        max_length=40, blank=True, help_text="What of the infrastructure failed last, in a word or two."
    )
    not_before = models.DateTimeField(
        null=True, blank=True, help_text="A queued run waits until then before it is tried again."
    )
    cancel_requested = models.BooleanField(default=False)

    queued_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    directory = models.CharField(max_length=300, blank=True, help_text="Of the try, below DATA/runs")
    trajectory_url = models.URLField(
        max_length=500,
        blank=True,
        editable=False,
        help_text="Where the source of a reported run has its trajectory; never opened by this site.",
    )
    steps = models.PositiveIntegerField(default=0, null=True, blank=True)
    iterations = models.PositiveIntegerField(default=0, null=True, blank=True)
    tool_calls = models.PositiveIntegerField(default=0, null=True, blank=True)
    failed_calls = models.PositiveIntegerField(default=0, null=True, blank=True)
    prompt_tokens = models.PositiveBigIntegerField(default=0, null=True, blank=True)
    completion_tokens = models.PositiveBigIntegerField(default=0, null=True, blank=True)
    cached_tokens = models.PositiveBigIntegerField(default=0, null=True, blank=True)
    reasoning_tokens = models.PositiveBigIntegerField(
        null=True, blank=True, help_text="Part of the completion's; empty: the provider does not say."
    )
    cost_usd = models.FloatField(null=True, blank=True)
    prepare_seconds = models.FloatField(default=0, null=True, blank=True)
    user_turns = models.PositiveIntegerField(
        null=True, blank=True, help_text="Messages of the simulated user; empty: the task has none."
    )
    user_ending = models.CharField(
        max_length=30,
        blank=True,
        choices=[(e.value, e.value.replace("_", " ")) for e in UserEnding],
        help_text="Why the conversation with the simulated user ended.",
    )
    user_prompt_tokens = models.PositiveBigIntegerField(null=True, blank=True)
    user_completion_tokens = models.PositiveBigIntegerField(null=True, blank=True)
    user_cost_usd = models.FloatField(
        null=True, blank=True, help_text="Of the simulated user; never part of the agent's cost."
    )
    act_seconds = models.FloatField(default=0, null=True, blank=True)
    grade_seconds = models.FloatField(default=0, null=True, blank=True)
    tests_total = models.PositiveIntegerField(default=0, null=True, blank=True)
    tests_passed = models.PositiveIntegerField(default=0, null=True, blank=True)
    files_changed = models.PositiveIntegerField(default=0, null=True, blank=True)
    lines_added = models.PositiveIntegerField(default=0, null=True, blank=True)
    lines_removed = models.PositiveIntegerField(default=0, null=True, blank=True)
    grading_reason = models.TextField(blank=True)
    flags: models.JSONField[list[dict[str, str]], list[dict[str, str]]] = models.JSONField(
        default=list, blank=True
    )
    similarity: models.JSONField[dict[str, float | None], dict[str, float | None]] = models.JSONField(
        default=dict, blank=True, help_text="To the reference patch: RunSummary.similarity"
    )
    targets_found = models.BooleanField(
        null=True,
        blank=True,
        help_text="Whether every function to repair was changed; empty: the task names none, or it is unknown.",
    )
    solved_elsewhere = models.BooleanField(
        default=False, help_text="The tests pass, but not because of the functions to repair alone."
    )
    tool_uses = models.PositiveIntegerField(null=True, blank=True, help_text="Empty: they are not counted.")
    submissions = models.PositiveIntegerField(
        null=True, blank=True, help_text="To the hidden tests; empty: the agent cannot submit."
    )
    solved_at_submission = models.PositiveIntegerField(
        null=True, blank=True, help_text="The first that passed, from 1; empty: none did."
    )
    odd = models.CharField(
        max_length=400,
        blank=True,
        help_text="Fields of the summary with an invalid value (NaN, negative); here they are 0 or empty.",
    )

    class Meta:
        ordering: ClassVar = ["evaluation", "task", "agent", "attempt"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["evaluation", "agent", "task", "attempt"], name="one_run_per_attempt"
            )
        ]
        indexes: ClassVar = [
            models.Index(fields=["agent", "task", "attempt"]),
            models.Index(fields=["evaluation", "state"]),
            # For filters and orders of lists of runs: without them the database reads every run for a page. None by
            # state or by every outcome: SQLite would use it for each query of graded runs, which are nearly all.
            models.Index(fields=["id"], condition=models.Q(outcome="infrastructure_failed"), name="run_lost"),
            models.Index(fields=["ending"]),
            models.Index(fields=["act_seconds"]),
            models.Index(fields=["cost_usd"]),
            models.Index(fields=["steps"]),
            # The newest runs of an agent: without it the database sorts all of them, 40,000 in 94 ms.
            models.Index(fields=["agent", "id"], name="run_of_agent"),
            # For the leaderboard of some days.
            models.Index(fields=["finished_at"]),
            models.Index(models.F("prompt_tokens") + models.F("completion_tokens"), name="run_by_tokens"),
            # How many runs have a replay, here or elsewhere: most runs of boards have neither.
            models.Index(fields=["id"], condition=models.Q(directory__gt=""), name="run_replayed_here"),
            models.Index(
                fields=["id"], condition=models.Q(trajectory_url__gt=""), name="run_replayed_elsewhere"
            ),
        ]

    def __str__(self) -> str:
        return self.key

    def get_absolute_url(self) -> str:
        """The replay."""
        return reverse("run", args=[self.pk])

    @property
    def path(self) -> Path:
        """The run directory of the current try."""
        return Path(settings.RUNS_ROOT) / self.directory

    @property
    def can_replay(self) -> bool:
        """Whether its trajectory is here."""
        return bool(self.directory)

    @property
    def elsewhere(self) -> str:
        """Where its source has its trajectory, or those of its agent; '' if that is unknown, or it is here."""
        return "" if self.directory else self.trajectory_url or self.agent.trajectories_url

    @property
    def elsewhere_host(self) -> str:
        """The host of `elsewhere`."""
        return urlsplit(self.elsewhere).hostname or ""

    @property
    def tokens(self) -> int | None:
        """Prompt and completion tokens together; None if one of them is unknown."""
        if self.prompt_tokens is None or self.completion_tokens is None:
            return None
        return self.prompt_tokens + self.completion_tokens

    @property
    def user_tokens(self) -> int | None:
        """The simulated user's prompt and completion tokens together; None without one, or if unknown."""
        if self.user_prompt_tokens is None or self.user_completion_tokens is None:
            return None
        return self.user_prompt_tokens + self.user_completion_tokens

    @property
    def cached_share(self) -> float | None:
        """The share of prompt tokens from the provider's cache; None without prompt tokens, or if unknown."""
        if not self.prompt_tokens or self.cached_tokens is None:
            return None
        return min(1.0, self.cached_tokens / self.prompt_tokens)

    @property
    def test_rate(self) -> float | None:
        """Passed ÷ expected tests; None where the record holds no valid one. `cells.validity` is the SQL for it."""
        total, passed = self.tests_total, self.tests_passed
        if total is None or passed is None or self._is_odd("tests_total", "tests_passed"):
            return None
        return passed / total if has_test_rate(total, passed) else None

    @property
    def is_odd(self) -> bool:
        """Whether a recorded value is invalid, or no test was expected. `cells.validity` is the SQL for it."""
        return bool(self.odd) or (self.tests_total is not None and self.test_rate is None)

    @property
    def has_duration(self) -> bool:
        """Whether the record holds a valid `act_seconds`. `cells.validity` is the SQL for it."""
        return self.act_seconds is not None and not self._is_odd("act_seconds")

    def _is_odd(self, *names: str) -> bool:
        return bool(self.odd) and not set(self.odd.split()).isdisjoint(names)

    @property
    def came_close(self) -> bool:
        """Whether it passed at least the share CLOSE of its tests without resolving its task."""
        return self.outcome == self.Outcome.UNRESOLVED and (self.test_rate or 0) >= CLOSE


class Try(Spender):
    """One execution of a run. Every try stays in the database."""

    class State(models.TextChoices):
        """A live try sends heartbeats. The worker of a lost try died.

        The worker of a try that is handed back had to stop: nothing failed, and the run was queued again.
        """

        LIVE = "live"
        SETTLED = "settled"
        FAILED = "failed"
        LOST = "lost"
        HANDED_BACK = "handed_back", "handed back"

    run = models.ForeignKey(Run, models.CASCADE, related_name="executions")
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=20, choices=State.choices, default=State.LIVE)
    reason = models.TextField(blank=True)
    failure = models.CharField(max_length=40, blank=True)
    worker = models.CharField(max_length=200, blank=True)
    directory = models.CharField(max_length=300)
    started_at = models.DateTimeField(auto_now_add=True)
    heartbeat_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["run", "number"]
        verbose_name_plural = "tries"
        constraints: ClassVar = [models.UniqueConstraint(fields=["run", "number"], name="one_try_per_number")]

    def __str__(self) -> str:
        return f"{self.run}, try {self.number}"


class Counts(models.Model):
    """The counts of a run's trajectory, made when the run settled: `analysis.behaviour.to_json`, as text.

    Text, because names of tools may contain characters that a database refuses in JSON. `behaviour` is empty if the
    trajectory was unreadable, and `reason` says why. Counts of another `version` than
    `analysis.behaviour.VERSION` are not read; `manage.py work` has them recomputed when it starts. `kinds`: what its
    iterations did, in a few letters, for lists (`analysis.trajectories.step_kinds`).
    """

    run = models.OneToOneField(Run, models.CASCADE, primary_key=True, related_name="counts")
    version = models.PositiveIntegerField(db_index=True)
    behaviour = models.TextField(blank=True)
    kinds = models.CharField(max_length=60, blank=True)
    reason = models.CharField(max_length=400, blank=True)

    class Meta:
        verbose_name_plural = "counts"

    def __str__(self) -> str:
        return f"counts of run {self.run_id}"


class RunSign(models.Model):
    """A failure mode in a run's Counts, by which lists of runs are filtered."""

    run = models.ForeignKey(Run, models.CASCADE, related_name="signs")
    mode = models.CharField(max_length=60)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["mode", "run"], name="one_sign_per_mode_and_run")
        ]

    def __str__(self) -> str:
        return f"{self.mode} in run {self.run_id}"


class RunExploit(models.Model):
    """A pattern of exploits in a run's Counts, by which runs are filtered; `strength` is one of STRENGTHS."""

    run = models.ForeignKey(Run, models.CASCADE, related_name="exploits")
    pattern = models.CharField(max_length=60)
    strength = models.CharField(max_length=20)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["pattern", "run"], name="one_exploit_per_pattern_and_run")
        ]
        indexes: ClassVar = [models.Index(fields=["strength", "run"], name="exploit_by_strength")]

    def __str__(self) -> str:
        return f"{self.pattern} ({self.strength}) in run {self.run_id}"
