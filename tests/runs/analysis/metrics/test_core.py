"""Core metrics of agents, resolved against failed runs, and the first correct edit."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import t

from runs.analysis.estimate import Exclusion
from runs.analysis.metrics.contrasts import resolved_against_failed
from runs.analysis.metrics.core import METRICS, core_metrics
from runs.analysis.metrics.first_correct_edit import first_correct_edit_bins
from runs.analysis.statistics.intervals import clustered, wilson
from runs.analysis.statistics.means import of_shares, student
from tests.runs.analysis.metrics.metric_runs import run


def test_each_task_counts_once() -> None:
    runs = [
        run(1, "tide", submitted=1.0, similarity=0.5, iterations=4, seconds=10.0),
        run(2, "tide", resolved=False, submitted=0.0, similarity=0.7, iterations=6, seconds=30.0),
        run(3, "fog", submitted=1.0, similarity=0.2, iterations=9, seconds=5.0, trajectory_efficiency=1.0),
    ]
    (alice,) = core_metrics(runs).agents
    found = alice.metrics
    # Tide 1 of 2, fog 1 of 1: (0.5 + 1) ÷ 2 = 0.75.
    assert (found["resolve_rate"].value, found["resolve_rate"].n) == (0.75, 2)
    assert found["resolve_rate"].interval == clustered([1.0, 0.5], [1, 2])
    assert found["submit_rate"].value == 0.75
    # Tide (0.5 + 0.7) ÷ 2 = 0.6, fog 0.2: 0.4.
    assert found["similarity"].value == pytest.approx(0.4)
    assert found["similarity"].interval == of_shares([0.6, 0.2])
    # Tide 5, fog 9: 7 ± 12.706 · 2.828 ÷ √2 = ± 25.41.
    assert found["steps"].value == 7
    half = t.ppf(0.975, 1) * np.std([5, 9], ddof=1) / math.sqrt(2)
    assert found["steps"].interval.half_width == pytest.approx(half)  # type: ignore[union-attr]
    # Tide 20, fog 5.
    assert found["seconds"].value == 12.5
    assert (found["trajectory_efficiency"].value, found["trajectory_efficiency"].n) == (1, 1)
    assert found["trajectory_efficiency"].interval == wilson(1.0, 1)
    assert alice.undefined["trajectory_efficiency"] == 2
    assert found["reasoning_score"].reason == "reasoning_score is defined for none of the runs"
    assert (alice.runs, alice.undefined["reasoning_score"]) == (3, 3)


def test_bad_records_are_named_and_leave_out_what_they_must() -> None:
    runs = [
        run(1, seconds=-1.0, similarity=math.nan, iterations=2),
        run(2, seconds=1e300, similarity=1.5, iterations=2),
        replace(run(3, resolved=False), behaviour=None),
        run(4, faults=("step 2 is missing",)),
        replace(run(5), outcome="infrastructure_failed"),
    ]
    found = core_metrics(runs)
    (alice,) = found.agents
    assert found.excluded == (
        Exclusion("the infrastructure failed", (5,)),
        Exclusion("the trajectory was not counted, or could not be read", (3,)),
        Exclusion("steps are missing from the trajectory, or repeated", (4,)),
        Exclusion("seconds is negative, too large or not a number", (1, 2)),
        Exclusion("similarity is negative, too large or not a number", (1, 2)),
    )
    # Whether a run resolved its task is known without its trajectory: runs 1 to 4.
    assert (alice.runs, alice.metrics["resolve_rate"].value) == (4, 0.75)
    assert alice.metrics["steps"].value == 2
    assert alice.metrics["seconds"].value is None


def test_nothing_gives_nothing() -> None:
    assert core_metrics([]).agents == ()
    assert {row.difference.value for row in resolved_against_failed([]).rows} == {None}
    assert [(b.label, b.rate.value) for b in first_correct_edit_bins([]).bins] == [
        ("1–5", None),
        ("6–10", None),
        ("> 10", None),
        ("never", None),
    ]


def test_one_run_has_a_mean_and_no_spread() -> None:
    (alice,) = core_metrics([run(1, iterations=4)]).agents
    assert (alice.metrics["steps"].value, alice.metrics["steps"].interval) == (4, None)
    assert alice.metrics["resolve_rate"].interval == wilson(1.0, 1)


def test_where_all_tasks_are_alike_shares_stay_open_and_steps_have_no_interval() -> None:
    runs = [run(i, f"t{i}", similarity=1.0, iterations=4) for i in range(6)]
    (alice,) = core_metrics(runs).agents
    assert alice.metrics["similarity"].interval == of_shares([1.0] * 6)
    assert (alice.metrics["steps"].value, alice.metrics["steps"].interval) == (4, None)


RUNS = st.lists(
    st.tuples(
        st.sampled_from("ab"),
        st.sampled_from(["tide", "fog"]),
        st.booleans(),
        st.integers(0, 40),
        st.floats(0, 1),
    ),
    max_size=14,
)


@settings(max_examples=40)
@given(RUNS, st.integers(0, 9))
def test_neither_order_nor_names_matter(drawn: list[tuple[str, str, bool, int, float]], seed: int) -> None:
    runs = [
        run(
            i,
            task,
            good,
            agent=agent,
            iterations=steps,
            similarity=share,
            first_correct_edit=float(steps + 1),
        )
        for i, (agent, task, good, steps, share) in enumerate(drawn)
    ]
    mixed = random.Random(seed).sample(runs, len(runs))
    assert core_metrics(mixed) == core_metrics(runs)
    assert resolved_against_failed(mixed) == resolved_against_failed(runs)
    assert first_correct_edit_bins(mixed) == first_correct_edit_bins(runs)
    renamed = [replace(each, agent={"a": "z", "b": "y"}[each.agent]) for each in runs]
    assert [each.metrics for each in reversed(core_metrics(renamed).agents)] == [
        each.metrics for each in core_metrics(runs).agents
    ]
    for agent in core_metrics(runs).agents:
        for metric in METRICS:
            figure = agent.metrics[metric.name]
            if metric.share and figure.value is not None:
                assert 0 <= figure.value <= 1
            if figure.value is not None and figure.interval is not None:
                assert figure.interval.low <= figure.value + 1e-12
                assert figure.value - 1e-12 <= figure.interval.high


def test_the_personas_of_a_scenario_are_one_group_of_the_interval() -> None:
    runs = [
        replace(run(number, task, seconds=seconds), scenario=scenario)
        for number, (task, scenario, seconds) in enumerate(
            [
                ("a.default", "a", 10.0),
                ("a.toxic", "a", 10.0),
                ("b.default", "b", 30.0),
                ("b.toxic", "b", 30.0),
            ],
            1,
        )
    ]
    (alice,) = core_metrics(runs).agents
    found = alice.metrics["seconds"]
    assert (found.value, found.n) == (20.0, 4)
    assert found.interval == student([10.0, 30.0])
