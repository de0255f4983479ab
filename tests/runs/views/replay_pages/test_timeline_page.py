"""The page of a run's tokens and cost."""

from __future__ import annotations

import pytest
from django.test import Client

from harness.records import Metrics, RunRecorder
from runs.models import LanguageModel, Run
from runs.views.replay_pages.timeline_page import timeline
from tasks.loading import hide
from tests.markup import compact
from tests.runs.analysis.cost.model_calls import call
from tests.runs.cast import Cast, identity_of
from tests.runs.views.boxes import without_boxes


@pytest.mark.django_db
class TestThePage:
    def page(self, client: Client, run: Run) -> str:
        response = client.get(f"{run.get_absolute_url()}timeline/")
        assert response.status_code == 200
        return compact(response.content.decode())

    def run(self, cast: Cast, effective: dict[str, object], *metrics: Metrics) -> Run:
        from dataclasses import replace

        run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
        recorder = RunRecorder(run.path, replace(identity_of(run), effective=effective))
        for one in metrics:
            recorder.step("agent", "Hm.", metrics=one)
        return run

    def test_names_peaks_window_and_cost_with_links_to_their_steps(self, client: Client) -> None:
        effective = {"input_window": 4000, "input_window_is": "assumed <b>"}
        run = self.run(
            Cast(), effective, Metrics(900, 40, cost_usd=0.25), Metrics(1900, 30, 800, cost_usd=0.5)
        )
        shown = self.page(client, run)

        address = run.get_absolute_url()
        assert f'up to 1,900 tokens in <a href="{address}?step=2" data-step="2">step 2</a>' in shown
        assert f'up to 40 tokens in <a href="{address}?step=1" data-step="1">step 1</a>' in shown
        assert "window 4,000, assumed &lt;b&gt;" in shown
        assert "$0.75 in total" in shown
        assert "n 2 model calls" in client.get(address).content.decode()
        assert shown.count('<rect class="target"') == 2

    def test_says_that_a_cost_is_unknown_and_draws_and_lists_none(self, client: Client) -> None:
        shown = self.page(client, self.run(Cast(), {}, Metrics(900, 40)))

        assert "unknown: the price of 1 of 1 calls is not known" in shown
        assert 'viewBox="0 0 1000 156"' in shown
        assert "Cost so far" not in shown

    def test_draws_nothing_without_model_calls(self, client: Client) -> None:
        cast = Cast()
        run = cast.add_run(cast.oracle(), cast.add_tasks(1)[0])
        RunRecorder(run.path, identity_of(run)).step("agent", "Hm.")

        shown = self.page(client, run)
        assert "No tokens are known" in shown
        assert f'<a class="btn" href="{run.get_absolute_url()}">' in shown
        assert "/timeline/" not in client.get(run.get_absolute_url()).content.decode()

    def test_is_a_part_of_the_replay_on_a_partial_request(self, client: Client) -> None:
        run = self.run(Cast(), {}, Metrics(900, 40))
        part = compact(
            client.get(f"/runs/{run.pk}/timeline/", headers={"X-Partial": "timeline"}).content.decode()
        )

        assert part.lstrip().startswith('<div class="over-steps" data-timeline>')
        assert without_boxes(part).strip() in self.page(client, run)

    @pytest.mark.parametrize("window", [0, -1, 10**9, "4000", 4000.5, None])
    def test_takes_the_window_of_the_model_if_none_was_recorded(self, client: Client, window: object) -> None:
        run = self.run(Cast(), {"input_window": window}, Metrics(900, 40))
        assert ", responses included" not in self.page(client, run)
        LanguageModel.objects.update(context_window=2000)
        assert "window 2,000, responses included" in self.page(client, run)

    def test_is_for_operators_only_if_the_dataset_is_hidden(
        self, client: Client, admin_client: Client
    ) -> None:
        cast = Cast()
        run = self.run(cast, {}, Metrics(900, 40))
        hide(cast.dataset, hidden=True)
        assert client.get(f"/runs/{run.pk}/timeline/").status_code == 404
        assert admin_client.get(f"/runs/{run.pk}/timeline/").status_code == 200
        assert client.post(f"/runs/{run.pk}/timeline/").status_code == 405


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
