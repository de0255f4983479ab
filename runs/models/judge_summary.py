"""What a judge wrote about many reviews or comparisons of a pass: a summary of each dimension, and one of the whole."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q

from runs.models.agent import Agent
from runs.models.judge_review import JudgingPass, PanelJudge
from runs.models.judge_work import JudgeWork
from runs.models.run import Run
from tasks.models import Dataset

WHOLE = ""  # as dimension: the summary of all dimensions


class JudgeSummary(JudgeWork):
    """What the reviews of one agent's runs in one dataset have in common, in one dimension or in all.

    In a pass of comparisons it is how the runs of two agents differ, `other_agent` is the second one, and `alert` says
    whether the judge calls the difference alarming. Its file is in the directory of the first source.
    """

    judging_pass = models.ForeignKey(JudgingPass, models.CASCADE, related_name="summaries", db_index=False)
    judge = models.ForeignKey(PanelJudge, models.PROTECT, related_name="summaries")
    agent = models.ForeignKey(Agent, models.CASCADE, related_name="judge_summaries")
    other_agent = models.ForeignKey(
        Agent, models.CASCADE, null=True, blank=True, related_name="judge_summaries_as_second"
    )
    dataset = models.ForeignKey(Dataset, models.CASCADE, related_name="judge_summaries")
    dimension = models.CharField(max_length=100, blank=True, help_text="Empty: all of them.")

    text = models.TextField(blank=True, help_text="A few sentences about the whole.")
    alert = models.BooleanField(
        null=True, blank=True, help_text="Of comparisons: the judge calls the difference alarming."
    )
    shown = models.PositiveIntegerField(
        default=0, help_text="Runs or pairs with an answer; the n of its counts."
    )
    answered_model = models.CharField(max_length=200, blank=True, help_text="As the provider names it.")

    class Meta:
        ordering: ClassVar = ["judging_pass_id", "dataset_id", "agent_id", "pk"]
        verbose_name_plural = "judge summaries"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["judging_pass", "dataset", "agent", "judge", "dimension"],
                condition=Q(other_agent=None),
                name="one_summary_per_dimension",
            ),
            models.UniqueConstraint(
                fields=["judging_pass", "dataset", "agent", "other_agent", "judge", "dimension"],
                name="one_summary_per_dimension_of_two",
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["state"])]

    def __str__(self) -> str:
        return f"summary of {self.dimension or 'all dimensions'} in pass {self.judging_pass_id}"


class SummarySource(models.Model):
    """A run, or a pair of runs, with the number by which a summary's groups name it."""

    summary = models.ForeignKey(JudgeSummary, models.CASCADE, related_name="sources")
    number = models.PositiveIntegerField()
    run = models.ForeignKey(Run, models.CASCADE, related_name="+")
    run_try = models.PositiveIntegerField(default=0, help_text="The try of the run that was judged.")
    other_run = models.ForeignKey(Run, models.CASCADE, null=True, blank=True, related_name="+")
    step = models.PositiveIntegerField(null=True, blank=True, help_text="Of the first quote that was found.")
    score = models.FloatField(null=True, blank=True, help_text="Of comparisons: their mean, −5 to 5.")

    class Meta:
        ordering: ClassVar = ["summary", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["summary", "number"], name="one_source_per_number")
        ]

    def __str__(self) -> str:
        return f"{self.number}: run {self.run_id}"


class SummaryGroup(models.Model):
    """What some of the sources have in common. `numbers`: theirs, in order."""

    summary = models.ForeignKey(JudgeSummary, models.CASCADE, related_name="groups")
    place = models.PositiveIntegerField(help_text="From 1, in the judge's order.")
    title = models.CharField(max_length=80)
    claim = models.TextField()
    numbers: models.JSONField[list[int], list[int]] = models.JSONField(default=list)

    class Meta:
        ordering: ClassVar = ["summary", "place"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["summary", "place"], name="one_group_per_place")
        ]

    def __str__(self) -> str:
        return self.title
