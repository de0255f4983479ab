"""Every row that workers claim has the two states between which it is claimed."""

from __future__ import annotations

import pytest

from runs.models import (
    BackgroundWork,
    GenerationJob,
    JudgeReview,
    JudgeSummary,
    RunComparison,
    SubmittedRun,
    Upload,
)


@pytest.mark.parametrize(
    "model", [GenerationJob, JudgeReview, JudgeSummary, RunComparison, SubmittedRun, Upload]
)
def test_a_model_of_background_work_can_be_queued_and_running(model: type[BackgroundWork]) -> None:
    states = {field.name: field.choices or () for field in model._meta.concrete_fields}["state"]
    assert {BackgroundWork.QUEUED, BackgroundWork.RUNNING} <= {value for value, _ in states}
    assert issubclass(model, BackgroundWork)
