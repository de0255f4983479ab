"""The columns of the leaderboard, in the order of the page, its exports and the API.

A new one is declared in the module of its subject, and has a line here.
"""

from __future__ import annotations

from runs.rankings.leaderboard.cost_columns import (
    COST_PER_ATTEMPT,
    COST_PER_SUCCESS,
    MONTHLY,
    TIME,
    TOKENS_PER_SUCCESS,
)
from runs.rankings.leaderboard.count_columns import EXCLUDED, FLAGGED, N
from runs.rankings.leaderboard.place_columns import AGENT, CORRECTED_PLACE, ELSEWHERE, PLACE, VERDICTS
from runs.rankings.leaderboard.quality_columns import QUALITY, SIGMA, TESTS
from runs.rankings.leaderboard.rate_columns import BY_REPOSITORY, CORRECTED, PASS_1, PASS_K, RETRY_GAIN

# What numbers are about, by the names of their fields.
CLAIMS = {
    "place": "tasks of these repositories",
    "group": "tasks of these repositories",
    "pass_at_1": "tasks of these repositories",
    "place_on_other_repositories": "repositories like these",
    "pass_at_1_on_other_repositories": "repositories like these",
}

COLUMNS = (
    PLACE,
    AGENT,
    VERDICTS,
    PASS_1,
    CORRECTED,
    CORRECTED_PLACE,
    ELSEWHERE,
    PASS_K,
    RETRY_GAIN,
    TESTS,
    QUALITY,
    TOKENS_PER_SUCCESS,
    COST_PER_SUCCESS,
    COST_PER_ATTEMPT,
    MONTHLY,
    TIME,
    SIGMA,
    N,
    EXCLUDED,
    FLAGGED,
    BY_REPOSITORY,
)

FIGURES = tuple(figure for column in COLUMNS for figure in column.figures)
