"""What a judging pass will cost, from the sizes of trajectories."""

from __future__ import annotations

import pytest

from harness.records import TRAJECTORY
from runs.judging.reviews.panel_specs import NewJudge, create_panel
from runs.judging.reviews.pass_estimate import ANSWER_TOKENS, LINE_TOKENS, PROMPT_TOKENS, estimate_pass
from runs.models import LanguageModel, Run
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return Cast()


def run_of(cast: Cast, characters: int) -> Run:
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0], directory="a/try-1")
    run.path.mkdir(parents=True)
    (run.path / TRAJECTORY).write_text("x" * characters)
    return run


def estimate(cast: Cast, model: LanguageModel, characters: int) -> tuple[int, float | None, float | None]:
    panel = create_panel(
        slug="p", title="P", dimensions=["pitfalls", "tool_calls"], judges=[NewJudge("Portia", model)]
    )
    found = estimate_pass(panel, [run_of(cast, characters)])
    assert found.reviews == 2
    return found.judges[0].tokens, found.least, found.most


def test_the_cache_serves_all_requests_about_a_run_but_the_first(cast: Cast) -> None:
    model = cast.add_model("Bench", input_price=3.0, cached_price=0.3, output_price=15.0)

    tokens, least, most = estimate(cast, model, 40_000)

    first = 40_000 // 4 + PROMPT_TOKENS
    assert tokens == 2 * (first + ANSWER_TOKENS)
    answers = 2 * ANSWER_TOKENS * 15.0
    assert most == pytest.approx((2 * first * 3.0 + answers) / 1e6)
    assert least == pytest.approx((first * 3.3 + answers) / 1e6)


def test_a_long_trajectory_costs_what_the_judge_reads(cast: Cast) -> None:
    tokens, _, _ = estimate(cast, cast.add_model("Bench", context_window=32_000), 10_000_000)
    assert tokens == 2 * (32_000 + PROMPT_TOKENS + ANSWER_TOKENS)


def test_without_a_price_the_cost_is_unknown(cast: Cast) -> None:
    assert estimate(cast, cast.add_model("Bench"), 4_000)[1:] == (None, None)


def test_each_comparison_reads_both_runs_twice_except_for_pitfalls(cast: Cast) -> None:
    model = cast.add_model("Bench", input_price=1.0, cached_price=0.1, output_price=1.0)
    panel = create_panel(
        slug="p", title="P", dimensions=["pitfalls", "tool_calls"], judges=[NewJudge("Portia", model)]
    )
    one = run_of(cast, 40_000)
    two = cast.add_run(cast.bob(), one.task, directory="b/try-1")
    two.path.mkdir(parents=True)
    (two.path / TRAJECTORY).write_text("x" * 40_000)

    alone, both = estimate_pass(panel, [one, two]), estimate_pass(panel, [one, two], [(one, two)])

    order = 2 * 10_000 + PROMPT_TOKENS + 3 * ANSWER_TOKENS
    assert (alone.comparisons, both.comparisons, both.reviews) == (0, 2, 4)
    assert both.judges[0].tokens - alone.judges[0].tokens == 2 * order
    assert both.most is not None
    assert alone.most is not None
    assert both.most - alone.most == pytest.approx(2 * order / 1e6)


def test_summaries_are_those_of_the_first_judge_and_read_a_line_of_each_review_by_all(cast: Cast) -> None:
    models = [cast.add_model(name, input_price=1.0, output_price=1.0) for name in ("Bench", "Table")]
    panel = create_panel(
        slug="p",
        title="P",
        dimensions=["pitfalls", "tool_calls"],
        judges=[NewJudge(model.name, model) for model in models],
    )
    alice = cast.alice()
    runs = [cast.add_run(alice, task) for task in cast.add_tasks(3)]
    few, enough = estimate_pass(panel, runs[:2]), estimate_pass(panel, runs)
    assert (few.summaries, enough.summaries) == (0, 3)

    first, second = enough.judges
    lines = 3 * 2 * LINE_TOKENS
    asked = 2 * (lines + PROMPT_TOKENS) + PROMPT_TOKENS + 2 * ANSWER_TOKENS
    assert first.tokens - second.tokens == asked + 3 * ANSWER_TOKENS
    assert first.without_cache is not None
    assert second.without_cache is not None
    assert first.without_cache - second.without_cache == pytest.approx((asked + 3 * ANSWER_TOKENS) / 1e6)
