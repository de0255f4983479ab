"""Tokens and cost over the steps of a run."""

from __future__ import annotations

import math

from runs.analysis.cost.spending import spending
from tests.runs.analysis.cost.model_calls import call


class TestSpending:
    def test_each_call_of_a_short_run_is_its_own_stretch(self) -> None:
        found = spending([call(2, 100), call(3, 300, cost=0.25), call(5, 200, 40)])

        assert [(one.first, one.last, one.cost_usd, one.spent_usd) for one in found.stretches] == [
            (2, 2, 0.5, 0.5),
            (3, 3, 0.25, 0.75),
            (5, 5, 0.5, 1.25),
        ]
        assert (found.calls, found.fullest, found.longest) == (3, call(3, 300, cost=0.25), call(5, 200, 40))
        assert (found.cost.value, found.cost.n) == (1.25, 3)

    def test_no_peak_of_a_long_run_is_lost(self) -> None:
        calls = [call(step) for step in range(1, 10_001)]
        calls[4_321] = call(4_322, prompt=9_000)
        calls[4_330] = call(4_331, completion=7_000)
        found = spending(calls)

        assert len(found.stretches) == 200
        stretch = found.stretches[86]
        assert (stretch.first, stretch.last, stretch.calls) == (4_301, 4_350, 50)
        assert (stretch.fullest.step, stretch.longest.step) == (4_322, 4_331)
        assert found.stretches[-1].spent_usd == 5_000

    def test_cost_is_unknown_from_the_first_call_without_a_price(self) -> None:
        found = spending([call(1), call(2, cost=None), call(3)])

        assert [one.spent_usd for one in found.stretches] == [0.5, None, None]
        assert (found.cost.value, found.cost.reason) == (None, "the price of 1 of 3 calls is not known")

    def test_calls_with_invalid_numbers_are_skipped_and_counted(self) -> None:
        odd = [call(1, prompt=-1), call(2, completion=math.nan), call(3, cached=2.0**60), call(4, cost=-1.0)]

        found = spending([*odd, call(5)])
        assert (found.calls, found.left_out, found.stretches[0].first) == (1, 4, 5)

    def test_without_calls_there_is_nothing(self) -> None:
        found = spending([])

        assert (found.stretches, found.fullest, found.cost.reason) == ((), None, "no model was used")
