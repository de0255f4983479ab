"""A model whose account fails is paused: its runs wait, go on after their last step, and nothing is paid twice."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from django.core import mail
from django.db.models import Sum
from django.test import Client

from harness.llm.scripted_server import ModelServer, Request
from runs.models import Agent, Evaluation, LanguageModel, Run, Try
from runs.operations.evaluations.paused_models import go_on, paused_models
from runs.work.execution.jobs import execute
from tests.conftest import RedisServer
from tests.harness.worlds import SOLUTION
from tests.markup import compact
from tests.runs.tiny import Tiny

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.redis, pytest.mark.engine]
USAGE = {"prompt": 1000, "completion": 100}
DOLLARS = (1000 * 2 + 100 * 10) / 1e6  # of one call
RUNS = 3


def call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"name": name, "arguments": {"explanation": "As the script says.", **arguments}}


class Account:
    """A model that solves the task in four calls, whose account has credit for so many calls."""

    def __init__(self, credit: int) -> None:
        self.credit = credit
        self.served = 0
        self.refused = 0
        self._lock = threading.Lock()
        writes = [call("write_file", path=path, content=content) for path, content in SOLUTION.items()]
        self._turns: list[dict[str, Any]] = [
            {"calls": [call("list_dir", path=".")]},
            {"calls": writes[:1]},
            {"calls": writes[1:]},
            {"text": "Finished."},
        ]

    def respond(self, request: Request) -> Mapping[str, Any]:
        with self._lock:
            if self.credit == 0:
                self.refused += 1
                fault = {"status": 402, "message": "Insufficient credits: add some."}
                return {"before": [fault] * 1000}
            self.credit -= 1
            self.served += 1
        return {**self._turns[request.turn], "usage": USAGE}


@pytest.fixture
def tiny(tmp_path: Path, redis: RedisServer) -> Tiny:
    """The tiny dataset, and a Redis that responds."""
    return Tiny(tmp_path)


def start(tiny: Tiny, url: str) -> Evaluation:
    model = LanguageModel.objects.create(
        slug="ada",
        name="Ada",
        provider="own",
        litellm_id="openai/ada",
        api_base=url,
        input_price=2.0,
        output_price=10.0,
    )
    agent = Agent.objects.create(
        slug="ide-ada", name="Ada in an IDE", kind="ide", model=model, settings={"retry_delay": 0.01}
    )
    return tiny.start(agents=[agent], attempts=RUNS)


def work_off(evaluation: Evaluation) -> None:
    """Executes what may be executed, as a worker would."""
    for run in evaluation.runs.filter(state=Run.State.QUEUED).order_by("pk"):
        execute(run.pk, run.tries + 1)


def test_runs_wait_for_an_empty_account_and_go_on_when_it_is_filled(
    tiny: Tiny, settings: Any, admin_client: Client
) -> None:
    settings.ADMINS = [("operator", "olga@example.org")]
    account = Account(credit=6)
    with ModelServer(account.respond) as server:
        evaluation = start(tiny, server.url)
        work_off(evaluation)

        # The first run is resolved, the second one stopped after two calls, the third one did not begin.
        states = [(run.state, run.outcome, run.failures) for run in evaluation.runs.order_by("pk")]
        assert states == [("finished", "resolved", 0), ("queued", "", 0), ("queued", "", 0)]
        (paused,) = paused_models(evaluation.runs.all())
        assert (paused.name, paused.n_waiting) == ("Ada", 2)
        assert "402 Payment Required: Insufficient credits: add some." in paused.reason
        assert account.refused == 1
        (message,) = mail.outbox
        assert (message.to, message.subject) == (["olga@example.org"], "[Django] Ada is paused")
        work_off(evaluation)  # nothing is tried
        assert account.refused == 1

        page = compact(admin_client.get(f"/evaluations/{evaluation.pk}/").content.decode())
        assert "<b>Paused:</b> 2 runs wait for the account of Ada." in page
        model = LanguageModel.objects.get()
        page = compact(admin_client.get(f"/operate/models/{model.pk}/").content.decode())
        assert "2 runs wait. Mend the account" in page
        listed = compact(admin_client.get("/operate/models/").content.decode())
        assert '<span class="chip near">paused</span>' in listed
        assert "Ada is paused: 2 runs wait." in compact(admin_client.get("/operate/").content.decode())

        account.credit = 100
        admin_client.post(f"/operate/models/{model.pk}/go-on/")
        work_off(evaluation)

    runs = list(evaluation.runs.order_by("pk"))
    assert [(run.state, run.outcome, run.iterations) for run in runs] == [("finished", "resolved", 4)] * RUNS
    assert account.served == 4 * RUNS
    assert [run.cost_usd for run in runs] == [pytest.approx(4 * DOLLARS, rel=1e-12)] * RUNS
    spent = Try.objects.aggregate(sum=Sum("spent_usd"))["sum"]
    assert spent == pytest.approx(account.served * DOLLARS, rel=1e-9)
    assert [run.tries for run in runs] == [1, 2, 1]
    evaluation.refresh_from_db()
    assert evaluation.state == Evaluation.State.FINISHED
    assert not list(Path(settings.RUNS_ROOT).rglob("conversation.jsonl"))
    assert go_on(model) == 0


def test_visitors_see_that_runs_wait_but_do_not_let_them_go_on(tiny: Tiny, client: Client) -> None:
    account = Account(credit=0)
    with ModelServer(account.respond) as server:
        evaluation = start(tiny, server.url)
        work_off(evaluation)
    page = compact(client.get(f"/evaluations/{evaluation.pk}/").content.decode())
    assert "<b>Paused:</b> 3 runs wait for the account of Ada." in page
    model = LanguageModel.objects.get()
    assert client.post(f"/operate/models/{model.pk}/go-on/").status_code in (302, 403)
    assert LanguageModel.objects.get().paused_at is not None
