"""Success by the time of the first correct edit."""

from __future__ import annotations

from runs.analysis.estimate import Exclusion
from runs.analysis.metrics.first_correct_edit import first_correct_edit_bins
from runs.analysis.statistics.intervals import wilson
from tests.runs.analysis.metrics.metric_runs import run
from tests.runs.analysis.personas import ends, with_twins


def test_the_first_correct_edit_falls_into_a_bin() -> None:
    edits = [1.0, 5.0, 6.0, 10.0, 11.0, None]
    runs = [run(i, f"t{i % 2}", i % 2 == 0, first_correct_edit=edit) for i, edit in enumerate(edits)]
    runs.append(run(9, optimal_length=None))
    found = first_correct_edit_bins(runs)
    # Even numbers resolved: 0 of {0, 1}; 2 of {2, 3}; 4; none of {5}.
    rates = [(one.label, one.runs, one.tasks, one.rate.value) for one in found.bins]
    assert rates == [("1–5", 2, 2, 0.5), ("6–10", 2, 2, 0.5), ("> 10", 1, 1, 1.0), ("never", 1, 1, 0.0)]
    assert found.bins[0].rate.interval == wilson(0.5, 2)
    assert found.excluded == (Exclusion("the files of the reference patch are not known", (9,)),)


def test_two_equal_personas_of_each_scenario_count_as_one_task() -> None:
    runs = [run(i, f"t{i}", i % 2 == 0, first_correct_edit=3.0) for i in range(8)]
    alone, twice = first_correct_edit_bins(runs).bins[0], first_correct_edit_bins(with_twins(runs)).bins[0]
    assert (twice.runs, twice.tasks) == (16, 8)
    assert ends(twice.rate) == ends(alone.rate)
