"""`manage.py test_model`: in its own process, or by a worker."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from rq import Queue

from harness.llm.scripted_server import ModelServer
from runs.jobs import queue
from runs.jobs.job_kinds import REVIEWS
from runs.models import LanguageModel
from runs.operations.agent_setup.model_checks import run_check, stored_checks
from tests.conftest import RedisServer
from tests.harness.llm.test_model_check import able

pytestmark = [pytest.mark.django_db, pytest.mark.redis]


@pytest.fixture
def model() -> Iterator[LanguageModel]:
    """A model that a real server answers for."""
    with ModelServer(able) as server:
        yield LanguageModel.objects.create(
            slug="ada",
            name="Ada L.",
            provider="Here",
            litellm_id="openai/ada",
            api_base=server.url,
            input_price=1.0,
            output_price=2.0,
        )


def printed(*arguments: str) -> list[str]:
    out = StringIO()
    call_command("test_model", *arguments, stdout=out)
    return out.getvalue().splitlines()


def test_it_says_the_price_first_and_then_each_probe(model: LanguageModel, redis: RedisServer) -> None:
    first, *probes, total, last = printed("ada")
    assert first == (
        "Testing Ada L. (openai/ada) in this process, with the keys that it has; about $0.0250, at most $0.10."
    )
    assert [line.split(":")[0] for line in probes[:5]] == [
        "ok      Answer and call a tool",
        "ok      Go on after the result of a call",
        "ok      Several calls in one response",
        "ok      Read a long input",
        "skipped See a picture",
    ]
    assert total.startswith("In all: ")
    assert last == "It works. It answers and calls tools."
    assert stored_checks([model])[model.pk].result is not None


def test_a_model_that_does_not_work_ends_it_with_cause_field_and_remedy(
    model: LanguageModel, redis: RedisServer
) -> None:
    LanguageModel.objects.update(api_base="http://127.0.0.1:9/v1")
    with pytest.raises(CommandError, match=r"Nothing answers at .* \[api_base\] Check that the server"):
        printed("Ada L.")
    with pytest.raises(CommandError, match="no model babbage"):
        printed("babbage")


def test_a_worker_makes_it_on_request(
    model: LanguageModel, redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def work(_seconds: float) -> None:
        (job,) = Queue(REVIEWS, connection=queue.connection()).get_jobs()
        run_check(*job.args)

    monkeypatch.setattr("benchbench.management.commands.test_model.time.sleep", work)
    first, *_, last = printed("ada", "--worker")
    assert "by a worker of reviews" in first
    assert last == "It works. It answers and calls tools."


def test_without_redis_no_worker_can_be_asked(model: LanguageModel, settings: Any) -> None:
    settings.REDIS_URL = "unix:///nowhere.sock"
    with pytest.raises(CommandError, match="Redis does not respond"):
        printed("ada", "--worker")
    assert printed("ada")[-1].startswith("It works.")
