"""Starting, cancelling and retrying."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from redis import Redis
from rq import Queue

from harness.errors import RunCancelled
from harness.limits import Limits
from harness.llm.spec import ModelSpec
from harness.sandbox.base import EngineStatus
from harness.session import Control, stop_if_cancelled
from runs.models import Agent, Cell, Evaluation, LanguageModel, Run, Try
from runs.operations.evaluations.harness_specs import user_spec
from runs.operations.evaluations.lifecycle import (
    EvaluationRefused,
    cancel_evaluation,
    retry_infrastructure_failures,
    set_listed,
)
from runs.work.execution.settling import settle
from tasks.models import Task
from tests.conftest import RedisServer
from tests.runs.tiny import Tiny, claimed, enqueue_forgotten, failure_of, summary_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.redis]


@pytest.fixture
def tiny(tmp_path: Path, redis: RedisServer) -> Tiny:
    """The tiny dataset, and a Redis that responds."""
    return Tiny(tmp_path)


class Cancelled(Control):
    """An operator wants the end."""

    def cancelled(self) -> bool:
        """Always."""
        return True


def waiting_jobs(redis: RedisServer) -> list[str]:
    """Ids of the jobs in the queue, in order."""
    with Redis.from_url(redis.url) as client:
        return list(Queue("runs", connection=client).get_job_ids())


def test_start_makes_one_run_and_one_job_for_each_agent_task_and_attempt(
    tiny: Tiny, redis: RedisServer
) -> None:
    evaluation = tiny.start(agents=[tiny.null, tiny.oracle], attempts=3, limits=Limits(iterations=7))
    assert evaluation.state == "running"
    assert evaluation.limits == {
        "iterations": 7,
        "tokens": None,
        "cost_usd": None,
        "wall_seconds": 3600.0,
        "grade_repeats": 1,
    }
    assert sorted(evaluation.runs.values_list("agent__slug", "attempt")) == [
        ("null", 1),
        ("null", 2),
        ("null", 3),
        ("oracle", 1),
        ("oracle", 2),
        ("oracle", 3),
    ]
    assert len(waiting_jobs(redis)) == 6
    assert waiting_jobs(redis)[0].endswith("-try-1")


def test_attempts_come_before_agents_so_that_a_cut_evaluation_has_some_of_everything(tiny: Tiny) -> None:
    evaluation = tiny.start(agents=[tiny.null, tiny.oracle], attempts=2)
    order = evaluation.runs.order_by("pk").values_list("agent__slug", "attempt")
    assert list(order) == [("null", 1), ("oracle", 1), ("null", 2), ("oracle", 2)]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"title": "  "}, "The evaluation has no title."),
        ({"agents": []}, "No agent was chosen."),
        ({"tasks": []}, "No task was chosen."),
        ({"attempts": 0}, "0 attempts are not possible."),
        ({"attempts": 21}, "21 attempts are not possible."),
        ({"budget_usd": 0.0}, "The budget must be more than 0."),
        ({"engine": EngineStatus(False, "", "No engine responds.", "Start Docker.")}, "No engine responds."),
    ],
)
def test_a_senseless_start_is_refused_and_stores_nothing(
    tiny: Tiny, redis: RedisServer, changes: dict[str, Any], reason: str
) -> None:
    with pytest.raises(EvaluationRefused) as refused:
        tiny.start(**changes)
    assert refused.value.reason == reason
    assert refused.value.remedy
    assert not Evaluation.objects.exists()
    assert waiting_jobs(redis) == []


def test_a_task_that_is_not_admitted_is_refused(tiny: Tiny) -> None:
    tiny.task.admitted = False
    with pytest.raises(EvaluationRefused, match="calc/add-negatives is not admitted"):
        tiny.start()


def test_an_agent_whose_settings_make_no_sense_is_refused(tiny: Tiny) -> None:
    agent = Agent.objects.create(slug="odd", name="Odd", kind="scripted", settings={"seed": "x"})
    with pytest.raises(EvaluationRefused, match="Odd is invalid: seed must be a whole number"):
        tiny.start(agents=[agent])


@pytest.mark.parametrize("changes", [{"budget_usd": 5.0}, {"limits": Limits(cost_usd=1.0)}])
def test_a_budget_needs_a_price(tiny: Tiny, changes: dict[str, Any]) -> None:
    model = LanguageModel.objects.create(slug="m", name="Sphinx", provider="x", litellm_id="openai/sphinx")
    agent = Agent.objects.create(slug="sphinx", name="Sphinx", kind="ide", model=model)
    with pytest.raises(EvaluationRefused, match="The price of Sphinx is unknown"):
        tiny.start(agents=[agent], **changes)
    model.input_price, model.output_price = 1.0, 2.0
    model.save()
    assert tiny.start(agents=[agent], **changes).runs.count() == 1


def test_with_redis_down_the_runs_wait_in_the_database_until_it_is_back(
    tiny: Tiny, redis: RedisServer
) -> None:
    redis.stop()
    evaluation = tiny.start(attempts=2)
    assert [run.state for run in evaluation.runs.all()] == ["queued", "queued"]
    redis.start()
    assert enqueue_forgotten() == 2
    assert len(waiting_jobs(redis)) == 2
    assert enqueue_forgotten() == 0
    assert len(waiting_jobs(redis)) == 2


def test_every_cancelled_run_has_the_same_reason(tiny: Tiny, redis: RedisServer) -> None:
    evaluation = tiny.start(attempts=2)
    running, _queued = evaluation.runs.order_by("attempt")
    claimed(running)
    cancel_evaluation(evaluation)

    with pytest.raises(RunCancelled) as raised:
        stop_if_cancelled(Cancelled())

    assert set(evaluation.runs.filter(state="cancelled").values_list("detail", flat=True)) == {
        str(raised.value)
    }


def test_cancelling_ends_waiting_runs_and_stops_running_ones(tiny: Tiny, redis: RedisServer) -> None:
    evaluation = tiny.start(attempts=3)
    done, running, queued = evaluation.runs.order_by("attempt")
    settle(claimed(done), 1, summary_of(done))
    claimed(running)
    assert cancel_evaluation(evaluation) == 2
    assert cancel_evaluation(evaluation) == 1
    assert evaluation.state == "cancelled"
    for run in (done, running, queued):
        run.refresh_from_db()
    assert (done.state, done.outcome) == ("finished", "resolved")
    assert (running.state, running.cancel_requested) == ("preparing", True)
    assert (queued.state, queued.ending, queued.outcome) == ("cancelled", "cancelled", "")
    assert len(waiting_jobs(redis)) == 2  # of the two that were claimed here, past the queue


def test_a_retry_queues_the_failures_of_the_infrastructure_alone(tiny: Tiny, redis: RedisServer) -> None:
    evaluation = tiny.start(attempts=2)
    good, bad = evaluation.runs.order_by("attempt")
    settle(claimed(good), 1, summary_of(good))
    for number in (1, 2, 3):
        bad.refresh_from_db()
        settle(claimed(bad), number, failure_of(bad))
    bad.refresh_from_db()
    assert (bad.state, bad.outcome) == ("finished", "infrastructure_failed")
    assert Cell.objects.get().infrastructure_failed == 1

    assert retry_infrastructure_failures(evaluation) == 1
    bad.refresh_from_db()
    assert (bad.state, bad.outcome, bad.tries, bad.failures, bad.failure) == ("queued", "", 3, 0, "")
    assert evaluation.state == "running"
    assert Cell.objects.get().infrastructure_failed == 0
    assert waiting_jobs(redis)[-1].endswith("-try-4")

    settle(claimed(bad), 4, summary_of(bad))
    assert [one.state for one in Try.objects.filter(run=bad)] == ["failed", "failed", "failed", "settled"]
    assert Run.objects.get(pk=bad.pk).outcome == "resolved"


def test_a_site_without_containers_starts_agents_of_the_projects_own_alone(tiny: Tiny) -> None:
    without = EngineStatus(True, "NO CONTAINER", isolated=False)
    model = LanguageModel.objects.create(slug="m", name="M", provider="P", litellm_id="openai/m")
    stranger = Agent.objects.create(slug="stranger", name="Stranger", kind="ide", model=model)
    with pytest.raises(EvaluationRefused, match="Stranger: these agents act in containers only"):
        tiny.start(agents=[tiny.oracle, stranger], engine=without)
    assert tiny.start(agents=[tiny.oracle, tiny.null], engine=without).runs.count() == 2


def test_an_evaluation_is_started_as_a_trial_unless_it_is_to_be_published(tiny: Tiny) -> None:
    trial = tiny.start(listed=False)
    other = tiny.start(listed=False, publish_when_finished=True)

    assert (trial.publication, other.publication) == ("trial", "will be published when finished")
    assert [trial.listed, other.listed] == [False, False]


def test_a_running_evaluation_is_published_when_it_finishes_and_not_before(tiny: Tiny) -> None:
    evaluation = tiny.start(listed=False)
    run = claimed(evaluation.runs.get())

    set_listed(evaluation, True)
    assert (evaluation.listed, evaluation.publication) == (False, "will be published when finished")
    set_listed(evaluation, False)
    assert evaluation.publication == "trial"
    set_listed(evaluation, True)
    settle(run, 1, summary_of(run))

    evaluation.refresh_from_db()
    assert evaluation.publication == "published"
    assert Cell.objects.get().attempts == 1


@pytest.mark.parametrize("published", [True, False])
def test_a_retry_does_not_change_whether_an_evaluation_is_published(tiny: Tiny, published: bool) -> None:
    evaluation = tiny.start(listed=published)
    run = evaluation.runs.get()
    run.failures = 2
    run.save()
    settle(claimed(run), 1, failure_of(run))

    retry_infrastructure_failures(evaluation)
    assert (evaluation.state, evaluation.listed) == ("running", published)
    settle(claimed(run), 2, summary_of(run))

    evaluation.refresh_from_db()
    assert (evaluation.state, evaluation.listed) == ("finished", published)
    assert Cell.objects.count() == published


class TestSimulatedUsers:
    @pytest.fixture
    def player(self) -> LanguageModel:
        return LanguageModel.objects.create(
            slug="player", name="Player", litellm_id="openai/player", input_price=1.0, output_price=2.0
        )

    @pytest.fixture
    def workflow(self, tiny: Tiny) -> Tiny:
        Task.objects.update(mode="workflow", scenario="add-negatives", persona="default")
        tiny.task.refresh_from_db()
        return tiny

    def test_the_model_is_stored_as_it_was_at_the_start(self, workflow: Tiny, player: LanguageModel) -> None:
        evaluation = workflow.start(user_model=player)
        player.name = "Renamed"
        player.save()
        assert evaluation.user_model == player
        spec = user_spec(evaluation)
        assert spec == ModelSpec("Player", "openai/player", input_price=1.0, output_price=2.0)

    def test_without_a_model_the_users_follow_their_scripts(self, workflow: Tiny) -> None:
        evaluation = workflow.start()
        assert (evaluation.user_model, evaluation.simulated_user) == (None, {})
        assert user_spec(evaluation) is None

    def test_a_model_without_any_user_to_play_is_refused(self, tiny: Tiny, player: LanguageModel) -> None:
        with pytest.raises(EvaluationRefused, match="no task has one") as refused:
            tiny.start(user_model=player)
        assert refused.value.field == "user_model"

    def test_a_budget_needs_its_price(self, workflow: Tiny, player: LanguageModel) -> None:
        player.output_price = None
        player.save()
        with pytest.raises(EvaluationRefused, match="price of Player is unknown"):
            workflow.start(user_model=player, budget_usd=1.0)
