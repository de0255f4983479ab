"""A comparison's file becomes its row with both orders, once, from the try that owns it."""

from __future__ import annotations

from functools import partial
from typing import Literal

import pytest

from harness.judges.review_file import (
    ComparedRun,
    Comparison,
    ComparisonAspect,
    JudgeIdentity,
    OrderedAnswer,
    ReviewState,
)
from runs.judging.reviews.settling_comparisons import copy_comparison
from runs.judging.reviews.settling_reviews import settle_work
from runs.models import ComparisonLine, JudgingPass, RunComparison
from tests.runs.cast import Cast
from tests.runs.panels import add_comparison, add_panel, add_pass

pytestmark = pytest.mark.django_db
State = RunComparison.State


def ordered(first: Literal[1, 2], score: int) -> OrderedAnswer:
    line = ComparisonAspect("checks", "A1", "high", "pytest -q", 1, 10**12, "relocated", 7, "call:1", 0, 9)
    return OrderedAnswer(
        first, ReviewState.DONE, "", score, "Text.", (line,), "bench-1", 100, 10, 50, 0.01, 1.5, 1
    )


ANSWER = Comparison(
    key="0" * 32,
    runs=(ComparedRun("a", 2, "t" * 64, "1" * 32), ComparedRun("b", 3, "u" * 64, "2" * 32)),
    judge=JudgeIdentity("Portia", "ada/Bench", "ada"),
    dimension="end_result",
    dimension_digest="d" * 64,
    sample=1,
    state=ReviewState.DONE,
    reason="",
    score=-2,
    flipped=False,
    computed=False,
    orders=(ordered(1, -3), ordered(2, -1)),
    shown_shares=(1.0, 0.5),
    rendering_version=1,
    created_at="2026-01-02T03:04:05Z",
)


@pytest.fixture
def comparison() -> RunComparison:
    """Work in progress, in its first try."""
    cast = Cast()
    (task,) = cast.add_tasks(1)
    pair = cast.add_run(cast.alice(), task), cast.add_run(cast.bob(), task)
    judge = add_panel(cast.add_model("Bench"))
    started = add_pass(judge, state=JudgingPass.State.RUNNING)
    return add_comparison(started, judge, pair, state=State.RUNNING, score=None, tries=1, reserved_usd=0.5)


def test_all_of_the_file_is_stored_and_the_pass_ends(comparison: RunComparison) -> None:
    assert settle_work(comparison, partial(copy_comparison, answer=ANSWER, reused=False))

    row = RunComparison.objects.get()
    assert (row.state, row.score, row.key, row.try_one, row.try_two) == (State.DONE, -2, "0" * 32, 2, 3)
    assert (row.shown_one, row.shown_two, row.reserved_usd, row.doubtful_usd) == (1.0, 0.5, 0, 0.5)
    assert (row.prompt_tokens, row.completion_tokens, row.cached_tokens, row.asks) == (200, 20, 100, 2)
    assert list(row.orders.values_list("shown_first", "score", "text")) == [
        (1, -3, "Text."),
        (2, -1, "Text."),
    ]
    assert set(ComparisonLine.objects.values_list("place", "winner", "step", "found_step", "status")) == {
        (1, "A1", 2**31 - 1, 7, "relocated")
    }
    assert row.judging_pass.state == JudgingPass.State.FINISHED


def test_a_try_that_does_not_own_the_row_stores_nothing(comparison: RunComparison) -> None:
    RunComparison.objects.update(tries=2)
    assert not settle_work(comparison, partial(copy_comparison, answer=ANSWER, reused=False))
    assert RunComparison.objects.get().score is None
