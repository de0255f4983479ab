"""The share of runs with a text."""

from __future__ import annotations

from runs.analysis.metrics.text_hits import SearchedRun, text_hits
from runs.analysis.statistics.intervals import clustered, wilson


def test_with_one_run_at_each_task_it_is_a_share_with_wilsons_interval() -> None:
    found = text_hits(SearchedRun(task, "", task < 3) for task in range(12))
    assert (found.value, found.n, found.interval) == (0.25, 12, wilson(0.25, 12))


def test_tasks_weigh_the_same_however_many_runs_they_have() -> None:
    found = text_hits([SearchedRun(1, "", hit=True), *[SearchedRun(2, "", hit=False)] * 3])
    assert (found.value, found.n, found.interval) == (0.5, 2, clustered([1.0, 0.0], [1, 3]))


def test_the_personas_of_a_scenario_are_one_group_of_the_interval() -> None:
    runs = [SearchedRun(task, "talk" if task < 4 else "", task < 4) for task in range(8)]
    apart = text_hits(run._replace(scenario="") for run in runs)
    together = text_hits(runs)
    assert together.value == apart.value == 0.5
    assert together.interval is not None
    assert apart.interval is not None
    assert together.interval.half_width > apart.interval.half_width


def test_without_a_run_it_is_unknown() -> None:
    assert (text_hits([]).value, text_hits([]).reason) == (None, "no run was searched")
