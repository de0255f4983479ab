"""Opening sessions, and asking for a process that executes them."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from harness.agents.person import KIND, PersonSettings
from harness.errors import ConfigurationError
from harness.limits import Limits
from runs.data.cells.recompute import recompute_cells
from runs.data.queries.visibility import is_operator
from runs.judging.raters.rater_names import rater_name
from runs.models import Agent, Evaluation, PlaySession, Run
from runs.operations.evaluations.lifecycle import locked, run_key, unique_slug
from runs.play.session_file import write_session
from tasks.models import Task


class PlayRefused(Exception):
    """A session was not opened or not resumed. The message is a sentence for the person."""


def person_agent() -> Agent:
    """The agent that stands for all people; made at the first call. It is not offered for evaluations."""
    values = {
        "name": "Person",
        "kind": KIND,
        "enabled": False,
        "description": "People, with the tools and limits of the agents of a task's mode.",
    }
    return Agent.objects.get_or_create(slug=KIND, origin="", defaults=values)[0]


def open_session(
    user: User,
    task: Task,
    *,
    consent: bool,
    used_assistant: bool | None = None,
    limits: Limits | None = None,
) -> PlaySession:
    """A session of this user at a task, with an evaluation of its own, which is a trial until it is published.

    Operators may see the reference patch, so their sessions are not blind. No process is started. Raises PlayRefused,
    also if the user has an open session.
    """
    agent = person_agent()
    try:
        PersonSettings.read(agent.settings).of_mode(task.mode)
    except ConfigurationError as error:
        raise PlayRefused(f"This task cannot be played: {error}.") from error
    if not task.admitted:
        raise PlayRefused("This task is not admitted: no proof for its present files is stored.")
    title = f"A person: {task.title}"[:200]
    try:
        with transaction.atomic():
            evaluation = Evaluation.objects.create(
                slug=unique_slug(title),
                title=title,
                attempts=1,
                limits=(limits or Limits()).stored(),
                created_by=user,
                listed=False,
            )
            key = run_key(evaluation, agent, task, 1)
            run = Run.objects.create(key=key, evaluation=evaluation, agent=agent, task=task, attempt=1)
            return PlaySession.objects.create(
                user=user,
                run=run,
                pseudonym=rater_name(user),
                consent=consent,
                used_assistant=used_assistant,
                not_blind=is_operator(user),
            )
    except IntegrityError as error:
        raise PlayRefused("You have an open session: finish it first.") from error


def store_help(session: PlaySession, *, used_assistant: bool) -> None:
    """Stores whether the person had the help of a model or another person, also after the run counts or did.

    Raises DiskFull and OSError; then nothing is stored.
    """
    run = session.run
    with transaction.atomic():
        locked(run.evaluation)
        PlaySession.objects.filter(pk=session.pk).update(used_assistant=used_assistant)
        recompute_cells([(run.agent_id, run.task_id)])
        write_session(session)
    session.used_assistant = used_assistant


def ask_for_process(session: PlaySession) -> bool:
    """Asks `manage.py play --forever` for a process. Returns False if the session has ended or waits for one already.

    A process that still runs is no obstacle: the next one begins when it is gone.
    """
    waiting = PlaySession.objects.filter(pk=session.pk, ended_at=None, asked_at=None)
    return bool(waiting.update(asked_at=timezone.now(), problem=""))


def want_no_process(session: PlaySession) -> None:
    """Takes the wish for a process back, if none has begun."""
    PlaySession.objects.filter(pk=session.pk).update(asked_at=None)


def note_problem(run_id: int, problem: str) -> None:
    """Stores why no process executes the session of a run."""
    PlaySession.objects.filter(run=run_id).update(problem=problem)
