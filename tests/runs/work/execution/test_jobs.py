"""From a job in Redis to numbers in the database, with real workers and real containers."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from redis import Redis
from rq import Queue, SimpleWorker

from harness.limits import Limits
from harness.records import RunRecord
from runs.data.run_facts.behaviour_summary import summary_at_task, summary_of_agent
from runs.jobs.heartbeats import Heartbeat
from runs.models import Cell, LanguageModel, Run, Try
from runs.operations.evaluations.lifecycle import cancel_evaluation
from runs.work.execution.jobs import RunControl, claim, execute
from runs.work.execution.rq_workers import RunJob
from runs.work.execution.settling import live_try
from runs.work.execution.sweeper import Sweeper
from tasks.loading import load
from tasks.models import Task
from tests.conftest import RedisServer
from tests.harness.arena import Arena
from tests.harness.talks import user_server
from tests.runs.tiny import Tiny, claimed, manage

pytestmark = [pytest.mark.long, pytest.mark.django_db(transaction=True), pytest.mark.redis]


@pytest.fixture
def tiny(tmp_path: Path, redis: RedisServer) -> Tiny:
    """The tiny dataset, and a Redis that responds."""
    return Tiny(tmp_path)


def work_off(redis: RedisServer) -> None:
    """Does every waiting job, in this process."""
    with Redis.from_url(redis.url) as client:
        SimpleWorker([Queue("runs", connection=client)], connection=client, job_class=RunJob).work(
            burst=True, logging_level="WARNING"
        )


def containers(instance: str) -> list[str]:
    """Names of the containers of this test."""
    command = ["docker", "ps", "-aq", "--filter", f"label=benchbench.instance={instance}"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def processes(instance: str) -> list[str]:
    """What runs in the containers of this test."""
    found: list[str] = []
    for container in containers(instance):
        # Between the two commands it may have ended.
        listing = subprocess.run(["docker", "top", container], capture_output=True, text=True, check=False)
        found += listing.stdout.splitlines()[1:]
    return found


def wait_until(true: Callable[[], bool], seconds: float = 60) -> None:
    """Returns when it is so."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it did not come to pass"
        time.sleep(0.1)


@pytest.mark.engine
def test_a_pool_of_workers_does_an_evaluation_to_its_end(tiny: Tiny, settings: Any) -> None:
    evaluation = tiny.start(agents=[tiny.null, tiny.oracle], attempts=2)
    worker = manage("work", "--burst", "--workers", "2")
    log, _ = worker.communicate(timeout=240)
    assert worker.returncode == 0, log

    evaluation.refresh_from_db()
    assert evaluation.state == "finished", log
    outcomes = evaluation.runs.order_by("agent__slug", "attempt").values_list("agent__slug", "outcome")
    assert list(outcomes) == [
        ("null", "unresolved"),
        ("null", "unresolved"),
        ("oracle", "resolved"),
        ("oracle", "resolved"),
    ]
    floor = Cell.objects.get(agent=tiny.null)
    # three of eight tests pass untouched, twice
    assert (floor.attempts, floor.resolved, floor.test_rate_sum) == (2, 0, 0.75)
    ceiling = Cell.objects.get(agent=tiny.oracle)
    assert (ceiling.attempts, ceiling.resolved, ceiling.test_rate_sum, ceiling.cost_usd) == (2, 2, 2.0, 0.0)
    assert containers(settings.INSTANCE) == []
    run = evaluation.runs.filter(agent=tiny.oracle).first()
    assert run is not None
    summary = RunRecord(run.path).summary()
    assert summary is not None
    assert summary.identity.run_id == run.key
    assert (run.lines_added, run.steps) == (summary.lines_added, summary.steps)
    agents, task = (tiny.null, tiny.oracle), run.task
    with CaptureQueriesContext(connection) as queries:
        summaries = [*map(summary_of_agent, agents), summary_at_task(task)]
    assert [summary.runs for summary in summaries] == [2, 2, 0]
    assert len(queries) == 3  # only versions: the workers have computed the summaries


@pytest.mark.engine
def test_several_test_runs_for_each_grade_find_flaky_tests_and_the_run_says_which(
    tmp_path: Path, redis: RedisServer, client: Client
) -> None:
    """Eight coins, four times: once in 17 million times none of them differs."""
    tiny = Tiny(tmp_path, flaky=True)
    run = tiny.start(limits=Limits(grade_repeats=4)).runs.get()
    work_off(redis)
    run.refresh_from_db()
    assert (run.state, run.outcome, run.ending) == ("finished", "unresolved", "completed"), run.detail
    named = {flag["path"] for flag in run.flags if flag["kind"] == "flaky"}
    assert named
    assert run.tests_passed is not None
    assert run.tests_passed <= 8 - len(named)
    assert re.match(r"[0-3] of 4 repeats resolved the task, flaky: ", run.grading_reason)
    stored = json.loads((run.path / "tests.json").read_text())
    assert (stored["repeats"], set(stored["flaky"])) == (4, named)

    page = client.get(run.get_absolute_url()).content.decode()
    notes = re.findall(r'<b>flaky</b> <span class="mono">([^<]*)</span> its verdict differs', page)
    assert set(notes) == named
    assert f"{run.tests_passed} of 8" in page
    assert "of 4 repeats resolved the task" in page


def sweep_until_queued(run: Run) -> None:
    """Sweeps until the run whose worker is gone waits for another."""
    sweeper = Sweeper()

    def queued() -> bool:
        sweeper.sweep()
        run.refresh_from_db()
        return run.state == "queued"

    wait_until(queued, 15)


@pytest.mark.engine
def test_a_worker_that_is_killed_in_the_middle_of_a_run_loses_nothing(tiny: Tiny, settings: Any) -> None:
    settings.LOST_AFTER_SECONDS = 2.0
    run = tiny.start(agents=[tiny.slow_agent(3)]).runs.get()
    worker = manage("work", "--workers", "1")
    try:

        def state() -> str:
            run.refresh_from_db()
            return run.state

        wait_until(lambda: state() == "running", 90)
        dead = Try.objects.get()
        os.killpg(worker.pid, signal.SIGKILL)
        worker.communicate(timeout=10)
    finally:
        if worker.poll() is None:
            os.killpg(worker.pid, signal.SIGKILL)
    # What the worker forked for the run ends with it.
    wait_until(lambda: not Path(f"/proc/{dead.worker.rpartition(':')[2]}").exists(), 5)
    assert len(containers(settings.INSTANCE)) == 1

    sweep_until_queued(run)
    assert containers(settings.INSTANCE) == []

    Run.objects.update(not_before=None)
    execute(run.pk, 2)
    assert state() == "finished"
    assert (run.outcome, run.tries) == ("unresolved", 2)
    assert list(Try.objects.values_list("number", "state")) == [(1, "lost"), (2, "settled")]
    first, second = (settings.RUNS_ROOT / one.directory for one in Try.objects.all())
    assert (first / "trajectory.jsonl").exists()
    assert not (first / "run_summary.json").exists()
    assert (second / "run_summary.json").exists()
    assert Cell.objects.get().attempts == 1
    assert containers(settings.INSTANCE) == []


@pytest.mark.engine
def test_a_worker_that_is_terminated_finishes_its_step_and_requeues_the_run(
    tiny: Tiny, redis: RedisServer, settings: Any
) -> None:
    run = tiny.start(agents=[tiny.slow_agent(2, times=30)]).runs.get()
    worker = manage("work", "--workers", "1")
    try:
        wait_until(lambda: "I wait." in written(run), 90)
        steps = written(run).count('"step_id"')
        worker.send_signal(signal.SIGTERM)
        began = time.monotonic()
        log, _ = worker.communicate(timeout=30)
    finally:
        if worker.poll() is None:
            os.killpg(worker.pid, signal.SIGKILL)
    assert time.monotonic() - began < 15
    run.refresh_from_db()
    assert (run.state, run.tries, run.failures, run.not_before) == ("queued", 1, 0, None), log
    requeued = Try.objects.get()
    assert (requeued.state, requeued.failure) == ("handed_back", "")
    assert written(run).count('"step_id"') <= steps + 2
    assert '"ok": false' not in written(run)
    assert containers(settings.INSTANCE) == []
    with Redis.from_url(redis.url) as client:
        assert [name[-6:] for name in Queue("runs", connection=client).get_job_ids()] == ["-try-2"]


def written(run: Run) -> str:
    """The steps of the run's present try, as they are on disk."""
    run.refresh_from_db()
    file = run.path / "trajectory.jsonl"
    return "".join(file.read_text().splitlines(keepends=True)[1:]) if run.directory and file.exists() else ""


@pytest.mark.engine
def test_a_second_signal_ends_a_worker_at_once(tiny: Tiny, settings: Any) -> None:
    settings.LOST_AFTER_SECONDS = 2.0
    run = tiny.start(agents=[tiny.slow_agent(60)]).runs.get()
    worker = manage("work", "--workers", "1")
    try:
        # Between two steps the run would be requeued.
        wait_until(lambda: any("sleep 60" in process for process in processes(settings.INSTANCE)), 90)
        worker.send_signal(signal.SIGTERM)
        time.sleep(1.5)  # twice within a second is once: a supervisor and a terminal may both send it
        assert worker.poll() is None
        worker.send_signal(signal.SIGTERM)
        worker.communicate(timeout=10)
    finally:
        if worker.poll() is None:
            os.killpg(worker.pid, signal.SIGKILL)
    assert Try.objects.get().state == "live"
    sweep_until_queued(run)
    assert containers(settings.INSTANCE) == []


@pytest.mark.engine
def test_a_job_that_is_delivered_twice_at_the_same_moment_runs_once(tiny: Tiny, redis: RedisServer) -> None:
    evaluation = tiny.start(agents=[tiny.null], attempts=4)
    with Redis.from_url(redis.url) as client:
        queue = Queue("runs", connection=client)
        for run in evaluation.runs.all():
            for _ in range(2):
                queue.enqueue("execute", run.pk, 1)
    worker = manage("work", "--burst", "--workers", "3")
    log, _ = worker.communicate(timeout=240)
    assert list(evaluation.runs.values_list("state", "tries")) == [("finished", 1)] * 4, log
    assert list(Try.objects.values_list("number", "state")) == [(1, "settled")] * 4
    assert Cell.objects.get().attempts == 4


@pytest.mark.engine
def test_a_run_goes_on_while_redis_is_away(tiny: Tiny, redis: RedisServer) -> None:
    run = tiny.start(agents=[tiny.slow_agent(4)]).runs.get()
    worker = manage("work", "--workers", "1")
    try:
        wait_until(lambda: Run.objects.filter(pk=run.pk, state="running").exists(), 90)
        redis.stop(signal.SIGKILL)
        wait_until(lambda: Run.objects.filter(pk=run.pk, state="finished").exists(), 120)
        redis.start()
    finally:
        os.killpg(worker.pid, signal.SIGKILL)
        worker.communicate(timeout=10)
    assert list(Try.objects.values_list("number", "state")) == [(1, "settled")]


@pytest.mark.engine
def test_a_running_agent_stops_when_the_evaluation_is_cancelled(tiny: Tiny, settings: Any) -> None:
    evaluation = tiny.start(agents=[tiny.slow_agent(1, times=30)])
    run = evaluation.runs.get()

    def cancel_soon() -> None:
        try:
            wait_until(lambda: Run.objects.filter(pk=run.pk, state="running").exists())
            cancel_evaluation(evaluation)
        finally:
            connection.close()

    operator = threading.Thread(target=cancel_soon)
    operator.start()
    execute(run.pk, 1)
    operator.join()
    run.refresh_from_db()
    assert (run.state, run.ending, run.outcome) == ("cancelled", "cancelled", "")
    assert run.act_seconds is not None
    assert run.act_seconds < 15
    assert containers(settings.INSTANCE) == []


@pytest.mark.engine
def test_a_task_that_changed_on_disk_is_not_run(tiny: Tiny) -> None:
    description = Path(tiny.task.repository.dataset.directory) / "calc/tasks/add-negatives/description.md"
    description.write_text("Something else.")
    run = tiny.start().runs.get()
    for number in (1, 2, 3):
        Run.objects.update(not_before=None)
        execute(run.pk, number)
    run.refresh_from_db()
    assert run.outcome == "infrastructure_failed"
    assert "changed since it was loaded" in run.detail


def test_without_an_engine_nothing_is_claimed(
    tiny: Tiny, redis: RedisServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/nothing.sock")
    run = tiny.start().runs.get()
    work_off(redis)
    run.refresh_from_db()
    assert (run.state, run.tries) == ("queued", 0)


def test_of_two_claims_of_one_try_one_wins(tiny: Tiny) -> None:
    run = tiny.start().runs.get()
    assert claim(run, 1) is True
    assert claim(Run.objects.get(), 1) is False
    assert claim(Run.objects.get(), 2) is False
    assert Try.objects.count() == 1
    assert run.directory == f"{run.key}/try-1"


def test_a_heartbeat_is_seen_and_a_superseded_worker_notices(tiny: Tiny, settings: Any) -> None:
    settings.HEARTBEAT_SECONDS = 0.05
    run = claimed(tiny.start().runs.get())
    before = Try.objects.get().heartbeat_at
    with Heartbeat(live_try(run, 1), run.key) as heartbeat:
        control = RunControl(run, 1, heartbeat)
        control.state("running")
        wait_until(lambda: Try.objects.get().heartbeat_at > before, 5)
        assert control.cancelled() is False
        Try.objects.update(state=Try.State.LOST)
        assert heartbeat.stopped.wait(5)
        assert control.cancelled() is True
    run.refresh_from_db()
    assert run.state == "running"


@pytest.mark.engine
def test_the_model_of_the_evaluation_plays_the_user_of_a_workflow(tiny: Tiny, tmp_path: Path) -> None:
    arena = Arena.of_workflow(tmp_path / "talk")
    load(arena.task.directory.parents[2])
    usage = {"prompt": 1000, "completion": 100}
    ends = {"calls": [{"name": "end_dialogue", "arguments": {"reason": "It is done."}}], "usage": usage}
    with user_server({"text": "And the largest number?", "usage": usage}, ends) as server:
        player = LanguageModel.objects.create(
            slug="player",
            name="Player",
            litellm_id="openai/player",
            api_base=server.url,
            input_price=1.0,
            output_price=10.0,
        )
        task = Task.objects.get(slug="talk-negatives.default")
        evaluation = tiny.start(agents=[tiny.oracle], tasks=[task], user_model=player, budget_usd=1.0)
        # The run uses the model as it was at the start.
        LanguageModel.objects.update(name="Renamed", api_base="http://127.0.0.1:9", input_price=99.0)
        execute(evaluation.runs.get().pk, 1)
    run = evaluation.runs.get()
    # The user ended the dialogue before the oracle's last turn, in which it says that it is finished.
    assert (run.state, run.outcome, run.tests_passed, run.tests_total) == ("finished", "unresolved", 1, 2)
    assert (run.user_turns, run.user_ending) == (2, "user_finished")
    assert (run.user_prompt_tokens, run.user_completion_tokens) == (2100, 210)
    assert run.user_cost_usd == pytest.approx(0.0042)
    assert (run.cost_usd, run.tokens) == (0.0, 0)
    assert Try.objects.get().spent_usd == pytest.approx(0.0042)
    assert [turn.reason for turn in RunRecord(run.path).user_turns()] == ["", "It is done."]
    labels = json.loads(run.counts.behaviour)["labels"]
    assert len(labels) == run.iterations
