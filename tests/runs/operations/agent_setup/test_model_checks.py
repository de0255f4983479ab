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
from runs.operations.agent_setup.model_checks import CheckNotAsked, ask_for_check, run_check, stored_checks
from tests.conftest import RedisServer

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
