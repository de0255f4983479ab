"""Scores of reviews."""

from __future__ import annotations

import pytest

from runs.analysis.judging.review_scores import ReviewScore, grouped


def test_a_score_is_on_the_scale_or_missing() -> None:
    assert ReviewScore("haiku", "pitfalls", "7", "tide", None).score is None
    with pytest.raises(ValueError, match=r"haiku gave 7 the score 0\.7 in pitfalls"):
        ReviewScore("haiku", "pitfalls", "7", "tide", 0.7)


def test_groups_are_sorted_by_their_fields() -> None:
    scores = [ReviewScore(judge, "pitfalls", "7", "tide", 1.0, sample) for judge in "ba" for sample in (0, 1)]
    assert list(grouped(scores, "judge")) == [("a",), ("b",)]
    assert grouped(scores, "judge")["a",] == scores[2:]
