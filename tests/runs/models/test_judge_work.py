"""Reviews, comparisons and summaries are the same kind of work: claimed, tried and paid for in the same way."""

from __future__ import annotations

from runs.models import JudgeReview, JudgeSummary, JudgeWork, RunComparison, Spender


def test_all_kinds_have_its_fields_and_states() -> None:
    shared = {field.name for field in JudgeWork._meta.get_fields()}
    assert {"state", "tries", "failures", "not_before", "worker", "heartbeat_at", "key"} <= shared
    assert {field.name for field in Spender._meta.get_fields()} <= shared
    for work in (JudgeReview, RunComparison, JudgeSummary):
        assert shared <= {field.name for field in work._meta.get_fields()}
        assert work.State is JudgeWork.State
