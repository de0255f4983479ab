"""The quality index, by hand and against the published leaderboard."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runs.analysis.scores.quality_index import COMPONENTS, quality_index
from runs.published.tables import AGENT_LENS, table

FULL = {
    "end_result": 90.0,
    "formal": 80.0,
    "instruction_compliance": 70.0,
    "pitfalls": 60.0,
    "pleasantness": 50.0,
    "tool_calls": 40.0,
}
scores = st.dictionaries(st.sampled_from(COMPONENTS), st.none() | st.floats(0, 100))


def test_the_index_is_the_mean_of_six() -> None:
    # (90 + 80 + 70 + 60 + 50 + 40) ÷ 6 = 65
    index = quality_index(FULL)
    assert (index.value.value, index.value.n, index.missing) == (65, 6, ())
    assert index.of_present == index.value


def test_a_missing_component_leaves_it_undefined() -> None:
    # (90 + 70 + 60 + 50) ÷ 4 = 67.5, apart
    index = quality_index({**FULL, "formal": None, "tool_calls": None})
    assert index.value.value is None
    assert index.value.reason == "missing: formal, tool_calls"
    assert (index.of_present.value, index.of_present.n) == (67.5, 4)
    assert index.missing == ("formal", "tool_calls")


def test_one_component_and_none() -> None:
    one = quality_index({"pitfalls": 12.5})
    assert (one.of_present.value, one.of_present.n, one.value.value) == (12.5, 1, None)
    none = quality_index({})
    assert none.of_present.reason == "no component is known"
    assert none.missing == COMPONENTS


@pytest.mark.parametrize("score", [-0.1, 100.1, math.nan, math.inf])
def test_scores_lie_between_0_and_100(score: float) -> None:
    with pytest.raises(ValueError, match=f"pitfalls is {score}, expected a score from 0 to 100"):
        quality_index({**FULL, "pitfalls": score})


def test_unknown_components_are_refused() -> None:
    with pytest.raises(ValueError, match="no such component: charm"):
        quality_index({**FULL, "charm": 50})


@given(scores)
@settings(max_examples=50, deadline=None)
def test_it_lies_among_its_components(components: dict[str, float | None]) -> None:
    index = quality_index(components)
    present = [score for score in components.values() if score is not None]
    assert len(present) + len(index.missing) == 6
    if present:
        assert index.of_present.value is not None
        assert min(present) - 1e-9 <= index.of_present.value <= max(present) + 1e-9
    assert (index.value.value is None) == bool(index.missing)


def test_all_seventeen_published_indices() -> None:
    """AgentLens, Table 6: every index follows from the six columns beside it, to the one decimal that is printed."""
    published = table(AGENT_LENS, 6)
    assert len(published.rows) == 17
    for row in published.rows:
        cells = dict(zip(published.columns, row, strict=True))
        index = quality_index({name: float(cells[name]) for name in COMPONENTS})
        # "67.3±0.9" is printed with a standard deviation over runs, which no single row gives.
        printed = float(cells["quality_index"].split("±")[0])
        assert index.value.value is not None
        # Half a unit of the last decimal; Kimi K2.6 lies on the edge: 168.9 ÷ 6 = 28.15, printed as 28.1.
        assert abs(index.value.value - printed) <= 0.05 + 1e-9, cells["model"]
