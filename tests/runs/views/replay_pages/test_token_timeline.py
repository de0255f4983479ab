"""Tokens and cost over the steps of a run: numbers, chart and table."""

from __future__ import annotations

from runs.views.replay_pages.token_timeline import timeline
from tests.runs.analysis.cost.model_calls import call


class TestTheDrawing:
    def test_has_a_bar_for_each_stretch_that_leads_to_its_step(self) -> None:
        drawn = timeline([call(2, 50), call(3, 100, 20, 25)], None)

        assert drawn is not None
        assert [bar.step for bar in drawn.bars] == [2, 3]
        assert [bar.x for bar in drawn.bars] == ["0", "500"]
        assert drawn.prompts == "M0 96v-48h499v48zM500 96v-96h499v96z"
        assert drawn.cached == "M500 96v-24h499v24z"
        assert drawn.responses == "M0 156v-24h499v24zM500 156v-48h499v48z"
        assert drawn.bars[1].title == "step 3: 100 in, 25 of them cached, 20 out; $1.00 so far"
        assert drawn.cost_line == "0,232 0,200 500,200 500,168 1000,168"

    def test_draws_the_window_if_prompts_are_near_it_and_else_writes_it(self) -> None:
        near, far = timeline([call(1, 100)], 200), timeline([call(1, 100)], 401)

        assert near is not None
        assert far is not None
        assert (near.limit_y, near.prompts) == ("0", "M0 96v-48h999v48z")
        assert (far.limit_y, far.prompts) == ("", "M0 96v-96h999v96z")

    def test_has_no_line_if_the_cost_is_unknown_or_zero(self) -> None:
        for cost in (None, 0.0):
            drawn = timeline([call(1, cost=cost)], None)
            assert drawn is not None
            assert drawn.cost_line == ""

    def test_is_missing_without_calls(self) -> None:
        assert timeline([], 100) is None
        only_empty = timeline([call(1, 0, 0, 0)], 100)
        assert only_empty is not None
        assert only_empty.prompts == ""
