"""Starting, cancelling and retrying evaluations."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from itertools import product

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.text import slugify

from harness.agents.registry import TRUSTED_KINDS, create_agent
from harness.errors import CANCELLED_BY_OPERATOR, HarnessError
from harness.limits import Limits
from harness.sandbox.base import EngineStatus
from runs.access.audit.audit_log import record
from runs.data.cells.recompute import recompute_cells
from runs.jobs import queue
from runs.jobs.job_kinds import EXECUTE
from runs.models import Agent, AuditEntry, Evaluation, LanguageModel, Panel, PlaySession, Run
from runs.operations.evaluations.harness_specs import agent_spec, model_spec
from runs.operations.evaluations.limits_form import MAX_ATTEMPTS
from runs.operations.monitoring.health import engine_status
from tasks.models import Task

MAX_TITLE_LENGTH = 200
BATCH = 1000
NOT_JUDGED = "The evaluation was cancelled."


class EvaluationRefused(Exception):
    """An evaluation was not started; nothing was stored. `reason` and `remedy` are sentences for the operator.

    `field`: the argument of `start_evaluation`, or of its limits, that is to blame; '' where none is.
    """

    def __init__(self, reason: str, remedy: str, field: str = "") -> None:
        self.reason = reason
        self.remedy = remedy
        self.field = field
        super().__init__(f"{reason} {remedy}")


class AlreadyStarted(Exception):
    """The same form was sent twice. `evaluation`: the one that was started the first time."""

    def __init__(self, evaluation: Evaluation) -> None:
        self.evaluation = evaluation
        super().__init__(f"{evaluation} was started already")


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
    mark: str = "",
    publish_when_finished: bool = False,
    user_model: LanguageModel | None = None,
    panel: Panel | None = None,
    judging_budget_usd: float | None = None,
) -> Evaluation:
    """Stores agents × tasks × attempts runs and enqueues them. Raises EvaluationRefused, AlreadyStarted.

    Its runs are in no public number until it is published: with `publish_when_finished` at the moment that it finishes,
    else by `set_listed` only. `panel` judges them when all have ended (`judging_passes.start_chosen_pass`).
    `budget_usd` is for all runs together, `limits` for each. `engine`: its status, for callers that have it. Without
    Redis the runs stay queued in the database until the sweeper enqueues them. `mark` is eight hexadecimal digits: of
    two calls with the same mark and title the second starts nothing. `user_model`: None for scripted users.
    """
    limits = limits or Limits()
    check_start(
        title,
        agents=agents,
        tasks=tasks,
        attempts=attempts,
        budget_usd=budget_usd,
        limits=limits,
        user_model=user_model,
    )
    _check_engine(engine or engine_status(), agents)
    slug = unique_slug(title, mark)
    try:
        with transaction.atomic():
            evaluation = Evaluation.objects.create(
                slug=slug,
                title=title.strip(),
                attempts=attempts,
                budget_usd=budget_usd,
                limits=limits.stored(),
                created_by_id=user.pk if user else None,
                listed=False,
                publish_when_finished=publish_when_finished,
                user_model=user_model,
                simulated_user=asdict(model_spec(user_model)) if user_model else {},
                panel_when_finished=panel,
                judging_budget_usd=judging_budget_usd if panel else None,
            )
            runs = Run.objects.bulk_create(_runs(evaluation, agents, tasks), batch_size=BATCH)
            queue.enqueue_on_commit(EXECUTE, runs)
    except IntegrityError as error:
        before = Evaluation.objects.filter(slug=slug).first()
        if before is None:
            raise
        raise AlreadyStarted(before) from error
    return evaluation


def cancel_evaluation(evaluation: Evaluation) -> int:
    """Cancels queued runs at once, and stops running agents. Returns how many runs were still open.

    Finished runs stay as they are. The evaluation is neither published nor judged by itself any more. An evaluation
    that has ended already stays as it is.
    """
    with transaction.atomic():
        locked(evaluation)
        open_runs = evaluation.runs.select_for_update().filter(state__in=Run.OPEN)
        queued = list(open_runs.filter(state=Run.State.QUEUED))
        count = open_runs.update(cancel_requested=True)
        cancel_queued(evaluation, CANCELLED_BY_OPERATOR)
        ended = Evaluation.objects.filter(pk=evaluation.pk, state=Evaluation.State.RUNNING).update(
            state=Evaluation.State.CANCELLED,
            finished_at=timezone.now(),
            publish_when_finished=False,
        )
        if ended:
            chosen = Evaluation.objects.filter(pk=evaluation.pk, panel_when_finished__isnull=False)
            chosen.update(judging_refused=NOT_JUDGED)
        if count or ended:
            record(AuditEntry.Act.CANCELLED, evaluation, after={"cancelled runs": count})
    evaluation.refresh_from_db()
    queue.forget(queued)
    return count


def cancel_queued(evaluation: Evaluation, reason: str) -> int:
    """Cancels all queued runs and stores the reason. Returns how many."""
    ended_at = timezone.now()
    cancelled = evaluation.runs.filter(state=Run.State.QUEUED).update(
        state=Run.State.CANCELLED, ending="cancelled", detail=reason, not_before=None, finished_at=ended_at
    )
    sessions = PlaySession.objects.filter(run__evaluation=evaluation, run__state=Run.State.CANCELLED)
    sessions.filter(ended_at=None).update(ended_at=ended_at)
    return cancelled


def retry_infrastructure_failures(evaluation: Evaluation) -> int:
    """Queues all runs that the infrastructure failed for another round of tries. Returns how many.

    Their old tries stay. Cells do not count the runs until they settle again. None of an imported evaluation is queued,
    and none of a person, who knows the task now.
    """
    if evaluation.origin or evaluation.is_played:
        return 0
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
            queue.enqueue_on_commit(EXECUTE, runs)
            record(AuditEntry.Act.RETRIED, evaluation, after={"queued runs": len(runs)})
    evaluation.refresh_from_db()
    return len(runs)


def set_listed(evaluation: Evaluation, listed: bool) -> None:
    """Publishes the evaluation, or makes it a trial. A running one is published when it finishes, not before.

    A person's is published only with that person's consent.
    """
    with transaction.atomic():
        locked(evaluation)
        evaluation.refresh_from_db()
        # The runs of the fault catalogue are no results.
        listed = listed and not evaluation.is_fault_catalogue and not lacks_consent(evaluation)
        waits = listed and not evaluation.listed and evaluation.state == Evaluation.State.RUNNING
        evaluation.listed = listed and not waits
        evaluation.publish_when_finished = waits
        evaluation.save(update_fields=["listed", "publish_when_finished"])
        recompute_cells(finished_pairs(evaluation))


def lacks_consent(evaluation: Evaluation) -> bool:
    """Whether it has a run of a person who does not agree that the record is published."""
    return PlaySession.objects.filter(run__evaluation=evaluation, consent=False).exists()


def finished_pairs(evaluation: Evaluation) -> list[tuple[int, int]]:
    """The (agent, task) of every cell in which the evaluation's runs may count."""
    finished = evaluation.runs.filter(state=Run.State.FINISHED).order_by()
    return list(finished.values_list("agent_id", "task_id").distinct())


def locked(evaluation: Evaluation) -> None:
    """Locks the evaluation until this transaction ends: no one else changes it or settles a run of it.

    Take this lock before those of runs and cells.
    """
    Evaluation.objects.select_for_update().filter(pk=evaluation.pk).first()


def new_mark() -> str:
    """A random part for the slug, so that two evaluations may have the same title."""
    return secrets.token_hex(4)


def unique_slug(title: str, mark: str = "") -> str:
    """A slug that no other evaluation has, here or on another site: run keys begin with it."""
    return f"{slugify(title)[:36].strip('-') or 'evaluation'}-{mark or new_mark()}"


def run_key(evaluation: Evaluation, agent: Agent, task: Task, attempt: int) -> str:
    """Identity.run_id: readable, and unique also among imported runs of other sites."""
    return f"{evaluation.slug}/{agent.slug}/{task.repository.slug}/{task.slug}/{attempt}"


def _runs(evaluation: Evaluation, agents: Iterable[Agent], tasks: Sequence[Task]) -> Iterable[Run]:
    """Attempt by attempt, so that an evaluation that ends early has runs of all agents and tasks."""
    for attempt, task, agent in product(range(1, evaluation.attempts + 1), tasks, agents):
        key = run_key(evaluation, agent, task, attempt)
        yield Run(key=key, evaluation=evaluation, agent=agent, task=task, attempt=attempt)


def check_start(
    title: str,
    *,
    agents: Sequence[Agent],
    tasks: Sequence[Task],
    attempts: int,
    budget_usd: float | None,
    limits: Limits,
    user_model: LanguageModel | None = None,
) -> None:
    """Raises EvaluationRefused where `start_evaluation` would, except because of the container engine."""
    if not title.strip():
        raise EvaluationRefused("The evaluation has no title.", "Give it one.", "title")
    if len(title.strip()) > MAX_TITLE_LENGTH:
        raise EvaluationRefused(
            "The title is too long.", f"It may have at most {MAX_TITLE_LENGTH} characters.", "title"
        )
    _check_agents(agents)
    _check_tasks(tasks)
    if not 1 <= attempts <= MAX_ATTEMPTS:
        raise EvaluationRefused(
            f"{attempts} attempts are not possible.", f"Choose a number from 1 to {MAX_ATTEMPTS}.", "attempts"
        )
    _check_money(agents, budget_usd, limits)
    _check_user(user_model, tasks, budget_usd)


def _check_agents(agents: Sequence[Agent]) -> None:
    if not agents:
        raise EvaluationRefused("No agent was chosen.", "Choose at least one.", "agents")
    for agent in agents:
        if not agent.enabled:
            raise EvaluationRefused(f"The agent {agent} is disabled.", "Enable it or leave it out.", "agents")
        if agent.origin:
            raise EvaluationRefused(
                f"All runs of the agent {agent} were imported from elsewhere.",
                "Make an agent of this site with the same settings.",
                "agents",
            )
        try:
            create_agent(agent_spec(agent))
        except HarnessError as error:
            raise EvaluationRefused(
                f"The agent {agent} is invalid: {error}.", "Correct its settings, or leave it out.", "agents"
            ) from error


def _check_tasks(tasks: Sequence[Task]) -> None:
    if not tasks:
        raise EvaluationRefused("No task was chosen.", "Choose at least one.", "tasks")
    for task in tasks:
        if not task.admitted:
            raise EvaluationRefused(
                f"The task {task} is not admitted: no proof for its present files is stored.",
                "Run `python -m harness validate` on its dataset and load it again, or leave it out.",
                "tasks",
            )


def _check_money(agents: Iterable[Agent], budget_usd: float | None, limits: Limits) -> None:
    if budget_usd is not None and budget_usd <= 0:
        raise EvaluationRefused(
            "The budget must be more than 0.", "Raise it, or leave it empty for none.", "budget_usd"
        )
    if limits.cost_usd is not None and limits.cost_usd <= 0:
        raise EvaluationRefused(
            "The cost limit of a run must be more than 0.",
            "Raise it, or leave it empty for none.",
            "cost_usd",
        )
    if budget_usd is None and limits.cost_usd is None:
        return
    for agent in agents:
        if agent.model is not None:
            _check_price(agent.model, "budget_usd" if budget_usd is not None else "cost_usd")


def _check_user(model: LanguageModel | None, tasks: Iterable[Task], budget_usd: float | None) -> None:
    if model is None:
        return
    if all(task.mode != Task.Mode.WORKFLOW for task in tasks):
        raise EvaluationRefused(
            f"{model} would play the user, but no task has one.",
            "Choose a workflow task, or no model for the user.",
            "user_model",
        )
    if budget_usd is not None:
        _check_price(model, "user_model")


def _check_price(model: LanguageModel, field: str) -> None:
    if model.input_price is None or model.output_price is None:
        raise EvaluationRefused(
            f"The price of {model} is unknown, so a budget cannot be enforced.",
            "Enter its prices on the model's page, or start without a budget.",
            field,
        )


def _check_engine(status: EngineStatus, agents: Sequence[Agent]) -> None:
    if not status.available:
        raise EvaluationRefused(status.reason, status.remedy)
    untrusted = [agent.name for agent in agents if agent.kind not in TRUSTED_KINDS]
    if untrusted and not status.isolated:
        raise EvaluationRefused(
            f"{', '.join(untrusted)}: these agents act in containers only, and this site runs without any.",
            "Choose null, oracle and scripted agents, or unset BENCHBENCH_ENGINE.",
        )
