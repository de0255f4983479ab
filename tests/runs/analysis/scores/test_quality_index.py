"""The quality index, by hand and against the published leaderboard."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runs.analysis.scores.quality_index import COMPONENTS, JudgedRun, index_of, quality_index
from runs.data.published.tables import AGENT_LENS, table

FULL = dict(zip(COMPONENTS, (1.0, 1.0, 0.5, 0.5, 0.0, 0.0), strict=True))
judged = st.dictionaries(st.sampled_from(COMPONENTS), st.none() | st.sampled_from([0.0, 0.5, 1.0]))


def test_all_seventeen_published_indices() -> None:
    """AgentLens, Table 6: every index follows from the six columns beside it, to the one decimal that is printed."""
    published = table(AGENT_LENS, 6)
    assert len(published.rows) == 17
    for row in published.rows:
        cells = dict(zip(published.columns, row, strict=True))
        index = index_of({name: float(cells[name]) for name in COMPONENTS})
        # "67.3±0.9" is printed with a standard deviation over runs, which no single row gives.
        printed = float(cells["quality_index"].split("±")[0])
        assert index.value is not None
        # Half a unit of the last decimal; Kimi K2.6 lies on the edge: 168.9 ÷ 6 = 28.15, printed as 28.1.
        assert abs(index.value - printed) <= 0.05 + 1e-9, cells["model"]


def test_the_index_is_the_mean_of_six_components_over_scenarios() -> None:
    perfect = dict.fromkeys(COMPONENTS, 1.0)
    index = quality_index([JudgedRun("tide", FULL), JudgedRun("tide", perfect), JudgedRun("moon", FULL)])
    # Tide: (50 + 100) ÷ 2; moon: 50.
    assert (index.value.value, index.value.n) == (62.5, 2)
    assert (index.coverage.value, index.lowest.value, index.highest.value) == (1, 62.5, 62.5)
    assert {name: one.value for name, one in index.components.items()} == dict(
        zip(COMPONENTS, (100, 100, 62.5, 62.5, 25, 25), strict=True)
    )
    # Scenarios have 75 and 50: 12.706 · 17.68 ÷ √2 is more than the scale.
    assert index.value.interval is not None
    assert (index.value.interval.low, index.value.interval.high) == (0, 100)


def test_a_missing_score_is_left_out_and_bounded() -> None:
    one = JudgedRun("tide", {**FULL, "tool_calls": None})
    index = quality_index([one, JudgedRun("moon", {**FULL, "tool_calls": 1.0})])
    # tool_calls: 100 of one scenario; with 0 and 1 for the other 50 and 100. Others: 300 together.
    assert index.value.value == pytest.approx(400 / 6)
    assert index.coverage.value == 11 / 12
    assert index.lowest.value == pytest.approx(350 / 6)
    assert index.highest.value == pytest.approx(400 / 6)


def test_a_component_without_any_score_leaves_the_index_undefined() -> None:
    index = quality_index([JudgedRun("tide", {**FULL, "pitfalls": None})])
    assert index.value.reason == "missing: pitfalls"
    assert index.components["pitfalls"].reason == "no run has a score of pitfalls"
    assert index.lowest.value == pytest.approx(250 / 6)
    assert index.highest.value == pytest.approx(350 / 6)
    assert quality_index([]).value.reason == "there is no run"
    assert index_of({"pitfalls": 12.5}).n == 1


def test_the_interval_is_over_scenarios() -> None:
    runs = [
        JudgedRun(scenario, dict.fromkeys(COMPONENTS, score))
        for scenario, score in (("a", 0.5), ("b", 0.5), ("c", 1.0))
        for _ in ("default", "toxic")
    ]
    ends = quality_index(runs).value.interval
    assert ends is not None
    # 66.67 ± 4.303 · 28.87 ÷ √3, cut at 100
    assert (ends.low, ends.high) == (0, 100)
    assert quality_index(runs[:4]).value.interval is None
    # One scenario was reviewed: the verdicts of the others say nothing about how scores vary.
    verdicts = [JudgedRun(str(number), {"formal": number % 2}) for number in range(9)]
    assert quality_index([*runs[:1], *verdicts]).value.interval is None
    many = [JudgedRun(str(number), dict.fromkeys(COMPONENTS, number % 2 * 0.5)) for number in range(16)]
    ends = quality_index(many).value.interval
    # 25 ± 2.131 · 25.82 ÷ 4
    assert ends is not None
    assert (round(ends.low, 2), round(ends.high, 2)) == (11.24, 38.76)


@pytest.mark.parametrize("score", [-0.1, 1.1, math.nan, math.inf])
def test_scores_lie_between_0_and_1(score: float) -> None:
    with pytest.raises(ValueError, match=f"tide: pitfalls is {score}, expected a score from 0 to 1"):
        JudgedRun("tide", {"pitfalls": score})


def test_unknown_components_are_refused() -> None:
    with pytest.raises(ValueError, match="the agent: no such component: charm"):
        index_of({"charm": 50})


@given(st.lists(st.builds(JudgedRun, st.sampled_from("abc"), judged), min_size=1, max_size=8))
@settings(max_examples=60)
def test_the_bounds_hold_every_completion(runs: list[JudgedRun]) -> None:
    index = quality_index(runs)
    assert index.lowest.value is not None
    assert index.highest.value is not None
    assert index.lowest.value <= index.highest.value + 1e-9
    filled = [
        JudgedRun(
            run.scenario,
            {name: 0.5 if run.scores.get(name) is None else run.scores[name] for name in COMPONENTS},
        )
        for run in runs
    ]
    complete = quality_index(filled).value.value
    assert complete is not None
    assert index.lowest.value - 1e-9 <= complete <= index.highest.value + 1e-9
    if index.coverage.value == 1:
        assert index.value.value == pytest.approx(complete)
