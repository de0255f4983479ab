"""The page of a run's tokens and cost."""

from __future__ import annotations

import pytest
from django.test import Client

from harness.records import Metrics, RunRecorder
from runs.models import LanguageModel, Run
from tasks.loading import hide
from tests.markup import compact
from tests.runs.cast import Cast, identity_of


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

    def test_says_that_a_cost_is_unknown(self, client: Client) -> None:
        shown = self.page(client, self.run(Cast(), {}, Metrics(900, 40)))

        assert "unknown: the price of 1 of 1 calls is not known" in shown

    def test_draws_nothing_without_model_calls(self, client: Client) -> None:
        cast = Cast()
        run = cast.add_run(cast.oracle(), cast.add_tasks(1)[0])
        RunRecorder(run.path, identity_of(run)).step("agent", "Hm.")

        assert "No model was called" in self.page(client, run)
        assert "/timeline/" not in client.get(run.get_absolute_url()).content.decode()

    def test_is_a_part_of_the_replay_on_a_partial_request(self, client: Client) -> None:
        run = self.run(Cast(), {}, Metrics(900, 40))
        part = compact(
            client.get(f"/runs/{run.pk}/timeline/", headers={"X-Partial": "timeline"}).content.decode()
        )

        assert part.lstrip().startswith('<div class="over-steps" data-timeline>')
        assert part.strip() in self.page(client, run)

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
