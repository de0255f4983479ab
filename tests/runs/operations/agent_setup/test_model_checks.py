"""Tests of models by a worker: asked for, made, shown, and outdated by a change."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rq import Queue

from harness.llm.scripted_server import ModelServer
from runs.jobs import queue
from runs.jobs.job_kinds import REVIEWS
from runs.models import LanguageModel
from runs.operations.agent_setup.model_checks import (
    CheckNotAsked,
    ask_for_check,
    calls_of,
    check_here,
    likely_cost,
    run_check,
    stored_checks,
)
from tests.conftest import RedisServer
from tests.runs.cast import Cast

pytestmark = [pytest.mark.django_db, pytest.mark.redis]


@pytest.fixture
def model() -> Iterator[LanguageModel]:
    """A model that a real server answers for."""
    with ModelServer([{"text": "Ready."}]) as server:
        yield LanguageModel.objects.create(
            slug="ada", name="Ada", provider="Here", litellm_id="openai/ada", api_base=server.url
        )


def test_a_worker_of_reviews_makes_the_test_and_the_page_gets_its_result(
    model: LanguageModel, redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert stored_checks([model]) == {}
    ask_for_check(model)
    waiting = stored_checks([model])[model.pk]
    assert (waiting.result, waiting.waits, waiting.not_taken) == (None, True, False)

    (job,) = Queue(REVIEWS, connection=queue.connection()).get_jobs()
    assert (job.func_name, job.description) == ("check_model", "test Ada")
    run_check(*job.args)

    made = stored_checks([model])[model.pk]
    assert made.result is not None
    assert (made.result.works, made.result.answer, made.outdated) == (True, "Ready.", False)
    LanguageModel.objects.filter(pk=model.pk).update(context_window=9000)
    assert stored_checks([LanguageModel.objects.get()])[model.pk].outdated
    later = timezone.now() + timedelta(hours=1)
    ask_for_check(model)
    monkeypatch.setattr(timezone, "now", lambda: later)
    assert stored_checks([model])[model.pk].not_taken


def test_the_result_of_an_earlier_request_does_not_replace_the_newest(
    model: LanguageModel, redis: RedisServer
) -> None:
    for _ in range(2):
        ask_for_check(model)
    first, _second = Queue(REVIEWS, connection=queue.connection()).get_jobs()
    run_check(*first.args)
    assert stored_checks([model])[model.pk].result is None
    model.delete()
    run_check(*first.args)  # a model that is gone is no error


@pytest.mark.parametrize("text", ["{", "[]", '{"asked_at": "soon"}', '{"result": {"odd": 1}}', "x" * 30_000])
def test_what_cannot_be_read_is_no_test(model: LanguageModel, redis: RedisServer, text: str) -> None:
    queue.connection().set(f"benchbench:model-check:{model.pk}", text)
    assert stored_checks([model]) == {}


def test_without_redis_no_test_can_be_asked_for(model: LanguageModel, settings: Any) -> None:
    settings.REDIS_URL = "unix:///nowhere.sock"
    assert stored_checks([model]) == {}
    with pytest.raises(CheckNotAsked, match="Redis does not respond"):
        ask_for_check(model)


def test_the_settings_of_enabled_agents_are_tested_and_a_change_of_them_outdates_the_test(
    model: LanguageModel, redis: RedisServer
) -> None:
    cast = Cast()
    made = {}
    for name, temperature in (("Warm", 0.7), ("Secret", 0.2), ("Off", 0.9)):
        made[name] = cast.add_agent(name, "ide", model)
        made[name].settings = {"temperature": temperature}
        made[name].enabled = name != "Off"
        made[name].save()
    cast.add_run(made["Secret"], cast.add_hidden_task())
    calls = calls_of([model])[model.pk]
    assert [(each.settings.temperature, each.agents) for each in calls] == [(0.2, ()), (0.7, ("Warm",))]

    result = check_here(model, lambda _probe: None)

    assert "Secret" not in str(result)
    assert [probe.name for probe in result.probes][2] == "Settings of Warm"
    assert stored_checks([model])[model.pk].result == result
    assert not stored_checks([model])[model.pk].outdated
    made["Warm"].settings = {"temperature": 0.8}
    made["Warm"].save()
    assert stored_checks([model])[model.pk].outdated


def test_the_price_of_a_test_is_known_before_it_is_made(model: LanguageModel) -> None:
    assert likely_cost(model) is None
    model.input_price, model.output_price = 1.0, 2.0
    assert likely_cost(model) == pytest.approx(0.025)
    model.input_price = 100.0
    assert likely_cost(model) == 0.1
    assert likely_cost(LanguageModel(litellm_id="openai/gpt-4o")) is not None
