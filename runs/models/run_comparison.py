"""Comparisons of two runs of one task by a judge, in both orders."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from runs.models.judge_review import JudgingPass, PanelJudge, ReviewEvidence
from runs.models.judge_work import JudgeWork
from runs.models.run import Run


class RunComparison(JudgeWork):
    """One judge's comparison of two runs on one dimension. `score` is −5 to 5, negative if the first run is better.

    Its file is in the directory of the first run. Of a comparison that is `computed` no judge was asked.
    """

    judging_pass = models.ForeignKey(JudgingPass, models.CASCADE, related_name="comparisons", db_index=False)
    judge = models.ForeignKey(PanelJudge, models.PROTECT, related_name="comparisons")
    run_one = models.ForeignKey(Run, models.CASCADE, related_name="comparisons_as_first")
    run_two = models.ForeignKey(Run, models.CASCADE, related_name="comparisons_as_second")

    try_one = models.PositiveIntegerField(default=0, help_text="The try of the first run that was judged.")
    try_two = models.PositiveIntegerField(default=0, help_text="The try of the second run that was judged.")
    score = models.SmallIntegerField(null=True, blank=True)
    flipped = models.BooleanField(
        default=False, help_text="The two orders have opposite winners: a tie, with a score of 0."
    )
    computed = models.BooleanField(
        default=False, help_text="From the burdens of two reviews; no judge was asked."
    )
    shown_one = models.FloatField(
        null=True, blank=True, help_text="The share of the first run that was shown."
    )
    shown_two = models.FloatField(
        null=True, blank=True, help_text="The share of the second run that was shown."
    )

    class Meta:
        ordering: ClassVar = ["judging_pass_id", "run_one_id", "run_two_id", "judge_id", "sample", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["judging_pass", "run_one", "run_two", "judge", "dimension", "sample"],
                name="one_comparison_per_sample",
            )
        ]
        indexes: ClassVar = [models.Index(fields=["state"])]

    def __str__(self) -> str:
        return f"{self.dimension} of runs {self.run_one_id} and {self.run_two_id} by {self.judge_id}"


class ComparisonOrder(models.Model):
    """A judge's answer for one order of the two runs. Its score is for the runs in the order of the comparison."""

    comparison = models.ForeignKey(RunComparison, models.CASCADE, related_name="orders")
    shown_first = models.PositiveIntegerField(
        help_text="1: the first run was shown first; 2: the second one."
    )
    state = models.CharField(max_length=20, choices=JudgeWork.State.choices)
    reason = models.TextField(blank=True)
    score = models.SmallIntegerField(null=True, blank=True)
    text = models.TextField(blank=True)
    answered_model = models.CharField(max_length=200, blank=True, help_text="As the provider names it.")

    class Meta:
        ordering: ClassVar = ["comparison_id", "shown_first"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["comparison", "shown_first"], name="one_answer_per_order")
        ]

    def __str__(self) -> str:
        return f"run {self.shown_first} first"


class ComparisonLine(models.Model):
    """One aspect of a judge's answer, with a quote from one of the two runs that was looked up in what it was shown."""

    class Winner(models.TextChoices):
        """The runs in the order of the comparison, however they were shown."""

        FIRST = "A1", "first run"
        SECOND = "A2", "second run"
        TIE = "tie"

    order = models.ForeignKey(ComparisonOrder, models.CASCADE, related_name="lines")
    place = models.PositiveIntegerField(help_text="From 1, in the judge's order.")
    aspect = models.CharField(max_length=400)
    winner = models.CharField(max_length=10, choices=Winner.choices)
    severity = models.CharField(max_length=10, help_text="How far the two runs are apart.")
    quote = models.TextField()
    quoted_run = models.PositiveIntegerField(
        help_text="1: the quote is from the first run; 2: the second one."
    )
    step = models.PositiveIntegerField(help_text="The step that the judge names.")
    found_step = models.PositiveIntegerField(
        null=True, blank=True, help_text="The step that holds the quote; empty: none, or the final changes."
    )
    part = models.CharField(max_length=40, blank=True, help_text="Of that step: message, call:1, result:1, …")
    start = models.PositiveIntegerField(null=True, blank=True, help_text="Character of the part.")
    end = models.PositiveIntegerField(null=True, blank=True)
    status = models.CharField(max_length=20, choices=ReviewEvidence.Status.choices)

    class Meta:
        ordering: ClassVar = ["order_id", "place"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["order", "place"], name="one_comparison_line_per_place")
        ]

    def __str__(self) -> str:
        return self.aspect
