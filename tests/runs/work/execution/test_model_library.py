"""Workers load LiteLLM when a run may call a model, and then once for all their runs."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from django.db import DatabaseError, connection
from rq import Queue, Worker

from runs.jobs import queue
from runs.jobs.job_kinds import EXECUTE, REVIEWS, RUNS
from runs.models import Agent, GenerationJob
from runs.work.execution import model_library, rq_workers
from runs.work.execution.model_library import load_if_called, models_are_called
from runs.work.execution.rq_workers import RunJob, RunWorker
from tests.runs.cast import Cast


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Each loading of LiteLLM, which this process seems not to have yet."""
    calls: list[str] = []
    monkeypatch.delitem(sys.modules, "litellm", raising=False)
    monkeypatch.setattr(model_library, "load", lambda: calls.append("LiteLLM"))
    monkeypatch.setattr(connection, "close", lambda: None)
    return calls


@pytest.mark.django_db
def test_an_agent_that_can_be_started_calls_its_model(loaded: list[str]) -> None:
    cast = Cast()
    cast.oracle()
    load_if_called()
    assert loaded == []
    cast.alice()
    load_if_called()
    assert loaded == ["LiteLLM"]
    Agent.objects.update(enabled=False)  # as imported agents are
    assert not models_are_called()


@pytest.mark.django_db
def test_a_simulated_user_calls_its_model() -> None:
    evaluation = Cast().evaluation
    assert not models_are_called()
    evaluation.simulated_user = {"name": "User"}
    evaluation.save()
    assert models_are_called()


@pytest.mark.django_db
def test_a_generation_of_tasks_may_call_a_model() -> None:
    cast = Cast()
    alice = cast.alice()
    Agent.objects.update(enabled=False)
    values: dict[str, Any] = {"least_removal": 1, "least_corruption": 1, "suite_seconds": 1.0}
    job = GenerationJob.objects.create(dataset=cast.dataset, repository="tide", output="more", **values)
    assert not models_are_called()
    job.model = alice.model
    job.save()
    assert models_are_called()


def test_without_a_database_the_worker_starts_without_it(
    loaded: list[str], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> bool:
        raise DatabaseError("no database")

    monkeypatch.setattr(model_library, "models_are_called", fail)
    load_if_called()
    assert loaded == []
    assert "whether models are called could not be read: no database" in caplog.text


def test_what_is_loaded_is_not_loaded_again(loaded: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "litellm", sys)
    load_if_called()  # without a look at the database, which this test has not
    assert loaded == []


@pytest.mark.parametrize(("name", "order"), [(RUNS, "load fork"), (REVIEWS, "fork")])
def test_a_worker_of_runs_loads_it_before_it_forks(
    name: str, order: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    monkeypatch.setattr(rq_workers, "load_if_called", lambda: done.append("load"))
    monkeypatch.setattr(Worker, "fork_work_horse", lambda *_: done.append("fork"))
    redis = queue.connection()  # nothing is sent
    job = RunJob.create(EXECUTE.job, connection=redis)
    RunWorker.fork_work_horse(RunWorker.__new__(RunWorker), job, Queue(name, connection=redis))
    assert " ".join(done) == order
