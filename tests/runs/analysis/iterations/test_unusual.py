"""Agents with unusual shares, and exploration against errors."""

from __future__ import annotations

import pytest

from runs.analysis.estimate import Estimate
from runs.analysis.iterations.shares import IterationMixes, iteration_mixes
from runs.analysis.iterations.unusual import exploration_and_errors, unusual_agents
from runs.data.published.tables import IDE_BENCH, table
from tests.runs.analysis.made_runs import acted


def mixes(*labels: str) -> IterationMixes:
    """One run of each agent, with these labels."""
    return iteration_mixes([acted(place, each, f"agent-{place}") for place, each in enumerate(labels)])


def published() -> IterationMixes:
    """Table 8 of IDE-Bench as runs of a thousand iterations."""
    rows = [[round(float(cell) * 10) for cell in row[3:]] for row in table(IDE_BENCH, 8).rows]
    return mixes(
        *("p" * productive + "e" * exploring + "n" * failing for productive, exploring, failing in rows)
    )


def test_an_agent_far_outside_the_middle_half_is_unusual() -> None:
    found = {
        each.measure: each for each in unusual_agents(mixes("eepn", "eepn", "eepn", "eepn", "nnnn")).measures
    }

    assert found["non_productive"].agents == {"agent-4": 1}
    assert (found["non_productive"].low, found["non_productive"].high) == (
        Estimate(0.25, 5),
        Estimate(0.25, 5),
    )
    assert found["exploration"].agents == {"agent-4": 0}
    assert found["iterations"].agents == {}


def test_the_outlier_of_the_paper_is_the_one_of_its_table() -> None:
    found = {each.measure: each for each in unusual_agents(published()).measures}["non_productive"]

    names = [row[0] for row in table(IDE_BENCH, 8).rows]
    assert [names[int(agent.removeprefix("agent-"))] for agent in found.agents] == ["Cohere Command R+"]
    assert found.high.value == pytest.approx(0.12275, abs=1e-4)


def test_three_agents_are_too_few_for_an_outlier() -> None:
    (first, *_) = unusual_agents(mixes("e", "p", "n")).measures

    assert first.high == Estimate.unknown("fewer than 4 agents have iterations", 3)
    assert first.agents == {}


def test_exploration_and_errors_of_the_paper_are_correlated_more_than_it_says() -> None:
    found = exploration_and_errors(published())

    assert found.pearson.value == pytest.approx(-0.543, abs=5e-4)
    assert found.pearson_p.value == pytest.approx(0.0364, abs=5e-4)
    # The table's shares are rounded, so that they do not always sum to 100 %.
    assert found.spearman.value == pytest.approx(-0.69, abs=0.011)
    assert found.spearman_p.value == pytest.approx(0.004, abs=5e-4)


def test_two_agents_have_no_correlation() -> None:
    found = exploration_and_errors(mixes("e", "p"))

    assert found.pearson.value is None
    assert found.pearson_p == found.pearson
