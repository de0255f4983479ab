"""Starting, cancelling and retrying evaluations."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import asdict

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify

from harness.agents.registry import TRUSTED_KINDS, create_agent
from harness.errors import HarnessError
from harness.limits import Limits
from harness.sandbox.base import EngineStatus
from runs import queue
from runs.cells import recompute_cells
from runs.conditions import MOST_ATTEMPTS
from runs.engine import engine_status
from runs.models import Agent, Evaluation, LanguageModel, Run
from runs.specs import agent_spec
from tasks.models import Task

LONGEST_TITLE = 200
BATCH = 1000


class EvaluationRefused(Exception):
    """An evaluation was not started; nothing was stored. `reason` and `remedy` are sentences for the operator."""

    def __init__(self, reason: str, remedy: str) -> None:
        self.reason = reason
        self.remedy = remedy
        super().__init__(f"{reason} {remedy}")


def start_evaluation(
    *,
    title: str,
    agents: Sequence[Agent],
    tasks: Sequence[Task],
    attempts: int,
    budget_usd: float | None = None,
    limits: Limits | None = None,
    user: AbstractBaseUser | AnonymousUser | None = None,
    engine: EngineStatus | None = None,
) -> Evaluation:
    """Stores agents × tasks × attempts runs and hands them to the workers. Raises EvaluationRefused.

    `budget_usd` is for all runs together, `limits` (the harness's defaults unless given) for each. `engine` is what the
    container engine answered, for a caller who asked already. When Redis is down the runs stay queued in the database,
    and the sweeper hands them out later.
    """
    limits = limits or Limits()
    _check_choice(title, agents, tasks, attempts)
    _check_money(agents, budget_usd, limits)
    _check_engine(engine or engine_status(), agents)
    with transaction.atomic():
        evaluation = Evaluation.objects.create(
            slug=unique_slug(title),
            title=title.strip(),
            attempts=attempts,
            budget_usd=budget_usd,
            limits=asdict(limits),
            created_by_id=user.pk if user else None,
        )
        runs = Run.objects.bulk_create(_runs(evaluation, agents, tasks), batch_size=BATCH)
        queue.enqueue_on_commit(runs)
    return evaluation


def cancel_evaluation(evaluation: Evaluation) -> int:
    """Cancels what is queued at once, and asks running agents to stop. Returns how many runs were still open.

    Finished runs stay as they are. Calling it twice changes nothing.
    """
    with transaction.atomic():
        locked(evaluation)
        open_runs = evaluation.runs.select_for_update().filter(state__in=Run.OPEN)
        queued = list(open_runs.filter(state=Run.State.QUEUED))
        count = open_runs.update(cancel_requested=True)
        cancel_queued(evaluation, "Cancelled by the operator.")
        Evaluation.objects.filter(pk=evaluation.pk, state=Evaluation.State.RUNNING).update(
            state=Evaluation.State.CANCELLED, finished_at=timezone.now()
        )
    evaluation.refresh_from_db()
    queue.forget(queued)
    return count


def cancel_queued(evaluation: Evaluation, reason: str) -> int:
    """Cancels every run that waits, for `reason`. Returns how many."""
    return evaluation.runs.filter(state=Run.State.QUEUED).update(
        state=Run.State.CANCELLED,
        ending="cancelled",
        detail=reason,
        not_before=None,
        finished_at=timezone.now(),
    )


def retry_infrastructure_failures(evaluation: Evaluation) -> int:
    """Queues every run that the infrastructure failed for another round of tries. Returns how many.

    Their old tries are kept. Cells no longer count them until they settle again.
    """
    with transaction.atomic():
        locked(evaluation)
        failed = evaluation.runs.select_for_update().filter(
            state=Run.State.FINISHED, outcome=Run.Outcome.INFRASTRUCTURE_FAILED
        )
        runs = list(failed)
        Run.objects.filter(pk__in=[run.pk for run in runs]).update(
            state=Run.State.QUEUED,
            outcome="",
            ending="",
            detail="",
            failures=0,
            failure="",
            not_before=None,
            cancel_requested=False,
            finished_at=None,
        )
        recompute_cells((run.agent_id, run.task_id) for run in runs)
        if runs:
            Evaluation.objects.filter(pk=evaluation.pk).update(
                state=Evaluation.State.RUNNING, finished_at=None
            )
            queue.enqueue_on_commit(runs)
    evaluation.refresh_from_db()
    return len(runs)


def set_listed(evaluation: Evaluation, listed: bool) -> None:
    """Puts the evaluation's runs on the leaderboard, or takes them off it."""
    with transaction.atomic():
        locked(evaluation)
        Evaluation.objects.filter(pk=evaluation.pk).update(listed=listed)
        recompute_cells(finished_pairs(evaluation))


def finished_pairs(evaluation: Evaluation) -> list[tuple[int, int]]:
    """The (agent, task) of every cell in which the evaluation's runs may count."""
    finished = evaluation.runs.filter(state=Run.State.FINISHED).order_by()
    return list(finished.values_list("agent_id", "task_id").distinct())


def locked(evaluation: Evaluation) -> None:
    """Nobody else changes the evaluation, nor settles a run of it, until this transaction ends.

    Everybody takes this lock before those of runs and cells.
    """
    Evaluation.objects.select_for_update().filter(pk=evaluation.pk).first()


def unique_slug(title: str) -> str:
    """An address that no other evaluation has, here or on another site: run keys are made of it."""
    return f"{slugify(title)[:36].strip('-') or 'evaluation'}-{secrets.token_hex(4)}"


def run_key(evaluation: Evaluation, agent: Agent, task: Task, attempt: int) -> str:
    """Identity.run_id: readable, and unique wherever runs meet."""
    return f"{evaluation.slug}/{agent.slug}/{task.repository.slug}/{task.slug}/{attempt}"


def _runs(evaluation: Evaluation, agents: Iterable[Agent], tasks: Sequence[Task]) -> Iterable[Run]:
    """Attempt by attempt, so that an evaluation that is cut short has some of everything."""
    agents = list(agents)
    return [
        Run(
            key=run_key(evaluation, agent, task, attempt),
            evaluation=evaluation,
            agent=agent,
            task=task,
            attempt=attempt,
        )
        for attempt in range(1, evaluation.attempts + 1)
        for task in tasks
        for agent in agents
    ]


def _check_choice(title: str, agents: Sequence[Agent], tasks: Sequence[Task], attempts: int) -> None:
    if not title.strip():
        raise EvaluationRefused("The evaluation has no title.", "Give it one.")
    if len(title.strip()) > LONGEST_TITLE:
        raise EvaluationRefused("The title is too long.", f"{LONGEST_TITLE} characters are the most.")
    if not agents:
        raise EvaluationRefused("No agent was chosen.", "Choose at least one.")
    if not tasks:
        raise EvaluationRefused("No task was chosen.", "Choose at least one.")
    if not 1 <= attempts <= MOST_ATTEMPTS:
        raise EvaluationRefused(
            f"{attempts} attempts are not possible.", f"Choose a number from 1 to {MOST_ATTEMPTS}."
        )
    for agent in agents:
        if not agent.enabled:
            raise EvaluationRefused(f"The agent {agent} is disabled.", "Enable it or leave it out.")
        try:
            create_agent(agent_spec(agent))
        except HarnessError as error:
            raise EvaluationRefused(
                f"The agent {agent} cannot be made: {error}.", "Mend its settings, or leave it out."
            ) from error
    for task in tasks:
        if not task.admitted:
            raise EvaluationRefused(
                f"The task {task} is not admitted: no proof for its present files is stored.",
                "Run `python -m harness validate` on its dataset and load it again, or leave it out.",
            )


def _check_money(agents: Iterable[Agent], budget_usd: float | None, limits: Limits) -> None:
    if budget_usd is not None and budget_usd <= 0:
        raise EvaluationRefused(
            "The budget is not more than nothing.", "Raise it, or leave it empty for none."
        )
    if limits.cost_usd is not None and limits.cost_usd <= 0:
        raise EvaluationRefused(
            "The cost limit of a run is not more than nothing.", "Raise it, or leave it empty for none."
        )
    if budget_usd is None and limits.cost_usd is None:
        return
    for agent in agents:
        if agent.model is not None and not _has_price(agent.model):
            raise EvaluationRefused(
                f"The price of {agent.model} is unknown, so a budget cannot be kept.",
                "Enter its prices on the model's page, or start without a budget.",
            )


def _has_price(model: LanguageModel) -> bool:
    return model.input_price is not None and model.output_price is not None


def _check_engine(status: EngineStatus, agents: Sequence[Agent]) -> None:
    if not status.available:
        raise EvaluationRefused(status.reason, status.remedy)
    strangers = [agent.name for agent in agents if agent.kind not in TRUSTED_KINDS]
    if strangers and not status.isolated:
        raise EvaluationRefused(
            f"{', '.join(strangers)}: these agents act in containers only, and this site runs without any.",
            "Choose null, oracle and scripted agents, or unset BENCHBENCH_ENGINE.",
        )
