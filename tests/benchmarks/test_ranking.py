"""Intervals of ratings, with few repetitions."""

from __future__ import annotations

import pytest

from benchmarks.ranking import CLOSE, SPREAD, RankingCase, measure_ranking, ranking_cases, true_ratings
from runs.analysis.scores.ratings import expected_score


@pytest.mark.parametrize("case", [RankingCase(20, 1, CLOSE, 0.3), RankingCase(80, 5, SPREAD, 0.5)])
def test_intervals_hold_the_truth(case: RankingCase) -> None:
    # 60 repetitions of five agents; those of one repetition lean on each other.
    found = measure_ranking(case, 60, seed=1)
    assert found.rated == 1
    assert found.ratings is not None
    assert 0.9 <= found.ratings <= 0.99
    assert 0.9 <= found.regularised <= 0.99


def test_true_ratings_of_agents_without_ties_or_tasks_that_differ() -> None:
    # Two agents, every task alike, one attempt: P(first wins) = ¼ · ⅔ + half of ties ¼ · ⅓ + ¾ · ⅔ → 0.1667 + 0.2917.
    truth = true_ratings(RankingCase(1, 1, (0.25, 1 / 3), 0))
    chance = expected_score(truth["agent-0"], truth["agent-1"])
    assert chance == pytest.approx(0.25 * 2 / 3 + (0.25 / 3 + 0.75 * 2 / 3) / 2, abs=0.003)
    assert sum(truth.values()) == pytest.approx(3000)


def test_the_grid_is_the_same_for_every_number_of_tasks() -> None:
    assert len(list(ranking_cases(20))) == len(list(ranking_cases(400))) == 6
