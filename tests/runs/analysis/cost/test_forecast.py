"""What an evaluation may come to before it is started."""

from __future__ import annotations

from runs.analysis.cost.forecast import Batch, expected_seconds, outlook
from runs.analysis.estimate import Estimate


def test_runs_to_come_cost_what_earlier_ones_did() -> None:
    # means 2 and 10; quartiles 1.5 to 2.5 and 10 to 10
    found = outlook([Batch(4, [1.0, 2.0, 3.0]), Batch(2, [10.0])])

    assert found.middle == Estimate(28.0, 4)
    assert (found.low, found.high) == (26.0, 30.0)


def test_an_agent_that_never_ran_leaves_the_sum_unknown_and_says_what_is_known() -> None:
    found = outlook([Batch(4, [1.0, 3.0]), Batch(1, [], "the price of Babbage is unknown")])

    assert found.middle == Estimate.unknown("the price of Babbage is unknown", 2)
    assert (found.low, found.high, found.at_least) == (None, None, 8.0)


def test_nothing_to_come_costs_nothing() -> None:
    assert outlook([]).middle == Estimate(0.0, 0)
    assert outlook([Batch(0, [], "never ran")]).middle == Estimate(0.0, 0)


def test_workers_share_the_time() -> None:
    found = expected_seconds([Batch(10, [60.0, 120.0])], workers=4)

    assert found.middle == Estimate(225.0, 2)
    assert (found.low, found.high) == (187.5, 262.5)


def test_without_a_worker_or_an_earlier_run_the_time_is_unknown() -> None:
    assert expected_seconds([Batch(10, [60.0])], workers=0).middle.reason == "no worker is running"
    found = expected_seconds([Batch(10, [60.0]), Batch(1, [], "it never ran")], workers=2)
    assert (found.middle.reason, found.at_least) == ("it never ran", 300.0)
