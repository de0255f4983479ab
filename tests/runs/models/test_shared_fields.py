"""Rows that pay for model calls, and rows that workers claim."""

from __future__ import annotations

import pytest

from runs.models import (
    BackgroundWork,
    GenerationJob,
    JudgeReview,
    JudgeSummary,
    RunComparison,
    Spender,
    SubmittedRun,
    Try,
    Upload,
)


def test_tries_and_reviews_have_an_account_that_starts_empty() -> None:
    for row in (Try(), JudgeReview()):
        assert isinstance(row, Spender)
        assert (row.spent_usd, row.reserved_usd, row.doubtful_usd, row.cost_unknown) == (0, 0, 0, False)


@pytest.mark.parametrize(
    "model", [GenerationJob, JudgeReview, JudgeSummary, RunComparison, SubmittedRun, Upload]
)
def test_a_model_of_background_work_can_be_queued_and_running(model: type[BackgroundWork]) -> None:
    states = {field.name: field.choices or () for field in model._meta.concrete_fields}["state"]
    assert {BackgroundWork.QUEUED, BackgroundWork.RUNNING} <= {value for value, _ in states}
    assert issubclass(model, BackgroundWork)
