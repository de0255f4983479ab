"""The workers of reviews, as a process."""

from __future__ import annotations

import threading
import time

import pytest
from django.db import connection

from harness.judges.stand_ins import STAND_INS
from harness.llm.scripted_server import ModelServer
from runs.jobs import queue
from runs.jobs.job_kinds import REVIEW
from runs.judging.reviews.judging_passes import start_pass
from runs.judging.reviews.panel_specs import NewJudge, create_panel
from runs.management.commands import judge
from runs.models import JudgeReview, JudgingPass
from tests.conftest import RedisServer
from tests.runs.cast import Cast, record
from tests.runs.tiny import manage

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.redis]


def test_a_process_makes_the_reviews_of_a_pass(redis: RedisServer) -> None:
    if connection.vendor != "sqlite":
        return  # `manage` gives its process a database file
    cast = Cast()
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    record(run)
    with ModelServer(STAND_INS) as server:
        model = cast.add_model("Bench", api_base=server.url, input_price=1.0, output_price=1.0)
        model.litellm_id = "openai/quoting"
        model.save()
        panel = create_panel(
            slug="p", title="P", dimensions=["pitfalls", "tool_calls"], judges=[NewJudge("Portia", model)]
        )
        started = start_pass(title="Night watch", panel=panel, runs=[run], budget_usd=1.0)

        process = manage("judge", "--burst", "--workers", "1")
        output, _ = process.communicate(timeout=120)

    assert process.returncode == 0, output
    started.refresh_from_db()
    assert started.state == JudgingPass.State.FINISHED
    assert set(started.reviews.values_list("state", "score")) == {(JudgeReview.State.DONE, 0.5)}


def test_it_waits_for_the_first_review_before_it_loads_anything(
    redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judge, "WAIT_SECONDS", 0.05)
    waiting = threading.Thread(target=judge.wait_for_job, daemon=True)
    waiting.start()
    time.sleep(0.3)
    assert waiting.is_alive()

    queue.enqueue(REVIEW, [(1, 1, 1, 0)])

    waiting.join(5)
    assert not waiting.is_alive()
