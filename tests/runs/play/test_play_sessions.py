"""Opening sessions."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth.models import User

from harness.limits import Limits
from runs.jobs import queue
from runs.jobs.job_kinds import EXECUTE
from runs.models import Agent, Evaluation, PlaySession
from runs.operations.evaluations.lifecycle import EvaluationRefused, cancel_evaluation, start_evaluation
from runs.play.play_sessions import PlayRefused, open_session, person_agent
from tasks.models import Task
from tests.runs.roles import OPERATORS, member
from tests.runs.tiny import ENGINE_ANSWERS, Tiny

pytestmark = pytest.mark.django_db


@pytest.fixture
def tiny(tmp_path: Path) -> Tiny:
    return Tiny(tmp_path)


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("ada")


def test_a_session_is_a_queued_run_of_the_person_in_an_evaluation_of_its_own(tiny: Tiny, ada: User) -> None:
    session = open_session(ada, tiny.task, consent=True, limits=Limits(iterations=7))
    run = session.run
    assert (run.state, run.agent.kind, run.attempt, run.tries) == ("queued", "person", 1, 0)
    assert (run.evaluation.listed, run.evaluation.limits["iterations"]) == (False, 7)
    assert (session.consent, session.used_assistant, session.ended_at) == (True, None, None)
    assert session.pseudonym.startswith("p-")
    assert "ada" not in run.key


def test_a_user_has_one_open_session_until_it_ends_or_is_cancelled(tiny: Tiny, ada: User) -> None:
    first = open_session(ada, tiny.task, consent=False)
    with pytest.raises(PlayRefused, match="You have an open session: finish it first"):
        open_session(ada, tiny.task, consent=False)
    assert (Evaluation.objects.count(), PlaySession.objects.count()) == (1, 1)
    cancel_evaluation(first.run.evaluation)
    first.refresh_from_db()
    assert first.ended_at is not None
    open_session(ada, tiny.task, consent=False)
    assert Agent.objects.filter(kind="person").count() == 1


def test_sessions_of_operators_are_not_blind(tiny: Tiny, ada: User) -> None:
    assert not open_session(ada, tiny.task, consent=False).not_blind
    assert open_session(member("olga", OPERATORS), tiny.task, consent=False).not_blind


def test_tasks_that_cannot_be_played_are_refused(tiny: Tiny, ada: User) -> None:
    Task.objects.update(mode="workflow")
    with pytest.raises(PlayRefused, match="This task cannot be played: people play tasks of the modes code"):
        open_session(ada, Task.objects.get(), consent=False)
    Task.objects.update(mode="code", admitted=False)
    with pytest.raises(PlayRefused, match="not admitted"):
        open_session(ada, Task.objects.get(), consent=False)


def test_no_evaluation_and_no_worker_gets_the_run_of_a_person(tiny: Tiny, ada: User, redis: object) -> None:
    session = open_session(ada, tiny.task, consent=False)
    assert queue.enqueue(EXECUTE, [session.run]) == 0
    agent = person_agent()
    agent.enabled = True
    with pytest.raises(EvaluationRefused, match="'Person' is a person: no evaluation can start it"):
        start_evaluation(title="x", agents=[agent], tasks=[tiny.task], attempts=1, engine=ENGINE_ANSWERS)
