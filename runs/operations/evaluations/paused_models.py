"""Models whose account failed: their runs wait, in all evaluations, until an operator lets them go on."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass

from django.core.mail import mail_admins
from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from harness.errors import Cause
from runs.access.audit.audit_log import record
from runs.jobs import queue
from runs.jobs.job_kinds import EXECUTE
from runs.models import Agent, AuditEntry, LanguageModel, Run

log = logging.getLogger(__name__)

# `failure` of a run or try whose model did not answer; "model" is that of earlier versions.
OF_MODELS = ("model", Cause.ACCOUNT, Cause.RATE, Cause.GATEWAY, Cause.PROVIDER)


def pause(run: Run, reason: str) -> bool:
    """Pauses the model of a run that its account failed. False for an agent without a model.

    Operators get one message, for the first run.
    """
    model_id = run.agent.model_id
    if model_id is None:
        return False
    paused = LanguageModel.objects.filter(pk=model_id, paused_at=None)
    if paused.update(paused_at=timezone.now(), pause_reason=reason):
        name = LanguageModel.objects.values_list("name", flat=True).get(pk=model_id)
        transaction.on_commit(lambda: _tell(name, reason))
    return True


def go_on(model: LanguageModel) -> int:
    """Lets the runs of a paused model go on. Returns how many wait; 0 if it was not paused."""
    with transaction.atomic():
        if not LanguageModel.objects.filter(pk=model.pk, paused_at__isnull=False).update(
            paused_at=None, pause_reason=""
        ):
            return 0
        runs = list(waiting_runs([model]))
        record(AuditEntry.Act.RETRIED, model, after={"queued runs": len(runs)})
        queue.enqueue_on_commit(EXECUTE, runs)
    return len(runs)


def waits_for_account() -> Q:
    """Runs whose model is paused. Without a join, because claims are updates."""
    return Q(agent__in=Agent.objects.filter(model__paused_at__isnull=False).values("pk"))


def waiting_runs(models: Iterable[LanguageModel]) -> QuerySet[Run]:
    """The runs of these models that wait in the queue."""
    return Run.objects.filter(state=Run.State.QUEUED, agent__model__in=models, cancel_requested=False)


@dataclass(frozen=True, slots=True)
class Paused:
    """A paused model, and how many of some runs wait for it."""

    pk: int
    name: str
    reason: str
    n_waiting: int


def paused_models(runs: QuerySet[Run]) -> list[Paused]:
    """The paused models for which some of `runs` wait. One query."""
    waiting = runs.filter(state=Run.State.QUEUED, agent__model__paused_at__isnull=False).order_by()
    named = waiting.values_list("agent__model", "agent__model__name", "agent__model__pause_reason")
    return [Paused(*row) for row in named.annotate(n=Count("pk")).order_by("agent__model__name")]


def _tell(name: str, reason: str) -> None:
    try:
        mail_admins(
            f"{name} is paused",
            f"The account of {name} fails: {reason}\n\nIts runs wait. Mend it, then press Go on on the model's page.",
        )
    except OSError as error:
        log.warning("operators could not be told that %s is paused: %s", name, error)
