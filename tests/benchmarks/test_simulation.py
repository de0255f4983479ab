"""Simulated agents have the truth that they are given."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.simulation import chances, resolved, simulate
from runs.analysis.facts import COST, SECONDS, TESTS, TOKENS, TRAJECTORY, sift


def test_the_same_seed_gives_the_same_runs_and_another_one_others() -> None:
    few = {"agents": 2, "tasks": 3, "attempts": 2, "steps": 4}
    assert simulate(**few) == simulate(**few)
    assert simulate(**few) != simulate(**few, seed=1)


def test_every_record_is_whole() -> None:
    runs = simulate(agents=3, tasks=12, attempts=2, steps=5)

    assert [run.run for run in runs] == list(range(1, 3 * 12 * 2 + 1))
    assert sift(runs, TESTS, TOKENS, COST, SECONDS, *TRAJECTORY).excluded == ()
    assert len({(run.agent, run.task, run.attempt) for run in runs}) == len(runs)
    for run in runs:
        assert run.resolved == (run.tests_passed == run.tests_total)
        assert run.behaviour is not None
        assert len(run.behaviour.labels) == run.iterations == 5
        assert sum(total.calls for total in run.behaviour.tools.totals.values()) == run.tool_calls
        assert sum(run.behaviour.tools.bigrams.values()) == run.tool_calls - 1
        assert sum(n * count for n, count in run.behaviour.tools.parallel.items()) == run.tool_calls


@pytest.mark.parametrize("icc", [0.0, 0.3, 0.8, 1.0])
def test_success_probabilities_have_the_requested_mean_and_correlation(icc: float) -> None:
    generator = np.random.default_rng(1)
    found = chances(generator, [0.2, 0.7], icc, 40_000)[0]

    assert found.mean(axis=1) == pytest.approx([0.2, 0.7], abs=0.01)
    # Two attempts at one task: covariance = variance of the chance = icc × mean × (1 − mean)
    assert found.var(axis=1) == pytest.approx([icc * 0.16, icc * 0.21], abs=0.005)
    assert resolved(generator, found, 5).mean(axis=1) / 5 == pytest.approx([0.2, 0.7], abs=0.01)


def test_agents_share_difficulties_as_far_as_requested() -> None:
    generator = np.random.default_rng(1)
    alone = chances(generator, [0.4, 0.4], 0.5, 20_000, shared=0.0)[0]
    alike = chances(generator, [0.4, 0.4], 0.5, 20_000, shared=1.0)[0]

    assert np.corrcoef(alone)[0, 1] == pytest.approx(0.0, abs=0.03)
    assert alike[0] == pytest.approx(alike[1])


def test_impossible_populations_are_refused() -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        chances(np.random.default_rng(0), [1.2], 0.5, 3)
