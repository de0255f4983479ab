"""Rows that pay for model calls."""

from __future__ import annotations

from runs.models import JudgeReview, Spender, Try


def test_tries_and_reviews_have_an_account_that_starts_empty() -> None:
    for row in (Try(), JudgeReview()):
        assert isinstance(row, Spender)
        assert (row.spent_usd, row.reserved_usd, row.doubtful_usd, row.cost_unknown) == (0, 0, 0, False)
