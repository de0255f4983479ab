"""Metrics of resolved runs against those of failed runs."""

from __future__ import annotations

import math

import pytest
from scipy.stats import mannwhitneyu, ttest_ind

from runs.analysis.facts import RunFacts
from runs.analysis.metrics.contrasts import MetricContrast, resolved_against_failed
from tests.runs.analysis.metrics.metric_runs import run


def row(runs: list[RunFacts], name: str) -> MetricContrast:
    return next(row for row in resolved_against_failed(runs).rows if row.metric == name)


def test_resolved_runs_against_the_others() -> None:
    ours, theirs = [3, 4, 5, 8], [6, 7, 9, 10, 11]
    runs = [run(i, f"t{i}", True, iterations=steps) for i, steps in enumerate(ours)]
    runs += [run(10 + i, f"t{i}", False, iterations=steps) for i, steps in enumerate(theirs)]
    found = row(runs, "steps")
    # (3 + 4 + 5 + 8) ÷ 4 = 5; (6 + 7 + 9 + 10 + 11) ÷ 5 = 8.6; the difference −3.6.
    assert (found.resolved.value, found.failed.value) == (5, 8.6)
    assert found.difference.value == pytest.approx(-3.6)
    # Of 20 pairs the resolved run has more in two (8 against 6 and 7), less in 18: (2 − 18) ÷ 20.
    assert found.effect.value == pytest.approx(-0.8)
    assert found.p.value == mannwhitneyu(ours, theirs).pvalue
    interval = ttest_ind(ours, theirs, equal_var=False).confidence_interval()
    assert found.difference.interval is not None
    assert found.difference.interval.low == pytest.approx(interval.low)
    assert found.difference.interval.high == pytest.approx(interval.high)
    assert found.p_holm.value == found.p.value  # no other metric has a value
    assert row(runs, "tool_errors").p.reason == "resolved and failed runs are needed"


def test_several_metrics_are_corrected_together() -> None:
    runs = [
        run(
            i,
            f"t{i}",
            i < 6,
            iterations=i + 1,
            tool_errors_count=float(i % 3),
            trajectory_efficiency=1 / (i + 1),
        )
        for i in range(12)
    ]
    rows = [each for each in resolved_against_failed(runs).rows if each.p.value is not None]
    # Steps and efficiency separate the groups wholly: p = 2 ÷ C(12, 6); times 3 each. Errors are spread evenly.
    smallest = 2 / math.comb(12, 6)
    assert [each.metric for each in rows] == ["steps", "trajectory_efficiency", "tool_errors"]
    assert [each.effect.value for each in rows] == pytest.approx([-1, 1, 0])
    assert [each.p.value for each in rows[:2]] == pytest.approx([smallest] * 2)
    assert [each.p_holm.value for each in rows[:2]] == pytest.approx([3 * smallest] * 2)
    assert rows[2].p_holm.value == pytest.approx(1)


def test_groups_that_do_not_differ() -> None:
    same = [run(i, f"t{i}", i % 2 == 0, iterations=4) for i in range(6)]
    found = row(same, "steps")
    assert (found.difference.value, found.effect.value, found.p.value) == (0, 0, 1)
    failing = [run(i, f"t{i}", False, iterations=4) for i in range(6)]
    assert row(failing, "steps").resolved.reason == "steps of no resolved run is known"
    assert row(failing, "steps").failed.value == 4
