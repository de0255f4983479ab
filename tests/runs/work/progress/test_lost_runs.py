"""Why all runs of an evaluation were lost, and what helps."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, User

from runs.models import Evaluation
from runs.work.progress.lost_runs import LostCause, lost_cause, lost_causes
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db

LOST: dict[str, Any] = {"outcome": "infrastructure_failed", "ending": "infrastructure"}
REFUSED = "Analytical: 401 Unauthorized: Incorrect API key provided"
TEMPERATURE = (
    "Analytical: 400 Bad Request: Unsupported value: 'temperature' does not support 0.1 with this model."
)


@pytest.fixture
def failed(cast: Cast) -> Evaluation:
    """An evaluation that failed, without runs yet."""
    return Evaluation.objects.create(slug="lost", title="Lost", state="failed", attempts=3)


def lose(cast: Cast, evaluation: Evaluation, *reasons: str, failure: str = "model") -> int:
    """Adds a lost run for each of these reasons; returns the number of their model."""
    agent, (task, *_) = cast.alice(), cast.add_tasks(1)
    for attempt, reason in enumerate(reasons, 1):
        cast.add_run(agent, task, attempt, evaluation=evaluation, detail=reason, failure=failure, **LOST)
    assert agent.model is not None
    return agent.model.pk


def test_the_most_frequent_reason_is_the_cause_and_operators_get_its_remedy(
    cast: Cast, failed: Evaluation, admin_user: User
) -> None:
    model = lose(cast, failed, REFUSED, "no space left", REFUSED)
    assert lost_cause(failed, AnonymousUser()) == LostCause(3, 2, REFUSED)
    cause = lost_cause(failed, admin_user)
    assert cause is not None
    assert (cause.runs, cause.same, cause.model) == (3, 2, model)
    assert cause.remedy.startswith("Check the value of the provider's key in the workers' environment")


@pytest.mark.parametrize(
    ("lost", "remedy"),
    [
        (
            (f"Analytical: gave up after 6 tries: {TEMPERATURE.removeprefix('Analytical: ')}", "model"),
            'Set "temperature" in the settings of Alice to null, which is the provider\'s default.',
        ),
        (("Analytical: something odd", "model"), ""),
        (("the engine went away", "engine"), ""),
    ],
)
def test_a_remedy_is_named_only_where_the_reason_has_one(
    cast: Cast, failed: Evaluation, admin_user: User, lost: tuple[str, str], remedy: str
) -> None:
    reason, failure = lost
    lose(cast, failed, reason, failure=failure)
    cause = lost_cause(failed, admin_user)
    assert cause is not None
    assert (cause.reason, cause.remedy) == (reason, remedy)


def test_what_tests_may_have_printed_is_for_operators_only(
    cast: Cast, failed: Evaluation, admin_user: User
) -> None:
    lose(cast, failed, "unexpected ValueError: the secret", failure="worker")
    everybody, operator = lost_cause(failed, AnonymousUser()), lost_cause(failed, admin_user)
    assert everybody is not None
    assert everybody.reason == "unexpected ValueError"
    assert operator is not None
    assert operator.reason == "unexpected ValueError: the secret"


def test_one_that_did_not_fail_or_has_hidden_runs_only_has_no_cause(cast: Cast, failed: Evaluation) -> None:
    cast.add_run(cast.alice(), cast.add_hidden_task(), evaluation=failed, detail="gone", **LOST)
    assert lost_causes([failed, cast.evaluation], AnonymousUser()) == {}
